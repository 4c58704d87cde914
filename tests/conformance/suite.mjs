// Runs the conformance suite against a server, and reads what it found.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { newerNode, npmParts } from '../support/newer_node.mjs';
import { scratchDir } from '../support/stepwise.mjs';

const suite = join(npmParts, '@modelcontextprotocol/conformance');

// The scenarios that a revision requires of a server, and those that are run beside them and not scored.
export function required(revision) {
  const lines = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8').split('\n');
  const listed = (key, line) => {
    const at = lines.indexOf(`${key}:`);
    const end = lines.findIndex((text, i) => i > at && /^\S/.test(text));
    return lines.slice(at + 1, end < 0 ? undefined : end).flatMap(line);
  };
  const scored = listed('server', (text) => text.match(/^ {2}- (\S+)/)?.[1] ?? []);
  let scenario;
  const notScored = listed('not_scored', (text) => {
    scenario = text.match(/^ {2}- scenario: (\S+)/)?.[1] ?? scenario;
    return /^ {4}leg: server/.test(text) ? [scenario] : [];
  });
  return { scored, notScored };
}

// Every scenario for servers that the suite has.
export async function allScenarios() {
  const { output } = await run(['list', '--server']);
  return [...output.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1]);
}

// Map: scenario -> its checks. `options` choose what is run: ['--requirements', '2025-11-25'].
export async function runSuite(url, options) {
  const out = scratchDir('conformance');
  const { output } = await run(['server', '--url', url, ...options, '--output-dir', out]);
  const results = new Map();
  for (const name of readdirSync(out)) {
    const path = join(out, name, 'checks.json');
    const scenario = name.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/)?.[1];
    if (scenario && existsSync(path)) results.set(scenario, JSON.parse(readFileSync(path, 'utf8')));
  }
  if (results.size === 0) throw new Error(`the suite left no results:\n${output}`);
  return results;
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(newerNode, [join(suite, 'dist/index.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

// What is not right in these scenarios, a line for each check: one that failed, warned or was not made, and a scenario
// that left no result. What only informs is left out.
export function faults(results, scenarios) {
  return scenarios.flatMap((scenario) => {
    const checks = results.get(scenario);
    if (!checks) return [`${scenario}: no result`];
    return checks
      .filter(({ status }) => !/^(SUCCESS|INFO)$/.test(status))
      .map(({ id, status, errorMessage }) => `${scenario}: ${id}: ${status}: ${errorMessage}`);
  });
}

export function passed(results, scenarios) {
  return scenarios.filter((scenario) => faults(results, [scenario]).length === 0);
}
