/** The system's C library, for the few calls that Node has not. Through the optional package koffi. */
import { createRequire } from 'node:module';

/** Functions by their C declaration. A call with small integers and typed arrays allocates nothing once it is warm. */
export interface SystemLibrary {
  func(declaration: string): (...args: unknown[]) => unknown;
}

interface Koffi {
  load(name: string): SystemLibrary;
  errno(): number;
}
const koffi = (): Koffi => createRequire(import.meta.url)('koffi') as Koffi;

/** @returns null where koffi is not installed, or the system has another library */
export function systemLibrary(): SystemLibrary | null {
  const name = { linux: 'libc.so.6', darwin: 'libSystem.dylib' }[process.platform as string];
  if (name === undefined) return null;
  try {
    return koffi().load(name);
  } catch {
    return null;
  }
}

/** Why the last call failed, by the system's number. Only where there is a library. */
export function lastErrno(): number {
  return koffi().errno();
}
