// What takes long, through the real server: `running` after a while and the same call again for the answer, progress
// in between, and a cancelled call whose work ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { McpClient } from '../support/mcp.mjs';
import { example, scratchDir } from '../support/stepwise.mjs';

// Holds the lock under which a segment is read, as another process does that is reading it just now.
async function hold(lock) {
  const holder = spawn('flock', [lock, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  return () => new Promise((resolve) => holder.on('exit', resolve) && holder.stdin.end());
}

async function opened(profile, env = {}) {
  const client = await new McpClient(['--root', profile], env).start();
  const { structure } = await client.call('open_profile', { path: profile });
  return [client, structure.id];
}

// On a slow machine the rest, too, may take longer than a call is waited for.
async function endsWell(client, { answer }, { name, arguments: args }) {
  const { status } = (await answer).result.structuredContent;
  assert.match(status, /^(ok|running)$/);
  if (status === 'running') assert.equal((await client.call(name, args)).structure.status, 'ok');
}

// Whoever waits for an answer that never comes is told so.
const timeout = 300_000;

test('a call that waits long is answered `running`, others are answered meanwhile, and it is answered when made again', { timeout }, async () => {
  const cache = scratchDir('cache');
  const [client, profile] = await opened(example({ seed: 31 }), { XDG_CACHE_HOME: cache });
  const release = await hold(join(cache, 'stepwise', profile, '0-trace.lock'));
  const wanted = { name: 'stage_breakdown', arguments: { profile } };

  const first = client.begin('tools/call', wanted);
  const cancelled = client.begin('tools/call', wanted);
  client.notify('notifications/cancelled', { requestId: cancelled.id });
  assert.equal((await client.call('top_operators', { profile })).structure.status, 'ok');
  const { result } = await first.answer;
  assert.equal(result.structuredContent.status, 'running');
  assert.ok(result.structuredContent.retry_after_ms > 0);
  assert.ok(result.structuredContent.done_ratio >= 0);
  assert.match(result.content[0].text, /Make the same call again/);

  const again = client.begin('tools/call', wanted);
  await release();
  await endsWell(client, again, wanted);
  await client.stop();
  assert.ok(!client.answered.includes(cancelled.id), 'a cancelled call is not answered');
});

// However fast the timeline is read: the reading is held up until the first word of it.
test('reading a large timeline is told of as it goes on', { timeout }, async () => {
  const cache = scratchDir('cache');
  const [client, profile] = await opened(example({ seed: 32, events: 300_000 }), { XDG_CACHE_HOME: cache });
  const release = await hold(join(cache, 'stepwise', profile, '0-trace.lock'));
  const params = { name: 'stage_breakdown', arguments: { profile }, _meta: { progressToken: 'reading' } };
  const call = client.begin('tools/call', params);
  await client.heard('notifications/progress');
  await release();
  await endsWell(client, call, params);
  await client.stop();
  const told = client.notifications.filter(({ method }) => method === 'notifications/progress').map((one) => one.params);
  for (const [i, one] of told.entries()) {
    assert.equal(one.progressToken, 'reading');
    // How much there is to analyze nobody knows, once all is read.
    if (one.total !== undefined) assert.ok(one.progress <= one.total, `${one.progress} of ${one.total}`);
    if (i > 0) assert.ok(one.progress > told[i - 1].progress, 'progress grows');
  }
});

// Of all threads, in ticks of a hundredth of a second.
function cpuTicks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

const WORKING_TICKS = 20; // enough to see that all have begun
const ONE_QUERY_TICKS = 500; // what each would use up if nobody stopped it (core/query/limits.h, kTime)

test('cancelled calls stop working', { timeout }, async () => {
  const [client, profile] = await opened(example({ seed: 33 }));
  const endless = (i) => `WITH RECURSIVE n(x) AS (SELECT ${i} UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n`;
  const before = cpuTicks(client.pid);
  const count = Math.max(2, availableParallelism()); // as many as run at once
  const calls = [];
  for (let i = 0; i < count; i++) {
    calls.push(client.begin('tools/call', { name: 'query_sql', arguments: { profile, sql: endless(i) } }));
  }
  while (cpuTicks(client.pid) - before < WORKING_TICKS) await pause(10);
  for (const { id } of calls) client.notify('notifications/cancelled', { requestId: id });
  // It needs one of the places that they took.
  const after = await client.call('query_sql', { profile, sql: 'SELECT 1 AS one' });
  const used = cpuTicks(client.pid) - before;
  await client.stop();
  assert.deepEqual(after.structure.rows, [[1]]);
  assert.ok(used < (count * ONE_QUERY_TICKS) / 2, `${used} ticks were used`);
  for (const { id } of calls) assert.ok(!client.answered.includes(id), 'a cancelled call is not answered');
});
