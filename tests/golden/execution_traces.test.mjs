// An execution trace of PyTorch and the GPU timeline of the same rank, joined by SQL: of a job from before timelines had
// numbers of calls. What must come out is known in another way: both hold the same calls, so that of each name all
// calls of the timeline are joined, with their times; and the tensors that went into a call are told by both files.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readBytes } from '../support/csv.mjs';
import { call, sharedProfile } from '../support/stepwise.mjs';

const job = sharedProfile('gpu-dlrm-8rank-v100');
const skip = job ? false : 'the real profiles are not here';
const query = (sql) => call('query_sql', job, { sql, limit: 1000 }).rows;
const JOINED = `graph_node g JOIN host_op h ON h.rank = g.rank AND h.external_id = g.external_id AND h.name = g.name`;

const readJson = (path) => JSON.parse(readBytes(path).toString('utf8'));
const timeline = (rank) => {
  const file = readdirSync(job).find((name) => name.startsWith(`worker${rank}_`));
  return readJson(join(job, file)).traceEvents.filter(({ ph, cat }) => ph === 'X' && ['cpu_op', 'user_annotation'].includes(cat));
};
// Began before the execution trace.
const isTraced = ({ name }) => !name.startsWith('ProfilerStep#');

test('every call of the execution traces has its times, name by name', { skip }, () => {
  for (const rank of [0, 1]) {
    const expected = new Map();
    for (const { name, dur } of timeline(rank).filter(isTraced)) {
      const [count, us] = expected.get(name) ?? [0, 0];
      expected.set(name, [count + 1, us + dur]);
    }
    const { nodes } = readJson(join(job, 'et', `dlrm_eg_${rank}.json.gz`));
    const calls = nodes.filter((node) => node.rf_id !== 0).length;
    const rows = query(`SELECT g.name, count(*), sum(h.dur_ns) / 1000 FROM ${JOINED} WHERE g.rank = ${rank} GROUP BY g.name`);
    assert.equal(rows.reduce((sum, [, count]) => sum + count, 0), calls);
    assert.deepEqual(new Map(rows.map(([name, count, us]) => [name, [count, us]])), expected);
  }
});

test('an answer out of both says that the order of the calls joined them', { skip }, () => {
  const { warnings } = call('query_sql', job, { sql: `SELECT count(*) FROM ${JOINED} WHERE g.rank = 1` });
  assert.equal(warnings.length, 1);
  assert.equal(warnings[0].code, 'calls.linked_by_order');
  assert.match(warnings[0].text, /\(1672 times\)/);
  assert.equal(call('query_sql', job, { sql: 'SELECT count(*) FROM host_op WHERE rank = 1' }).warnings, undefined);
});

test('a joined call has the tensors that the execution trace says went into it', { skip }, () => {
  for (const rank of [0, 1]) {
    const { nodes } = readJson(join(job, 'et', `dlrm_eg_${rank}.json.gz`));
    const tensors = new Map(
      nodes.map((node) => [node.rf_id, node.input_shapes.filter((_, i) => node.input_types[i].startsWith('Tensor(')).filter(({ length }) => length > 0)]),
    );
    const dims = new Map(timeline(rank).map(({ ts, name, args }) => [`${ts} ${name}`, args['Input Dims']]));
    let compared = 0;
    for (const [number, us, name] of query(`SELECT g.external_id, h.start_ns / 1000, g.name FROM ${JOINED} WHERE g.rank = ${rank} AND g.role = 'operator'`)) {
      const seen = dims.get(`${us} ${name}`);
      if (seen === undefined) continue;
      assert.deepEqual(seen.filter((shape) => shape.length > 0 && !Array.isArray(shape[0])), tensors.get(number), `${name} at ${us}`);
      ++compared;
    }
    assert.ok(compared > 500, `${compared} calls compared`);
  }
});

// The timeline's times are whole microseconds: where an inner call begins at the printed end of its outer one, times
// alone do not tell. The execution trace holds the call stack itself.
test('calls of the timeline lie in each other as the execution trace says', { skip }, () => {
  for (const rank of [0, 1]) {
    const { nodes } = readJson(join(job, 'et', `dlrm_eg_${rank}.json.gz`));
    const traced = new Map(nodes.filter((node) => node.rf_id !== 0).map((node) => [node.id, node]));
    const inner = [...traced.values()].filter(({ parent }) => traced.has(parent));
    const expected = new Map(inner.map(({ rf_id, parent }) => [rf_id, traced.get(parent).rf_id]));
    const nested = `SELECT h.external_id, p.external_id FROM host_op h JOIN host_op p ON p.rank = h.rank AND p.id = h.parent_id
      WHERE h.rank = ${rank} AND h.external_id NOTNULL AND p.external_id NOTNULL ORDER BY h.id`;
    const rows = [0, 1000].flatMap((from) => query(`${nested} LIMIT 1000 OFFSET ${from}`));
    assert.ok(rows.length > 1500, `${rows.length} calls compared`);
    assert.deepEqual(new Map(rows), expected);
  }
});

test('ranks without an execution trace have no numbers of calls', { skip }, () => {
  const rows = query('SELECT rank, count(external_id) > 0, count(*) > 0 FROM host_op GROUP BY rank ORDER BY rank');
  assert.deepEqual(rows, [0, 1, 2, 3, 4, 5, 6, 7].map((rank) => [rank, rank < 2 ? 1 : 0, 1]));
});
