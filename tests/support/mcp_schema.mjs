// Holds messages of a server against the schema of their revision of MCP.
//
// The schemas come out of the conformance suite, which carries those of the specification in its bundle
// (modelcontextprotocol/modelcontextprotocol, schema/REVISION/schema.json). It has none of 2024-11-05, whose messages
// are those of 2025-03-26 without what that one added, so they are held against that.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { npmParts } from './newer_node.mjs';

const require = createRequire(`${npmParts}/package.json`);
const { Ajv } = require('ajv');
const { Ajv2020 } = require('ajv/dist/2020.js');
const addFormats = require('ajv-formats').default;

export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

let literals; // revision -> schema
function schemaOf(revision) {
  literals ??= readBundle();
  return literals.get(revision === '2024-11-05' ? '2025-03-26' : revision);
}

// In the bundle each schema is an object literal, `NAME={$schema:...}`, and one table says which is which.
function readBundle() {
  const text = readFileSync(join(npmParts, '@modelcontextprotocol/conformance/dist/index.js'), 'utf8');
  const name = '([\\w$]+)';
  const table = text.match(
    new RegExp(`\\{"2025-03-26":${name},"2025-06-18":${name},"2025-11-25":${name},\\[[\\w$]+\\]:${name}\\}`),
  );
  if (!table) throw new Error('the conformance suite carries its schemas elsewhere now');
  return new Map(REVISIONS.slice(1).map((revision, i) => [revision, literalAt(text, `${table[i + 1]}={$schema:`)]));
}

function literalAt(text, opening) {
  const start = text.indexOf('{', text.indexOf(opening));
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c === '`' || c === '"' || c === "'") i = endOfString(text, i);
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return JSON.parse(runInNewContext(`JSON.stringify(${text.slice(start, i + 1)})`));
  }
  throw new Error(`no end of ${opening}`);
}

function endOfString(text, i) {
  const quote = text[i];
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === '\\') j++;
    else if (text[j] === quote) return j;
  }
  return text.length;
}

const checkers = new Map();
function checkerOf(revision) {
  if (!checkers.has(revision)) checkers.set(revision, new Checker(structuredClone(schemaOf(revision))));
  return checkers.get(revision);
}

class Checker {
  #ajv;
  #place; // $defs or definitions
  defs;
  byMethod = new Map(); // of requests and notifications
  byCode = new Map(); // of errors with a definition of their own
  #compiled = new Map();

  constructor(schema) {
    this.#place = '$defs' in schema ? '$defs' : 'definitions';
    this.defs = schema[this.#place];
    // The published schemas of 2025 say `integer` where the specification's source says `number`.
    for (const key of ['minimum', 'maximum', 'default']) {
      const type = this.defs.NumberSchema?.properties?.[key];
      if (type?.type === 'integer') type.type = 'number';
    }
    this.#ajv = new (this.#place === '$defs' ? Ajv2020 : Ajv)({ strict: false, allErrors: true });
    addFormats(this.#ajv);
    this.#ajv.addFormat('byte', true);
    this.#ajv.addSchema(schema, 'mcp');
    for (const [name, def] of Object.entries(this.defs)) {
      const method = def.properties?.method?.const;
      if (method && !/^(Client|Server)(Request|Notification)$/.test(name)) this.byMethod.set(method, name);
      for (const part of def.properties?.error?.allOf ?? []) {
        const code = part.properties?.code?.const;
        if (typeof code === 'number') this.byCode.set(code, name);
      }
    }
  }

  problems(name, value) {
    if (!this.#compiled.has(name)) this.#compiled.set(name, this.#ajv.compile({ $ref: `mcp#/${this.#place}/${name}` }));
    const validate = this.#compiled.get(name);
    if (validate(value)) return [];
    return validate.errors.slice(0, 5).map((error) => `${name}${error.instancePath} ${error.message}`);
  }

  firstOf(...names) {
    return names.find((name) => name in this.defs);
  }
}

// What is wrong with a message that a server sent; [] if nothing. `method`: of the request that a result answers.
export function problemsOf(revision, message, method) {
  const checker = checkerOf(revision);
  if (typeof message.method === 'string') {
    const name = checker.byMethod.get(message.method);
    return name ? checker.problems(name, message) : [`${revision} has no ${message.method}`];
  }
  if (message.error !== undefined) {
    const name = checker.byCode.get(message.error?.code) ?? checker.firstOf('JSONRPCErrorResponse', 'JSONRPCError');
    return checker.problems(name, message);
  }
  const envelope = checker.problems(checker.firstOf('JSONRPCResultResponse', 'JSONRPCResponse'), message);
  return [...envelope, ...checker.problems(resultName(checker, message.result, method), message.result)];
}

function resultName(checker, result, method) {
  if (result?.resultType === 'input_required') return checker.firstOf('InputRequiredResult', 'Result');
  const request = checker.byMethod.get(method);
  return checker.firstOf(request?.replace(/Request$/, 'Result'), 'EmptyResult');
}
