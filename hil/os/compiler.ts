/**
 * Settings of V8's compilers for WebAssembly in a thread that must not wait. By default a function is compiled when it is called for
 * the first time, without optimisation, and again when it has run for long; and the code by which JavaScript calls it at its thousandth
 * call, while the caller waits. A kernel that the first slip in a flight calls would be compiled within that tick, and 0.8 s after
 * the first contact a tick took 0.35 ms longer.
 */
import { setFlagsFromString } from 'node:v8';

const AHEAD = ['--no-wasm-lazy-compilation', '--no-liftoff', '--no-wasm-generic-wrapper'];
const AS_BEFORE = ['--wasm-lazy-compilation', '--liftoff', '--wasm-generic-wrapper'];

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
