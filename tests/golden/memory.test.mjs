// Memory files of real runs become tables with a row for each of theirs; examples have the tables that they say.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readCsv } from '../support/csv.mjs';
import { call, example, sharedProfile } from '../support/stepwise.mjs';

const FILES = {
  memory: 'memory_record.csv',
  memory_block: 'operator_memory.csv',
  module_memory: 'npu_module_mem.csv',
  l2_cache: 'l2_cache.csv',
};
const REAL = [
  'npu-pt-alexnet-ddp-text/level0/rank0_ascend_pt',
  'npu-pt-alexnet-ddp-text/level1/rank1_ascend_pt',
  'npu-pt-llm-pp2dp2-level2/rank_0_ascend_pt',
  'npu-insight-fixtures/test_rank_0',
];

const tablesOf = (profile) =>
  new Map(call('describe_tables', profile, { limit: 100 }).rows.map((row) => [row.table, row]));

for (const path of REAL) {
  const profile = sharedProfile(path);
  test(`every row of the memory files is in its table: ${path}`, { skip: profile ? false : 'not here' }, () => {
    const tables = tablesOf(profile);
    for (const [table, name] of Object.entries(FILES)) {
      const file = ['', '.gz']
        .map((suffix) => join(profile, 'ASCEND_PROFILER_OUTPUT', name + suffix))
        .find((candidate) => existsSync(candidate));
      const { rows, source_file: source } = tables.get(table);
      assert.equal(rows, file ? readCsv(file).length : null, table);
      if (file) assert.ok(file.endsWith(source), source);
    }
  });
}

const database = sharedProfile('npu-pt-alexnet-ddp-db/level1/rank0_ascend_pt');
test('a database alone fills them too', { skip: database ? false : 'not here' }, () => {
  const tables = tablesOf(database);
  // sqlite3: count(*) of MEMORY_RECORD and NPU_MEM, of OP_MEMORY, of NPU_MODULE_MEM
  assert.equal(tables.get('memory').rows, 990 + 28);
  assert.equal(tables.get('memory_block').rows, 184);
  assert.equal(tables.get('module_memory').rows, 1078);
});

for (const kind of ['recsys-train', 'llm-train']) {
  test(`the memory of an example is what it says (${kind})`, () => {
    const profile = example({ kind, seed: 6, steps: 2 });
    const truth = JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
    const tables = tablesOf(profile);
    for (const table of ['memory', 'memory_block', 'module_memory']) {
      assert.equal(tables.get(table).rows, truth.describe_tables[table], table);
    }
    const output = join(profile, 'rank0_ascend_pt', 'ASCEND_PROFILER_OUTPUT');
    const held = readCsv(join(output, 'memory_record.csv')).filter(({ Component: name }) => name === 'PTA');
    const peak = (column) => Math.max(...held.map((row) => Number(row[column]))) * 2 ** 20;
    assert.equal(peak('Total Allocated(MB)'), truth.memory.peak_allocated_bytes);
    assert.equal(peak('Total Reserved(MB)'), truth.memory.peak_reserved_bytes);
  });
}
