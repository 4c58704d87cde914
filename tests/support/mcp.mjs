// A client over stdio that waits for each answer: requests written line by line, answers in their order. An
// answer that does not fit the protocol's schema is an error.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { problemsOf } from './mcp_schema.mjs';
import { binary, environment } from './stepwise.mjs';

const REVISION = '2025-06-18';

export class McpClient {
  #child;
  #waiting = new Map();
  #hearing = new Map(); // method -> who waits for its notification
  #next = 1;
  notifications = []; // what the server sent unasked, in its order
  answered = []; // ids, in the order of their answers

  constructor(args, env = {}) {
    this.#child = spawn(binary, ['mcp', ...args], { env: environment(env), stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.method) {
        this.notifications.push(message);
        this.#hearing.get(message.method)?.();
      } else {
        this.answered.push(message.id);
      }
      const { method, resolve, reject } = this.#waiting.get(message.id) ?? {};
      this.#waiting.delete(message.id);
      const problems = problemsOf(REVISION, message, method);
      if (problems.length > 0) reject?.(new Error(`${method}: ${problems.join('; ')}: ${line.slice(0, 300)}`));
      else resolve?.(message);
    });
  }

  get pid() {
    return this.#child.pid;
  }

  async start() {
    const clientInfo = { name: 'tests', version: '1' };
    await this.request('initialize', { protocolVersion: REVISION, capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return this;
  }

  request(method, params) {
    return this.begin(method, params).answer;
  }

  // {id, answer}: the promise of its answer, which never comes to what is cancelled.
  begin(method, params) {
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
      this.#write({ jsonrpc: '2.0', id, method, params });
    });
    return { id, answer };
  }

  notify(method, params) {
    this.#write({ jsonrpc: '2.0', method, params });
  }

  // Until such a notification is there.
  async heard(method) {
    while (!this.notifications.some((one) => one.method === method)) {
      await new Promise((resolve) => this.#hearing.set(method, resolve));
    }
  }

  // {structure, text}; of what takes long, the answer at the end.
  async call(name, args) {
    for (;;) {
      const { result, error } = await this.request('tools/call', { name, arguments: args });
      if (error) throw new Error(`${name}: ${error.message}`);
      if (result.structuredContent?.status === 'running') continue;
      return { isError: result.isError ?? false, structure: result.structuredContent, text: result.content[0].text };
    }
  }

  async stop() {
    const ended = new Promise((resolve) => this.#child.on('exit', resolve));
    this.#child.stdin.end();
    await ended;
  }

  #write(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }
}
