// A real client: the MCP SDK from npm talks to `stepwise mcp` over stdio.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';

import { binary, environment, example, root } from '../support/stepwise.mjs';

const require = createRequire(`${root}/clients/package.json`);
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const TOOL_DEFINITION_TOKENS = 4000; // of all core tools together, counted as characters / 4
const OUTPUT_SCHEMA_CHARACTERS = 400; // a tool

const profile = example({ seed: 11 });
let client;
let transport;

async function connected() {
  const made = new Client({ name: 'stepwise-tests', version: '0' });
  const pipe = new StdioClientTransport({
    command: binary,
    args: ['mcp', '--root', profile],
    env: environment(),
    stderr: 'pipe',
  });
  await made.connect(pipe);
  return [made, pipe];
}

before(async () => {
  [client, transport] = await connected();
});
after(async () => {
  await client?.close();
});

const callTool = (name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options);
const textOf = (result) => result.content.map((part) => part.text).join('\n');

test('the handshake names the server and its tools', () => {
  assert.equal(client.getServerVersion().name, 'stepwise');
  assert.match(client.getServerVersion().version, /^\d+\.\d+\.\d+/);
  assert.ok(client.getServerCapabilities().tools);
});

test('instructions are short', () => {
  const instructions = client.getInstructions() ?? '';
  assert.ok(instructions.split(/\s+/).length <= 120, instructions);
});

test('tools/list gives the core tools, sorted, each with all four annotations and an object schema', async () => {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  assert.deepEqual(names, [...names].sort());
  for (const expected of ['open_profile', 'summarize_profile', 'top_operators', 'list_analyses', 'run_analysis']) {
    assert.ok(names.includes(expected), `${expected} is missing from ${names}`);
  }
  for (const tool of tools) {
    assert.match(tool.name, /^[a-z_]{3,28}$/);
    assert.equal(tool.inputSchema.type, 'object');
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) assert.ok(!(keyword in tool.inputSchema), tool.name);
    for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
      assert.equal(typeof tool.annotations?.[hint], 'boolean', `${tool.name}: ${hint}`);
    }
  }
});

test('tools/list fits its token budget', async () => {
  const { tools } = await client.listTools();
  const told = tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    annotations,
  }));
  const tokens = JSON.stringify(told).length / 4;
  assert.ok(tokens < TOOL_DEFINITION_TOKENS, `${tokens} tokens`);
  for (const tool of tools) {
    const characters = JSON.stringify(tool.outputSchema ?? null).length;
    assert.ok(characters <= OUTPUT_SCHEMA_CHARACTERS, `${tool.name}: ${characters} characters of outputSchema`);
  }
});

test('a profile is opened, summarized and ranked', async () => {
  const opened = await callTool('open_profile', { path: profile });
  assert.notEqual(opened.isError, true, textOf(opened));
  const { id, kind, ranks } = opened.structuredContent;
  assert.match(id, /^p[0-9a-f]{8}$/);
  assert.equal(kind, 'torch_npu');
  assert.deepEqual(ranks, [0]);

  const summary = await callTool('summarize_profile', { profile: id });
  assert.notEqual(summary.isError, true, textOf(summary));
  assert.equal(summary.structuredContent.profile, id);
  assert.ok(summary.structuredContent.where_time_goes.length > 0);
  assert.ok(textOf(summary).length > 0);

  const top = await callTool('top_operators', { profile: id, limit: 5 });
  assert.notEqual(top.isError, true, textOf(top));
  const { rows } = top.structuredContent;
  assert.equal(rows.length, 5);
  const totals = rows.map((row) => row.total_us);
  assert.deepEqual(totals, [...totals].sort((a, b) => b - a));
  for (const row of rows) assert.ok(textOf(top).includes(row.op_type), `the text shows ${row.op_type}`);
});

test('a cursor goes on where the page ended', async () => {
  const all = await callTool('top_operators', { profile, limit: 6 });
  const first = await callTool('top_operators', { profile, limit: 3 });
  const second = await callTool('top_operators', {
    profile,
    limit: 3,
    cursor: first.structuredContent.next_cursor,
  });
  assert.deepEqual(
    [...first.structuredContent.rows, ...second.structuredContent.rows],
    all.structuredContent.rows,
  );
});

test('the only open profile need not be named', async () => {
  const summary = await callTool('summarize_profile');
  assert.notEqual(summary.isError, true, textOf(summary));
  assert.equal(summary.structuredContent.status, 'ok');
});

test('an unknown tool is a protocol error', async () => {
  await assert.rejects(callTool('top_operatorz', { profile }), (error) => {
    assert.equal(error.code, -32602);
    assert.match(error.message, /top_operatorz/);
    return true;
  });
});

test('bad arguments are a tool error that says what is valid', async () => {
  const wrongType = await callTool('top_operators', { profile, limit: 'many' });
  assert.equal(wrongType.isError, true);
  assert.match(textOf(wrongType), /limit/);

  const wrongValue = await callTool('top_operators', { profile, by: 'colour' });
  assert.equal(wrongValue.isError, true);
  for (const word of ['colour', 'type', 'name', 'shape']) assert.ok(textOf(wrongValue).includes(word), word);

  const unknown = await callTool('top_operators', { profile, nonsense: 1 });
  assert.equal(unknown.isError, true);
  assert.match(textOf(unknown), /nonsense/);
});

test('an unknown profile is a tool error that says what to call', async () => {
  const answer = await callTool('summarize_profile', { profile: 'p00000000' });
  assert.equal(answer.isError, true);
  assert.match(textOf(answer), /p00000000/);
  assert.match(textOf(answer), /open_profile/);
});

test('a profile outside the roots is refused', async () => {
  const answer = await callTool('open_profile', { path: root });
  assert.equal(answer.isError, true);
  assert.match(textOf(answer), /root/);
});

test('progress is reported under the token of the request, and only grows', async () => {
  const fresh = example({ seed: 12 });
  const [other] = await connectedTo(fresh);
  try {
    const seen = [];
    const answer = await other.callTool({ name: 'summarize_profile', arguments: { profile: fresh } }, undefined, {
      onprogress: (progress) => seen.push(progress.progress),
    });
    assert.notEqual(answer.isError, true);
    // A small profile may be read before the first tick; what does arrive must grow.
    for (let i = 1; i < seen.length; i++) assert.ok(seen[i] > seen[i - 1], `${seen}`);
  } finally {
    await other.close();
  }
});

async function connectedTo(dir) {
  const made = new Client({ name: 'stepwise-tests', version: '0' });
  const pipe = new StdioClientTransport({
    command: binary,
    args: ['mcp', '--root', dir],
    env: environment({ XDG_CACHE_HOME: `${dir}-cache` }),
    stderr: 'pipe',
  });
  await made.connect(pipe);
  return [made, pipe];
}

test('a cancelled call gets no answer, and the connection goes on', async () => {
  const abort = new AbortController();
  const pending = callTool('summarize_profile', { profile }, { signal: abort.signal });
  abort.abort('not needed any more');
  await assert.rejects(pending);
  assert.deepEqual(await client.ping(), {});
  const after = await callTool('summarize_profile', { profile });
  assert.notEqual(after.isError, true, textOf(after));
});

test('the server ends by itself when the client goes', async () => {
  const [, pipe] = await connected();
  // Not by the client's close(), which gives it two seconds and then kills it: a busy machine may need more.
  const server = pipe._process;
  assert.notEqual(server.pid, transport.pid);
  const ended = new Promise((resolve) => server.on('exit', (code, signal) => resolve({ code, signal })));
  server.stdin.end();
  assert.deepEqual(await ended, { code: 0, signal: null });
});
