/** Repeats a connection attempt until it succeeds: after 0.5 s, then twice as long each time, at most 4 s. */

const FIRST_MS = 500;
const LONGEST_MS = 4000;

/**
 * Repeats `attempt` until it succeeds.
 * @param failed called after a failure; false gives up (a refused key is refused again)
 * @returns the result of the attempt, or null when given up or aborted
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  failed: (error: unknown) => boolean,
): Promise<T | null> {
  for (let wait_ms = FIRST_MS; !signal.aborted; wait_ms = Math.min(2 * wait_ms, LONGEST_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!failed(error)) return null;
    }
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, wait_ms);
      signal.addEventListener('abort', finish);
    });
  }
  return null;
}
