// Whoever reads an answer pays for it: at default arguments every tool answers within 2,000 tokens, and whatever is
// asked of it within 10,000, structure and text each, of synthetic profiles and of the real ones where they are here.
// And what it suggests next applies.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { realProfiles } from '../day/profiles.mjs';
import { McpClient } from '../support/mcp.mjs';
import { example, run, scratchDir } from '../support/stepwise.mjs';

const DEFAULT_TOKENS = 2000;
const HARD_TOKENS = 10000;
const tokens = (text) => text.length / 4;

const TOOLS = JSON.parse(run(['tools', '--json']).stdout).tools;

const EXAMPLES = [
  { ranks: 4, seed: 3, steps: 5, events: 20000 },
  { ranks: 16, seed: 2, steps: 2, events: 3000 },
  { ranks: 2, seed: 5, steps: 40, events: 20000, export: 'db' },
  { kind: 'llm-train', ranks: 8, seed: 3, events: 20000 },
  { kind: 'recsys-infer', seed: 3, events: 20000 },
];

const DRAFT = Array.from({ length: 60 }, (_, i) => `- Set \`TASK_QUEUE_ENABLE=${i}\` and \`NO_SUCH_${i}=1\`: 9${i % 10} % of the step is communication.`).join('\n');

// What a tool cannot do without, besides the profile.
const NEEDED = {
  query_sql: { sql: 'SELECT * FROM kernel' },
  run_analysis: { analysis: 'describe_tables' },
  timeline: { rank: 0, start_us: 0, end_us: 1e9 },
  validate_advice: { markdown: DRAFT },
  lookup_parameter: { query: 'communication' },
};
const UNASKED = ['open_profile', 'close_profile']; // the one is asked first, the other ends it all

// The tool as it stands; each word that an argument may be; and as much as it gives.
function* variantsOf({ name, input }) {
  const needed = { ...NEEDED[name] };
  yield [needed, DEFAULT_TOKENS];
  const most = {};
  for (const [argument, schema] of Object.entries(input.properties)) {
    if (argument === 'export' || argument in needed) continue;
    for (const value of schema.enum ?? []) yield [{ ...needed, [argument]: value }, HARD_TOKENS];
    if (schema.type === 'boolean') most[argument] = true;
    if (schema.type === 'integer' && schema.maximum) most[argument] = schema.maximum;
  }
  if (Object.keys(most).length > 0) yield [{ ...needed, ...most }, HARD_TOKENS];
  if (name === 'list_analyses') for (const tool of TOOLS) yield [{ analysis: tool.name }, HARD_TOKENS];
}

async function check(profile) {
  const client = await new McpClient(['--root', profile, '--out', scratchDir('out'), '--tools', 'all']).start();
  const listed = (await client.request('tools/list', {})).result.tools.map(({ name }) => name);
  const opened = await client.call('open_profile', { path: profile });
  const faults = [];
  const measure = (call, { structure, text }, most) => {
    for (const [what, size] of [['structure', tokens(JSON.stringify(structure ?? {}))], ['text', tokens(text)]]) {
      if (size >= most) faults.push(`${call}: ${what} of ${Math.round(size)} tokens`);
    }
  };
  measure('open_profile', opened, DEFAULT_TOKENS);
  if (opened.isError) {
    await client.stop();
    return faults; // nothing of a profile lies there
  }
  const answers = new Map();
  for (const tool of TOOLS) {
    if (UNASKED.includes(tool.name)) continue;
    for (const [args, most] of variantsOf(tool)) {
      const about = 'profile' in tool.input.properties ? { profile: opened.structure.id } : {};
      const answer = await client.call(tool.name, { ...about, ...args });
      measure(`${tool.name} ${JSON.stringify(args).slice(0, 100)}`, answer, most);
      if (answer.isError) continue;
      if (!answers.has(tool.name)) answers.set(tool.name, answer.structure);
    }
  }
  for (const [tool, { status, next = [] }] of answers) {
    if (status === 'not_applicable' && next.length === 0) faults.push(`${tool}: not applicable, and nothing else to do`);
    for (const one of next) {
      if (!listed.includes(one.tool)) faults.push(`${tool} suggests ${one.tool}, which there is not`);
      const followed = await client.call(one.tool, one.arguments);
      if (followed.isError) faults.push(`${tool} suggests ${one.tool}, which fails: ${followed.text}`);
      else if (followed.structure.status === 'not_applicable') faults.push(`${tool} suggests ${one.tool}, not applicable`);
    }
  }
  await client.stop();
  return faults;
}

for (const options of EXAMPLES) {
  test(`answers about an example are short (${JSON.stringify(options)})`, async () => {
    assert.deepEqual(await check(example(options)), []);
  });
}

for (const [name, path] of realProfiles()) {
  test(`answers about a real profile are short (${name})`, async () => {
    assert.deepEqual(await check(path), []);
  });
}

// Names come from what people write in their programs, and from what went wrong there.
test('one name of 5 MB makes no answer long', async () => {
  const long = 'x'.repeat(5 << 20);
  const slice = (name, cat, ts, args = {}) => ({ ph: 'X', name, cat, pid: 1, tid: 1, ts, dur: 50, args });
  const traceEvents = [
    slice(`aten::${long}`, 'cpu_op', 100, { 'External id': 1 }),
    slice('cudaLaunchKernel', 'cuda_runtime', 110, { correlation: 7, 'External id': 1 }),
    { ...slice(long, 'kernel', 120, { correlation: 7, stream: 7, device: 0, 'External id': 1 }), pid: 0, tid: 7 },
    slice('ProfilerStep#1', 'user_annotation', 90),
  ];
  const profile = scratchDir('long-name');
  writeFileSync(join(profile, 'rank0.pt.trace.json'), JSON.stringify({ schemaVersion: 1, traceEvents }));
  assert.deepEqual(await check(profile), []);
  const client = await new McpClient(['--root', profile]).start();
  const { structure, text } = await client.call('top_operators', { profile, by: 'name', full_names: true });
  await client.stop();
  assert.match(structure.rows[0].name, /^x{1000,}… \(\d+ bytes\)$/);
  assert.match(text, /x…/);
});
