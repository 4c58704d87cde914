// Carries Streamable HTTP to a server on stdio, so that a suite that knows HTTP alone tests that face too.
//
// Only what is HTTP's business is answered here: hosts, sessions, status codes, that the version's header and body are
// the same. Every message goes through as it is. Legacy: a process for each session; modern: one process for all.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const STATUS_BY_CODE = new Map([[-32601, 404]]); // of modern errors; all others: 400

// One process and the HTTP responses that wait for something of it.
class Peer {
  waiting = new Map(); // id as JSON -> Reply, in order of arrival

  constructor(command, args, env) {
    this.child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = new Promise((resolve) => this.child.on('exit', resolve));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.received(JSON.parse(line)));
    this.child.stdin.on('error', () => {}); // it ended: whoever waits is told by `ended`
    this.ended.then(() => this.waiting.forEach((reply) => reply.gone()));
  }

  send(message) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  received(message) {
    const isAnswer = message.method === undefined;
    const reply = isAnswer ? this.waiting.get(JSON.stringify(message.id)) : this.streamOf(message.params);
    if (isAnswer) this.waiting.delete(JSON.stringify(message.id));
    reply?.[isAnswer ? 'finish' : 'event'](message);
  }

  // stdio does not say to which request a message belongs, except by these; else it is that of the latest one.
  streamOf(params) {
    const subscription = params?._meta?.[SUBSCRIPTION];
    if (subscription !== undefined) return this.waiting.get(JSON.stringify(subscription));
    const replies = [...this.waiting.values()].filter((one) => one.method !== 'subscriptions/listen');
    const token = params?.progressToken;
    return token === undefined ? replies.at(-1) : replies.find((one) => one.token === token);
  }

  async stop() {
    this.child.stdin.end();
    await this.ended;
  }
}

// An HTTP response: JSON while there is nothing but the answer, an event stream from the first message before it.
class Reply {
  constructor(response, request, modern, headers) {
    Object.assign(this, { response, modern, headers, method: request.method, token: request.params?._meta?.progressToken });
  }

  event(message) {
    if (!this.response.headersSent) {
      this.response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...this.headers });
    }
    this.response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  finish(message) {
    if (this.response.headersSent) {
      this.event(message);
      this.response.end();
    } else {
      const status = this.modern && message.error ? (STATUS_BY_CODE.get(message.error.code) ?? 400) : 200;
      answer(this.response, status, message, this.headers);
    }
  }

  gone() {
    this.response.destroy();
  }
}

function answer(response, status, body, headers = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function refuse(response, status, code, message, id) {
  answer(response, status, { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const isLocal = (host) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

// {url, close}; `command` is the server on stdio.
export async function startBridge(command, args, env = process.env) {
  const sessions = new Map();
  let modernPeer;

  function peerOf(message, request, response) {
    const header = request.headers['mcp-protocol-version'];
    const body = message.params?._meta?.[VERSION];
    if (body !== undefined || header >= '2026-07-28') {
      if (body !== undefined && header !== body) return refuse(response, 400, -32020, 'Header and body differ.', message.id);
      return { peer: (modernPeer ??= new Peer(command, args, env)), modern: true, headers: {} };
    }
    const id = message.method === 'initialize' ? randomUUID() : request.headers['mcp-session-id'];
    if (message.method === 'initialize') sessions.set(id, new Peer(command, args, env));
    if (id === undefined) return refuse(response, 400, -32600, 'There is no session.', message.id);
    if (!sessions.has(id)) return refuse(response, 404, -32600, 'The session is over.', message.id);
    return { peer: sessions.get(id), modern: false, headers: { 'Mcp-Session-Id': id } };
  }

  async function post(request, response) {
    let message;
    try {
      message = JSON.parse(await read(request));
    } catch {
      return refuse(response, 400, -32700, 'This is no JSON.');
    }
    const found = peerOf(message, request, response);
    if (!found) return;
    const { peer, modern, headers } = found;
    if (message.id !== undefined && message.method !== undefined) {
      const key = JSON.stringify(message.id);
      if (peer.waiting.has(key)) return refuse(response, 400, -32600, 'The id is in flight.', message.id);
      const reply = new Reply(response, message, modern, headers);
      peer.waiting.set(key, reply);
      response.on('close', () => {
        if (peer.waiting.get(key) !== reply) return; // answered
        peer.waiting.delete(key);
        const params = { requestId: message.id };
        if (modern) peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      });
    } else {
      response.writeHead(202).end();
    }
    peer.send(message);
  }

  const server = createServer(async (request, response) => {
    const { host, origin } = request.headers;
    if (!isLocal(host) || (origin && !isLocal(new URL(origin).host))) return refuse(response, 403, -32600, 'Forbidden.');
    if (request.method === 'POST') return post(request, response);
    const session = request.headers['mcp-session-id'];
    if (request.method !== 'DELETE' || !sessions.has(session)) return response.writeHead(405).end();
    await sessions.get(session).stop();
    sessions.delete(session);
    response.writeHead(200).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://localhost:${server.address().port}/mcp`,
    async close() {
      server.close();
      server.closeAllConnections();
      await Promise.all([...sessions.values(), modernPeer].map((peer) => peer?.stop()));
    },
  };
}
