// Operators with a problem, found a second time in the files of real training runs.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readBytes, readCsv } from '../support/csv.mjs';
import { groupBy, nsOf, nsOfUs, sum } from '../support/exact.mjs';
import { durationNs, isCommunication, shownTotal, totalOf } from '../support/kernels.mjs';
import { call, example, filesNamed, sharedProfile } from '../support/stepwise.mjs';

const PROFILES = ['npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt', 'npu-pt-llm-pp2dp2-level2/rank_0_ascend_pt'];

const ratio = (row, ...names) => Math.max(...names.map((name) => Number.parseFloat(row[name]) || 0));
const onCube = (row) => ['AI_CORE', 'MIX_AIC'].includes(row['Accelerator Core']) && ratio(row, 'aic_mac_ratio') > 0;
const CRITERIA = {
  ai_cpu: (row) => row['Accelerator Core'] === 'AI_CPU',
  scalar: (row) => ratio(row, 'aic_scalar_ratio', 'aiv_scalar_ratio') >= 0.3,
  cube_utilization: (row) => onCube(row) && Number.parseFloat(row['cube_utilization(%)']) < 20,
  mac: (row) => onCube(row) && ratio(row, 'aic_mac_ratio') < 0.3,
  format_change: (row) => ['TransData', 'Cast'].includes(row.Type),
  embedding_ops: (row) => /^(EmbeddingDenseGrad|Sort|Unique)/.test(row.Type),
  hf32_off: (row) => /matmul/i.test(row.Type) && row['HF32 Eligible'] === 'NO' && row['Input Data Types'].startsWith('FLOAT'),
};
const keyOf = (row) =>
  [row.Name, row.Type, row['Accelerator Core'], short(row['Input Shapes']), short(row['Output Shapes'])].join('|');
const keyOfRow = (row) => [row.name, row.op_type, row.task_type, row.input_shapes, row.output_shapes].join('|');

// Long cells end after a whole tensor; two that begin alike are one key here.
function short(cell) {
  if (cell === 'N/A' || cell === '') return null;
  const shapes = cell.replaceAll('"', '');
  if (shapes.length <= 64) return shapes;
  const rest = `... (${shapes.split(';').length} tensors)`;
  return shapes.slice(0, shapes.lastIndexOf(';', 64 - rest.length - 1) + 1) + rest;
}

