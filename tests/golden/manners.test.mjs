// How the command line behaves: exit codes, what goes to which stream, where reports go.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { binary, call, environment, example, root, run, scratchDir } from '../support/stepwise.mjs';

const ESCAPE = '\u001b';
const profile = example({ seed: 21 });

test('bad usage ends with 2 and says how to get help, on standard error', () => {
  for (const args of [['nonsense'], ['analyze'], ['call'], ['example', '--events', 'many', 'x'], ['tools', '--no-such']]) {
    const done = run(args);
    assert.equal(done.code, 2, `${args}: ${done.stderr}`);
    assert.equal(done.stdout, '', `${args}`);
    assert.notEqual(done.stderr, '', `${args}`);
  }
});

test('help ends with 0 and names every command', () => {
  const done = run(['--help']);
  assert.equal(done.code, 0);
  for (const command of ['analyze', 'call', 'tools', 'mcp', 'serve', 'example', 'cache']) {
    assert.ok(done.stdout.includes(command), command);
  }
});

test('call prints one JSON value on standard output and nothing else', () => {
  const done = run(['call', 'summarize_profile', '--profile', profile]);
  assert.equal(done.code, 0, done.stderr);
  const value = JSON.parse(done.stdout);
  assert.equal(value.status, 'ok');
  assert.match(value.profile, /^p[0-9a-f]{8}$/);
});

test('the same call gives the same bytes, from the files and from the cache', () => {
  const args = ['call', 'top_operators', '--profile', profile, '--args', '{"limit": 1000}'];
  const cold = run(args, { env: { XDG_CACHE_HOME: scratchDir('cold') } });
  const warm = run(args);
  const again = run(args);
  assert.equal(cold.code, 0, cold.stderr);
  assert.equal(warm.stdout, cold.stdout);
  assert.equal(again.stdout, cold.stdout);
});

test('an unknown tool, a bad argument and bad JSON are refused with a JSON error', () => {
  for (const [args, code] of [
    [['call', 'no_such_tool', '--profile', profile], 3],
    [['call', 'top_operators', '--profile', profile, '--args', '{"by": "colour"}'], 2],
    [['call', 'top_operators', '--profile', profile, '--args', '{"by": '], 2],
  ]) {
    const done = run(args);
    assert.equal(done.code, code, `${args}: ${done.stderr}`);
    assert.equal(done.stdout, '');
    const error = jsonIn(done.stderr);
    assert.match(error.code, /^[a-z_]+\.[a-z_]+$/);
    assert.ok(error.message.length > 0);
  }
});

function jsonIn(text) {
  const value = JSON.parse(text.slice(text.indexOf('{')));
  return value.error ?? value;
}

