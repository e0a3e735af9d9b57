/**
 * Compression of chunks. MCAP has "zstd" and "lz4"; ours is zstd at its lowest level, by the WebAssembly build of the makers of
 * MCAP (Node has zstd of its own from 22.15 on only). Where that module cannot be had, recordings are written as they are.
 */
import { createRequire } from 'node:module';
import { BerthError } from '../../src/base/errors.ts';

/** Name of the compression in a chunk: '' for none. */
export type Compression = '' | 'zstd';

/** Of a telemetry stream level 1 leaves 17 %, level 3 16 % for a third more processor time, level 6 the same for five times as much. */
const LEVEL = 1;
/** Most bytes of messages of a chunk that is read: other writers make chunks of some MB. */
const MOST_UNPACKED = 1 << 24;

interface Zstd {
  readonly isLoaded: Promise<unknown>;
  compress(bytes: Uint8Array, level: number): Buffer;
  /** @throws Error when the bytes are damaged, or are more than `size` when unpacked */
  decompress(bytes: Uint8Array, size: number): Buffer;
}

async function load(): Promise<Zstd | null> {
  try {
    const zstd = createRequire(import.meta.url)('@foxglove/wasm-zstd') as Zstd;
    await zstd.isLoaded;
    return zstd;
  } catch {
    return null;
  }
}
const zstd = await load();

/** The wish, as far as it can be fulfilled. */
export function possibleCompression(wish: 'zstd' | 'none'): Compression {
  return wish === 'zstd' && zstd !== null ? 'zstd' : '';
}

/** Bytes packed; null when there is no way to. */
export function pack(bytes: Uint8Array): Buffer | null {
  return zstd?.compress(bytes, LEVEL) ?? null;
}

/**
 * Bytes as they were before they were packed; null when they are damaged, packed in another way, or not of that size.
 * @throws BerthError when the module for it is not installed: nothing is wrong with the file
 */
export function unpack(compression: string, bytes: Buffer, size: number): Buffer | null {
  if (compression === '') return bytes.length === size ? bytes : null;
  if (compression !== 'zstd' || size > MOST_UNPACKED) return null;
  if (zstd === null) {
    const text =
      'file: its chunks are compressed with zstd, and the package @foxglove/wasm-zstd cannot be loaded';
    throw new BerthError('BERTH_MISSING_FILE', text, { field: 'file' });
  }
  try {
    const found = zstd.decompress(bytes, size);
    return found.length === size ? found : null;
  } catch {
    return null;
  }
}
