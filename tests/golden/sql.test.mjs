// SQL over real profiles: figures computed again from the files, and every query of the guide run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readBytes, readCsv } from '../support/csv.mjs';
import { nsOfUs, sum } from '../support/exact.mjs';
import { binary, call, copyOf, environment, example, filesNamed, root, run, scratchDir, sharedProfile } from '../support/stepwise.mjs';
import { readTrace, slicesOf } from '../support/trace.mjs';

const ascend = sharedProfile('npu-pt-alexnet-ddp-text/level1');
const gpu = sharedProfile('gpu-torchrec-a100');
const skip = ascend && gpu ? false : 'the real profiles are not here';
const query = (profile, sql, more = {}) => call('query_sql', profile, { sql, limit: 1000, ...more });

test('every query of the guide runs, on an Ascend profile and on a GPU trace', { skip }, () => {
  const guide = readFileSync(join(root, 'docs/guide/sql.md'), 'utf8');
  const queries = [...guide.matchAll(/```sql\n([^`]*)```/g)].map(([, sql]) => sql);
  assert.equal(queries.length, 7);
  for (const sql of queries) {
    for (const profile of [ascend, gpu, example({})]) {
      const { columns, rows, status } = query(profile, sql);
      assert.notEqual(status, 'not_applicable');
      assert.ok(columns.length > 0 && Array.isArray(rows), sql);
    }
  }
  const [, launched, waited] = queries.map((sql) => query(gpu, sql));
  assert.ok(launched.rows.length > 10 && waited.total_rows === null);
});

test('kernels of each rank add up as kernel_details.csv does', { skip }, () => {
  const { rows } = query(ascend, 'SELECT rank, count(*), sum(dur_ns) FROM kernel GROUP BY rank ORDER BY rank');
  const expected = [0, 1].map((rank) => {
    const file = readCsv(join(ascend, `rank${rank}_ascend_pt`, 'ASCEND_PROFILER_OUTPUT', 'kernel_details.csv'));
    return [rank, file.length, Number(sum(file.map((row) => nsOfUs(row['Duration(us)'].trim()))))];
  });
  assert.deepEqual(rows, expected);
});

test('device time by stream is the trace\'s own, and a join finds what launched it', { skip }, () => {
  const { traceEvents: events } = JSON.parse(readBytes(join(gpu, 'rank0.json.gz')).toString('utf8'));
  const streams = new Map();
  for (const { ph, cat, dur, args } of events) {
    if (ph !== 'X' || !['kernel', 'gpu_memcpy', 'gpu_memset'].includes(cat?.toLowerCase())) continue;
    const [count, us] = streams.get(args.stream) ?? [0, 0];
    streams.set(args.stream, [count + 1, us + dur]);
  }
  const { rows } = query(gpu, 'SELECT stream, count(*), sum(dur_ns) / 1000 FROM kernel GROUP BY stream ORDER BY stream');
  assert.deepEqual(rows, [...streams].sort(([a], [b]) => a - b).map(([stream, [count, us]]) => [stream, count, us]));
  const joined = query(gpu, 'SELECT count(*) FROM kernel k JOIN runtime_api r ON r.rank = k.rank AND r.link_id = k.correlation_id');
  const calls = new Map();
  for (const { ph, cat, args } of events) {
    if (ph !== 'X' || !['cuda_runtime', 'cuda_driver'].includes(cat) || args?.correlation === undefined) continue;
    calls.set(args.correlation, (calls.get(args.correlation) ?? 0) + 1);
  }
  const pairs = events
    .filter(({ ph, cat }) => ph === 'X' && ['kernel', 'gpu_memcpy', 'gpu_memset'].includes(cat?.toLowerCase()))
    .reduce((count, { args }) => count + (calls.get(args.correlation) ?? 0), 0);
  assert.deepEqual(joined.rows, [[pairs]]);
});

test('a stream is busy in the timeline for as long as its slices together', { skip }, () => {
  const trace = join(ascend, 'rank0_ascend_pt', 'ASCEND_PROFILER_OUTPUT', 'trace_view.json.gz');
  const slices = slicesOf(readTrace(trace), () => true);
  const { pid } = readTrace(trace).find(({ name, args }) => name === 'process_name' && args.name === 'Ascend Hardware');
  let covered = 0n;
  let busy = 0n;
  const stream = slices.filter((slice) => slice.track === `${pid}/2`);
  for (const { start, end } of stream) {
    if (end > covered) busy += end - (start > covered ? start : covered);
    if (end > covered) covered = end;
  }
  const args = { start_us: -1e6, end_us: 1e6, tracks: ['Stream 2'] };
  const track = call('timeline', ascend, args).tracks.find(({ name }) => name === 'Ascend Hardware NPU / Stream 2');
  assert.equal(track.slice_count, stream.length);
  assert.equal(nsOfUs(track.busy_us), busy);
});

test('a name that is no table is answered with the tool or the table that was meant', () => {
  const hint = (sql) => {
    const done = run(['call', 'query_sql', '--profile', example({}), '--args', JSON.stringify({ sql })]);
    assert.notEqual(done.code, 0, sql);
    return done.stderr + done.stdout;
  };
  for (const tool of ['timeline', 'top_operators', 'summarize_profile']) {
    assert.match(hint(`SELECT * FROM ${tool}`), new RegExp(`\`${tool}\` is a tool, not a table`));
  }
  assert.match(hint('SELECT * FROM op_statistic'), /`op_stat`/);
  assert.match(hint('SELECT * FROM memory_record'), /`memory`/);
  assert.match(hint('SELECT * FROM PYTORCH_API'), /`host_op`/);
  assert.match(hint('SELECT duration FROM kernel'), /`dur_ns`/);
});

