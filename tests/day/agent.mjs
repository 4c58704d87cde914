// An agent's day with a profile, played over stdio: it opens it, asks for the whole picture, follows what answers say
// to ask next, takes advice, has drafts checked, looks parameters up, writes the report. Every answer is weighed, and
// held to what an agent needs of it.
import { dirname } from 'node:path';

import { McpClient } from '../support/mcp.mjs';
import { misfits } from './schema.mjs';

const DEPTH = 3; // how far suggestions of suggestions are followed
const MOST_CALLS = 60;

export const tokens = (text) => Math.ceil(text.length / 4);

// What an agent may write: a parameter that there is not, and a figure that nothing bears out.
const BAD_DRAFT = [
  '- Set `NPU_FASTER_PLEASE=1`: the step gets 90 % shorter.',
  '- Communication takes 99.9 % of the step.',
].join('\n');

export class AgentDay {
  faults = [];
  sizes = {}; // call -> [tokens of text, tokens of structure]
  isOneOfSeveral = false; // runs in the folder: which one it is, its files' times decide
  #client;
  #elsewhere; // paths that are others on other machines
  #listed = new Map();
  #schemas = new Map();
  #followed = new Set();

  static async spend(profile, outDir) {
    const day = new AgentDay();
    day.#elsewhere = [dirname(profile), outDir];
    day.#client = await new McpClient(['--root', profile, '--out', outDir]).start();
    try {
      await day.#session(profile);
    } finally {
      await day.#client.stop();
    }
    return day;
  }

  async #session(profile) {
    for (const tool of (await this.#client.request('tools/list', {})).result.tools) this.#listed.set(tool.name, tool);
    const opened = await this.#ask('open_profile', { path: profile }, 'open_profile');
    const id = opened.structure.id;
    this.isOneOfSeveral = opened.structure.runs !== undefined;
    await this.#follow(opened, id);
    await this.#ask('summarize_profile', { profile: id });
    await this.#ask('list_analyses', {});
    const advised = await this.#ask('advise', { profile: id });
    const { rows } = advised.structure;
    await this.#follow(advised, id);
    await this.#check(id, rows ?? []);
    await this.#look_up(rows ?? []);
    await this.#ask('query_sql', { profile: id, sql: 'SELECT count(*) AS kernels FROM kernel' });
    await this.#ask('write_report', { profile: id, dir: 'day' });
  }

  // Breadth first, each call once.
  async #follow(answer, id) {
    let wave = answer.structure.next ?? [];
    for (let depth = 0; depth < DEPTH; depth++) {
      const further = [];
      for (const { tool, arguments: args } of wave) {
        const call = JSON.stringify([tool, args]);
        if (this.#followed.has(call) || this.#followed.size === MOST_CALLS) continue;
        if (tool === 'open_profile') continue; // one run of several: another profile, which has a day of its own
        this.#followed.add(call);
        if (args.profile !== id) this.faults.push(`next ${call} does not say which profile`);
        for (const one of await this.#misfits(tool, args)) this.faults.push(`next ${call}: ${one}`);
        further.push(...((await this.#ask(tool, args)).structure.next ?? []));
      }
      wave = further;
    }
  }

  async #check(id, rows) {
    const own = rows.map(({ finding, measure }) => `${finding} ${measure}`);
    if (own.length > 0) {
      const { structure } = await this.#ask('validate_advice', { profile: id, items: own }, 'validate_advice (own)');
      for (const item of structure.items) {
        if (item.verdict === 'refused') this.faults.push(`its own advice is refused: ${item.text}: ${item.reason}`);
      }
      for (const figure of structure.figures) {
        if (figure.ok === false) this.faults.push(`a figure of its own is called wrong: ${figure.text}`);
      }
    }
    const { structure } = await this.#ask('validate_advice', { profile: id, markdown: BAD_DRAFT }, 'validate_advice (bad)');
    if (structure.items[0].verdict !== 'refused') this.faults.push('an invented parameter is not refused');
    if (!structure.items[0].rewrite) this.faults.push('a refused item has no rewrite');
  }

  async #look_up(rows) {
    const name = rows.flatMap((row) => row.parameters.map((one) => one.name))[0] ?? 'TASK_QUEUE_ENABLE';
    const found = await this.#ask('lookup_parameter', { name }, 'lookup_parameter');
    if (!found.text.includes(name)) this.faults.push(`lookup_parameter does not tell of ${name}`);
    const misspelt = await this.#ask('lookup_parameter', { name: 'TASK_QUEUE_ENABLED' }, 'lookup_parameter (misspelt)');
    if (!misspelt.text.includes('TASK_QUEUE_ENABLE')) this.faults.push('a misspelt parameter finds nothing near');
  }

  // Of a call as it stands: the tool is listed, or what run_analysis runs takes those arguments.
  async #misfits(tool, args) {
    const listed = this.#listed.get(tool);
    if (!listed) return [`${tool} is not listed`];
    const found = [...misfits(listed.inputSchema, args)];
    if (tool !== 'run_analysis') return found;
    if (!this.#schemas.has(args.analysis)) {
      const answer = await this.#client.call('list_analyses', { analysis: args.analysis });
      this.#schemas.set(args.analysis, answer.structure?.input);
    }
    const schema = this.#schemas.get(args.analysis);
    return schema ? [...found, ...misfits(schema, args.arguments ?? {})] : [`there is no analysis ${args.analysis}`];
  }

  async #ask(tool, args, name = this.#name(tool, args)) {
    const answer = await this.#client.call(tool, args);
    if (answer.isError) {
      this.faults.push(`${name} failed: ${answer.text}`);
      return { ...answer, structure: {} };
    }
    this.sizes[name] = [this.#weight(answer.text), this.#weight(JSON.stringify(answer.structure))];
    for (const fault of standsAlone(answer)) this.faults.push(`${name}: ${fault}`);
    return answer;
  }

  // In tokens, as if everything lay where it lies nowhere.
  #weight(text) {
    return tokens(this.#elsewhere.reduce((rest, path) => rest.replaceAll(path, '/somewhere/on/a/disk'), text));
  }

  // A call as people write it, without what differs from machine to machine.
  #name(tool, { profile, analysis, arguments: inner, ...rest }) {
    const args = JSON.stringify({ ...rest, ...inner });
    return `${analysis ?? tool}${args === '{}' ? '' : ` ${args}`}`;
  }
}

// Some hosts show the text alone: it says all that one needs to go on.
export function* standsAlone({ structure, text }) {
  const has = (part) => text.includes(part);
  if (!has(structure.status)) yield 'the text lacks the status';
  if (structure.profile && !has(structure.profile)) yield 'the text lacks the profile';
  if (structure.next_cursor && !has(structure.next_cursor)) yield 'the text lacks the cursor';
  if (structure.total_rows > 0 && !has(`${structure.total_rows} rows`)) yield 'the text lacks how many rows there are';
  if (structure.rows && text.trim().split('\n').length < structure.rows.length) yield 'the text lacks rows';
  const calls = text.replace(/(\d)\.0(?=[,}\]])/g, '$1'); // 2.0 is 2 once it was read
  for (const { tool, arguments: args } of structure.next ?? []) {
    if (!calls.includes(`next: ${tool} ${JSON.stringify(args)}`)) yield `the text lacks the next call, ${tool}`;
  }
  for (const { input } of structure.missing ?? []) if (!has(`missing: ${input}`)) yield `the text lacks that ${input} is missing`;
  for (const warning of structure.warnings ?? []) if (!has(`warning: ${warning.text}`)) yield `the text lacks a warning`;
  if (has('(cut;')) yield 'the text is cut';
}
