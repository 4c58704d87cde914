// What the conformance suite does not look at: how calls and servers end.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';

import { overHttp, overStdio } from '../support/mcp_wire.mjs';
import { startServer } from '../support/serve.mjs';
import { binary, scratchDir } from '../support/stepwise.mjs';

const program = join(dirname(binary), 'stepwise-conformance');
const root = ['--root', scratchDir('root')];
const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

const textOf = ({ result }) => result.content[0].text;
const call = (peer, name, options) => peer.request('tools/call', { name }, options);

// Resolves when the next notification of that method has come.
const next = (peer, method) =>
  new Promise((resolve) => {
    peer.onMessage = (message) => message.method === method && resolve(message);
  });

// A call that ends only when it is cancelled, once it runs: {abort(), ended}.
async function startWaiting(peer) {
  const runs = next(peer, 'notifications/progress');
  const give = new AbortController();
  const ended = call(peer, 'test_wait_for_cancel', { signal: give.signal, meta: { progressToken: 1 } }).catch(() => 'given up');
  await runs;
  return { abort: () => give.abort(), ended };
}

// The tool looks at its flag now and then, so the count is asked for until it has grown.
async function untilCancelled(peer, count) {
  for (let i = 0; i < 3000; i++) {
    if (Number(textOf(await call(peer, 'test_cancelled_calls'))) >= count) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

async function withServer(use) {
  const server = await startServer(root, { program });
  try {
    await use(server);
  } finally {
    assert.equal(await server.stop(), 0, 'the server did not stop as it should');
  }
}

describe('a cancelled call is stopped in the server and not answered', () => {
  for (const revision of [LEGACY, MODERN]) {
    test(`on stdio, ${revision}: by a notification`, async () => {
      const peer = await overStdio(revision, program, root);
      const waiting = await startWaiting(peer);
      waiting.abort();
      assert.equal(await waiting.ended, 'given up');
      assert.equal(await untilCancelled(peer, 1), true);
      assert.equal(await peer.close(), 0);
      assert.equal(peer.seen.filter(({ message, method }) => message.id && !method).length, 0, 'it was answered');
    });
  }

  test(`over HTTP, ${LEGACY}: by a notification`, () =>
    withServer(async ({ url }) => {
      const peer = await overHttp(LEGACY, url);
      const waiting = await startWaiting(peer);
      waiting.abort();
      assert.equal(await untilCancelled(peer, 1), true);
      await peer.close();
    }));

  test(`over HTTP, ${MODERN}: by closing its stream`, () =>
    withServer(async ({ url }) => {
      const peer = await overHttp(MODERN, url);
      const waiting = await startWaiting(peer);
      waiting.abort();
      assert.equal(await untilCancelled(peer, 1), true);
      await peer.close();
    }));
});

test('nobody cancels the call of another session, though their ids are the same', () =>
  withServer(async ({ url }) => {
    const [one, other] = [await overHttp(LEGACY, url), await overHttp(LEGACY, url)];
    const waiting = await startWaiting(one);
    for (let id = 0; id < 10; id++) await other.cancel(id);
    assert.equal(textOf(await call(other, 'test_cancelled_calls')), '0');
    waiting.abort();
    assert.equal(await untilCancelled(other, 1), true);
    await Promise.all([one.close(), other.close()]);
  }));

test('the end of a session cancels its calls', () =>
  withServer(async ({ url }) => {
    const [one, other] = [await overHttp(LEGACY, url), await overHttp(LEGACY, url)];
    await startWaiting(one);
    await one.close();
    assert.equal(await untilCancelled(other, 1), true);
    const refused = await call(one, 'test_simple_text');
    assert.match(refused.error.message, /session is unknown or has ended/);
    await other.close();
  }));

test('a legacy client whose connection broke comes back for its answer', () =>
  withServer(async ({ url }) => {
    const peer = await overHttp(LEGACY, url);
    const post = { jsonrpc: '2.0', id: 'broken', method: 'tools/call', params: { name: 'test_reconnection' } };
    const broken = new AbortController();
    const first = await fetch(url, {
      method: 'POST',
      headers: peer.headersOf(post),
      body: JSON.stringify(post),
      signal: broken.signal,
    });
    const { value } = await first.body.getReader().read();
    const lastEventId = new TextDecoder().decode(value).match(/^id: ?(.+)$/m)[1];
    broken.abort();
    const again = await fetch(url, {
      headers: { ...peer.headersOf(), Accept: 'text/event-stream', 'Last-Event-ID': lastEventId },
    });
    assert.equal(again.status, 200);
    assert.match(await again.text(), /"id":"broken".*The answer came after the stream was closed/);
    await peer.close();
  }));

test('a listening stream ends with its result when the server stops', async () => {
  const server = await startServer(root, { program });
  const peer = await overHttp(MODERN, server.url);
  const acknowledged = next(peer, 'notifications/subscriptions/acknowledged');
  const listening = peer.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await acknowledged;
  const stopped = server.stop();
  const { result } = await listening;
  assert.equal(result.resultType, 'complete');
  assert.equal(await stopped, 0);
});

test('what runs when the server stops is told so', async () => {
  const server = await startServer(root, { program });
  const peer = await overHttp(MODERN, server.url);
  const waiting = await startWaiting(peer);
  const stopped = server.stop();
  const { result } = await waiting.ended;
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /server\.stopping|call\.cancelled/);
  assert.equal(await stopped, 0);
});
