/** Names of recordings, and the removal of the oldest when they take too much room. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PATTERN = /^berth-.+\.mcap$/;

/** `berth-<UTC time>-<scenario>-<part>.mcap`; sorts by time, and has no character that a file system refuses. */
export function recordingName(wall_ns: bigint, scenario: string, part: string): string {
  const time = new Date(Number(wall_ns / 1_000_000n)).toISOString().replaceAll(':', '-');
  return `berth-${time}-${scenario.replaceAll(/[^\w.-]/g, '_')}-${part}.mcap`;
}

/**
 * Remove the oldest recordings of a folder until those that are left and `reserve` more bytes fit into `keep_bytes`. Other
 * files, and the one named `current`, are left alone.
 * @returns names of the files removed
 */
export async function removeOldest(
  folder: string,
  keep_bytes: number,
  reserve: number,
  current: string,
): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => PATTERN.test(name) && name !== current);
  const about = names.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => null); // somebody else may clear up, too
    return found === null ? [] : [{ name, size: found.size, mtimeMs: found.mtimeMs }];
  });
  const files = (await Promise.all(about)).flat();
  files.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
  let total = reserve + files.reduce((sum, { size }) => sum + size, 0);
  const removed: string[] = [];
  for (const { name, size } of files) {
    if (total <= keep_bytes) break;
    await rm(join(folder, name), { force: true });
    removed.push(name);
    total -= size;
  }
  return removed;
}
