// What kernel_details.csv says, summed up by the tests themselves.
import { nsOf, nsOfUs, sum } from './exact.mjs';

const COMMUNICATION_CORES = new Set(['HCCL', 'COMMUNICATION']);

export const isCommunication = (row) =>
  COMMUNICATION_CORES.has(row['Accelerator Core']) || /(^|[^a-z])(hcom_|hccl)/i.test(row.Name);

export const durationNs = (row) => nsOf(row['Duration(us)']);

export const totalOf = (rows) => sum(rows.map(durationNs));

// Of a top_operators answer: the rows that it shows, and its row for the rest.
export function shownTotal({ rows, other }) {
  return sum(rows.map((row) => nsOfUs(row.total_us))) + nsOfUs(other?.total_us ?? 0);
}
