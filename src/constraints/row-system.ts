/**
 * All constraint rows of a system together: J, c_t and the response A = J M⁻¹ Jᵀ of the bodies and trees that they join, with its
 * factors. A closed loop couples its rows through every body of it, so that they are solved together and not one after the other.
 */
import type { ContactAssembly, ContactBody } from '../contact/contact-body.ts';
import { type Constraint, OPEN, ROW } from './constraint.ts';
import { RowFactors } from './row-factors.ts';

/** No body that yields: the world, or one whose motion is imposed. */
const NONE = -1;
const BLOCK = 36;
/** The origin of a body as the point that is pushed. */
const ORIGIN: Float64Array = new Float64Array(3);

/** The rows of one system. */
export class RowSystem {
  readonly constraints: readonly Constraint[];
  /** Number of rows; the first row of each constraint. */
  readonly count: number;
  readonly starts: Int32Array;
  readonly gaps: Float64Array;
  /** ROW numbers a row, as of the last `build`. */
  readonly jacobian: Float64Array;
  /** c_t. */
  readonly drift: Float64Array;
  readonly factors: RowFactors;
  /** Bodies that the rows push. */
  readonly parts: readonly ContactBody[];
  /** The two bodies of each row, and where they are among `parts`. */
  readonly #firsts: readonly (ContactBody | null)[];
  readonly #seconds: readonly (ContactBody | null)[];
  readonly #firstPlace: Int32Array;
  readonly #secondPlace: Int32Array;
  /** Pairs of parts that answer each other, with their 6 × 6 responses. */
  readonly #pairs: readonly (readonly [number, number, ContactAssembly | null])[];
  readonly #responses: Float64Array;
  /** Parts that answer each part, with the pair of the two: those of part k lie between reaches k and k + 1. */
  readonly #reaches: Int32Array;
  readonly #reached: Int32Array;
  readonly #reachPair: Int32Array;
  /** First row that each row answers, and the last row that may answer each. */
  readonly #begins: Int32Array;
  readonly #ends: Int32Array;
  /** M⁻¹ Jᵀ of one row, and wrenches, six numbers a part. */
  readonly #answers: Float64Array;
  readonly #wrenches: Float64Array;
  readonly #impulse: Float64Array = new Float64Array(3);

  constructor(constraints: readonly Constraint[]) {
    this.constraints = constraints;
    const starts: number[] = [];
    let count = 0;
    for (const { rows } of constraints) {
      starts.push(count);
      count += rows.length;
    }
    this.count = count;
    this.starts = Int32Array.from(starts);
    this.gaps = new Float64Array(count);
    this.jacobian = new Float64Array(ROW * count);
    this.drift = new Float64Array(count);
    const ends = constraints.flatMap(({ first, second }) => [first, second]);
    const parts = [...new Set(ends)].filter((body) => body !== null).filter(({ yields }) => yields);
    this.parts = parts;
    const owners = constraints.flatMap((constraint) => constraint.rows.map(() => constraint));
    this.#firsts = owners.map(({ first }) => first);
    this.#seconds = owners.map(({ second }) => second);
    const placeOf = (body: ContactBody | null): number =>
      body === null ? NONE : parts.indexOf(body);
    this.#firstPlace = Int32Array.from(this.#firsts, placeOf);
    this.#secondPlace = Int32Array.from(this.#seconds, placeOf);
    const pairs: [number, number, ContactAssembly | null][] = [];
    parts.forEach((a, i) => {
      parts.forEach((b, j) => {
        if (i !== j && (a.assembly === null || a.assembly !== b.assembly)) return;
        pairs.push([i, j, a.assembly]);
      });
    });
    this.#pairs = pairs;
    const reach = parts.map((_, k) =>
      pairs.flatMap(([i, j], pair) => (j === k ? [{ part: i, pair }] : [])),
    );
    this.#reaches = new Int32Array(parts.length + 1);
    reach.forEach((those, k) => {
      this.#reaches[k + 1] = this.#reaches[k] + those.length;
    });
    this.#reached = Int32Array.from(reach.flat(), ({ part }) => part);
    this.#reachPair = Int32Array.from(reach.flat(), ({ pair }) => pair);
    const placesOf = (row: number): readonly number[] =>
      [this.#firstPlace[row], this.#secondPlace[row]].filter((place) => place !== NONE);
    this.#begins = Int32Array.from({ length: count }, (_, row) => {
      const answering = new Set(placesOf(row).flatMap((k) => reach[k].map(({ part }) => part)));
      for (let s = 0; s < row; s++) if (placesOf(s).some((k) => answering.has(k))) return s;
      return row;
    });
    this.#ends = lastRows(this.#begins);
    this.factors = new RowFactors(this.#begins, this.#ends);
    this.#responses = new Float64Array(BLOCK * pairs.length);
    this.#answers = new Float64Array(6 * parts.length);
    this.#wrenches = new Float64Array(6 * parts.length);
  }

