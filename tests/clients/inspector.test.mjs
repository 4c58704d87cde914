// The inspector from npm: its lint of tool schemas, both eras over both faces, and a burst of calls.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { newerNode, npmParts } from '../support/newer_node.mjs';
import { startServer } from '../support/serve.mjs';
import { binary, environment, example, scratchDir } from '../support/stepwise.mjs';

const inspector = join(npmParts, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const profile = example({ seed: 41 });

let server;
before(async () => {
  server = await startServer(['--root', profile]);
});
after(() => server?.stop());

// {code, stdout, stderr}
function inspect(args) {
  return new Promise((resolve, reject) => {
    const env = environment({ HOME: scratchDir('home') }); // it keeps a catalog of servers there
    const child = spawn(newerNode, [inspector, '--cli', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].on('data', (text) => (said[name] += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...said }));
  });
}

const onStdio = ['--', binary, 'mcp', '--root', profile];
const onHttp = () => ['--server-url', server.url, '--transport', 'http'];

test('the lint of tool schemas finds no error, of all tools', async (t) => {
  const { code, stdout, stderr } = await inspect(['--strict', '--method', 'tools/list', ...onStdio, '--tools', 'all']);
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).tools.length > 20, stdout);
  t.diagnostic(`${[...stderr.matchAll(/^Warning:/gm)].length} warnings`);
});

for (const era of ['legacy', 'auto', 'modern']) {
  for (const [face, target] of [['stdio', () => onStdio], ['HTTP', onHttp]]) {
    test(`lists and calls over ${face}, ${era}`, async () => {
      const asked = (...method) => ['-q', '--format', 'json', '--protocol-era', era, '--method', ...method, ...target()];
      for (const listed of ['tools', 'resources', 'prompts']) {
        const { code, stdout, stderr } = await inspect(asked(`${listed}/list`));
        assert.equal(code, 0, stderr);
        assert.ok(JSON.parse(stdout).result[listed].length > 0, stdout);
      }
      const call = ['tools/call', '--tool-name', 'open_profile', '--tool-args-json', JSON.stringify({ path: profile })];
      const { code, stdout, stderr } = await inspect(asked(...call));
      assert.equal(code, 0, stderr);
      assert.equal(JSON.parse(stdout).result.structuredContent.status, 'ok', stdout);
    });
  }
}

test('a burst of calls at once is answered without an error', async () => {
  const args = ['-q', '--format', 'json', '--method', 'tools/call', '--tool-name', 'list_analyses'];
  const { code, stdout, stderr } = await inspect([...args, '--load', '--load-requests', '100', '--load-concurrency', '8', ...onHttp()]);
  assert.equal(code, 0, `${stdout}${stderr}`);
  const { ok, errors, toolErrors } = JSON.parse(stdout).result;
  assert.deepEqual({ ok, errors, toolErrors }, { ok: 100, errors: 0, toolErrors: 0 });
});
