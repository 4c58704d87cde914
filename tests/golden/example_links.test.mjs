// One link of some examples is slow: truth.json says which, and cluster_summary must find that one and no other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { call, example } from '../support/stepwise.mjs';

const SLOW_BELOW = 0.8;
const LEAST_BYTES = 1_000_000; // of less no rate means anything
const seeds = (kind, ranks, form) =>
  [1, 2, 3, 4, 5, 6, 7].map((seed) => ({ kind, seed, ranks, steps: 1, events: 2000, export: form }));
const EXAMPLES = [
  ...seeds('recsys-train', 4, 'text'),
  ...seeds('recsys-train', 3, 'db').slice(0, 3),
  ...seeds('llm-train', 4, 'text').slice(0, 5),
];
const truthOf = (options) => JSON.parse(readFileSync(join(example(options), 'truth.json'), 'utf8')).cluster_summary;
const named = (link) => `${link.src}-${link.dst}`;

for (const options of EXAMPLES) {
  test(`links are those of the simulation (${options.kind}, seed ${options.seed}, ${options.export})`, () => {
    const truth = truthOf(options);
    const got = call('cluster_summary', example(options), { shown: 64 });
    const bytes = new Map(truth.links.map((link) => [named(link), [link.bytes, link.bytes / link.transit_us / 1000]]));
    assert.deepEqual(got.links.map(named).sort(), [...bytes.keys()].sort());
    for (const link of got.links) {
      assert.equal(link.bytes, bytes.get(named(link))[0], named(link));
      assert.ok(Math.abs(link.bandwidth_gb_s / bytes.get(named(link))[1] - 1) < 1e-6, named(link));
      assert.equal(link.slow, link.of_median_ratio !== null && link.of_median_ratio < SLOW_BELOW, named(link));
    }
    const slow = truth.slow_link;
    if (!slow) {
      assert.equal(got.links_total.slow, 0);
      return;
    }
    if (truth.links[0].bytes < LEAST_BYTES) {
      assert.equal(got.links_total.compared, 0);
      return;
    }
    // Links differ by up to 1/64 of their time.
    const [slowest] = got.links;
    assert.equal(named(slowest), named(slow));
    assert.ok(Math.abs(slowest.of_median_ratio - slow.ratio) < 0.02, `${slowest.of_median_ratio}, ${slow.ratio}`);
    assert.equal(slowest.slow, slow.ratio < SLOW_BELOW);
    assert.equal(got.links_total.slow, slow.ratio < SLOW_BELOW ? 1 : 0);
    assert.equal(got.metrics['cluster.slowest_link_ratio'], slowest.of_median_ratio);
  });
}

test('the seeds have slow links, hardly slow ones, and none', () => {
  const ratios = EXAMPLES.map((options) => truthOf(options).slow_link?.ratio ?? null);
  assert.ok(ratios.includes(null));
  assert.ok(ratios.some((ratio) => ratio !== null && ratio < SLOW_BELOW));
  assert.ok(ratios.some((ratio) => ratio !== null && ratio > SLOW_BELOW));
});
