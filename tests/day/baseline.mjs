// What answers weigh, kept in the repository: who makes an answer longer sees it in the change. Update:
// node tests/day/update.mjs.
import { readFileSync, writeFileSync } from 'node:fs';

// Seconds and sizes in bytes have other lengths on other machines.
const SLACK_TOKENS = 40;
const SLACK_RATIO = 0.05;

const fileOf = (name) => new URL(`${name}.json`, import.meta.url);

export const read = (name) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

// One line a call.
export function write(name, days) {
  const day = ([profile, sizes]) =>
    `  ${JSON.stringify(profile)}: {\n${Object.entries(sizes).map(([call, size]) => `    ${JSON.stringify(call)}: ${JSON.stringify(size)}`).join(',\n')}\n  }`;
  writeFileSync(fileOf(name), `{\n${Object.entries(days).map(day).join(',\n')}\n}\n`);
}

// Where a day differs from what was kept, as sentences.
export function* differences(kept, sizes) {
  for (const call of Object.keys(kept)) if (!(call in sizes)) yield `no longer asked: ${call}`;
  for (const [call, now] of Object.entries(sizes)) {
    if (!(call in kept)) {
      yield `new: ${call}`;
      continue;
    }
    for (const [i, what] of ['text', 'structure'].entries()) {
      const slack = Math.max(SLACK_TOKENS, SLACK_RATIO * kept[call][i]);
      if (Math.abs(now[i] - kept[call][i]) > slack) yield `${call}: ${what} of ${now[i]} tokens, was ${kept[call][i]}`;
    }
  }
}
