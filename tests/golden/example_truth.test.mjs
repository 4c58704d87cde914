// The synthetic profile knows what is true of it: truth.json is computed from the simulation, never from the files.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { readCsv } from '../support/csv.mjs';
import { nsOfUs } from '../support/exact.mjs';
import { isCommunication, totalOf } from '../support/kernels.mjs';
import { call, copyOf, example, filesNamed } from '../support/stepwise.mjs';

const PROFILES = [
  { seed: 1, ranks: 1, steps: 3, events: 3000 },
  { seed: 2, ranks: 2, steps: 4, events: 6000 },
  { seed: 3, ranks: 4, steps: 2, events: 3000 },
  { seed: 97, ranks: 1, steps: 1, events: 1 },
  { kind: 'llm-train', seed: 1, ranks: 4, steps: 3, events: 12000 },
  { kind: 'llm-train', seed: 2, ranks: 1, steps: 1, events: 1 },
];
// Only who is late is asked of these.
const LATE = [
  { seed: 2, ranks: 4, steps: 5, events: 20000 },
  { seed: 4, ranks: 3, steps: 3, events: 3000, export: 'db' },
  { seed: 5, ranks: 2, steps: 3, events: 3000 },
  { seed: 6, ranks: 8, steps: 2, events: 3000 },
  { kind: 'llm-train', seed: 3, ranks: 8, steps: 2, events: 6000 },
  { kind: 'llm-train', seed: 4, ranks: 4, steps: 2, events: 6000, export: 'db' },
];
const BREAKDOWN = [
  'computing_us',
  'communication_us',
  'overlapped_us',
  'not_overlapped_us',
  'free_us',
  'bubble_us',
  'stage_us',
];

