// The program with plugins that print and hang: its output stays clean, and its workers end with it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { binary, environment, example, root, run } from '../support/stepwise.mjs';

const hostile = join(process.env.STEPWISE_BUILD ?? join(root, 'build'), 'tests/plugins');
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const toolCall = (id, name, meta) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...(meta && { _meta: meta }) },
});

for (const isolate of ['none', 'all']) {
  test(`a plugin that prints does not touch standard output (--isolate ${isolate})`, () => {
    const options = ['--plugin-dir', hostile, '--isolate', isolate];
    const called = run([...options, 'call', 'print_text']);
    assert.equal(called.code, 0, called.stderr);
    assert.equal(JSON.parse(called.stdout).n, 1);
    assert.match(called.stderr, /noisy: printf while it is loaded/);
    assert.match(called.stderr, /noisy: cout in a call/);

    const lines = [INITIALIZE, INITIALIZED, toolCall(2, 'print_text')].map((message) => JSON.stringify(message));
    const served = run([...options, 'mcp'], { input: `${lines.join('\n')}\n` });
    assert.equal(served.code, 0, served.stderr);
    const messages = served.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.equal(messages.find((message) => message.id === 2).result.structuredContent.n, 1);
    assert.match(served.stderr, /noisy: write/);
  });
}

test('the same call prints the same bytes with and without isolation', () => {
  const profile = example({ seed: 5 });
  for (const tool of ['summarize_profile', 'top_operators']) {
    const [here, there] = ['none', 'all'].map((isolate) => run(['--isolate', isolate, 'call', tool, '--profile', profile]));
    assert.equal(there.code, 0, there.stderr);
    assert.equal(there.stdout, here.stdout);
  }
});

test('a crash in a worker is an error of that call, with exit code and JSON as for any other', () => {
  const done = run(['--plugin-dir', hostile, '--isolate', 'all', 'call', 'crash_now']);
  assert.equal(done.code, 3);
  assert.equal(done.stdout, '');
  assert.equal(JSON.parse(done.stderr.slice(done.stderr.lastIndexOf('{"error"'))).error.code, 'plugin.worker');
});

test('what cannot be isolated is a usage error', () => {
  const done = run(['--isolate', 'some', 'tools']);
  assert.equal(done.code, 2);
  assert.equal(done.stdout, '');
});

test('a worker in the middle of a call ends when its host is killed', async () => {
  const host = spawn(binary, ['--plugin-dir', hostile, '--isolate', 'all', 'mcp'], { cwd: root, env: environment() });
  const messages = createInterface({ input: host.stdout });
  for (const message of [INITIALIZE, INITIALIZED, toolCall(2, 'spin_forever', { progressToken: 't' })]) {
    host.stdin.write(`${JSON.stringify(message)}\n`);
  }
  for await (const line of messages) {
    if (JSON.parse(line).method === 'notifications/progress') break;
  }
  const workers = childrenOf(host.pid);
  assert.equal(workers.length, 1);
  host.kill('SIGKILL');
  while (workers.some(isRunning)) await pause(5); // the test's own time limit bounds it
});

function statusOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return null; // it has ended
  }
}

function childrenOf(parent) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statusOf(name)?.parent === parent);
}

function isRunning(pid) {
  const status = statusOf(pid);
  return status !== null && status.state !== 'Z';
}
