/**
 * Pseudo terminal: a serial line without hardware, for `berth emulate --pty` and the tests. It
 * needs the optional package koffi, because Node has no call for it.
 */
import { closeSync, openSync } from 'node:fs';
import { BerthError } from '../../src/base/errors.ts';
import { systemLibrary } from './os-library.ts';

/** An open pair: the descriptor of this side, and the path that the other end opens like a serial port. */
export interface Pty {
  /** Non-blocking descriptor of the controlling side. */
  readonly fd: number;
  /** Path of the terminal side, e.g. /dev/pts/3. */
  readonly path: string;
  close(): void;
}

const O_RDWR = 2;
const O_NOCTTY = 0o400;
const O_NONBLOCK = 0o4000;

/** Opens a raw pseudo-terminal pair. @throws BerthError when koffi or the system does not provide it */
export function openPty(): Pty {
  const libc = systemLibrary();
  if (libc === null) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      'A pseudo terminal needs the optional package koffi, which is not installed: run npm install koffi, or use a real serial port',
    );
  }
  const posixOpenpt = libc.func('int posix_openpt(int flags)');
  const grantpt = libc.func('int grantpt(int fd)');
  const unlockpt = libc.func('int unlockpt(int fd)');
  const ptsname = libc.func('const char *ptsname(int fd)');
  const cfmakeraw = libc.func('void cfmakeraw(void *termios)');
  const tcgetattr = libc.func('int tcgetattr(int fd, void *termios)');
  const tcsetattr = libc.func('int tcsetattr(int fd, int action, void *termios)');

  const fd = posixOpenpt(O_RDWR | O_NOCTTY | O_NONBLOCK) as number;
  if (fd < 0 || grantpt(fd) !== 0 || unlockpt(fd) !== 0) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      'The system refused a pseudo terminal (posix_openpt)',
    );
  }
  const path = ptsname(fd) as string;
  // raw mode from the start, and one terminal-side descriptor kept open: otherwise the first bytes
  // are echoed, and reads on this side fail whenever the path is not open elsewhere
  const hold = openSync(path, O_RDWR | O_NOCTTY);
  const termios = new Uint8Array(256);
  tcgetattr(hold, termios);
  cfmakeraw(termios);
  tcsetattr(hold, 0, termios);
  return {
    fd,
    path,
    close: () => {
      closeSync(hold);
      closeSync(fd);
    },
  };
}
