/**
 * The slots of a volumetric contact measured by a kernel (src/kernels/cells.ts): those whose overlap is a clip done once more, or as it
 * was. The others are measured one by one.
 */
import { addressIn, type ContactLoops } from '../contact-loops.ts';
import type { ReplayedClip } from '../../overlap/kernel.ts';
import type { CellPlacements } from './cell-placements.ts';
import type { PoolSlot } from './pool-slot.ts';
import { ASSIGNED } from './slot-memory.ts';
import type { CellTable } from './volumetric-pair.ts';

/** Fields of the record of a slot that change with its pair of cells: see `CellPair`. */
const PAIR = 8;
const CELL_I = 9;
const CELL_J = 10;
const CLIP = 11;
const FIELDS = 12;
/** No pair of cells, and no clip. */
const NONE = -1;
const NO_CLIP = 0;

/** The loops of one volumetric contact. */
export class CellLoops {
  readonly #loops: ContactLoops;
  readonly #table: CellTable;
  readonly #slots: readonly PoolSlot[];
  readonly #records: readonly Int32Array[];
  /** Address of the clip of each pair of cells. */
  readonly #clips: Int32Array;
  /** Addresses of the records of the slots, and the places of those that the kernel left. */
  readonly #pairs: Int32Array;
  readonly #others: Int32Array;
  readonly #pairsAt: number;
  readonly #othersAt: number;

  constructor(loops: ContactLoops, table: CellTable, slots: readonly PoolSlot[]) {
    this.#loops = loops;
    this.#table = table;
    this.#slots = slots;
    const { memory } = loops;
    const i = recordCells(loops, table.i);
    const j = recordCells(loops, table.j);
    this.#clips = recordClips(loops, table);
    this.#records = slots.map(({ model, pair }) => {
      const record = memory.integers(FIELDS);
      const columns = [pair.column, pair.kept, pair.memory, pair.tape?.list, pair.tape?.head];
      record.set([
        loops.addressOf(model),
        i,
        j,
        ...columns.map((column) => (column === undefined ? 0 : addressIn(column))),
      ]);
      record[PAIR] = NONE;
      return record;
    });
    this.#pairs = memory.integers(slots.length);
    this.#pairs.set(this.#records.map(addressIn));
    this.#others = memory.integers(slots.length);
    this.#pairsAt = addressIn(this.#pairs);
    this.#othersAt = addressIn(this.#others);
  }

  /** Measures the slots that have a pair; both bodies followed. @param active only those in contact @alloc none */
  measure(active: boolean): void {
    const slots = this.#slots;
    const others = this.#others;
    const left = this.#loops.exports.measureCells(
      this.#pairsAt,
      slots.length,
      active ? 1 : 0,
      this.#othersAt,
    );
    for (let n = 0; n < left; n++) {
      const s = others[n];
      this.#assign(this.#records[s], s);
      slots[s].model.measure();
    }
  }

  /** Keeps the normals of the slots in contact, measured; whether slots are left that part or have not begun. @alloc none */
  settle(): boolean {
    return this.#loops.exports.settleCells(this.#pairsAt, this.#slots.length) > 0;
  }

  /** Sub-steps that the slots in contact need in a step of stepLength[0]: the sum of their squares into sum[0]. @alloc none */
  computePhases(stepLength: Float64Array, sum: Float64Array): void {
    this.#loops.exports.computeCellPhases(
      this.#pairsAt,
      this.#slots.length,
      stepLength.byteOffset,
      sum.byteOffset,
    );
  }

  writeReadouts(): void {
    this.#loops.exports.writeCellReadouts(this.#pairsAt, this.#slots.length);
  }

  #assign(record: Int32Array, s: number): void {
    const { pair } = this.#slots[s];
    const index = pair.memory[ASSIGNED] - 1;
    if (record[PAIR] === index) return;
    const count = this.#table.j.cells.length;
    record[PAIR] = index;
    record[CELL_I] = Math.floor(index / count);
    record[CELL_J] = index - record[CELL_I] * count;
    record[CLIP] = pair.isByArea && index >= 0 ? this.#clips[index] : NO_CLIP;
  }
}

function recordCells(loops: ContactLoops, cells: CellPlacements): number {
  const { pose, versions, placedAt, own, placements } = cells.loop;
  return loops.record([pose, versions, placedAt, own, placements].map(addressIn));
}

/** Addresses of what the kernel has to know of the clip of each pair of cells. */
function recordClips(loops: ContactLoops, { kernels }: CellTable): Int32Array {
  const made = new Map<ReplayedClip, number>();
  const slots = kernels.reduce((most, { replayed }) => Math.max(most, replayed?.slots ?? 0), 0);
  const points = addressIn(loops.memory.doubles(4 * slots));
  return Int32Array.from(kernels, ({ replayed }) => {
    if (replayed === undefined) return NO_CLIP;
    let address = made.get(replayed);
    if (address === undefined) {
      address = recordClip(loops, replayed, points);
      made.set(replayed, address);
    }
    return address;
  });
}

function recordClip(loops: ContactLoops, clip: ReplayedClip, points: number): number {
  const { subject, cutter, cutsI } = clip;
  const { memory } = loops;
  const copied = (numbers: Float64Array): number => {
    const column = memory.doubles(numbers.length);
    column.set(numbers);
    return addressIn(column);
  };
  return loops.record([
    copied(subject.corners),
    subject.corners.length,
    copied(subject.center),
    copied(cutter.planes),
    cutter.planes.length / 4,
    copied(cutter.center),
    copied(Float64Array.of(subject.radius, cutter.radius)),
    Number(cutter.bounded),
    Number(cutsI),
    points,
  ]);
}
