// Ranks of real profiles beside each other: figures computed a second time from the files of all ranks.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { readBytes, readCsv } from '../support/csv.mjs';
import { nsOf, nsOfUs } from '../support/exact.mjs';
import { call, filesNamed, run, sharedProfile } from '../support/stepwise.mjs';

const convnet = sharedProfile('npu-pt-alexnet-ddp-text/level1');
const pipeline = sharedProfile('npu-pt-llm-pp2dp2-level2');
const gpus = sharedProfile('gpu-dlrm-8rank-v100');
const cluster = sharedProfile('npu-insight-fixtures/cluster_analysis_output');
const without = (profile) => (profile ? false : 'the real profiles are not here');

const json = (path) => JSON.parse(readBytes(path).toString('utf8'));
const mean = (values) => values.reduce((total, value) => total + value, 0) / values.length;
const moreThanOthers = (values, i) => values[i] - mean(values.filter((_, other) => other !== i));
const near = (got, expected, tolerance, what) =>
  assert.ok(Math.abs(got - expected) <= tolerance, `${what}: ${got}, expected ${expected}`);

// [{computing, exposed, free, wall}] in us, by rank.
const stepsOf = (profile) =>
  filesNamed(profile, 'step_trace_time.csv').map((file) => {
    const [row] = readCsv(file);
    const us = (column) => Number(nsOf(row[column])) / 1000;
    return {
      computing: us('Computing'),
      exposed: us('Communication(Not Overlapped)'),
      free: us('Free'),
      wall: us('Stage') + us('Bubble'),
    };
  });

test('two ranks: rank 1 is late by what it waits less, and that adds up', { skip: without(convnet) }, () => {
  const steps = stepsOf(convnet);
  const { late_rank: late, rows, matched } = call('find_stragglers', convnet);
  assert.equal(late, 1);
  assert.equal(nsOfUs(rows[0].late_us), nsOfUs(steps[0].exposed - steps[1].exposed));
  near(rows[0].late_ratio, (steps[0].exposed - steps[1].exposed) / mean(steps.map(({ wall }) => wall)), 1e-9, 'ratio');
  const { computing, idle, began_later: beganLater } = rows[0].more_us;
  near(computing, steps[1].computing - steps[0].computing, 1e-3, 'computing');
  near(idle, steps[1].free - steps[0].free, 1e-3, 'idle');
  near(computing + idle + beganLater, rows[0].late_us, 1e-3, 'the parts');
  assert.equal(rows[0].cause, 'began_later');
  // Starts and elapsed times of the four all-reduces: their ends differ by the offset of the clocks.
  const ends = [0, 1].map((rank) => {
    const [step] = Object.values(json(join(convnet, `rank${rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json`)));
    return Object.entries(step.collective)
      .filter(([name]) => name !== 'Total Op Info')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { 'Communication Time Info': times }]) => times['Start Timestamp(us)'] + times['Elapse Time(ms)'] * 1000);
  });
  const differences = ends[1].map((end, i) => end - ends[0][i]).sort((a, b) => a - b);
  near(rows[0].clock_offset_us, mean(differences.slice(1, 3)), 0.5, 'offset');
  assert.equal(matched.collectives, 4);
});

test('two ranks: figures, R_wait and links', { skip: without(convnet) }, () => {
  const steps = stepsOf(convnet);
  const { ranks, groups, links, links_total: total } = call('cluster_summary', convnet, { limit: 100 });
  for (const { rank, computing_us: computing, not_overlapped_us: exposed, wall_us: wall } of ranks) {
    near(computing, steps[rank].computing, 1e-3, 'computing');
    near(exposed, steps[rank].exposed, 1e-3, 'not overlapped');
    near(wall, steps[rank].wall, 1e-3, 'wall');
  }
  assert.equal(groups[0].r_wait.toFixed(4), '0.0228');
  assert.equal(groups[0].late_rank, 1);
  assert.equal(total.links, 14);
  assert.equal(total.slow, 0);
  for (const rank of [0, 1]) {
    const [step] = Object.values(
      json(join(convnet, `rank${rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/communication_matrix.json`)),
    );
    const digest = Object.entries(step.collective).find(([name]) => name.startsWith('allreduce-total'))[1];
    for (const [pair, link] of Object.entries(digest)) {
      const [src, dst] = pair.split('-').map(Number);
      if (src === dst) continue;
      const told = links.find((one) => one.src === src && one.dst === dst);
      near(told.bytes, link['Transit Size(MB)'] * 1e6, 1, pair);
      near(told.bandwidth_gb_s, link['Bandwidth(GB/s)'], 1e-3, pair);
    }
  }
});

