// Stages of recommendation models on GPUs, against their timelines read a second time.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nsOfUs, sum } from '../support/exact.mjs';
import { call, sharedProfile } from '../support/stepwise.mjs';
import { readTrace, slicesOf, stageByHand, unionNs } from '../support/trace.mjs';

// TorchRec's own ranges, which decide before operators do, and what its embeddings do in the autograd thread.
const BY_HAND = [
  ['preprocess', /^## (copy_batch_to_gpu|wait_for_batch) ##$/],
  ['embedding_fetch', /^## sparse_data_dist ##$/],
  ['forward', /^## forward ##$/],
  ['update_dense', /^## (zero_grad|optimizer) ##$/],
  ['update_embedding', /All2All\w*Backward|LookupFunction|^nccl:all_to_all|^## alltoall_bwd/],
  ['backward', /^## backward ##$|Backward|AccumulateGrad|reducer/],
];

for (const [name, steps] of [
  ['gpu-torchrec-a100/rank0.json.gz', 5],
  ['gpu-dlrm-8rank-v100/worker0_step_12.1694128201545.pt.trace.json.gz', 1],
]) {
  const path = sharedProfile(name);
  test(`stages of a recommendation model on GPUs, read a second time (${name})`, { skip: path ? false : 'not here' }, () => {
    const events = readTrace(path);
    const host = slicesOf(events, ({ cat }) => cat === 'cpu_op' || cat === 'user_annotation');
    const windows = host.filter((slice) => slice.name.startsWith('ProfilerStep#'));
    const stepOf = ({ start }) => windows.find((step) => step.start <= start && start < step.end);
    const got = call('stage_breakdown', path);
    assert.equal(got.steps, steps);
    const deciding = host.filter((slice) => stepOf(slice) && stageByHand(slice, BY_HAND)?.decides === slice);
    for (const row of got.rows) {
      const of = deciding.filter((slice) => stageByHand(slice, BY_HAND).stage === row.stage);
      const total = (only) => sum(windows.map((step) => unionNs(of.filter((slice) => stepOf(slice) === step && only(slice)))));
      const near = (us, ns, what) => assert.ok(Math.abs(us * 1000 * steps - Number(ns)) < 1, `${row.stage} ${what}: ${us} us, ${ns} ns in all`);
      near(row.wall_us, total(({ track }) => track === windows[0].track), 'on the main thread');
      near(row.all_threads_us, total(() => true), 'on all threads');
    }

    // Device work by the correlation with the driver's call, and what holds that.
    const launches = new Map(slicesOf(events, ({ cat }) => cat === 'cuda_runtime').map((slice) => [slice.event.args.correlation, slice]));
    const device = slicesOf(events, ({ cat }) => ['kernel', 'gpu_memcpy', 'gpu_memset'].includes(cat));
    const launchOf = ({ event }) => launches.get(event.args.correlation);
    assert.equal(got.warnings?.some(({ code }) => code === 'stages.device_unlinked') ?? false, !device.every(launchOf));
    if (!device.every(launchOf)) return;
    const stageOf = (slice) => stageByHand(holderOf(host, launchOf(slice)), BY_HAND)?.stage ?? 'unclassified';
    for (const row of [...got.rows, { ...got.unclassified, stage: 'unclassified' }]) {
      assert.equal(nsOfUs(row.device_us), unionNs(device.filter((slice) => stageOf(slice) === row.stage)), `${row.stage} on the device`);
    }
  });
}

// The innermost slice of the same track that holds the start of another.
function holderOf(slices, { track, start }) {
  return slices.filter((slice) => slice.track === track && slice.start <= start && start < slice.end).at(-1);
}
