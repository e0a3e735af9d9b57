/** The recordings in a folder, without the recorder's index beside them. */
import { readdirSync } from 'node:fs';

/** Names in order. */
export function recordingsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.mcap'))
    .sort();
}