for (const options of PROFILES) {
  const named = `${options.kind ?? 'recsys-train'}, seed ${options.seed}, ${options.ranks} ranks, ${options.steps} steps`;
  const load = () => {
    const profile = example(options);
    return { profile, truth: JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8')) };
  };

  test(`open_profile tells what there is (${named})`, () => {
    const { profile, truth } = load();
    const got = call('open_profile', profile);
    for (const key of ['kind', 'framework', 'ranks', 'rank_count', 'steps', 'step_count']) {
      assert.deepEqual(got[key], truth.open_profile[key], key);
    }
  });

  test(`each rank's breakdown, scenario and mode are the true ones (${named})`, () => {
    const { profile, truth } = load();
    for (const [rank, expected] of Object.entries(truth.per_rank)) {
      const got = call('summarize_profile', profile, { rank: Number(rank) });
      assert.equal(got.rank, Number(rank));
      assert.equal(got.scenario.value, expected.detect_scenario.value);
      assert.equal(got.execution_mode.value, expected.detect_execution_mode.value);
      assert.equal(got.execution_mode.proof, expected.detect_execution_mode.proof);
      assert.equal(got.iterations.count, expected.summarize_profile.iterations.count);
      for (const key of BREAKDOWN) assertNear(got.breakdown[key], expected.summarize_profile.breakdown[key], 0.001, key);
      assertNear(got.op_time_us, expected.summarize_profile.op_time_us, 0.001, 'op_time_us');
      assert.equal(got.dynamic_shape, expected.summarize_profile.dynamic_shape, 'dynamic_shape');
      // With a single step there is nothing to compare it with.
      const vary = options.steps > 1 ? expected.summarize_profile.shapes_vary : null;
      assert.equal(got.shapes_vary, vary, 'shapes_vary');
    }
  });

  test(`each step's breakdown is the true one (${named})`, () => {
    const { profile, truth } = load();
    for (const step of truth.summarize_profile.steps) {
      const { breakdown } = call('summarize_profile', profile, { step: step.step });
      for (const key of BREAKDOWN) assertNear(breakdown[key], step[key], 0.001, `step ${step.step} ${key}`);
    }
  });

  test(`top_operators are the true ones, to the nanosecond (${named})`, () => {
    const { profile, truth } = load();
    for (const [rank, { top_operators: expected }] of Object.entries(truth.per_rank)) {
      const got = call('top_operators', profile, { rank: Number(rank), limit: 1000 });
      assert.equal(got.operators.count, expected.count);
      assert.equal(nsOfUs(got.operators.total_us), nsOfUs(expected.total_us));
      const key = (row) => `${row.op_type}|${row.core_type}`;
      const figures = (row) => [key(row), row.count, nsOfUs(row.total_us), nsOfUs(row.max_us)];
      const byKey = (a, b) => (key(a) < key(b) ? -1 : 1);
      assert.deepEqual([...got.rows].sort(byKey).map(figures), [...expected.by_type].sort(byKey).map(figures));
    }
  });

  test(`the truth itself agrees with the files (${named})`, () => {
    const { profile, truth } = load();
    const files = filesNamed(profile, 'kernel_details.csv');
    assert.equal(files.length, options.ranks);
    files.forEach((file, rank) => {
      const operators = readCsv(file).filter((row) => !isCommunication(row));
      const { top_operators: expected } = truth.per_rank[rank];
      assert.equal(operators.length, expected.count);
      assert.equal(totalOf(operators), nsOfUs(expected.total_us));
    });
  });
}

// A run answers alike from its texts, from its databases, and without the files that a breakdown can do without.
for (const options of PROFILES) {
  for (const form of ['text', 'db']) {
    const named = JSON.stringify({ ...options, export: form });

    test(`comm_overlap's operations and breakdown are the true ones (${named})`, () => {
      const profile = example({ ...options, export: form });
      const truth = JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
      for (const [rank, { comm_overlap: expected, summarize_profile: summary }] of Object.entries(truth.per_rank)) {
        const got = call('comm_overlap', profile, { rank: Number(rank), limit: 1000 });
        for (const key of BREAKDOWN) assertNear(got.breakdown[key], summary.breakdown[key], 0.001, key);
        for (const key of ['count', 'elapse_us', 'transit_us', 'wait_us', 'idle_us']) {
          const all = expected.ops.reduce((sum, op) => sum + nsOfUs(op[key]), 0n);
          assert.equal(nsOfUs(got.ops_total[key]), all, `rank ${rank}: ${key} of all`);
        }
        if (got.ops.length < got.ops_total.names) continue; // of many, the longest are listed
        const sums = new Map();
        for (const op of got.ops) {
          const key = `${op.type}|${op.group}`;
          const sum = sums.get(key) ?? [0, 0n, 0n, 0n, 0n];
          sum[0] += op.count;
          [op.elapse_us, op.transit_us, op.wait_us, op.idle_us].forEach((us, i) => (sum[i + 1] += nsOfUs(us)));
          sums.set(key, sum);
        }
        assert.equal(sums.size, expected.ops.length);
        for (const op of expected.ops) {
          const figures = [op.count, ...[op.elapse_us, op.transit_us, op.wait_us, op.idle_us].map(nsOfUs)];
          assert.deepEqual(sums.get(`${op.type}|${op.group}`), figures, `rank ${rank}: ${op.type} of ${op.group}`);
        }
      }
    });

    // Without them a step's last kernel is not its end: the host's is known from the other.
    const left_out = { text: ['trace_view.json', 'step_file'], db: ['analysis.db', 'kernels'] }[form];
    test(`comm_overlap needs no ${left_out[0]} to know where a step ends (${named})`, () => {
      const profile = copyOf(example({ ...options, export: form }), 'less');
      for (const path of filesNamed(profile, left_out[0])) rmSync(path);
      const truth = JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
      for (const [rank, { summarize_profile: expected }] of Object.entries(truth.per_rank)) {
        const { breakdown, metrics } = call('comm_overlap', profile, { rank: Number(rank) });
        assert.equal(breakdown.source, left_out[1]);
        for (const key of BREAKDOWN) assertNear(breakdown[key], expected.breakdown[key], 0.001, key);
        const { free_us: free, stage_us: stage, bubble_us: bubble } = expected.breakdown;
        assertNear(metrics['step.free_ratio'], free / (stage + bubble), 1e-6, 'step.free_ratio');
      }
    });
  }
}

for (const options of [PROFILES[1], PROFILES[4]].map((one) => ({ ...one, export: 'db' }))) {
  test(`summarize_profile needs no analysis.db to know where a step ends (${JSON.stringify(options)})`, () => {
    const profile = copyOf(example(options), 'unanalysed');
    const whole = example(options);
    for (const path of filesNamed(profile, 'analysis.db')) rmSync(path);
    for (let rank = 0; rank < options.ranks; ++rank) {
      const [got, expected] = [profile, whole].map((path) => call('summarize_profile', path, { rank }));
      assert.deepEqual(got.breakdown, expected.breakdown);
      assert.deepEqual(got.where_time_goes, expected.where_time_goes);
      assert.deepEqual(got.iterations, expected.iterations);
    }
  });
}

test('operations and groups of texts and databases are the same', () => {
  for (const options of [PROFILES[1], PROFILES[4]]) {
    for (const rank of [0, 1]) {
      const [text, db] = ['text', 'db'].map((form) =>
        call('comm_overlap', example({ ...options, export: form }), { rank, limit: 1000 }),
      );
      assert.deepEqual(db.metrics, text.metrics);
      assert.deepEqual(db.groups, text.groups);
      assert.deepEqual(db.ops, text.ops);
    }
  }
});

for (const options of [...PROFILES, ...LATE].filter(({ ranks }) => ranks > 1)) {
  test(`find_stragglers names the rank whose data loader is slow (${JSON.stringify(options)})`, () => {
    const profile = example(options);
    const truth = JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
    const got = call('find_stragglers', profile);
    assert.equal(got.late_rank, truth.find_stragglers.late_rank);
    // Its host's delay reaches the device as idle time or a later beginning.
    assert.ok(['idle', 'began_later'].includes(got.rows[0].cause), got.rows[0].cause);
    assert.equal(got.rows.length, truth.find_stragglers.rows.length);
    for (const expected of truth.find_stragglers.rows) {
      const row = got.rows.find(({ rank }) => rank === expected.rank);
      assertNear(row.late_us, expected.late_us, 0.001, `rank ${row.rank}: late_us`);
      assertNear(row.arrived_later_us, expected.arrived_later_us, 0.001, `rank ${row.rank}: arrived_later_us`);
      if (row.cause === null) continue;
      assertNear(row.more_us.computing, expected.computing_us, 0.001, `rank ${row.rank}: computing`);
      assertNear(row.more_us.idle, expected.idle_us, 0.001, `rank ${row.rank}: idle`);
    }
    // What was planted is how much later it arrives; what that costs the others in all may be more than once that.
    // (A pipeline's later stages wait for the earlier ones anyway, and hide a part of it.)
    const { planted_us: planted } = truth.find_stragglers;
    const hidden = options.kind === 'llm-train' ? Math.max(0, planted - got.rows[0].arrived_later_us) : 0;
    assertNear(got.rows[0].arrived_later_us + hidden, planted, 1500, 'the delay itself');
  });
}

test('a profile whose files are gzipped answers alike', () => {
  const plain = example(PROFILES[0]);
  const packed = copyOf(plain, 'packed');
  for (const name of ['trace_view.json', 'kernel_details.csv', 'op_statistic.csv']) {
    for (const path of filesNamed(packed, name)) {
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
      rmSync(path);
    }
  }
  for (const [tool, args] of [
    ['summarize_profile', {}],
    ['top_operators', { limit: 1000 }],
    ['detect_scenario', {}],
  ]) {
    assert.deepEqual(figuresOf(call(tool, packed, args)), figuresOf(call(tool, plain, args)), tool);
  }
});

// All but the profile's id and the names of the files.
function figuresOf(answer) {
  return JSON.parse(JSON.stringify(answer).replaceAll(answer.profile, 'PROFILE').replaceAll('.gz', ''));
}

function assertNear(got, expected, tolerance, what) {
  assert.ok(Math.abs(got - expected) <= tolerance, `${what}: ${got}, true is ${expected}`);
}
