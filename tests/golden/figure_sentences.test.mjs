// Sentences with figures, in both languages, held against the example run. figure_sentences.json says of each figure,
// as a person read it: right, wrong, or open (what it is of cannot be told for sure), and what it must be held against.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { call, example, root } from '../support/stepwise.mjs';

const sentences = JSON.parse(readFileSync(join(root, 'tests/golden/figure_sentences.json'), 'utf8'));
const profile = () => example({ ranks: 2, steps: 5, events: 20000 });
const word = (figure) => (figure.ok === null ? 'open' : `${figure.ok ? 'right' : 'wrong'} ${figure.what}`);

test('each figure is right, wrong or open as its sentence means it, and is held against that very thing', () => {
  const items = sentences.map(([text]) => text);
  // So many at once as an answer has room for.
  const figures = [];
  const counts = { figures_right: 0, figures_wrong: 0, figures_open: 0 };
  for (let at = 0; at < items.length; at += 30) {
    const answer = call('validate_advice', profile(), { items: items.slice(at, at + 30), limit: 1000 });
    assert.equal(answer.figures_left_out, undefined);
    figures.push(...answer.figures);
    for (const key of Object.keys(counts)) counts[key] += answer.counts[key];
  }
  let next = 0;
  const got = sentences.map(([text, ...expected]) => [text, ...expected.map(() => word(figures[next++]))]);
  assert.equal(next, figures.length);
  assert.deepEqual(got, sentences);

  const expected = sentences.flatMap(([, ...verdicts]) => verdicts);
  const count = (kind) => expected.filter((one) => one.startsWith(kind)).length;
  assert.ok(expected.length >= 80);
  assert.deepEqual(
    [counts.figures_right, counts.figures_wrong, counts.figures_open],
    [count('right'), count('wrong'), count('open')],
  );
});
