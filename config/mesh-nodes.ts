/** Nodes and sets of nodes of a file, by its numbers. */
import type { MeshLines } from './mesh-lines.ts';

/** Nodes and sets in the order of the file. */
export class MeshNodes {
  protected readonly lines: MeshLines;
  protected readonly scale: number;
  protected readonly points = new Map<
    number,
    { readonly at: readonly number[]; readonly line: number }
  >();
  private readonly sets = new Map<string, Set<number>>();

  /** @param scale metres in one unit of the file */
  constructor(lines: MeshLines, scale: number) {
    this.lines = lines;
    this.scale = scale;
  }

  /** A node. @throws BerthError for a number that is none, or one that is there */
  addNode(tag: number, x: number, y: number, z: number): void {
    const { lines, points } = this;
    if (!Number.isInteger(tag) || tag < 1) {
      throw lines.error('the number of a node', 'to be a whole number from 1', tag);
    }
    if (points.has(tag)) {
      throw lines.error('node numbers', 'to be given once', tag, 'BERTH_DUPLICATE_NAME');
    }
    points.set(tag, { at: [x, y, z].map((value) => value * this.scale), line: lines.number });
  }

  /** Adds nodes to a set. */
  addToSet(name: string, nodes: Iterable<number>): void {
    let set = this.sets.get(name);
    if (set === undefined) {
      set = new Set();
      this.sets.set(name, set);
    }
    for (const node of nodes) set.add(node);
  }

  /** Nodes of a set by its name, in the order in which they came. */
  nodesOf(name: string): readonly number[] | null {
    const set = this.sets.get(name);
    return set === undefined ? null : [...set];
  }

  /** Places of the nodes, counted from 0, by the numbers of the file. */
  numbers(): ReadonlyMap<number, number> {
    return new Map([...this.points.keys()].map((tag, number) => [tag, number]));
  }

  /** Sets by name. @throws BerthError for a set that names a node which is not there */
  nodeSets(): Record<string, number[]> {
    const numbers = this.numbers();
    const numberOf = (tag: number, set: string): number => {
      const number = numbers.get(tag);
      if (number !== undefined) return number;
      const field = `set "${set}"`;
      throw this.lines.error(field, 'to name nodes of the file', tag, 'BERTH_UNKNOWN_NAME');
    };
    return Object.fromEntries(
      [...this.sets].map(([name, tags]) => [name, [...tags].map((tag) => numberOf(tag, name))]),
    );
  }
}
