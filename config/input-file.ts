/** Input files named by users: read once, whole and bounded; any other kind of file is refused in one sentence. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { BerthError } from '../src/base/errors.ts';

/** Largest size of a YAML file, bytes: a scenario has some kB. */
export const MOST_TEXT_BYTES = 1_000_000;

/** System error codes in plain words. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'its name is too long',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot read it',
  EMFILE: 'too many files are open',
  ENXIO: 'it is no file that can be read',
};

/** One sentence about an error of the file system that names its path; null for any other error. */
export function fileErrorWords(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null;
  const code = String(error.code);
  if (path === null && WORDS[code] === undefined) return null;
  return `"${path ?? 'a file'}" cannot be used: ${WORDS[code] ?? error.message} (${code})`;
}

function kindOf(about: Stats): string {
  if (about.isDirectory()) return 'a folder';
  if (about.isFIFO()) return 'a pipe';
  if (about.isSocket()) return 'a socket';
  return 'a device';
}

/** Reads the bytes of a file. @throws BerthError when it is no file, is not readable, or has more than `most` bytes */
export function readInput(path: string, field: string, most: number): Buffer {
  const refuse = (problem: string): BerthError =>
    new BerthError('BERTH_MISSING_FILE', `${field}: "${path}" ${problem}`, { field });
  let fd: number;
  try {
    // a pipe without a writer must not block the command
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw refuse(`cannot be read: ${WORDS[code] ?? 'the system refuses it'} (${code})`);
  }
  try {
    const about = fstatSync(fd);
    if (!about.isFile()) throw refuse(`is ${kindOf(about)}; allowed: a file`);
    if (about.size > most) throw refuse(`has ${about.size} bytes; allowed: at most ${most}`);
    // a file that grows meanwhile is read up to its first size
    const bytes = Buffer.alloc(about.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(fd, bytes, length, bytes.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    if (error instanceof BerthError) throw error;
    const code = String((error as NodeJS.ErrnoException).code);
    throw refuse(`cannot be read: ${WORDS[code] ?? 'the system refuses it'} (${code})`);
  } finally {
    closeSync(fd);
  }
}

/** SHA-256 of the bytes of a file, in hexadecimal: what was made from it names it so. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
