/** What signals ask of a process: to end, and of a service that no terminal holds, to read its secrets again. */

/** Whether a person's terminal holds this process: its hang-up is the end then. */
const heldByTerminal = (): boolean =>
  process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;

/**
 * Resolves with the first signal that asks the process to end.
 * @param onHangup what SIGHUP means to a service without a terminal; otherwise it ends the process
 */
export function untilSignal(onHangup?: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
    if (onHangup === undefined || heldByTerminal()) process.once('SIGHUP', resolve);
    else process.on('SIGHUP', onHangup);
  });
}
