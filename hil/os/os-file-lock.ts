/**
 * Lock on an open file that one process holds at a time. The system releases it when the file is
 * closed or the process ends, however it ends. Nothing remains to clean up, and process numbers,
 * which containers repeat, play no part. It uses the optional package koffi, or the program `flock`
 * (util-linux) without it.
 */
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { lastErrno, systemLibrary } from './os-library.ts';

const EXCLUSIVE = 2;
const NOT_WAITING = 4;
/** Exit code of the program when another process holds the lock. */
const PROGRAM_TAKEN = 1;

/** `unknown`: neither koffi nor the program is available, or the file system has no locks. */
export type FileLock = 'ours' | 'taken' | 'unknown';

/** Locks the file of a descriptor until the descriptor is closed. */
export function lockFile(fd: number): FileLock {
  const flock = systemLibrary()?.func('int flock(int fd, int operation)');
  if (flock !== undefined) {
    if (flock(fd, EXCLUSIVE | NOT_WAITING) === 0) return 'ours';
    return lastErrno() === constants.errno.EWOULDBLOCK ? 'taken' : 'unknown';
  }
  // the lock belongs to the open file, which the program shares and leaves locked
  const { status } = spawnSync('flock', ['--exclusive', '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  return status === 0 ? 'ours' : status === PROGRAM_TAKEN ? 'taken' : 'unknown';
}
