// `stepwise knowledge check`: the program's own files, overlays, and the examples of docs/guide/knowledge.md.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { example, root, run, scratchDir } from '../support/stepwise.mjs';

const OWN = { parameters: 288, fusion_passes: 78, links: 31, chips: 65 };
const FILES = Object.keys(OWN);
const RULES = { rules: 66, measures: 65 };
const own = (name) => JSON.parse(readFileSync(join(root, 'skills/knowledge', `${name}.json`), 'utf8'));

function folder(files) {
  const dir = scratchDir('knowledge');
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(dir, `${name}.json`), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return dir;
}

function check(dir, env = {}) {
  const done = run(['knowledge', 'check', ...(dir ? [dir] : []), '--json'], { env });
  return { code: done.code, ...JSON.parse(done.stdout) };
}

test("the program's own knowledge has no fault", () => {
  assert.deepEqual(check(), { code: 0, ...OWN, ...RULES, faults: [] });
  const words = run(['knowledge', 'check']);
  assert.equal(words.stdout, '288 parameters, 78 fusion passes, 31 links, 65 chips, 66 rules, 65 measures; 0 faults.\n');
});

test("the guide's examples are sound, each in its file, and add to what is there", () => {
  const page = readFileSync(join(root, 'docs/guide/knowledge.md'), 'utf8');
  const examples = { parameters: [] };
  const kinds = { parameter: 'parameters', claim: 'parameters', 'fusion pass': 'fusion_passes', link: 'links', chip: 'chips' };
  for (const [, kind, json] of page.matchAll(/^## Adding a ([a-z ]+)\n[^#]*?```json\n([^]*?)```/gm)) {
    examples[kinds[kind]] = [...(examples[kinds[kind]] ?? []), ...JSON.parse(json)];
  }
  assert.deepEqual(Object.keys(examples).sort(), [...FILES].sort());
  const got = check(folder(examples));
  assert.deepEqual(got.faults, []);
  assert.equal(got.code, 0);
  for (const name of FILES) assert.equal(got[name], OWN[name] + examples[name].length, name);
});

test('the guide lists the words of the schema', () => {
  const page = readFileSync(join(root, 'docs/guide/knowledge.md'), 'utf8');
  const fields = own('schema/parameters').items.properties;
  for (const name of ['modes', 'toolchains', 'scenarios', 'frameworks', 'hardware']) {
    const row = page.match(new RegExp(`^\\| \`${name}\` \\| (.*) \\|$`, 'm'))[1];
    assert.deepEqual(row.replace(/\([^)]*\)/g, '').split(',').map((word) => word.trim()), fields[name].items.enum, name);
  }
});

test('each file is checked: what is wrong is told with its file and place, and ends with 3', () => {
  for (const name of FILES) {
    const broken = [{ ...own(name)[0], colour: 'red' }];
    const dir = folder({ [name]: broken });
    const got = check(dir);
    assert.equal(got.code, 3, name);
    assert.deepEqual(got.faults.map((one) => [one.code, one.where]), [['knowledge.entry', join(dir, `${name}.json#/0/colour`)]]);
    assert.equal(got[name], OWN[name]);
    const cut = check(folder({ [name]: '[{' }));
    assert.deepEqual([cut.code, cut.faults.length, cut.faults[0].code], [3, 1, 'knowledge.file']);
  }
});

test('an overlay never overrides, named as an argument or in STEPWISE_KNOWLEDGE_PATH', () => {
  for (const name of FILES) {
    const dir = folder({ [name]: own(name).slice(0, 2) });
    for (const got of [check(dir), check(null, { STEPWISE_KNOWLEDGE_PATH: dir })]) {
      assert.equal(got.code, 3);
      assert.deepEqual(got.faults.map((one) => one.code), ['knowledge.override', 'knowledge.override'], name);
      assert.equal(got[name], OWN[name]);
    }
  }
});

test('a folder without any of the files is told', () => {
  const got = check(folder({ passes: [] }));
  assert.equal(got.code, 3);
  assert.match(got.faults[0].message, /parameters\.json, fusion_passes\.json, links\.json, chips\.json/);
});

