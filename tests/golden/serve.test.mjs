// stepwise serve as a program: what it prints, what it answers on a real profile, how it ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { binary, call, environment, example, run, scratchDir } from '../support/stepwise.mjs';

const profile = example({ seed: 33 });
const running = new Set();
after(() => running.forEach((child) => child.kill('SIGKILL')));

// {base, line, ended}: `ended` becomes {code, signal, stderr}.
async function serve(args) {
  const child = spawn(binary, ['serve', '--http', '127.0.0.1:0', ...args], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes) => (said.stdout += bytes));
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, ...said })));
  const line = await new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes) => {
      said.stderr += bytes;
      if (said.stderr.includes('\n')) resolve(said.stderr);
    });
    ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)));
  });
  return { base: /http:\/\/127\.0\.0\.1:\d+/.exec(line)[0], line, ended, child };
}

async function rpc(base, method, params, headers = {}) {
  const response = await fetch(`${base}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  });
  return { status: response.status, message: await response.json() };
}

test('one line on standard error names the addresses, and SIGTERM ends it with 0', async () => {
  const server = await serve(['--root', profile]);
  assert.match(server.line, /^stepwise serve:( http:\/\/127\.0\.0\.1:\d+\/\w+)+\n$/);
  for (const path of ['/healthz', '/metrics', '/rpc', '/mcp']) assert.ok(server.line.includes(path), path);
  assert.deepEqual(await (await fetch(`${server.base}/healthz`)).json(), { status: 'ok' });
  server.child.kill('SIGTERM');
  const { code, signal, stdout, stderr } = await server.ended;
  assert.deepEqual({ code, signal, stdout, stderr }, { code: 0, signal: null, stdout: '', stderr: server.line });
});

test('a tool answers over /rpc what it answers on the command line', async () => {
  const server = await serve(['--root', profile]);
  const { status, message } = await rpc(server.base, 'top_operators', { profile, limit: 3 });
  assert.equal(status, 200);
  assert.deepEqual(message, { jsonrpc: '2.0', id: 7, result: call('top_operators', profile, { limit: 3 }) });

  const outside = await rpc(server.base, 'open_profile', { path: '/etc' });
  assert.equal(outside.status, 200);
  assert.equal(outside.message.error.data.code, 'profile.outside_roots');
  const unknown = await rpc(server.base, 'top_operator', {});
  assert.equal(unknown.message.error.code, -32601);
  assert.ok(unknown.message.error.data.nearest.includes('top_operators'));
  const { message: list } = await rpc(server.base, 'tools');
  assert.ok(list.result.tools.some(({ name, description }) => name === 'host_api' && description.length > 10));

  const metrics = await (await fetch(`${server.base}/metrics`)).text();
  assert.match(metrics, /^stepwise_engine_executions_total [1-9]/m);
  assert.match(metrics, /^stepwise_http_answers_total\{status="200"\} [1-9]/m);
  server.child.kill('SIGINT');
  assert.equal((await server.ended).code, 0);
});

test('a token is asked for, and is not taken from the address', async () => {
  const file = join(scratchDir('token'), 'token');
  const token = 'a-token-of-twenty-bytes';
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const server = await serve(['--root', profile, '--token-file', file]);
  assert.equal((await fetch(`${server.base}/healthz`)).status, 200);
  for (const path of ['/metrics', '/rpc', '/mcp', `/metrics?token=${token}`]) {
    const response = await fetch(`${server.base}${path}`);
    assert.equal(response.status, 401, path);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer');
  }
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${server.base}/metrics`, { headers })).status, 200);
  assert.equal((await rpc(server.base, 'list_profiles', {}, headers)).message.result.status, 'ok');
  server.child.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.equal(code, 0);
  assert.ok(!stderr.includes(token));
});

test('it does not start where it would be open to others, or where its token is', () => {
  const code = (args) => {
    const done = run(['serve', ...args]);
    assert.equal(done.code, 2, done.stderr);
    return JSON.parse(done.stderr).error.code;
  };
  assert.equal(code(['--http', '0.0.0.0:0']), 'http.token');
  assert.equal(code(['--http', '[::]:0']), 'http.token');
  const file = join(scratchDir('token'), 'token');
  writeFileSync(file, 'a-token-of-twenty-bytes\n');
  chmodSync(file, 0o644);
  assert.equal(code(['--token-file', file]), 'cli.token');
});

test('a port that is taken is said, with exit code 3', async () => {
  const server = await serve(['--root', profile]);
  const done = run(['serve', '--http', server.base.replace('http://', '')]);
  assert.equal(done.code, 3, done.stderr);
  assert.equal(JSON.parse(done.stderr).error.code, 'http.bind');
  server.child.kill('SIGTERM');
  await server.ended;
});
