// Real clients of both eras over both faces: each SDK from npm, as hosts use it.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { SDK_CLIENTS } from '../support/mcp_sdks.mjs';
import { startServer } from '../support/serve.mjs';
import { binary, example } from '../support/stepwise.mjs';

const program = join(dirname(binary), 'stepwise-conformance'); // the fixtures progress, wait and ask
const profile = example({ seed: 31 });
const roots = ['--root', profile];

let server;
before(async () => {
  server = await startServer(roots, { program });
});
after(() => server?.stop());

const FACES = {
  stdio: (kind) => kind.connectStdio(program, roots),
  HTTP: (kind) => kind.connectHttp(server.url),
};

const textOf = (result) => result.content.map((part) => part.text).join('\n');

for (const [face, connect] of Object.entries(FACES)) {
  for (const [name, kind] of SDK_CLIENTS) {
    describe(`${name} over ${face}`, () => {
      let made;
      before(async () => {
        made = await connect(kind);
      });
      after(() => made?.client.close());

      test('settles on the era and knows the server', () => {
        const version = made.version() ?? '2025-11-25';
        assert.equal(version, kind.isModern ? '2026-07-28' : '2025-11-25');
        assert.equal(made.client.getServerVersion().name, 'stepwise');
        assert.match(made.client.getInstructions(), /open_profile/);
        for (const offered of ['tools', 'resources', 'prompts', 'completions']) {
          assert.ok(made.client.getServerCapabilities()[offered], offered);
        }
      });

      test('lists tools and calls them', async () => {
        const { tools } = await made.client.listTools();
        assert.ok(tools.some((tool) => tool.name === 'open_profile'));
        const opened = await made.callTool({ name: 'open_profile', arguments: { path: profile } });
        assert.match(opened.structuredContent.id, /^p[0-9a-f]{8}$/, textOf(opened));
        const top = await made.callTool({ name: 'top_operators', arguments: { profile, limit: 3 } });
        assert.equal(top.structuredContent.rows.length, 3);
        const wrong = await made.callTool({ name: 'top_operators', arguments: { limit: 'many' } });
        assert.equal(wrong.isError, true);
        await assert.rejects(made.callTool({ name: 'no_such_tool' }), { code: -32602 });
      });

      test('hears of progress', async () => {
        const heard = [];
        const onprogress = ({ progress, total }) => heard.push([progress, total]);
        const done = await made.callTool({ name: 'test_tool_with_progress' }, { onprogress });
        assert.notEqual(done.isError, true);
        assert.deepEqual(heard, [[0, 100], [50, 100], [100, 100]]);
      });

      test('cancels a call, and goes on', async () => {
        const abort = new AbortController();
        const pending = made.callTool({ name: 'test_tool_with_progress' }, {
          signal: abort.signal,
          onprogress: () => abort.abort('not needed any more'),
        });
        await assert.rejects(pending);
        assert.match(textOf(await made.callTool({ name: 'test_simple_text' })), /simple text/);
      });

      test('reads resources', async () => {
        const { resources } = await made.client.listResources();
        assert.ok(resources.some((one) => one.uri === 'test://static-text'));
        const { resourceTemplates } = await made.client.listResourceTemplates();
        assert.ok(resourceTemplates.some((one) => one.uriTemplate === 'test://template/{id}/data'));
        const { contents } = await made.client.readResource({ uri: 'test://template/7/data' });
        assert.equal(JSON.parse(contents[0].text).id, '7');
        const code = name === 'SDK 1' ? -32002 : -32602; // SDK 2 says the modern code in either era
        await assert.rejects(made.client.readResource({ uri: 'test://nothing' }), { code });
      });

      test('takes prompts and completes their arguments', async () => {
        const { prompts } = await made.client.listPrompts();
        assert.ok(prompts.some((one) => one.name === 'test_prompt_with_arguments'));
        const filled = { name: 'test_prompt_with_arguments', arguments: { arg1: 'one', arg2: 'two' } };
        const { messages } = await made.client.getPrompt(filled);
        assert.match(messages[0].content.text, /arg1='one', arg2='two'/);
        await assert.rejects(made.client.getPrompt({ ...filled, arguments: { arg1: 'one' } }), { code: -32602 });
        const { completion } = await made.client.complete({
          ref: { type: 'ref/prompt', name: filled.name },
          argument: { name: 'arg1', value: 'par' },
        });
        assert.deepEqual(completion.values, ['paris', 'park', 'party']);
      });

      test('is asked, by requests or by results', async () => {
        const greeted = await made.callTool({ name: 'test_input_required_result_elicitation' });
        assert.equal(textOf(greeted), 'Hello, Alice!');
        const sampled = await made.callTool({ name: 'test_input_required_result_sampling' });
        assert.equal(textOf(sampled), 'Paris');
        const rounds = await made.callTool({ name: 'test_input_required_result_multi_round' });
        assert.match(textOf(rounds), /Both steps are done/);
      });

      test('gets the answer of a call that outlives its stream', async () => {
        const done = await made.callTool({ name: 'test_reconnection' });
        assert.match(textOf(done), /after the stream was closed/);
      });

      test('hears what a call logs', async () => {
        const heard = [];
        made.onLog(({ params }) => heard.push(params.data));
        const _meta = kind.isModern ? { 'io.modelcontextprotocol/logLevel': 'info' } : undefined;
        if (!kind.isModern) await made.client.setLoggingLevel('info');
        await made.callTool({ name: 'test_logging_tool', _meta });
        assert.equal(heard.length, 3, `${heard}`);
      });

      test('hears that the list of tools has changed', async () => {
        const heard = new Promise((resolve) => {
          made.onToolsChanged(() => resolve(true));
        });
        const listening = kind.isModern ? await made.client.listen({ toolsListChanged: true }) : null;
        await made.callTool({ name: 'test_trigger_tool_change' });
        assert.equal(await heard, true);
        await listening?.close();
      });
    });
  }
}
