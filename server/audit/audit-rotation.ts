/**
 * Older files of an audit log: `audit.ndjson.1` is the newest of them, each with its head file. A
 * new file starts with the hash of the last record of the one before it. The files form one chain
 * whose oldest part was removed.
 */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { type ChainHead, headPath } from './audit-chain.ts';
import type { AuditEntry } from './audit-sink.ts';

/** Action of the first record of a file that replaces a full one. */
const CONTINUES = 'audit.continues';

/** First record of a new file: it contains the last hash of the full file, so that their separation shows. */
export function continues({ n, hash }: ChainHead): AuditEntry {
  const detail = { records: n, last: hash };
  return { actor: 'server', action: CONTINUES, result: 'ok', detail };
}

/** End of the file that this one continues; null for a file without a predecessor. The file is a whole chain. */
export async function continuedFrom(file: string): Promise<ChainHead | null> {
  const handle = await open(file);
  try {
    for await (const line of handle.readLines()) {
      const { action, detail } = JSON.parse(line) as AuditEntry;
      if (action !== CONTINUES) return null;
      return { n: Number(detail?.['records']), hash: String(detail?.['last']) };
    }
    return null;
  } finally {
    await handle.close();
  }
}

/** Path of the new file until it replaces the full one. */
export const freshPath = (file: string): string => `${file}.fresh`;

/** Path of an older file of the log, 1 the newest. */
const olderPath = (file: string, age: number): string => `${file}.${age}`;

/** The file written before this one. */
export function olderThan(file: string): string {
  const [, log, age] = /^(.*)\.(\d+)$/.exec(file) ?? ['', file, '0'];
  return olderPath(log, Number(age) + 1);
}

/** Moves a log with its head. A head without a log would look like a removed log. */
async function move(from: string, to: string): Promise<void> {
  await rm(headPath(to), { force: true });
  if (!existsSync(from)) {
    await rm(headPath(from), { force: true });
    return;
  }
  // the head first: after a crash between the two a log without a head continues, a head without a
  // log does not
  if (existsSync(headPath(from))) await rename(headPath(from), headPath(to));
  await rename(from, to);
}

/** Makes the full file the newest of the older ones, and replaces it by the new one; `files` are kept in all. */
export async function putAside(file: string, files: number): Promise<void> {
  for (let age = files - 1; age > 1; age--) {
    await move(olderPath(file, age - 1), olderPath(file, age));
  }
  if (files > 1) await move(file, olderPath(file, 1));
  else await rm(headPath(file), { force: true });
  await rename(freshPath(file), file);
}
