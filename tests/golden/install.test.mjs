// What `cmake --install` lays down works by itself: the program there finds its analyzers, its knowledge and its pages,
// and nothing of the build.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { binary, environment, example, root, run, scratchDir } from '../support/stepwise.mjs';

const build = process.env.STEPWISE_BUILD ?? join(root, 'build');

test('an installed program answers as the built one does', () => {
  const prefix = scratchDir('prefix'), profile = example({ seed: 41 });
  const installed = spawnSync('cmake', ['--install', build, '--prefix', prefix], { encoding: 'utf8' });
  assert.equal(installed.status, 0, installed.stderr);
  const there = (args) => {
    const done = spawnSync(join(prefix, 'bin/stepwise'), args, { cwd: prefix, env: environment(), encoding: 'utf8' });
    assert.equal(done.status, 0, `${args}: ${done.stderr}`);
    return done.stdout;
  };
  assert.notEqual(join(prefix, 'bin/stepwise'), binary);
  for (const args of [
    ['tools', '--json'],
    ['knowledge', 'check'],
    ['call', 'summarize_profile', '--profile', profile],
    ['call', 'advise', '--profile', profile],
  ]) {
    assert.equal(there(args), run(args).stdout, `${args}`);
  }
  // In a process of their own, too.
  assert.equal(JSON.parse(there(['--isolate', 'all', 'call', 'top_operators', '--profile', profile])).status, 'ok');

  // Whoever writes analyzers has what that takes: the steps of docs/plugins, with what was installed alone.
  const sdk = join(prefix, 'share/stepwise/sdk'), mine = join(scratchDir('analyzer'), 'mine');
  cpSync(join(sdk, 'template'), mine, { recursive: true });
  for (const [program, ...args] of [
    ['cmake', '-S', '.', '-B', 'build', `-DSTEPWISE_SDK_DIR=${sdk}`],
    ['cmake', '--build', 'build'],
    ['ctest', '--test-dir', 'build'],
  ]) {
    const done = spawnSync(program, args, { cwd: mine, encoding: 'utf8' });
    assert.equal(done.status, 0, `${program}: ${done.stdout}${done.stderr}`);
  }
  const slow = JSON.parse(there(['--plugin-dir', join(mine, 'build'), 'call', 'slow_kernels', '--profile', profile]));
  assert.equal(slow.status, 'ok');
  assert.ok(slow.rows.every(({ dur_us: us }) => us > 100));
});