// The examples of docs/guide/rules.md, in a folder of their own.
function guidedRules(change = (rule) => rule) {
  const page = readFileSync(join(root, 'docs/guide/rules.md'), 'utf8');
  const [rule, measure] = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, json]) => JSON.parse(json));
  const dir = scratchDir('rules');
  for (const [name, one] of [['rules', change(rule)], ['measures', measure]]) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'mine.json'), JSON.stringify([one]));
  }
  return { dir, rule };
}

test('rules and measures are checked too, and counted', () => {
  const { dir } = guidedRules();
  const got = check(dir);
  assert.deepEqual([got.code, got.faults, got.rules, got.measures], [0, [], RULES.rules + 1, RULES.measures + 1]);
  const broken = guidedRules((rule) => ({ ...rule, bound: 'no.such_metric' })).dir;
  const told = check(broken);
  assert.equal(told.code, 3);
  assert.deepEqual(told.faults.map((one) => one.code), ['rules.metric', 'rules.unreachable', 'rules.unreachable']);
  assert.equal(told.faults[0].where, `${join(broken, 'rules/mine.json')}#/0/bound`);
  assert.deepEqual([told.rules, told.measures], [RULES.rules, RULES.measures]);
});

test("the guide's rule fires, and its measure is given", () => {
  const { dir, rule } = guidedRules();
  const args = JSON.stringify({ focus: rule.id });
  const done = run(['call', 'advise', '--profile', example(), '--args', args], { env: { STEPWISE_KNOWLEDGE_PATH: dir } });
  assert.equal(done.code, 0, done.stderr);
  const { rows } = JSON.parse(done.stdout);
  assert.deepEqual(rows.map((row) => [row.rule, row.id]), [[rule.id, 'h2d.pinned_loader']]);
  assert.ok(rows[0].share_ratio > 0.25);
});

test('a folder that is named twice is read once', () => {
  const { dir } = guidedRules();
  writeFileSync(join(dir, 'links.json'), JSON.stringify([]));
  for (const path of [dir, `${dir}:${dir}/`, `${dir}/../${dir.split('/').at(-1)}`]) {
    const got = check(dir, { STEPWISE_KNOWLEDGE_PATH: path });
    assert.deepEqual([got.code, got.faults, got.rules], [0, [], RULES.rules + 1], path);
  }
});

test('a name in full-width letters is found', () => {
  const done = run(['call', 'lookup_parameter', '--args', '{"name": "ＴＡＳＫ＿ＱＵＥＵＥ＿ＥＮＡＢＬＥ"}']);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(JSON.parse(done.stdout).entry.id, 'env.TASK_QUEUE_ENABLE');
  const near = run(['call', 'lookup_parameter', '--args', '{"name": "ＴＡＳＫ＿ＱＵＥＵＥ＿ＥＮＡＢＥＬ"}']);
  assert.equal(JSON.parse(near.stdout).nearest[0], 'TASK_QUEUE_ENABLE');
});

test('a name is looked up as it is written: with its value, in words; a query that finds nothing tells the nearest', () => {
  const lookup = (args) => JSON.parse(run(['call', 'lookup_parameter', '--args', JSON.stringify(args), '--json']).stdout);
  const withValue = lookup({ name: 'TASK_QUEUE_ENABLE=1' });
  assert.equal(withValue.entry.name, 'TASK_QUEUE_ENABLE');
  assert.deepEqual(withValue.value_fits, { answer: 'yes', why: 'It is the default already.' });
  assert.equal(lookup({ name: 'task queue enable' }).entry.name, 'TASK_QUEUE_ENABLE');
  assert.equal(lookup({ name: 'NPU_TURBO=1' }).found, false);
  const misspelt = lookup({ query: 'task_queue_enabel' });
  assert.equal(misspelt.found, false);
  assert.equal(misspelt.nearest[0], 'TASK_QUEUE_ENABLE');
});
