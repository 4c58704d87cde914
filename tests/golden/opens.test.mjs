// What every kind of profile is taken for, and what is read of it when.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { binary, call, environment, example, run, scratchDir, sharedProfile } from '../support/stepwise.mjs';

// Folder, kind, framework, ranks; how many runs it holds, if they are not of one: the one that was written last is
// opened, so its ranks (null: they differ) depend on how the folder came here.
const KNOWN = [
  ['ge-proto-resnet50', 'graph_only', 'ge', [0]],
  ['gpu-alexnet-a100-cuda-sync', 'kineto', 'pytorch', [0]],
  ['gpu-dlrm-8rank-v100', 'kineto', 'pytorch', [0, 1, 2, 3, 4, 5, 6, 7]],
  ['gpu-event-sync', 'kineto', 'pytorch', [0]],
  ['gpu-recsys-128rank-sampled', 'kineto', 'pytorch', [0, 1]],
  ['gpu-recsys-cpu-only-trace', 'kineto', 'pytorch', [0, 34]],
  ['gpu-resnet50-tbplugin-2021', 'kineto', 'pytorch', [0], 2],
  ['gpu-torchrec-a100', 'kineto', 'pytorch', [0]],
  ['gpu-tracelens', 'kineto', 'pytorch', [0], 2],
  ['gpu-triton-inductor-mini', 'kineto', 'pytorch', [0]],
  ['inductor-gpu-tlparse', 'graph_only', 'pytorch', [0]],
  ['inductor-pt2-et', 'graph_only', 'pytorch', [0]],
  ['msprof-vllm-ascend-moe-lora-metrics', 'msprof', 'unknown', [0]],
  ['npu-inductor-doc-excerpts', 'graph_only', 'pytorch', [0]],
  ['npu-insight-fixtures', 'torch_npu', 'pytorch', [0], 5],
  ['npu-mindspore-legacy', 'mindspore', 'mindspore', null, 6],
  ['npu-pt-alexnet-ddp-db', 'torch_npu', 'pytorch', [0, 1]],
  ['npu-pt-alexnet-ddp-text', 'torch_npu', 'pytorch', null, 2],
  ['npu-pt-llm-pp2dp2-level2', 'torch_npu', 'pytorch', [0, 1, 2, 3]],
];

for (const [folder, kind, framework, ranks, runs] of KNOWN) {
  const profile = sharedProfile(folder);
  const skip = profile ? false : 'the real profiles are not here';
  test(`${folder} opens as ${kind}, ${runs ? `one of ${runs} runs` : `${ranks.length} ranks`}; each file is used, or says why not`, { skip }, () => {
    const opened = call('open_profile', profile);
    assert.equal(opened.kind, kind);
    assert.equal(opened.framework, framework);
    assert.deepEqual(opened.ranks, ranks ?? opened.runs[0].ranks);
    assert.equal(opened.runs?.length, runs);
    if (runs) {
      assert.ok(opened.runs[0].opened && opened.runs.slice(1).every((one) => !one.opened));
      const alone = call('open_profile', opened.runs[0].path);
      assert.equal(alone.id, opened.id);
      assert.deepEqual(alone.ranks, opened.ranks);
      assert.ok(!alone.runs);
    }
    assert.ok(opened.files.some(({ used }) => used));
    for (const file of opened.files) assert.ok(file.used || file.why_not, file.path);
    const described = call('describe_tables', profile);
    assert.ok(described.rows.some(({ table, rows }) => table !== 'diagnostic' && table !== 'meta' && rows > 0));
  });
}

test('every other folder of real profiles opens, or the answer says what was looked for', { skip: sharedProfile('.') ? false : 'they are not here' }, () => {
  const listed = new Set(KNOWN.map(([folder]) => folder));
  for (const entry of readdirSync(sharedProfile('.'), { withFileTypes: true })) {
    if (!entry.isDirectory() || listed.has(entry.name)) continue;
    const { code, stdout, stderr } = run(['call', 'open_profile', '--profile', sharedProfile(entry.name)]);
    if (code === 0) assert.ok(JSON.parse(stdout).files.some(({ used }) => used), entry.name);
    else assert.match(stderr, /"profile\.none"/, entry.name);
  }
});

