// The cache as processes share it: who reads, who finds it read, what a killed process leaves.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { McpClient } from '../support/mcp.mjs';
import { binary, call, environment, example, run, scratchDir } from '../support/stepwise.mjs';

const profile = example({ seed: 33, events: 20_000 });
const tool = ['call', 'stage_breakdown', '--profile', profile];

function listed(env) {
  const done = run(['cache', 'list', '--json'], { env });
  assert.equal(done.code, 0, done.stderr);
  return JSON.parse(done.stdout);
}

// {child, ended: code or signal, and what it printed}
function start(args, env) {
  const child = spawn(binary, args, { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  child.stdout.on('data', (bytes) => (stdout += bytes));
  child.stderr.resume();
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout })));
  return { child, ended };
}

const filesBelow = (dir) => (existsSync(dir) ? readdirSync(dir, { recursive: true }).map(String) : []);

test('the cache lists, says where it is, and clears', () => {
  const env = { XDG_CACHE_HOME: scratchDir('cache') };
  const where = run(['cache', 'path'], { env }).stdout.trim();
  assert.equal(where, join(env.XDG_CACHE_HOME, 'stepwise'));
  assert.match(run(['cache', 'list'], { env }).stdout, /empty/);

  assert.equal(run(tool, { env }).code, 0);
  assert.equal(run(tool, { env }).code, 0);
  const [entry] = listed(env).profiles;
  assert.equal(entry.path, profile);
  assert.equal(entry.made, entry.segments);
  assert.equal(entry.hits, entry.segments);
  const table = run(['cache', 'list'], { env }).stdout;
  for (const word of ['PROFILE', 'HITS', entry.profile, profile, 'Limit 20.0 GiB']) assert.ok(table.includes(word), word);

  assert.equal(run(['cache', 'clear'], { env }).code, 0);
  assert.deepEqual(filesBelow(where), []);
});

test('beyond its limit the cache lets go of what was used least recently, and says so', () => {
  const env = { XDG_CACHE_HOME: scratchDir('small'), STEPWISE_CACHE_BYTES: '1' };
  const other = example({ seed: 34 });
  for (const one of [profile, other]) {
    assert.equal(run(['call', 'top_operators', '--profile', one], { env }).code, 0);
  }
  const list = listed(env);
  assert.deepEqual(list.profiles.map((entry) => entry.path), [other]);
  assert.equal(list.max_bytes, 1);
  assert.equal(list.evicted_segments, 1);
  assert.ok(list.evicted_bytes > 1);
});

test('processes that open one profile at once read it once', async () => {
  const env = { XDG_CACHE_HOME: scratchDir('together') };
  const answers = await Promise.all(Array.from({ length: 4 }, () => start(tool, env).ended));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(answers[0].code, 0);
  const [entry] = listed(env).profiles;
  assert.equal(entry.made, entry.segments);
  assert.equal(entry.hits, 3 * entry.segments);
});

test('kill -9 at any moment leaves nothing in the way', async () => {
  // Of the fastest run so far: by that of a first one on a machine that was busy all kills would come too late.
  let whole_ms = Infinity;
  const timed = (env) => {
    const began = performance.now();
    const done = run(tool, { env });
    whole_ms = Math.min(whole_ms, performance.now() - began);
    assert.equal(done.code, 0, done.stderr);
    return done;
  };
  const right = timed({ XDG_CACHE_HOME: scratchDir('whole') });

  const env = { XDG_CACHE_HOME: scratchDir('killed') };
  const kills = 25;
  let killed = 0;
  for (let i = 0; i < kills; ++i) {
    const { child, ended } = start(tool, env);
    await delay((whole_ms * i) / kills);
    child.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') ++killed;
    if (i % 5 !== 4) continue;  // four deaths on top of each other, then a life
    assert.equal(timed(env).stdout, right.stdout);
    assert.deepEqual(filesBelow(env.XDG_CACHE_HOME).filter((name) => name.includes('.tmp.')), []);
    assert.equal(run(['cache', 'clear'], { env }).code, 0);
  }
  assert.ok(killed >= 5, `only ${killed} of ${kills} were killed before they ended`);
});

for (const isolate of ['none', 'all']) {
  test(`cached files that are cut under a running server cost a second reading (--isolate ${isolate})`, async () => {
    const cache = scratchDir('cut');
    const server = await new McpClient(['--isolate', isolate, '--root', profile], { XDG_CACHE_HOME: cache }).start();
    const cut = (bytes) => {
      const segments = filesBelow(cache).filter((name) => name.endsWith('.seg'));
      for (const name of segments) truncateSync(join(cache, name), bytes);
      return segments.length;
    };
    const asks = [
      ['top_operators', { by: 'type' }],
      ['top_operators', { by: 'name' }],
      ['top_operators', { by: 'shape' }],
      ['summarize_profile', {}],
    ];
    for (const [index, [name, args]] of asks.entries()) {
      const { isError, structure, text } = await server.call(name, { profile, ...args });
      assert.ok(!isError, text);
      const alone = call(name, profile, args);
      assert.deepEqual(structure.metrics, alone.metrics);
      assert.deepEqual(structure.rows, alone.rows?.slice(0, structure.rows.length));
      assert.ok(cut([0, 100, 5000, 0][index]) > 0);
    }
    await server.stop();
  });
}
