// Exact decimal arithmetic: microseconds as text to nanoseconds as BigInt, with no double in between.

// Beyond three decimals: half to even, as docs/metrics.md says.
export function nsOf(text) {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text.trim());
  if (!match) throw new Error(`not a plain decimal: '${text}'`);
  const [, minus, whole, fraction = ''] = match;
  const kept = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3));
  const rest = fraction.slice(3).replace(/0+$/, '');
  const half = rest === '' ? -1 : rest === '5' ? 0 : rest[0] >= '5' ? 1 : -1;
  const ns = half > 0 || (half === 0 && kept % 2n === 1n) ? kept + 1n : kept;
  return minus ? -ns : ns;
}

// A figure of an answer, in us as a double, back to the ns that it stands for.
export function nsOfUs(us) {
  return BigInt(Math.round(us * 1000));
}

export function sum(values) {
  return values.reduce((total, value) => total + value, 0n);
}

export function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return groups;
}
