/** Resolves with the first signal that asks the process to end. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
    process.once('SIGHUP', resolve); // the terminal was closed
  });
}
