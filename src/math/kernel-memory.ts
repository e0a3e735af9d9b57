/**
 * The memory that a system shares with its kernels: arrays one behind the other, until it is full. It never grows, as that would take the
 * arrays away from those who hold them.
 */
import { BerthError } from '../base/errors.ts';
import type { Columns } from './columns.ts';

const PAGE = 65_536;
/** What the kernels keep for themselves, bytes. */
const OWN = 2048;

/** One memory. */
export class KernelMemory implements Columns {
  readonly memory: WebAssembly.Memory;
  #end = OWN;

  /** @param bytes that the arrays take at most */
  constructor(bytes: number) {
    const pages = Math.ceil((bytes + OWN) / PAGE);
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  }

  /** Bytes that it has, and that arrays took so far. */
  get size(): number {
    return this.memory.buffer.byteLength;
  }
  get used(): number {
    return this.#end;
  }

  doubles(length: number): Float64Array {
    return new Float64Array(this.memory.buffer, this.#take(8 * length), length);
  }

  integers(length: number): Int32Array {
    return new Int32Array(this.memory.buffer, this.#take(4 * length), length);
  }

  floats(length: number): Float32Array {
    return new Float32Array(this.memory.buffer, this.#take(4 * length), length);
  }

  #take(bytes: number): number {
    const at = this.#end;
    this.#end = at + 8 * Math.ceil(bytes / 8);
    if (this.#end <= this.size) return at;
    throw new BerthError(
      'BERTH_MISMATCH',
      `The memory of the kernels has ${this.size} bytes, too few for the arrays of the system`,
    );
  }
}