test('a pipeline of four ranks: stages are not compared with each other, no group has R_wait', { skip: without(pipeline) }, () => {
  const steps = stepsOf(pipeline);
  const { late_rank: late, late_rank_compared: compared, rows, warnings: told } = call('find_stragglers', pipeline);
  assert.deepEqual(rows.map(({ rank, pp, peers }) => [rank, pp, peers]), [
    [3, 1, 1],
    [0, 0, 1],
    [2, 1, 1],
    [1, 0, 1],
  ]);
  near(rows[0].late_us, steps[2].exposed - steps[3].exposed, 1e-3, 'rank 3');
  near(rows[1].late_us, steps[1].exposed - steps[0].exposed, 1e-3, 'rank 0');
  // Both stages have a late rank: the latest is the one that waits least in the collectives, of all and of its stage.
  const waits = filesNamed(pipeline, 'communication.json').map((file) => {
    const collectives = Object.entries(Object.values(json(file))[0].collective).filter(([name]) => name !== 'Total Op Info');
    return collectives.reduce((ms, [, info]) => ms + info['Communication Time Info']['Wait Time(ms)'], 0);
  });
  assert.equal(late, waits.indexOf(Math.min(...waits)));
  assert.equal(compared, 'ranks 2, 3 of pipeline stage pp 1');
  near(rows[0].waits_less_us, (waits[2] - waits[3]) * 1000, 1e-3, 'rank 3 waits less');
  near(rows[1].waits_less_us, (waits[1] - waits[0]) * 1000, 1e-3, 'rank 0 waits less');
  assert.match(told.find(({ code }) => code === 'cluster.pipeline_stages').text, /rank 3 of pp 1, rank 0 of pp 0/);
  const { groups, links, warnings } = call('cluster_summary', pipeline, { limit: 100 });
  assert.ok(groups.every(({ r_wait: r, insufficient }) => r === null && insufficient));
  // Groups number their ranks from 0: their names say which ranks of the run these are.
  assert.deepEqual(groups.find(({ parallel, ranks }) => parallel === 'embd' && ranks.includes(1)).ranks, [1, 3]);
  assert.ok(links.every((link) => link.numbers_of_group === undefined));
  assert.ok(links.some(({ src, dst }) => src === 1 && dst === 3));
  assert.ok(warnings.some(({ code }) => code === 'cluster.pipeline_stages'));
});

test('eight GPUs: kernels are matched by name and order', { skip: without(gpus) }, () => {
  const { rows, matched } = call('find_stragglers', gpus);
  assert.deepEqual([matched.by, matched.collectives, matched.ranks], ['kernels', 8, 8]);
  assert.ok(matched.end_spread_us < 10);
  assert.deepEqual(rows.slice(0, 3).map(({ rank }) => rank), [7, 2, 6]);
  const { ranks } = call('cluster_summary', gpus, { shown: 8 });
  const exposed = [0, 1, 2, 3, 4, 5, 6, 7].map((rank) => ranks.find((one) => one.rank === rank).not_overlapped_us);
  for (const { rank, late_us: late } of rows) near(late, -moreThanOthers(exposed, rank), 1e-6, `rank ${rank}`);
});

test('a cluster analysis alone tells of all its ranks', { skip: without(cluster) }, () => {
  const rows = readCsv(join(cluster, 'cluster_step_trace_time.csv')).filter(({ Type: type }) => type === 'rank');
  const { ranks, ranks_total: total, sources } = call('cluster_summary', cluster, { shown: 100 });
  assert.equal(ranks.length, rows.length);
  assert.deepEqual(sources, { cluster_file: rows.length });
  for (const row of rows) {
    const told = ranks.find(({ rank }) => rank === Number(row.Index));
    near(told.computing_us, Number(row.Computing), 2e-3, `rank ${row.Index}`);
    near(told.free_us, Number(row.Free), 2e-3, `rank ${row.Index}`);
  }
  near(total.computing_us, rows.reduce((all, row) => all + Number(row.Computing), 0), 0.1, 'total');
  // Operations of two ranks alone are in the sample: the others can be compared with nobody.
  const stragglers = call('find_stragglers', cluster);
  assert.equal(stragglers.rows.length, 2);
  assert.equal(stragglers.unmatched_count, rows.length - 2);
});

test('default answers stay within 2,000 tokens', { skip: without(pipeline && gpus) }, () => {
  for (const profile of [convnet, pipeline, gpus]) {
    for (const tool of ['cluster_summary', 'find_stragglers']) {
      const { code, stdout } = run(['call', tool, '--profile', profile]);
      assert.equal(code, 0);
      assert.ok(JSON.stringify(JSON.parse(stdout)).length / 4 < 2000, `${tool} of ${profile}`);
    }
  }
});

test('an uneven pipeline is a finding, worth what its longest stage computes beyond the mean', { skip: without(pipeline) }, () => {
  const steps = stepsOf(pipeline);
  const stages = [steps.slice(0, 2), steps.slice(2)].map((ranks) => mean(ranks.map(({ computing }) => computing)));
  const { rows } = call('advise', pipeline, { focus: 'pipeline_uneven' });
  assert.equal(rows.length, 1);
  assert.equal(rows[0].rule, 'pipeline_uneven');
  near(rows[0].trigger.value, Math.max(...stages) / mean(stages) - 1, 1e-9, 'trigger');
  near(rows[0].share_ratio, (Math.max(...stages) - mean(stages)) / steps[0].wall, 1e-9, 'share');
});