test('analyze prints a summary and writes report.md, report.html and report.json', () => {
  const out = join(scratchDir('out'), 'report');
  const done = run(['analyze', profile, '-o', out]);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(readdirSync(out).sort(), ['report.html', 'report.json', 'report.md']);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  assert.equal(typeof report, 'object');
  assert.match(readFileSync(join(out, 'report.md'), 'utf8'), /^# /);
  assert.ok(done.stdout.length > 0);
  assert.ok(done.stdout.split('\n').length <= 60, 'fits one screen');
  assert.ok(done.stdout.includes(out) || done.stderr.includes(out), 'says where the report is');
});

test('the guide shows the screen of its example, but for how much advice there is', () => {
  const cwd = scratchDir('guide');
  assert.equal(run(['example', 'demo'], { cwd }).code, 0);
  const screen = run(['analyze', 'demo'], { cwd }).stdout;
  const page = readFileSync(join(root, 'docs/guide/analyze.md'), 'utf8');
  const [, shown] = /```\n(demo  [^]*?)```/.exec(page);
  const settled = (text) => text.replace(/^Advice .*\n/gm, '').replace(/ and \d+ more/g, ' and N more');
  assert.equal(settled(shown), settled(screen));
});

test('into a pipe there are no colours and no carriage returns', () => {
  for (const args of [['analyze', profile, '-o', join(scratchDir('out'), 'r')], ['tools'], ['--help']]) {
    const done = run(args);
    assert.equal(done.code, 0, done.stderr);
    for (const text of [done.stdout, done.stderr]) {
      assert.ok(!text.includes(ESCAPE) && !text.includes('\r'), `${args}`);
    }
  }
});

test('on a terminal there are colours, unless NO_COLOR is set', { skip: hasScript() ? false : 'script(1) is not here' }, () => {
  const onTerminal = (env) => {
    const out = join(scratchDir('out'), 'r');
    const command = `'${binary}' analyze '${profile}' -o '${out}'`;
    const done = spawnSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      env: environment({ TERM: 'xterm-256color', NO_COLOR: undefined, ...env }),
      cwd: root,
    });
    assert.equal(done.status, 0, done.stdout);
    return done.stdout;
  };
  assert.ok(/\u001b\[[0-9;]*m/.test(onTerminal({})), 'colours on a terminal');
  assert.ok(!/\u001b\[[0-9;]*m/.test(onTerminal({ NO_COLOR: '1' })), 'none with NO_COLOR');
});

function hasScript() {
  return spawnSync('script', ['--version']).status === 0;
}

test('an output folder that cannot be written falls back to a temporary one, and says so', () => {
  // A file where the folder should be stops root too, whom permissions do not.
  const blocked = join(scratchDir('blocked'), 'file');
  writeFileSync(blocked, '');
  const asked = join(blocked, 'report');
  const done = run(['analyze', profile, '-o', asked]);
  assert.equal(done.code, 0, done.stderr);
  const said = `${done.stdout}\n${done.stderr}`;
  assert.ok(said.includes(asked), 'names what could not be written');
  const written = [...said.matchAll(/\/[^,\n]+report\.md/g)].map((match) => match[0]).filter((path) => existsSync(path));
  assert.ok(written.length > 0, said);
});

test('a read-only output folder falls back too', { skip: process.getuid() === 0 ? 'root writes everywhere' : false }, () => {
  const dir = join(scratchDir('readonly'), 'out');
  mkdirSync(dir);
  chmodSync(dir, 0o500);
  const done = run(['analyze', profile, '-o', join(dir, 'report')]);
  assert.equal(done.code, 0, done.stderr);
  assert.ok(!existsSync(join(dir, 'report')));
});

test('the profile folder is left as it was', () => {
  const list = () => readdirSync(profile, { recursive: true }).sort();
  const before = list();
  call('summarize_profile', profile);
  run(['analyze', profile, '-o', join(scratchDir('out'), 'r')]);
  assert.deepEqual(list(), before);
});

test('tools lists every tool, in words and as JSON', () => {
  const told = JSON.parse(run(['tools', '--json']).stdout);
  const tools = told.tools ?? told;
  const words = run(['tools']).stdout;
  for (const name of ['open_profile', 'summarize_profile', 'top_operators', 'detect_scenario', 'detect_execution_mode']) {
    assert.ok(tools.some((tool) => tool.name === name), name);
    assert.ok(words.includes(name), name);
  }
});

test('mcp with nothing to read ends with 0 and prints nothing', () => {
  const done = run(['mcp'], { input: '' });
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.stdout, '');
});

test('a server is not started where the directory that it may read is gone', () => {
  for (const server of ['mcp', 'serve --http 127.0.0.1:0']) {
    const gone = scratchDir('gone');
    const command = `cd '${gone}' && rmdir '${gone}' && exec '${binary}' ${server}`;
    const done = spawnSync('sh', ['-c', command], { encoding: 'utf8', env: environment(), input: '', timeout: 60_000 });
    assert.equal(done.status, 3, done.stderr);
    assert.equal(jsonIn(done.stderr).code, 'cli.root');
  }
});

test('mcp prints nothing but JSON-RPC on standard output, whatever comes in', () => {
  const lines = [
    'this is no JSON',
    '[]',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"no/such/method"}',
    `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"summarize_profile","arguments":{"profile":${JSON.stringify(profile)}}}}`,
  ];
  const done = run(['mcp', '--root', profile], { input: `${lines.join('\n')}\n` });
  assert.equal(done.code, 0, done.stderr);
  const messages = done.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  for (const message of messages) assert.equal(message.jsonrpc, '2.0');
  assert.equal(messages.find((message) => message.id === 1).result.protocolVersion, '2025-11-25');
  assert.equal(messages.find((message) => message.id === 2).error.code, -32601);
});

test('the same seed gives the same example, another seed another one', () => {
  const bytes = (seed) => {
    const dir = join(scratchDir('again'), 'profile');
    assert.equal(run(['example', dir, '--seed', `${seed}`, '--events', '2000']).code, 0);
    return readFileSync(join(dir, 'truth.json'), 'utf8');
  };
  assert.equal(bytes(5), bytes(5));
  assert.notEqual(bytes(5), bytes(6));
});
