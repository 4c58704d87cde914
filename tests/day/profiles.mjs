// With what the days are spent: the examples, which are the same everywhere, and real profiles where they are here.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { example, run, sharedProfile } from '../support/stepwise.mjs';

export const EXAMPLES = {
  'recsys-train': { kind: 'recsys-train', ranks: 2, seed: 21 },
  'recsys-infer': { kind: 'recsys-infer', seed: 22 },
  'llm-train': { kind: 'llm-train', ranks: 2, seed: 23 },
};

export const examplePath = (name) => example(EXAMPLES[name]);

const NOTHING_READABLE = 3; // the exit code

export function holdsProfile(path) {
  const { code, signal, stderr } = run(['call', 'open_profile', '--profile', path]);
  if (code !== 0 && code !== NOTHING_READABLE) throw new Error(`open_profile of ${path} ended with ${code ?? signal}: ${stderr}`);
  return code === 0;
}

// What a program that has a database open puts beside it, and leaves there: it says something else of each profile.
export const straysIn = (path) => readdirSync(path, { recursive: true }).filter((name) => /-(wal|shm|journal)$/.test(name));

// Each case, and each folder in one that may hold a profile of its own; [name, path].
export function realProfiles() {
  const root = sharedProfile('.');
  if (!root) return [];
  const folders = (dir) => readdirSync(dir).sort().map((name) => join(dir, name)).filter((path) => statSync(path).isDirectory());
  const cases = folders(root);
  const inside = cases.flatMap(folders).filter((path) => !/_ascend_pt$|ASCEND_PROFILER_OUTPUT$/.test(path));
  return [...cases, ...inside].map((path) => [path.slice(root.length + 1), path]);
}
