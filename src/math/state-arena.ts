/**
 * Named slots of a state, in the order in which they are saved. Each part of a state reserves its slots at construction and keeps its
 * numbers in the arrays that it gets, so saving, loading and naming are done once, here. Slots that are reserved one after the other
 * lie side by side in memory, and are copied as one run.
 */
import { BerthError } from '../base/errors.ts';
import type { Slice } from './arena.ts';

/** Arrays whose elements a double holds exactly. */
export type StateArray = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** Fields of an object that lie in slots, with the values that they begin with. A field that begins as a boolean is 0 or 1 in its slot. */
export type FieldTable = Readonly<Record<string, number | boolean>>;

/** Public fields of an object that a table names, as the object has to declare them. */
type Declared<T extends FieldTable, C> = {
  [K in keyof T & keyof C]: T[K] extends boolean ? boolean : number;
};

/** Elements of the first block of memory, and of the largest one that is taken ahead of need. */
const FIRST_BLOCK = 64;
const LARGEST_BLOCK = 4096;

/** Hands out pieces of few large blocks. */
class Blocks {
  #block = new Float64Array(FIRST_BLOCK);
  #used = 0;

  take(length: number): Float64Array {
    if (this.#used + length > this.#block.length) {
      const next = Math.min(2 * this.#block.length, LARGEST_BLOCK);
      this.#block = new Float64Array(Math.max(next, length));
      this.#used = 0;
    }
    const piece = this.#block.subarray(this.#used, this.#used + length);
    this.#used += length;
    return piece;
  }
}

/** What stands at one place of the order: an array, a part with slots of its own, or what follows a load. */
type Entry =
  | { readonly name: string; readonly array: StateArray }
  | { readonly name: string; readonly part: StateArena }
  | { readonly name: ''; readonly refresh: () => void };

/** An array that is copied in one go, or what follows it. */
interface Step {
  readonly array: StateArray | null;
  readonly refresh: (() => void) | null;
}

/** The order of all slots, fixed when it is first asked for. */
interface Order {
  readonly slots: readonly Slice[];
  readonly steps: readonly Step[];
  readonly length: number;
}

/** Slots of one part of a state, and of the parts within it. Nothing is reserved any more once it was saved, loaded or measured. */
export class StateArena {
  readonly #blocks: Blocks;
  readonly #entries: Entry[] = [];
  readonly #names = new Set<string>();
  #order: Order | null = null;

  /** @param blocks of the part that this one lies in; memory of its own when left out */
  constructor(blocks: Blocks = new Blocks()) {
    this.#blocks = blocks;
  }

  /** Reserves a slot of `length` zeros. */
  add(name: string, length: number): Float64Array {
    const array = this.#blocks.take(length);
    this.adopt(name, array);
    return array;
  }

  /** Reserves a slot of one element for each name of a table of indices 0, 1, 2 … */
  table(indices: Readonly<Record<string, number>>): Float64Array {
    const names = Object.keys(indices);
    names.sort((a, b) => indices[a] - indices[b]);
    const array = this.#blocks.take(names.length);
    names.forEach((name, i) => {
      if (indices[name] !== i) throw mismatch(`Index ${i} of a table of slots is "${name}"`);
      this.adopt(name, array.subarray(i, i + 1));
    });
    return array;
  }

  /** Reserves a slot for each field of a table, with the values that they begin with: see `defineFields`. */
  fields(table: FieldTable): Float64Array {
    const names = Object.keys(table);
    const array = this.#blocks.take(names.length);
    names.forEach((name, i) => {
      array[i] = Number(table[name]);
      this.adopt(name, array.subarray(i, i + 1));
    });
    return array;
  }

  /** Takes an array that exists in, in this place of the order: one of integers, or one that others made. */
  adopt(name: string, array: StateArray): void {
    this.#reserve(name);
    this.#entries.push({ name, array });
  }

  /** A part within this one, in this place of the order; `part` when it exists. */
  part(name: string, part: StateArena = new StateArena(this.#blocks)): StateArena {
    this.#reserve(name);
    this.#entries.push({ name, part });
    return part;
  }

  /** Has `refresh` called in a load as soon as everything reserved so far is loaded: for what is computed from the state. */
  afterLoad(refresh: () => void): void {
    this.#seal(null);
    this.#entries.push({ name: '', refresh });
  }

  /** Doubles that the state takes. */
  get stateLength(): number {
    return this.#fixed.length;
  }

  /** Every slot with its full name and its place in the saved state. */
  get slots(): readonly Slice[] {
    return this.#fixed.slots;
  }

  /** Doubles of each slot and each part reserved here, without those within the parts. */
  get lengths(): readonly number[] {
    return this.#entries.flatMap((entry) => {
      if ('array' in entry) return [entry.array.length];
      return 'part' in entry ? [entry.part.stateLength] : [];
    });
  }

