// What tools/list promises of each tool: hosts ask their users before they call what is not read-only.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { McpClient } from '../support/mcp.mjs';
import { scratchDir } from '../support/stepwise.mjs';

// They write files or forget a profile; all else only reads.
const WRITING = ['close_profile', 'query_sql', 'run_analysis', 'write_report'];

async function listed(...options) {
  const client = await new McpClient(['--root', scratchDir('empty'), ...options]).start();
  const { tools } = (await client.request('tools/list', {})).result;
  await client.stop();
  return tools;
}

test('tools that write are not called read-only, and the others are', async () => {
  const tools = await listed('--tools', 'all');
  const writing = tools.filter((tool) => !tool.annotations.readOnlyHint).map(({ name }) => name);
  assert.deepEqual(writing, WRITING);
  for (const { name, annotations } of tools) {
    const { destructiveHint, idempotentHint, openWorldHint } = annotations;
    assert.deepEqual({ destructiveHint, idempotentHint, openWorldHint },
      { destructiveHint: false, idempotentHint: true, openWorldHint: false }, name);
  }
});

test('every tool that takes `export` is among those that write', async () => {
  const exporting = (await listed('--tools', 'all')).filter(({ inputSchema }) => 'export' in inputSchema.properties);
  assert.ok(exporting.length > 0);
  for (const { name } of exporting) assert.ok(WRITING.includes(name), name);
});