test('top_operators does not read the timeline that lies beside the CSV files', () => {
  const profile = example({ events: 20_000 });
  const cache = scratchDir('cache');
  const ask = (tool) =>
    execFileSync(binary, ['call', tool, '--profile', profile], { env: environment({ XDG_CACHE_HOME: cache }) });
  const segments = () => readdirSync(cache, { recursive: true }).filter((path) => path.endsWith('.seg'));
  ask('top_operators');
  assert.deepEqual(segments().map((path) => path.slice(-11)), ['0-files.seg']);
  ask('describe_tables');
  assert.ok(segments().some((path) => path.endsWith('0-trace.seg')), 'describe_tables reads it');
});

test('a directory of ranks: a rank is read when it is asked for', () => {
  const profile = example({ ranks: 4, steps: 2 });
  const cache = scratchDir('cache');
  const ask = (args) =>
    execFileSync(binary, ['call', 'top_operators', '--profile', profile, '--args', JSON.stringify(args)], {
      env: environment({ XDG_CACHE_HOME: cache }),
    });
  const segments = () => readdirSync(cache, { recursive: true }).filter((path) => path.endsWith('.seg')).sort();
  ask({});
  assert.deepEqual(segments().map((path) => path.slice(-11)), ['0-files.seg']);
  ask({ rank: 3 });
  assert.deepEqual(segments().map((path) => path.slice(-11)), ['0-files.seg', '3-files.seg']);
});

const dlrm = sharedProfile('gpu-dlrm-8rank-v100');
test('of traces of two cycles of the same workers in one folder one cycle is opened, not mixed', { skip: dlrm ? false : 'the real profiles are not here' }, () => {
  const folder = scratchDir('cycles');
  const traces = readdirSync(dlrm).filter((name) => name.endsWith('.json.gz')).sort().slice(0, 2);
  for (const [worker, trace] of traces.entries()) {
    for (const time of ['1694128201545', '1694128999545']) {
      cpSync(join(dlrm, trace), join(folder, `worker${worker}.${time}.pt.trace.json.gz`));
    }
  }
  const opened = call('open_profile', folder);
  assert.equal(opened.rank_count, 2);
  assert.match(JSON.stringify(opened.warnings), /profile\.several_runs.*2 recordings of the same workers/);
  assert.deepEqual(
    opened.runs.map(({ path, ranks, opened: is }) => [path.slice(folder.length), ranks.length, is]),
    [['', 2, true], ['/worker0.1694128201545.pt.trace.json.gz', 1, false], ['/worker1.1694128201545.pt.trace.json.gz', 1, false]],
  );
  for (const { path, used } of opened.files) assert.equal(used, path.includes('1694128999545'), path);
  const { rows } = call('query_sql', folder, { sql: 'SELECT DISTINCT rank, src_file FROM kernel ORDER BY 1' });
  assert.deepEqual(rows.map(([, file]) => file), [0, 1].map((worker) => `worker${worker}.1694128999545.pt.trace.json.gz`));
});

test('all files of a folder of many are listed, page by page', () => {
  const profile = example({ kind: 'llm-train', ranks: 8, steps: 2 });
  const seen = [];
  let args = {};
  for (let pages = 0; pages < 20 && args; ++pages) {
    const { files, file_count: count, next } = call('open_profile', profile, args);
    assert.ok(files.length <= 40 && files.length > 0);
    seen.push(...files.map(({ path }) => path));
    args = next.find(({ tool, arguments: given }) => tool === 'open_profile' && given.files_from)?.arguments;
    if (!args) assert.equal(seen.length, count);
    if (args) delete args.path;
  }
  assert.ok(seen.length > 40);
  assert.equal(new Set(seen).size, seen.length);
});
