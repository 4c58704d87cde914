// Runs the program as a user would: a process, its exit code, what it printed where.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const binary = process.env.STEPWISE_BIN ?? join(root, 'build/stepwise');

// A folder that is gone when the process ends; the store cache of all runs of this process lies in it. Without links in
// its path: answers name files by where they really are.
export const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'stepwise-test-')));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

export function scratchDir(name) {
  return mkdtempSync(join(scratch, `${name}-`));
}

export function environment(extra = {}) {
  const env = { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache'), ...extra };
  for (const [key, value] of Object.entries(env)) if (value === undefined) delete env[key];
  return env;
}

// {code, signal, stdout, stderr}
export function run(args, { env = {}, cwd = root, input } = {}) {
  const done = spawnSync(binary, args, {
    cwd,
    env: environment(env),
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  if (done.error) throw done.error;
  return { code: done.status, signal: done.signal, stdout: done.stdout, stderr: done.stderr };
}

// One tool call that must succeed; its structured result.
export function call(tool, profile, args = {}) {
  const done = run(['call', tool, '--profile', profile, '--args', JSON.stringify(args)]);
  if (done.code !== 0) throw new Error(`${tool} ended with ${done.code ?? done.signal}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}

// A synthetic profile; made once for each set of options in a process.
const examples = new Map();
export function example({ kind = 'recsys-train', seed = 1, ranks = 1, steps = 3, events = 3000, export: form = 'text' } = {}) {
  const chosen = { kind, seed, ranks, steps, events, export: form };
  const key = JSON.stringify(chosen);
  if (!examples.has(key)) {
    const dir = join(scratchDir('example'), 'profile');
    const options = Object.entries(chosen).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const done = run(['example', dir, ...options]);
    if (done.code !== 0) throw new Error(`example ended with ${done.code ?? done.signal}: ${done.stderr}`);
    examples.set(key, dir);
  }
  return examples.get(key);
}

// A copy that a test may damage.
export function copyOf(profile, name = 'copy') {
  const dir = join(scratchDir(name), 'profile');
  cpSync(profile, dir, { recursive: true });
  return dir;
}

// Paths of all files of that name under a folder, sorted.
export function filesNamed(dir, name) {
  return readdirSync(dir, { recursive: true })
    .filter((path) => basename(path) === name)
    .sort()
    .map((path) => join(dir, path));
}

// Real profiles lie beside the repository; null where they are absent (the test then reports itself skipped).
export function sharedProfile(path) {
  const dir = join(process.env.STEPWISE_SHARED ?? join(root, '../shared'), 'data', path);
  return existsSync(dir) ? realpathSync(dir) : null;
}
