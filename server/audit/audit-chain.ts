/**
 * Text of the audit log: one JSON object per line, each with the hash of the line before it. A
 * changed, removed or inserted line breaks the chain at a line that can be named. A truncated log
 * is still a whole chain; the head file, with number and hash of the last record, reveals it.
 *
 * A chain without a secret reveals accidents and careless edits, but not an attacker who recomputes
 * it. A stronger proof needs a copy of the head elsewhere.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import type { AuditEntry } from './audit-sink.ts';

/** Hash before the first record. */
export const GENESIS = '0'.repeat(64);
const NEWLINE = 0x0a;
/** Largest length of a line, bytes; records take some hundred. */
const LONGEST_LINE = 1_000_000;
const SUFFIX = /,"hash":"([0-9a-f]{64})"\}$/;

/** Head of a chain: number of records and hash of the last. */
export interface ChainHead {
  readonly n: number;
  readonly hash: string;
}

/** Content of a head file: `none` without a file, `unreadable` for an invalid one. */
export type NotedHead = ChainHead | 'none' | 'unreadable';

/** First fault of a chain. */
export interface ChainFault {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Result of `verifyChain`. */
export interface ChainReport {
  /** Last valid record. */
  readonly head: ChainHead;
  readonly fault: ChainFault | null;
  /** Bytes of a last line without an end, which a crash leaves; 0 for none. */
  readonly tornBytes: number;
  /** Content of the head file. */
  readonly noted: NotedHead;
  /** Reason why a whole chain does not match the head file; null when it does, or when there is none. */
  readonly headFault: string | null;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Line of the next record, and the head after it. */
export function chainLine(
  entry: AuditEntry,
  time: string,
  last: ChainHead,
): { line: string; head: ChainHead } {
  const n = last.n + 1;
  const { actor, action, result, detail } = entry;
  const body = JSON.stringify({
    n,
    time,
    actor,
    action,
    result,
    ...(detail === undefined ? {} : { detail }),
    previous: last.hash,
  });
  const hash = digest(body);
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}`, head: { n, hash } };
}

function parsed(body: string): { readonly n?: unknown; readonly previous?: unknown } {
  try {
    return JSON.parse(body) as { n?: unknown; previous?: unknown };
  } catch {
    return {};
  }
}

/** Fault of one line after `last`, or null. */
function lineFault(line: string, last: ChainHead): string | null {
  const hash = SUFFIX.exec(line)?.[1];
  if (hash === undefined) return 'is not a record of the audit log';
  const body = line.replace(SUFFIX, '}');
  if (digest(body) !== hash) return 'does not fit its hash: it was changed';
  const { n, previous } = parsed(body);
  if (!Number.isSafeInteger(n)) return 'is not a record of the audit log';
  if (n !== last.n + 1) {
    return `has number ${String(n)}, expected ${last.n + 1}: records are missing`;
  }
  if (previous !== last.hash) return 'does not follow the line before it';
  return null;
}

/** Path of the head file of a log. */
export const headPath = (file: string): string => `${file}.head`;

/** Reads the head file of a log. */
export function readHead(file: string): NotedHead {
  if (!existsSync(headPath(file))) return 'none';
  const match = /^(\d+) ([0-9a-f]{64})\n$/.exec(readFileSync(headPath(file), 'utf8'));
  return match === null ? 'unreadable' : { n: Number(match[1]), hash: match[2] };
}

/**
 * Reason why a chain with the end `head`, and the hash `there` at the noted record, does not match
 * the head file; or null.
 */
function headFault(noted: NotedHead, head: ChainHead, there: string): string | null {
  if (noted === 'none') return null;
  if (noted === 'unreadable') return 'its head file does not hold number and hash of a record';
  const missing = noted.n - head.n;
  if (missing > 0) {
    return `the tail is cut off after line ${head.n}: ${missing} records are missing`;
  }
  return noted.hash === there ? null : `line ${noted.n} is not the record that its head file notes`;
}

/**
 * Checks a log from its first line to its end, or to its first fault, and compares it with its head
 * file. A missing file is an empty log.
 */
export async function verifyChain(file: string): Promise<ChainReport> {
  // read before the log, which grows first: a service may be writing both
  const noted = readHead(file);
  const notedAt = typeof noted === 'string' ? 0 : noted.n;
  let there = GENESIS;
  let head: ChainHead = { n: 0, hash: GENESIS };
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  const take = (bytes: Buffer): ChainFault | null => {
    line++;
    const text = bytes.toString('utf8').replace(/\r$/, '');
    const wrong = lineFault(text, head);
    if (wrong !== null) return { line, text: `line ${line} ${wrong}` };
    head = { n: head.n + 1, hash: SUFFIX.exec(text)![1] };
    if (head.n === notedAt) there = head.hash;
    return null;
  };
  const broken = (fault: ChainFault): ChainReport => {
    return { head, fault, tornBytes: 0, noted, headFault: null };
  };
  const parts = existsSync(file) ? (createReadStream(file) as AsyncIterable<Buffer>) : [];
  for await (const part of parts) {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, from)) {
      const fault = take(Buffer.concat([rest, part.subarray(from, end)]));
      if (fault !== null) return broken(fault);
      rest = rest.subarray(0, 0);
      from = end + 1;
    }
    rest = Buffer.concat([rest, part.subarray(from)]);
    if (rest.length > LONGEST_LINE) {
      const text = `line ${line + 1} is longer than ${LONGEST_LINE} bytes, which no record is`;
      return broken({ line: line + 1, text });
    }
  }
  return {
    head,
    fault: null,
    tornBytes: rest.length,
    noted,
    headFault: headFault(noted, head, there),
  };
}
