// Every message that the server sends is held against the schema of the revision that is spoken: all revisions, both
// faces, all methods, errors too.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { problemsOf, REVISIONS } from '../support/mcp_schema.mjs';
import { isModern, overHttp, overStdio } from '../support/mcp_wire.mjs';
import { startServer } from '../support/serve.mjs';
import { binary, example } from '../support/stepwise.mjs';

const program = join(dirname(binary), 'stepwise-conformance');
const profile = example({ seed: 21 });
const WATCHED = 'test://watched-resource';

let server;
before(async () => {
  server = await startServer(['--root', profile], { program });
});
after(() => server?.stop());

const FACES = {
  stdio: (revision) => overStdio(revision, program, ['--root', profile]),
  HTTP: (revision) => overHttp(revision, server.url),
};

// Fixtures whose content or question a revision does not have yet, and the long wait of the one that is about streams
// that are taken up again.
function isUnknownTo(revision, tool) {
  if (tool === 'test_reconnection') return revision !== '2025-11-25';
  return (tool === 'test_elicitation_sep1330_enums' || tool === 'test_elicitation_sep1034_defaults') && revision < '2025-11-25';
}

async function callEverything(peer) {
  const { tools } = (await peer.request('tools/list')).result;
  for (const { name } of tools.filter((tool) => /^test_|^json_/.test(tool.name))) {
    if (name === 'test_wait_for_cancel' || isUnknownTo(peer.revision, name)) continue;
    const args = { prompt: 'a', message: 'b', name: 'c' };
    const meta = { progressToken: `of ${name}`, ...(peer.modern ? { 'io.modelcontextprotocol/logLevel': 'debug' } : {}) };
    await peer.requestAnswering('tools/call', { name, arguments: args }, { meta });
  }
  await peer.request('tools/call', { name: 'open_profile', arguments: { path: profile } });
  for (const name of ['summarize_profile', 'top_operators', 'host_api']) {
    await peer.request('tools/call', { name, arguments: { profile } });
  }
  await peer.request('tools/call', { name: 'list_analyses' });
  await peer.request('tools/call', { name: 'top_operators', arguments: { limit: 'many' } });
  await peer.request('tools/call', { name: 'no_such_tool' });
  await peer.request('tools/call', {});
}

async function readEverything(peer) {
  const { resources } = (await peer.request('resources/list')).result;
  for (const { uri } of resources) await peer.request('resources/read', { uri });
  const { resourceTemplates } = (await peer.request('resources/templates/list')).result;
  const opened = await peer.request('tools/call', { name: 'open_profile', arguments: { path: profile } });
  const { id } = opened.result.structuredContent;
  const top = await peer.request('tools/call', { name: 'top_operators', arguments: { profile, limit: 1 } });
  const [{ op_type }] = top.result.structuredContent.rows;
  const values = { id, table: 'kernel', name: 'top_operators', analysis: 'host_api', op_type };
  for (const { uriTemplate } of resourceTemplates) {
    await peer.request('resources/read', { uri: uriTemplate.replace(/\{(\w+)\}/g, (_, name) => values[name]) });
  }
  await peer.request('resources/read', { uri: 'test://template/a%20b/data' });
  await peer.request('resources/read', { uri: 'test://nothing' });
  await peer.request('resources/read', { uri: 'other://nothing' });
  await peer.request('resources/list', { cursor: 'no cursor' });
}

async function takeEveryPrompt(peer) {
  const { prompts } = (await peer.request('prompts/list')).result;
  for (const { name, arguments: takes = [] } of prompts) {
    const given = Object.fromEntries(takes.map((one) => [one.name, /uri/i.test(one.name) ? WATCHED : profile]));
    await peer.requestAnswering('prompts/get', { name, arguments: given });
  }
  await peer.request('prompts/get', { name: 'test_prompt_with_arguments', arguments: {} });
  await peer.request('prompts/get', { name: 'no_such_prompt' });
  for (const ref of [
    { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
    { type: 'ref/prompt', name: 'no_such_prompt' },
    { type: 'ref/resource', uri: 'test://template/{id}/data' },
  ]) {
    await peer.request('completion/complete', { ref, argument: { name: 'arg1', value: 'pa' } });
  }
}

// Resolves with the notification of that method that comes next.
function next(peer, method) {
  return new Promise((resolve) => {
    peer.onMessage = (message) => message.method === method && resolve(message);
  });
}

async function change(peer, tool, notification) {
  const told = next(peer, notification);
  await peer.request('tools/call', { name: tool });
  return told;
}

async function hearOfChanges(peer) {
  if (!peer.modern) {
    await peer.listen?.();
    await peer.request('resources/subscribe', { uri: WATCHED });
  }
  const end = new AbortController();
  const acknowledged = peer.modern ? next(peer, 'notifications/subscriptions/acknowledged') : null;
  const notifications = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: [WATCHED] };
  const listening = peer.modern ? peer.request('subscriptions/listen', { notifications }, { signal: end.signal }) : null;
  await acknowledged;
  await change(peer, 'test_trigger_tool_change', 'notifications/tools/list_changed');
  await change(peer, 'test_trigger_prompt_change', 'notifications/prompts/list_changed');
  const updated = await change(peer, 'test_trigger_resource_change', 'notifications/resources/updated');
  assert.equal(updated.params.uri, WATCHED);
  end.abort();
  await listening?.catch(() => {});
  if (!peer.modern) await peer.request('resources/unsubscribe', { uri: WATCHED });
}

async function callWhatIsElsewhere(peer) {
  if (!peer.modern) {
    await peer.request('ping');
    await peer.request('logging/setLevel', { level: 'debug' });
    await peer.request('logging/setLevel', { level: 'loud' });
  }
  await peer.request('no/such/method');
}

for (const [face, connect] of Object.entries(FACES)) {
  describe(`over ${face}`, () => {
    for (const revision of REVISIONS) {
      test(`every message fits the schema of ${revision}`, async (t) => {
        const peer = await connect(revision);
        try {
          if (!isModern(revision)) assert.equal(peer.opening.result.protocolVersion, revision);
          await callWhatIsElsewhere(peer);
          await callEverything(peer);
          await readEverything(peer);
          await takeEveryPrompt(peer);
          await hearOfChanges(peer);
        } finally {
          await peer.close();
        }
        const wrong = peer.seen.flatMap(({ message, method }) =>
          problemsOf(revision, message, method).map((one) => `${method ?? message.method}: ${one}: ${JSON.stringify(message).slice(0, 300)}`),
        );
        assert.deepEqual(wrong, []);
        const methods = new Set(peer.seen.map(({ message }) => message.method));
        for (const kind of ['progress', 'message', 'tools/list_changed', 'resources/updated']) {
          assert.ok(methods.has(`notifications/${kind}`), `no notifications/${kind} came`);
        }
        t.diagnostic(`${face}, ${revision}: ${peer.seen.length} messages`);
      });
    }
  });
}

test('a message that does not fit is found', () => {
  const message = { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a' }] } };
  for (const revision of REVISIONS) assert.match(problemsOf(revision, message, 'tools/list').join(), /inputSchema/);
  const notification = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
  for (const revision of REVISIONS) assert.match(problemsOf(revision, notification).join(), /progressToken/);
});
