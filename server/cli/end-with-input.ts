/** A command with `--child` ends with the process that started it, also with one that is killed: its standard input closes. */

/** Ends as by a signal when standard input closes, which does not keep the process. */
export function endWithInput(signal: 'SIGINT' | 'SIGTERM'): void {
  process.stdin.once('end', () => process.kill(process.pid, signal));
  process.stdin.resume().unref();
}
