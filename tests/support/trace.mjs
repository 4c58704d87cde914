// A timeline read a second time, in the slow and obvious way: exact times, nesting by time, flows by what holds their ends.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { nsOf } from './exact.mjs';

// Numbers would lose digits as doubles: times and ids become text first.
export function readTrace(path) {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const events = JSON.parse(text.replace(/("(?:ts|dur|id)":\s*)(-?\d+(?:\.\d+)?)/g, '$1"$2"'));
  return Array.isArray(events) ? events : events.traceEvents;
}

// Slices [start, end) in ns, in order of start, outer ones first; `parent` is the innermost earlier one on the track.
export function slicesOf(events, wanted) {
  const slices = events
    .filter((event) => event.ph === 'X' && wanted(event))
    .map((event, position) => {
      const start = nsOf(`${event.ts}`);
      return { event, position, name: event.name, tid: event.tid, track: `${event.pid}/${event.tid}`, start, end: start + nsOf(`${event.dur}`) };
    })
    .sort((a, b) => (a.start !== b.start ? compare(a.start, b.start) : a.end !== b.end ? compare(b.end, a.end) : a.position - b.position));
  const open = new Map();
  for (const slice of slices) {
    const stack = open.get(slice.track) ?? [];
    while (stack.length > 0 && stack.at(-1).end <= slice.start) stack.pop();
    slice.parent = stack.at(-1) ?? null;
    stack.push(slice);
    open.set(slice.track, stack);
  }
  return slices;
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Total of the union of [start, end) intervals.
export function unionNs(intervals) {
  let total = 0n;
  let until = null;
  for (const { start, end } of [...intervals].sort((a, b) => compare(a.start, b.start))) {
    const from = until === null || start > until ? start : until;
    if (end > from) total += end - from;
    if (until === null || end > until) until = end;
  }
  return total;
}

// [from, to] of each flow of that category: the innermost slices that hold its two ends.
export function linksOf(events, category, slices) {
  const tracks = new Map();
  for (const slice of slices) tracks.set(slice.track, [...(tracks.get(slice.track) ?? []), slice]);
  const holder = (event) => {
    const at = nsOf(`${event.ts}`);
    return (tracks.get(`${event.pid}/${event.tid}`) ?? []).filter(({ start, end }) => start <= at && at <= end).at(-1);
  };
  const starts = new Map();
  const ends = [];
  for (const event of events) {
    if (event.cat !== category) continue;
    if (event.ph === 's') starts.set(`${event.id}`, event);
    if (event.ph === 'f') ends.push(event);
  }
  return ends.map((end) => [holder(starts.get(`${end.id}`)), holder(end)]).filter(([from, to]) => from && to);
}

// The stage of a slice by a table of [stage, names]: the first that fits, from the outside in; null: none.
export function stageByHand(slice, table) {
  const outside = slice.parent === null ? null : stageByHand(slice.parent, table);
  if (outside) return outside;
  const stage = table.find(([, names]) => names.test(slice.name))?.[0] ?? null;
  return stage && { stage, decides: slice };
}
