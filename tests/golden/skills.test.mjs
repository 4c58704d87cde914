// The skills against the program: their front matter, and that every call and command they name is one that works.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';

import { binary, environment, example, root, run, scratchDir } from '../support/stepwise.mjs';

const folder = join(root, 'skills');
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'SKILL.md')));
const skills = names.map((name) => ({ name, text: readFileSync(join(folder, name, 'SKILL.md'), 'utf8') }));
const tools = new Map(JSON.parse(run(['tools', '--json']).stdout).tools.map((tool) => [tool.name, tool]));

const training = { ranks: 2, steps: 3, seed: 3 };
const places = (name) =>
  name === 'analyze-inference'
    ? { PROFILE: example({ kind: 'recsys-infer' }) }
    : { PROFILE: example(training), BEFORE: example(training), AFTER: example({ ...training, seed: 4 }) };
// What a reader puts in: a path or an id of a profile, and words of their own.
const filled = (text, { PROFILE, BEFORE, AFTER }) =>
  text
    .replace(/\b(PROFILE|ID)\b/g, PROFILE)
    .replace(/\bBEFORE\b/g, BEFORE)
    .replace(/\bAFTER\b/g, AFTER)
    .replace(/"(DRAFT|ONE|TWO)"/g, '"- Set `TASK_QUEUE_ENABLE=2`."')
    .replace(/"TOPIC"/g, '"cpu affinity"')
    .replace(/"NAME", "value": "VALUE"/g, '"TASK_QUEUE_ENABLE", "value": "2"')
    .replace(/"analysis": "(NAME|slow_kernels)"/g, '"analysis": "host_api"');
const CALL = /`([a-z_]+) (\{[^`]*\})`/g; // as skills write one: a tool and its arguments
// The example of an inference records no memory; the others fill what each call asks for.
const fits = (name, call) => (name === 'analyze-inference' && /\bmemory\b/.test(call) ? /^not_applicable$/ : /^(ok|partial)$/);
const answers = (done, what) => {
  assert.equal(done.status, 0, `${what}: ${done.stderr}`);
  return done.stdout;
};

test('front matter is one-line YAML that a plain reader takes, and says what for and when', () => {
  assert.equal(names.length, 5);
  for (const { name, text } of skills) {
    const [, front, body] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(text) ?? assert.fail(name);
    const values = Object.fromEntries(front.split('\n').map((line) => line.split(/: (.*)/s)));
    assert.deepEqual(Object.keys(values), ['name', 'description'], name);
    assert.equal(values.name, name);
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.ok(values.description.length <= 1024, name);
    assert.match(values.description, /\. Use when /, name);
    assert.doesNotMatch(values.description, /: | #|^[-?:,[\]{}#&*!|>'"%@`]/, `${name}: needs quotes in YAML`);
    assert.match(body, /^# /, name);
    assert.ok(text.split('\n').length < 120, name);
  }
});

test('every call that a skill names is of a tool that there is, with arguments that it takes', () => {
  for (const { name, text } of skills) {
    let calls = 0;
    for (const [, tool, json] of text.matchAll(CALL)) {
      const declared = tools.get(tool) ?? assert.fail(`${name} calls ${tool}`);
      for (const argument of Object.keys(JSON.parse(json))) {
        assert.ok(argument in declared.input.properties, `${name}: ${tool} takes no ${argument}`);
      }
      ++calls;
    }
    assert.ok(calls >= 3, `${name} names ${calls} calls`);
  }
});

test('every word with an underscore is a tool, an argument, a key of an answer or a name that is written so', () => {
  const known = new Set(['where_time_goes', 'total_rows', 'next_cursor', 'for_each_row']);
  for (const tool of tools.values()) {
    known.add(tool.name);
    for (const schema of [tool.input, tool.output]) for (const key in schema.properties ?? {}) known.add(key);
    for (const key in tool.output.properties?.rows?.items?.properties ?? {}) known.add(key);
  }
  for (const kind of ['not_applicable', 'slow_kernels', 'torch_npu']) known.add(kind);
  for (const { name, text } of skills) {
    for (const [, word] of text.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)`/g)) assert.ok(known.has(word), `${name}: ${word}`);
  }
});

test('the calls of the steps work', () => {
  for (const { name, text } of skills) {
    const profiles = places(name);
    for (const [, tool, json] of text.matchAll(CALL)) {
      const given = JSON.parse(filled(json, profiles));
      const takes = 'profile' in tools.get(tool).input.properties && !('profile' in given);
      const profile = takes ? ['--profile', profiles.PROFILE] : [];
      const done = run(['call', tool, ...profile, '--args', JSON.stringify(given)]);
      assert.equal(done.code, 0, `${name}: ${tool} ${json}: ${done.stderr}`);
      assert.match(JSON.parse(done.stdout).status, fits(name, json), `${name}: ${tool} ${json}`);
    }
  }
});

test('the commands for a shell work as they stand', () => {
  const PATH = [dirname(binary), process.env.PATH].join(delimiter);
  for (const { name, text } of skills) {
    const cwd = scratchDir(name);
    const commands = [...text.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block]) => block.trim().split('\n'));
    assert.ok(commands.length >= 5, name);
    for (const command of commands) {
      const line = filled(command, places(name));
      const out = answers(spawnSync('sh', ['-c', line], { cwd, env: environment({ PATH }), encoding: 'utf8' }), line);
      if (/^stepwise call /.test(command)) assert.match(JSON.parse(out).status, fits(name, command), line);
    }
  }
});