  /** Writes the state at `at`. @alloc none */
  saveState(into: Float64Array, at: number): void {
    const { steps } = this.#fixed;
    let i = at;
    for (let k = 0; k < steps.length; k++) {
      const { array } = steps[k];
      if (array === null) continue;
      into.set(array, i);
      i += array.length;
    }
  }

  /** Takes the state back, bit for bit. @alloc none */
  loadState(from: Float64Array, at: number): void {
    const { steps } = this.#fixed;
    let i = at;
    for (let k = 0; k < steps.length; k++) {
      const { array, refresh } = steps[k];
      if (array !== null) {
        if (array instanceof Float64Array) loadDoubles(array, from, i);
        else loadIntegers(array, from, i);
        i += array.length;
      }
      if (refresh !== null) refresh();
    }
  }

  get #fixed(): Order {
    this.#order ??= this.#fix();
    return this.#order;
  }

  #fix(): Order {
    const slots: Slice[] = [];
    const steps: Step[] = [];
    let length = 0;
    for (const entry of this.#entries) {
      if ('refresh' in entry) steps.push({ array: null, refresh: entry.refresh });
      else if ('array' in entry) {
        const { name, array } = entry;
        slots.push({ name, start: length, length: array.length });
        steps.push({ array, refresh: null });
        length += array.length;
      } else {
        const { slots: inner, steps: innerSteps, length: innerLength } = entry.part.#fixed;
        for (const slot of inner) {
          slots.push({ ...slot, name: `${entry.name}.${slot.name}`, start: length + slot.start });
        }
        steps.push(...innerSteps);
        length += innerLength;
      }
    }
    return { slots, steps: joined(steps), length };
  }

  #reserve(name: string): void {
    this.#seal(name);
    if (this.#names.has(name)) {
      throw new BerthError('BERTH_DUPLICATE_NAME', `The state slot "${name}" is reserved twice`);
    }
    this.#names.add(name);
  }

  #seal(name: string | null): void {
    if (this.#order !== null) {
      throw mismatch(`The order of a state is fixed, "${name ?? 'afterLoad'}" comes too late`);
    }
  }
}

function mismatch(message: string): BerthError {
  return new BerthError('BERTH_MISMATCH', message);
}

/** Neighbours in memory as one run. */
function joined(steps: readonly Step[]): Step[] {
  const runs: Step[] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (step.array?.length === 0) continue;
    if (last?.array instanceof Float64Array && step.array instanceof Float64Array) {
      const { buffer, byteOffset, byteLength, length } = last.array;
      if (buffer === step.array.buffer && byteOffset + byteLength === step.array.byteOffset) {
        const array = new Float64Array(buffer, byteOffset, length + step.array.length);
        runs[runs.length - 1] = { array, refresh: null };
        continue;
      }
    }
    runs.push(step);
  }
  return runs;
}

// Two loops: one that meets doubles alone is compiled for them, and nearly all slots are doubles.
function loadDoubles(into: Float64Array, from: Float64Array, at: number): void {
  for (let i = 0; i < into.length; i++) into[i] = from[at + i];
}

function loadIntegers(into: StateArray, from: Float64Array, at: number): void {
  for (let i = 0; i < into.length; i++) into[i] = from[at + i];
}

/** An object whose fields lie in slots. */
interface Holder {
  readonly cells: Float64Array;
}

/**
 * Lets the objects of a class show slots as fields: field number i of the table is element `cells[i]`, where `cells` is what
 * `StateArena.fields` gave for the same table. The class declares each field with `declare`.
 * @param first number of the first field that the class itself declares: those before it belong to its base
 */
export function defineFields<T extends FieldTable, C extends Holder & Declared<T, C>>(
  of: { readonly prototype: C },
  table: T,
  first = 0,
): void {
  const entries = Object.entries(table);
  for (let i = first; i < entries.length; i++) {
    const [name, initial] = entries[i];
    Object.defineProperty(
      of.prototype,
      name,
      typeof initial === 'boolean' ? markField(i) : numberField(i),
    );
  }
}

function numberField(i: number): PropertyDescriptor & ThisType<Holder> {
  return {
    get(): number {
      return this.cells[i];
    },
    set(value: number): void {
      this.cells[i] = value;
    },
  };
}

function markField(i: number): PropertyDescriptor & ThisType<Holder> {
  return {
    get(): boolean {
      return this.cells[i] === 1;
    },
    set(value: boolean): void {
      this.cells[i] = value ? 1 : 0;
    },
  };
}