  /** The gaps at the present poses. @alloc none */
  measureGaps(): void {
    const { constraints, starts, gaps } = this;
    for (let k = 0; k < constraints.length; k++) constraints[k].writeGaps(gaps, starts[k]);
  }

  /** J, c_t and the factors at the present poses. @alloc none */
  build(): void {
    const { constraints, starts, jacobian, drift } = this;
    for (let k = 0; k < constraints.length; k++) {
      constraints[k].writeRows(jacobian, drift, starts[k]);
    }
    this.#measureResponses();
    this.#fillMatrix();
    this.#factor();
  }

  /** Factors of the rows that act, by what was built last but for the rows that act. @alloc none */
  rebuild(): void {
    this.#fillMatrix();
    this.#factor();
  }

  #factor(): void {
    const { constraints, starts, factors } = this;
    for (let k = 0; k < constraints.length; k++) {
      const own = constraints[k].unilateral;
      if (own !== null) factors.open[starts[k]] = own.memory[OPEN];
    }
    factors.factor();
  }

  /** out := J v + c_t at the present velocities. @alloc none */
  measureRates(out: Float64Array): void {
    for (let r = 0; r < this.count; r++) {
      out[r] = this.drift[r];
      this.#addRow(this.#firsts[r], ROW * r, out, r);
      this.#addRow(this.#seconds[r], ROW * r + 6, out, r);
    }
  }

  /** out := c_t and what bodies that do not yield add to J v: the rates that are imposed. @alloc none */
  measureImposed(out: Float64Array): void {
    for (let r = 0; r < this.count; r++) {
      out[r] = this.drift[r];
      if (this.#firstPlace[r] < 0) this.#addRow(this.#firsts[r], ROW * r, out, r);
      if (this.#secondPlace[r] < 0) this.#addRow(this.#seconds[r], ROW * r + 6, out, r);
    }
  }

  /** out := J a − Q of accelerations that lie six numbers a part; bodies that do not yield are not accelerated. @alloc none */
  measureAccelerations(accelerations: Float64Array, out: Float64Array): void {
    const { constraints, starts, jacobian } = this;
    for (let k = 0; k < constraints.length; k++) constraints[k].writeCurvature(out, starts[k]);
    for (let r = 0; r < this.count; r++) {
      let sum = -out[r];
      const i = this.#firstPlace[r];
      const j = this.#secondPlace[r];
      for (let a = 0; a < 6; a++) {
        if (i >= 0) sum += jacobian[ROW * r + a] * accelerations[6 * i + a];
        if (j >= 0) sum += jacobian[ROW * r + 6 + a] * accelerations[6 * j + a];
      }
      out[r] = sum;
    }
  }

  /** Adds Jᵀ λ to the wrenches of the parts. @alloc none */
  addWrenches(multipliers: Float64Array): void {
    this.#gather(multipliers);
    const { parts } = this;
    for (let p = 0; p < parts.length; p++) {
      const { wrench } = parts[p];
      for (let a = 0; a < 6; a++) wrench[a] += this.#wrenches[6 * p + a];
    }
  }

  /** Changes the velocities by M⁻¹ Jᵀ of impulses. @alloc none */
  push(impulses: Float64Array): void {
    this.#push(impulses, false);
  }

  /** The same of links alone: bodies of their own stay as they are. @alloc none */
  pushLinks(impulses: Float64Array): void {
    this.#push(impulses, true);
  }

  #push(impulses: Float64Array, linksOnly: boolean): void {
    this.#gather(impulses);
    const { parts } = this;
    const p = this.#impulse;
    const w = this.#wrenches;
    for (let i = 0; i < parts.length; i++) {
      if (linksOnly && parts[i].assembly === null) continue;
      for (let a = 0; a < 3; a++) p[a] = w[6 * i + a];
      parts[i].push(ORIGIN, 0, p);
      for (let a = 0; a < 3; a++) p[a] = w[6 * i + 3 + a];
      parts[i].turn(p);
    }
  }

  /** wrenches := Jᵀ λ. */
  #gather(multipliers: Float64Array): void {
    const w = this.#wrenches;
    w.fill(0);
    for (let r = 0; r < this.count; r++) {
      const i = this.#firstPlace[r];
      const j = this.#secondPlace[r];
      for (let a = 0; a < 6; a++) {
        if (i >= 0) w[6 * i + a] += this.jacobian[ROW * r + a] * multipliers[r];
        if (j >= 0) w[6 * j + a] += this.jacobian[ROW * r + 6 + a] * multipliers[r];
      }
    }
  }

  #addRow(body: ContactBody | null, o: number, out: Float64Array, r: number): void {
    if (body === null) return;
    const { state } = body;
    for (let a = 0; a < 6; a++) out[r] += this.jacobian[o + a] * state[7 + a];
  }

  #measureResponses(): void {
    const { parts } = this;
    for (let k = 0; k < this.#pairs.length; k++) {
      const pair = this.#pairs[k];
      const assembly = pair[2];
      const a = parts[pair[0]];
      const b = parts[pair[1]];
      if (assembly === null) a.writeResponse(this.#responses, BLOCK * k, 6);
      else assembly.writeResponse(a.place, b.place, this.#responses, BLOCK * k, 6);
    }
  }

  /** The lower triangle of A, where rows answer each other. */
  #fillMatrix(): void {
    const { count, jacobian } = this;
    const { matrix } = this.factors;
    const y = this.#answers;
    for (let s = 0; s < count; s++) {
      const first = this.#firstPlace[s];
      const second = this.#secondPlace[s];
      this.#answer(first, ROW * s);
      this.#answer(second, ROW * s + 6);
      const end = this.#ends[s];
      for (let r = s; r <= end; r++) {
        if (this.#begins[r] > s) continue;
        const i = this.#firstPlace[r];
        const j = this.#secondPlace[r];
        let sum = 0.0;
        for (let a = 0; a < 6; a++) {
          if (i >= 0) sum += jacobian[ROW * r + a] * y[6 * i + a];
          if (j >= 0) sum += jacobian[ROW * r + 6 + a] * y[6 * j + a];
        }
        matrix[count * r + s] = sum;
      }
      this.#forget(first);
      this.#forget(second);
    }
  }

  /** Adds to the answers of the parts what six numbers of J, at o, do to one of them. */
  #answer(place: number, o: number): void {
    if (place < 0) return;
    const y = this.#answers;
    const end = this.#reaches[place + 1];
    for (let k = this.#reaches[place]; k < end; k++) {
      const p = this.#reached[k];
      const pair = this.#reachPair[k];
      for (let a = 0; a < 6; a++) {
        let sum = 0.0;
        const at = BLOCK * pair + 6 * a;
        for (let b = 0; b < 6; b++) sum += this.#responses[at + b] * this.jacobian[o + b];
        y[6 * p + a] += sum;
      }
    }
  }

  /** No answers of the parts that answer one of them. */
  #forget(place: number): void {
    if (place < 0) return;
    const end = this.#reaches[place + 1];
    for (let k = this.#reaches[place]; k < end; k++) {
      const at = 6 * this.#reached[k];
      for (let a = 0; a < 6; a++) this.#answers[at + a] = 0;
    }
  }
}

/** The last row of each column that is no earlier than the column at which the row begins. */
function lastRows(begins: Int32Array): Int32Array {
  return Int32Array.from(begins, (_, column) => begins.findLastIndex((at) => at <= column));
}
