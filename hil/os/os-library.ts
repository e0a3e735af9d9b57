/** The system's C library, for a few calls that Node lacks. It needs the optional package koffi. */
import { createRequire } from 'node:module';

/** Functions by their C declaration. A warm call with small integers and typed arrays allocates nothing. */
export interface SystemLibrary {
  func(declaration: string): (...args: unknown[]) => unknown;
}

interface Koffi {
  load(name: string): SystemLibrary;
  errno(): number;
}
const koffi = (): Koffi => createRequire(import.meta.url)('koffi') as Koffi;

/** @returns null where koffi is not installed, or on an unsupported system */
export function systemLibrary(): SystemLibrary | null {
  const name = { linux: 'libc.so.6', darwin: 'libSystem.dylib' }[process.platform as string];
  if (name === undefined) return null;
  try {
    return koffi().load(name);
  } catch {
    return null;
  }
}

/** Error number of the last call. Valid only with a library. */
export function lastErrno(): number {
  return koffi().errno();
}
