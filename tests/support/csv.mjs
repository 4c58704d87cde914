// A CSV reader of the tests' own, so that figures are computed a second way: whole file, plain state machine.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export function readBytes(path) {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

export function parseCsv(text) {
  const records = [];
  let record = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    record.push(cell);
    cell = '';
  };
  const endRecord = () => {
    endCell();
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') {
      quoted = true;
    } else if (c === ',') {
      endCell();
    } else if (c === '\n') {
      endRecord();
    } else if (c !== '\r') {
      cell += c;
    }
  }
  if (cell !== '' || record.length > 0) endRecord();
  return records;
}

// Rows as objects by column name.
export function readCsv(path) {
  const [header, ...records] = parseCsv(readBytes(path).toString('utf8'));
  return records.map((record) => Object.fromEntries(header.map((name, i) => [name, record[i]])));
}
