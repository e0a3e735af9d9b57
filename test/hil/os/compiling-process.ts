/** Loads a module of one function, ahead or as usual, then calls it: `ahead` or `late` is the argument. */
import { writeSync } from 'node:fs';
import { compileAhead } from '../../../hil/os/compiler.ts';

// (func (export "f") (result i32) i32.const 7)
const BYTES = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7f],
  ...[0x03, 0x02, 0x01, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
  ...[0x0a, 0x06, 0x01, 0x04, 0x00, 0x41, 0x07, 0x0b],
);

let module: WebAssembly.Module | null = null;
const load = (): void => {
  module = new WebAssembly.Module(BYTES);
};
if (process.argv[2] === 'ahead') compileAhead(load);
else load();
const memory = new WebAssembly.Memory({ initial: 0, maximum: 0 });
const instance = new WebAssembly.Instance(module!, { env: { memory } });
const { f } = instance.exports as { f: () => number };
writeSync(1, 'loaded');
if (f() !== 7) throw new Error('f() is 7');