for (const path of PROFILES) {
  const profile = sharedProfile(path);
  const skip = profile ? false : 'the real profiles are not here';
  const kernels = () =>
    readCsv(join(profile, 'ASCEND_PROFILER_OUTPUT/kernel_details.csv')).filter((row) => !isCommunication(row));

  test(`each problem has the operators that the file has (${path})`, { skip }, () => {
    const rows = kernels();
    for (const [kind, matches] of Object.entries(CRITERIA)) {
      const expected = groupBy(rows.filter(matches), keyOf);
      const answer = call('problem_operators', profile, { kind, limit: 1000 });
      const got = groupBy(answer.rows, keyOfRow);
      assert.deepEqual([...got.keys()].sort(), [...expected.keys()].map((key) => key.replace(/null/g, '')).sort(), kind);
      for (const [key, members] of expected) {
        const shown = got.get(key.replace(/null/g, ''));
        assert.equal(shown.reduce((n, row) => n + row.count, 0), members.length, `${kind} ${key}`);
        assert.equal(sum(shown.map((row) => nsOfUs(row.total_us))), totalOf(members), `${kind} ${key}`);
      }
      const [total] = answer.problems;
      assert.equal(nsOfUs(total?.total_us ?? 0), totalOf([...expected.values()].flat()), kind);
    }
  });

  test(`waits for the host are gaps between rows, without communication (${path})`, { skip }, () => {
    const all = readCsv(join(profile, 'ASCEND_PROFILER_OUTPUT/kernel_details.csv')).map((row) => {
      const start = nsOf(row['Start Time(us)']);
      return { row, start, end: start + durationNs(row), communicates: isCommunication(row) };
    });
    const spoken = all.filter((one) => one.communicates);
    const computes = all.filter((one) => !one.communicates).sort((a, b) => (a.start < b.start ? -1 : 1));
    let until = computes[0].start;
    let waited = 0n;
    let count = 0;
    for (const one of computes) {
      if (one.start > until) {
        // Instant by instant at the ends of communication: slow and plain.
        const edges = [until, one.start, ...spoken.flatMap((s) => [s.start, s.end]).filter((t) => t > until && t < one.start)]
          .sort((a, b) => (a < b ? -1 : 1));
        let wait = 0n;
        for (let i = 0; i + 1 < edges.length; i++) {
          const silent = !spoken.some((s) => s.start <= edges[i] && s.end >= edges[i + 1]);
          if (silent) wait += edges[i + 1] - edges[i];
        }
        if (wait > 3n * (one.end - one.start)) {
          waited += wait;
          count += 1;
        }
      }
      if (one.end > until) until = one.end;
    }
    const { host_wait: told, problems } = call('problem_operators', profile, { kind: 'host_wait' });
    assert.equal(problems[0].count, count);
    assert.equal(nsOfUs(told.wait_us), waited);
  });

  test(`host_bound_us is what waited for launches that came too late (${path})`, { skip }, () => {
    const [file] = filesNamed(profile, 'trace_view.json.gz');
    const { host_wait: told } = call('problem_operators', profile, { kind: 'host_wait' });
    if (!file) {
      assert.equal(told.host_bound_us, null);
      return;
    }
    const events = JSON.parse(readBytes(file).toString('utf8'));
    const ofProcess = (name) => events.find((e) => e.name === 'process_name' && e.args.name === name).pid;
    const [cann, device] = [ofProcess('CANN'), ofProcess('Ascend Hardware')];
    const flows = events.filter(({ cat }) => cat === 'HostToDevice');
    const starts = new Map(flows.filter(({ ph }) => ph === 's').map((e) => [e.id, e]));
    const ends = flows.filter(({ ph, pid }) => ph === 'f' && pid === device);
    const flowAt = new Map(ends.map((e) => [`${e.tid}|${nsOf(e.ts)}`, e.id]));
    const calls = events.filter(({ ph, pid }) => ph === 'X' && pid === cann);
    const spans = calls.map((e) => ({ tid: e.tid, start: nsOf(e.ts), end: nsOf(e.ts) + nsOf(`${e.dur}`) }));
    // The innermost call that the flow begins in.
    const launchOf = ({ row, start }) => {
      const from = starts.get(flowAt.get(`${row['Stream ID']}|${start}`));
      const at = nsOf(from.ts);
      const around = spans.filter((s) => s.tid === from.tid && s.start <= at && at <= s.end);
      return around.reduce((latest, s) => (s.start > latest ? s.start : latest), 0n);
    };
    const rows = readCsv(filesNamed(profile, 'kernel_details.csv')[0]).map((row) => {
      const start = nsOf(row['Start Time(us)']);
      return { row, start, end: start + durationNs(row), speaks: isCommunication(row) };
    });
    const spoken = rows.filter(({ speaks }) => speaks);
    let [until, bound] = [null, 0n];
    for (const one of rows.filter(({ speaks }) => !speaks).sort((a, b) => (a.start < b.start ? -1 : 1))) {
      if (until !== null && one.start > until) {
        // No two collectives run at once in this run, so that their parts of the gap may be added.
        const covered = spoken.map((s) => (s.end < one.start ? s.end : one.start) - (s.start > until ? s.start : until));
        const wait = one.start - until - sum(covered.filter((ns) => ns > 0n));
        if (wait > 3n * (one.end - one.start) && launchOf(one) > until) bound += wait;
      }
      if (until === null || one.end > until) until = one.end;
    }
    assert.ok(bound > 0n);
    assert.equal(nsOfUs(told.host_bound_us), bound);
  });

  test(`shown rows and the other row add up, whatever the limit (${path})`, { skip }, () => {
    const whole = shownTotal(call('problem_operators', profile, { limit: 1000 }));
    for (const limit of [1, 15]) assert.equal(shownTotal(call('problem_operators', profile, { limit })), whole);
  });

  test(`the default answer fits a page (${path})`, { skip }, () => {
    const answer = call('problem_operators', profile);
    assert.ok(JSON.stringify(answer).length < 8000, `${JSON.stringify(answer).length} characters`);
    assert.equal(answer.rows.length, 15);
  });
}

test('in inference operators on the AI CPU and few cores are what the file says', () => {
  const profile = example({ kind: 'recsys-infer' });
  const [file] = readdirSync(profile, { recursive: true }).filter((name) => /op_summary_.*csv$/.test(name)).sort();
  const rows = readCsv(join(profile, file));
  const expected = rows.filter((row) => row['Task Type'] === 'AI_CPU');
  const answer = call('problem_operators', profile, { kind: 'ai_cpu', limit: 1000 });
  assert.equal(answer.rows.reduce((n, row) => n + row.count, 0), expected.length);
  assert.equal(shownTotal(answer), sum(expected.map((row) => nsOf(row['Task Duration(us)']))));
});

for (const options of [{ ranks: 2, steps: 3 }, { kind: 'llm-train', ranks: 2 }, { kind: 'recsys-infer' }]) {
  test(`problems by type and core are the true ones of a synthetic run (${JSON.stringify(options)})`, () => {
    const dir = example(options);
    const truth = JSON.parse(readFileSync(join(dir, 'truth.json'), 'utf8'));
    const of = {
      ai_cpu: (row) => row.core_type === 'AI_CPU',
      format_change: (row) => ['TransData', 'Cast'].includes(row.op_type),
      embedding_ops: (row) => /^(EmbeddingDenseGrad|Sort|Unique)/.test(row.op_type),
    };
    for (const [rank, { top_operators: expected }] of Object.entries(truth.per_rank)) {
      for (const [kind, matches] of Object.entries(of)) {
        const own = expected.by_type.filter(matches);
        const answer = call('problem_operators', dir, { rank: Number(rank), kind, limit: 1000 });
        assert.equal(answer.rows.reduce((n, row) => n + row.count, 0), own.reduce((n, row) => n + row.count, 0), kind);
        assert.equal(shownTotal(answer), sum(own.map((row) => nsOfUs(row.total_us))), kind);
        const ratio = own.reduce((total, row) => total + row.total_us, 0) / expected.total_us;
        assert.ok(Math.abs(answer.metrics[`problem.${kind}_ratio`] - ratio) < 1e-9, kind);
        const found = answer.problems[0]?.found ?? false;
        assert.equal(found, ratio > 0.05, kind);
      }
    }
  });
}
