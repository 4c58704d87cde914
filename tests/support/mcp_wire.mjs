// A client of MCP without a library: every message is seen as it came, of any revision, over stdio or HTTP.
//
//   const peer = await overHttp('2026-07-28', url);   // or overStdio(revision, program, args)
//   const { result, error } = await peer.request('tools/list', {});
//   peer.seen                                         // all that came: [{message, method}], method of the answered one
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { environment } from './stepwise.mjs';

const PREFIX = 'io.modelcontextprotocol/';
const RESUMES = '2025-11-25'; // its clients come back for the answer where a server has closed the stream before it
const clientInfo = { name: 'stepwise-tests', version: '1' };

export const isModern = (revision) => revision >= '2026-07-28';

// What clients of a revision can be asked.
export function capabilitiesOf(revision) {
  return { roots: {}, sampling: {}, ...(revision >= '2025-06-18' ? { elicitation: {} } : {}) };
}

// Answers to what a server asks, by method.
const ANSWERS = {
  'roots/list': () => ({ roots: [{ uri: 'file:///test/root', name: 'Test Root' }] }),
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Paris' },
    model: 'test-model',
    stopReason: 'endTurn',
  }),
  'elicitation/create': ({ requestedSchema }) => {
    const content = (requestedSchema.required ?? []).map((name) => {
      const { type } = requestedSchema.properties[name];
      return [name, type === 'boolean' ? true : 'Alice'];
    });
    return { action: 'accept', content: Object.fromEntries(content) };
  },
};
export const answerTo = ({ method, params }) => ANSWERS[method](params ?? {});

class Peer {
  seen = [];
  onMessage = () => {}; // of every notification
  #waiting = new Map(); // id -> {method, resolve}
  #last = 0;

  constructor(revision) {
    this.revision = revision;
    this.modern = isModern(revision);
    this.capabilities = capabilitiesOf(revision);
  }

  meta(more = {}) {
    if (!this.modern) return more;
    return {
      [`${PREFIX}protocolVersion`]: this.revision,
      [`${PREFIX}clientInfo`]: clientInfo,
      [`${PREFIX}clientCapabilities`]: this.capabilities,
      ...more,
    };
  }

  // The whole answer: {result} or {error}. `signal`: gives up as the revision and the face have it.
  request(method, params = {}, { signal, meta } = {}) {
    const id = ++this.#last;
    const _meta = this.meta({ ...params._meta, ...meta });
    const full = Object.keys(_meta).length === 0 ? params : { ...params, _meta };
    const message = { jsonrpc: '2.0', id, method, params: full };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve });
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(id);
        this.cancel(id);
        reject(new Error('cancelled'));
      });
      this.send(message, { id }).catch(reject);
    });
  }

  // Goes on until nothing is asked any more: a modern server asks by its result, a legacy one by requests.
  async requestAnswering(method, params = {}, options = {}) {
    let more = {};
    for (;;) {
      const answer = await this.request(method, { ...params, ...more }, options);
      if (answer.result?.resultType !== 'input_required') return answer;
      const asked = Object.entries(answer.result.inputRequests ?? {});
      more = { inputResponses: Object.fromEntries(asked.map(([key, one]) => [key, answerTo(one)])) };
      if (answer.result.requestState !== undefined) more.requestState = answer.result.requestState;
    }
  }

  isWaiting(id) {
    return this.#waiting.has(id);
  }

  async open() {
    if (this.modern) return this.request('server/discover');
    const params = { protocolVersion: this.revision, capabilities: this.capabilities, clientInfo };
    const answer = await this.request('initialize', params);
    await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  cancel(id) {
    return this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  }

  received(message) {
    if (message.method === undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      this.seen.push({ message, method: waiting?.method });
      waiting?.resolve(message);
      return;
    }
    this.seen.push({ message });
    if (message.id === undefined) this.onMessage(message);
    else this.send({ jsonrpc: '2.0', id: message.id, result: answerTo(message) });
  }
}

class StdioPeer extends Peer {
  constructor(revision, program, args) {
    super(revision);
    this.child = spawn(program, ['mcp', ...args], { env: environment(), stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = new Promise((resolve) => this.child.on('exit', resolve));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.received(JSON.parse(line)));
  }

  async send(message) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  // The exit code.
  close() {
    this.child.stdin.end();
    return this.ended;
  }
}

class HttpPeer extends Peer {
  #url;
  #headers;
  #flights = new Map(); // id -> AbortController of its response
  #session;

  constructor(revision, url, headers) {
    super(revision);
    this.#url = url;
    this.#headers = headers;
  }

  async send(message, { id } = {}) {
    const flight = new AbortController();
    this.#flights.set(id, flight);
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.headersOf(message),
      body: JSON.stringify(message),
      signal: flight.signal,
    });
    this.#session = response.headers.get('mcp-session-id') ?? this.#session;
    await this.#read(response, message, flight.signal).catch((error) => {
      if (!flight.signal.aborted) throw error;
    });
    this.#flights.delete(id);
  }

  // The end of the stream on which the server speaks unasked (legacy alone).
  async listen() {
    const response = await fetch(this.#url, {
      headers: { ...this.headersOf(), Accept: 'text/event-stream' },
    });
    this.#read(response).catch(() => {}); // until the session is over
    return response.status;
  }

  headersOf(message) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...this.#headers };
    if (message?.method !== 'initialize') headers['MCP-Protocol-Version'] = this.revision;
    if (this.#session) headers['Mcp-Session-Id'] = this.#session;
    if (!this.modern || !message) return headers;
    headers['Mcp-Method'] = message.method;
    const name = message.params?.name ?? message.params?.uri;
    if (/^(tools\/call|prompts\/get|resources\/read)$/.test(message.method)) headers['Mcp-Name'] = name;
    return headers;
  }

  async #read(response, message, signal) {
    const isRequest = message?.method !== undefined && message.id !== undefined;
    if (!response.headers.get('content-type')?.includes('text/event-stream')) {
      const body = await response.text();
      const answer = body && JSON.parse(body);
      if (answer) this.received(answer);
      if (isRequest && answer?.id !== message.id) throw new Error(`HTTP ${response.status} answers nothing: ${body}`);
      return;
    }
    let rest = '';
    let last; // event's id
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = events.pop();
      for (const event of events) {
        const lines = event.split('\n');
        last = lines.map((line) => line.match(/^id: ?(.*)/)?.[1]).find((id) => id !== undefined) ?? last;
        const data = lines.flatMap((line) => line.match(/^data: ?(.*)/)?.[1] ?? []).join('\n');
        if (data) this.received(JSON.parse(data));
      }
    }
    if (!isRequest || !this.isWaiting(message.id)) return;
    if (this.revision !== RESUMES || last === undefined) throw new Error('the stream ended without an answer');
    const headers = { ...this.headersOf(), Accept: 'text/event-stream', 'Last-Event-ID': last };
    await this.#read(await fetch(this.#url, { headers, signal }), message, signal);
  }

  cancel(id) {
    if (!this.modern) return super.cancel(id);
    this.#flights.get(id)?.abort(); // the closed stream is the cancellation
    return Promise.resolve();
  }

  async close() {
    for (const flight of this.#flights.values()) flight.abort();
    if (this.#session) await fetch(this.#url, { method: 'DELETE', headers: this.headersOf() });
  }
}

async function opened(peer) {
  peer.opening = await peer.open();
  return peer;
}

export const overStdio = (revision, program, args) => opened(new StdioPeer(revision, program, args));
export const overHttp = (revision, url, headers = {}) => opened(new HttpPeer(revision, url, headers));
