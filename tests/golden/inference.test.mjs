// Synthetic inference on a compiled graph: msprof's files and the graph's dump against the simulator's truth.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { nsOfUs } from '../support/exact.mjs';
import { call, example } from '../support/stepwise.mjs';

for (const options of [
  { kind: 'recsys-infer', seed: 1, ranks: 2, steps: 12, events: 3000 },
  { kind: 'recsys-infer', seed: 2, ranks: 1, steps: 1, events: 1 },
  { kind: 'recsys-infer', seed: 3, ranks: 1, steps: 40, events: 9000 },
]) {
  const named = `seed ${options.seed}, ${options.steps} iterations`;
  const load = () => {
    const profile = example(options);
    return { profile, truth: JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8')) };
  };

  test(`open_profile tells what there is (${named})`, () => {
    const { profile, truth } = load();
    const got = call('open_profile', profile);
    for (const [key, value] of Object.entries(truth.open_profile)) assert.deepEqual(got[key], value, key);
  });

  test(`iterations, copies and executions are the true ones (${named})`, () => {
    const { profile, truth } = load();
    for (const [rank, expected] of Object.entries(truth.per_rank)) {
      const got = call('summarize_profile', profile, { rank: Number(rank) });
      const { iterations, ...figures } = expected.summarize_profile;
      assert.equal(got.scenario.value, expected.detect_scenario.value);
      assert.equal(got.execution_mode.value, expected.detect_execution_mode.value);
      assert.equal(got.execution_mode.proof, expected.detect_execution_mode.proof);
      assert.equal(got.iterations.count, iterations.count);
      assertSame(got.iterations.first_compile_us, iterations.first_compile_us, 'first_compile_us');
      for (const [key, value] of Object.entries(figures)) assertSame(got[key], value, key);
    }
  });

  test(`top_operators are the true ones, to the nanosecond (${named})`, () => {
    const { profile, truth } = load();
    for (const [rank, { top_operators: expected }] of Object.entries(truth.per_rank)) {
      const got = call('top_operators', profile, { rank: Number(rank), limit: 1000 });
      const figures = (row) => `${row.op_type}|${row.core_type}|${row.count}|${nsOfUs(row.total_us)}|${nsOfUs(row.max_us)}`;
      assert.deepEqual(got.rows.map(figures).sort(), expected.by_type.map(figures).sort());
      assert.equal(got.operators.count, expected.count);
    }
  });

  test(`the graph's size and its repeats are the true ones (${named})`, () => {
    const { profile, truth } = load();
    const got = call('repeated_subgraphs', profile, { limit: 1000 });
    for (const [key, value] of Object.entries(truth.repeated_subgraphs.topology)) {
      assert.equal(got.topology[key], value, key);
    }
    for (const known of truth.repeated_subgraphs.known) {
      const row = got.rows.find(({ signature }) => signature.join() === known.signature.join());
      assert.ok(row, `${known.signature} is not among ${got.rows.map(({ signature }) => signature.join('+'))}`);
      assert.equal(row.length, known.length);
      assert.equal(row.count, known.count);
    }
  });
}

function assertSame(got, expected, what) {
  if (typeof expected !== 'number') return assert.equal(got, expected, what);
  assert.ok(Math.abs(got - expected) <= 1e-6 * Math.max(1, expected), `${what}: ${got}, true is ${expected}`);
}

test('what lacks is the calls of the framework, not the timeline that is there', () => {
  const { status, why, missing } = call('stage_breakdown', example({ kind: 'recsys-infer' }));
  assert.equal(status, 'not_applicable');
  assert.match(why, /^It needs `host_op` \(one call of a framework operator or annotated range\) in msprof_/);
  assert.match(missing[0].input, /`host_op`/);
});

// op_summary numbers the inferences; the database has the calls that executed them.
test('a database divides its kernels into inferences as the text does', () => {
  const options = { kind: 'recsys-infer', seed: 3, ranks: 1, steps: 40, events: 9000 };
  const [text, db] = ['text', 'db'].map((form) => example({ ...options, export: form }));
  const sql = 'select step, count(*), min(start_ns), sum(dur_ns) from kernel group by step order by step';
  const rows = (profile) => call('query_sql', profile, { sql, limit: 100 }).rows;
  assert.equal(rows(db).length, options.steps);
  assert.deepEqual(rows(db), rows(text));
  const [of_text, of_db] = [text, db].map((profile) => call('top_operators', profile, { step: 7, limit: 1000 }));
  assert.deepEqual(of_db.operators, of_text.operators);
  assert.deepEqual(of_db.rows.map((row) => [row.op_type, row.count, row.total_us]),
    of_text.rows.map((row) => [row.op_type, row.count, row.total_us]));
});
