/**
 * Settings of V8's compilers for WebAssembly in a thread that must not wait. By default a function is compiled when it is called for
 * the first time, without optimisation, and again when it has run for long. A kernel that the first slip or the first rest in a
 * flight calls would be compiled within that tick, 0.3 to 0.4 ms.
 */
import { setFlagsFromString } from 'node:v8';

const AHEAD = ['--no-wasm-lazy-compilation', '--no-liftoff'];
const AS_BEFORE = ['--wasm-lazy-compilation', '--liftoff'];

/** @param load makes modules of WebAssembly: all their functions are compiled and optimised when it returns */
export function compileAhead(load: () => unknown): void {
  for (const flag of AHEAD) setFlagsFromString(flag);
  try {
    load();
  } finally {
    // other modules of the process are larger, and not in a hurry
    for (const flag of AS_BEFORE) setFlagsFromString(flag);
  }
}
