/** A CSV file of numbers with a line of names, as `berth export` and `berth simulate` write it, as a table. */
import { readFileSync } from 'node:fs';
import { BerthError } from '../../src/base/errors.ts';
import type { Cell, Table } from './table.ts';

/** Names of a column of time, in the order in which one is taken. */
const TIMES = ['log_time_s', 'time_s', 'sim_time_s'];

/** A value in CSV (RFC 4180); nothing for null. */
export function csvCell(value: Cell): string {
  if (value === null) return '';
  const text = String(value);
  return typeof value === 'string' && /[",\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Names of the first line and the rows below it. @throws BerthError for a row of another length */
export function csvRows(path: string): { columns: string[]; rows: Cell[][] } {
  const [columns = [], ...rows] = parseCsv(readFileSync(path, 'utf8'));
  return { columns, rows: cellsOf(path, columns, rows) };
}

/** Reads the file. @throws BerthError when it is none */
export function csvTable(path: string): Table {
  const [columns = [], ...records] = parseCsv(readFileSync(path, 'utf8'));
  const time = TIMES.map((name) => columns.indexOf(name)).find((place) => place >= 0);
  // before the rows: of a file that is no table at all this says more
  if (time === undefined) {
    const text = `FILE: "${path}" has no column of time in its first line; allowed: one of ${TIMES.join(', ')}`;
    throw new BerthError('BERTH_MISMATCH', text, { field: 'file' });
  }
  const rows = cellsOf(path, columns, records);
  return {
    columns,
    time,
    async *rows() {
      for (const row of rows) yield await Promise.resolve(row);
    },
  };
}

function cellsOf(path: string, columns: readonly string[], records: readonly string[][]): Cell[][] {
  const odd = records.findIndex((row) => row.length !== columns.length);
  if (odd >= 0) {
    const text = `FILE: "${path}", row ${odd + 1} below the names has ${records[odd].length} values; allowed: ${columns.length}`;
    throw new BerthError('BERTH_MISMATCH', text, { field: 'file' });
  }
  return records.map((row) => row.map(cellOf));
}

function cellOf(text: string): Cell {
  if (text === '') return null;
  const number = Number(text);
  return Number.isNaN(number) && text !== 'NaN' ? text : number;
}

/** Records of a CSV text (RFC 4180). */
function parseCsv(text: string): string[][] {
  if (!text.includes('"')) {
    const lines = text.split(/\r?\n/);
    return lines.filter((line) => line !== '').map((line) => line.split(','));
  }
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    if (end === '' && plain === '' && record.length === 0) break;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}
