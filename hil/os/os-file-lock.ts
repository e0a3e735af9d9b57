/**
 * A lock on an open file that no two processes hold at once. The system keeps it with the open file: it goes when the file is closed and
 * when the process ends, however it ends, so nothing is left behind to be cleared away, and process numbers, which containers repeat, play
 * no part. Through the optional package koffi, or the program `flock` (util-linux) where koffi is missing.
 */
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { lastErrno, systemLibrary } from './os-library.ts';

const EXCLUSIVE = 2;
const NOT_WAITING = 4;
/** Exit code of the program when another holds the lock. */
const PROGRAM_TAKEN = 1;

/** `unknown`: neither koffi nor the program is here, or the file system has no locks. */
export type FileLock = 'ours' | 'taken' | 'unknown';

/** Lock the file of a descriptor for as long as it is open here. */
export function lockFile(fd: number): FileLock {
  const flock = systemLibrary()?.func('int flock(int fd, int operation)');
  if (flock !== undefined) {
    if (flock(fd, EXCLUSIVE | NOT_WAITING) === 0) return 'ours';
    return lastErrno() === constants.errno.EWOULDBLOCK ? 'taken' : 'unknown';
  }
  // the lock is of the open file, which the program shares with us and leaves to us
  const { status } = spawnSync('flock', ['--exclusive', '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  return status === 0 ? 'ours' : status === PROGRAM_TAKEN ? 'taken' : 'unknown';
}