test('ranks that lack the file of a table, and ranks that there are none of, are told', () => {
  const profile = copyOf(example({ kind: 'llm-train', ranks: 2 }), 'lacking');
  const [, second] = filesNamed(profile, 'kernel_details.csv');
  const all = query(profile, 'SELECT count(*) FROM kernel');
  assert.equal(all.status, 'ok');
  rmSync(second);
  const some = query(profile, 'SELECT count(*) FROM kernel');
  assert.equal(some.status, 'partial');
  assert.match(JSON.stringify(some.missing), /no rows of rank 1".*kernel_details\.csv/);
  assert.equal(query(profile, 'SELECT count(*) FROM kernel WHERE rank = 0').status, 'ok');
  const none = query(profile, 'SELECT count(*) FROM kernel WHERE rank = 9');
  assert.match(JSON.stringify(none.warnings), /query\.rank.*no rows: 9\. It runs over rank 0, 1/);
});

// Each takes a descriptor, and a shell's soft limit on them is a fraction of what the kernel allows.
test('a query reads more ranks than the soft limit on descriptors is high', () => {
  const profile = scratchDir('ranks');
  const ranks = 120;
  for (let rank = 0; rank < ranks; ++rank) {
    const run = join(profile, `${rank}`, 'run_ascend_pt');
    mkdirSync(join(run, 'ASCEND_PROFILER_OUTPUT'), { recursive: true });
    writeFileSync(join(run, `profiler_info_${rank}.json`), '{}');
    writeFileSync(
      join(run, 'ASCEND_PROFILER_OUTPUT', 'step_trace_time.csv'),
      'Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n1,4,3,1,4,1,10,0\n',
    );
  }
  const args = ['call', 'query_sql', '--profile', profile, '--args', '{"sql": "SELECT count(*) FROM step"}'];
  const done = spawnSync('bash', ['-c', 'ulimit -Sn 64; exec "$0" "$@"', binary, ...args], {
    encoding: 'utf8',
    env: environment(),
  });
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(JSON.parse(done.stdout).rows, [[ranks]]);
  assert.equal(done.stderr, '');
});
