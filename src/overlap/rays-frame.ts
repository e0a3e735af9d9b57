/**
 * Axes of the quadrature: (u, v, w) fixed to the cell with the most planes, lines along w. Faces of that cell are then upright or
 * level to the last bit, and the nodes move with it. w is the axis along which the box around the overlap is thinnest, u the one
 * along which it is longest; about an axis of symmetry the axes are turned towards the overlap.
 */
import type { RayTable } from '../shapes/ray-intervals.ts';
import { ORIGIN } from './kernel.ts';
import { PRIMITIVE, type RayPrimitive, type RayPrimitives } from '../shapes/ray-primitive.ts';

/** Rank of a shape as carrier of the axes, by kind. */
const RANK = [1, 2, 7, 5, 5, 3, 6, 6, 8, 4];
/** Extents closer than this are equal, relative. */
const EQUAL = 1e-6;
/** Relative length below which a direction is undefined. */
const SHORT = 1e-9;

/** The primitive with the highest rank. */
export function leadOf(parts: RayPrimitives): RayPrimitive {
  const all = [...parts.common, ...parts.removed];
  return all.reduce((best, one) => (RANK[one.kind] > RANK[best.kind] ? one : best));
}

/** Whether the first cell is the better carrier. */
export function carries(first: RayPrimitives, second: RayPrimitives): boolean {
  return RANK[leadOf(first).kind] > RANK[leadOf(second).kind];
}

/** Axes for a pair of cells; the first carries them. */
export class RayFrame {
  /** Rows u, v, w in the frame of the first cell. */
  readonly rows: Float64Array = new Float64Array(9);
  /** Range of the overlap's box along u, v, w from the point, m. */
  readonly low: Float64Array = new Float64Array(3);
  readonly high: Float64Array = new Float64Array(3);
  private readonly lead: RayPrimitive;
  private readonly other: RayPrimitive;
  private readonly common: RayPrimitive[];
  private readonly cells: Int32Array;
  private readonly frame: Float64Array;
  private readonly point: Float64Array;
  private readonly base: Float64Array = new Float64Array(9);
  private readonly direction: Float64Array = new Float64Array(3);
  private readonly support: Float64Array = new Float64Array(3);
  private readonly ends: Float64Array = new Float64Array(6);

  /** `frame`: placement of the second cell in the first; `point`: a point of the overlap, frame of the first. */
  constructor(
    parts: readonly [RayPrimitives, RayPrimitives],
    table: RayTable,
    frame: Float64Array,
    point: Float64Array,
  ) {
    this.lead = leadOf(parts[0]);
    this.other = leadOf(parts[1]);
    const common = table.primitives.filter(({ removed }) => !removed);
    this.common = common.map(({ primitive }) => primitive);
    this.cells = Int32Array.from(common.map(({ cell }) => cell));
    this.frame = frame;
    this.point = point;
  }

  /** Chooses the axes. @alloc none */
  choose(): void {
    const { base, ends, rows, low, high } = this;
    this.makeBase();
    for (let k = 0; k < 3; k++) this.extent(k);
    const round = this.isRound();
    // order of preference among equals
    const first = round ? 0 : 2;
    const second = round ? 2 : 1;
    const third = round ? 1 : 0;
    const a = ends[first + 3] - ends[first];
    const b = ends[second + 3] - ends[second];
    const c = ends[third + 3] - ends[third];
    let w = first;
    let thin = a;
    if (b < thin * (1 - EQUAL)) {
      w = second;
      thin = b;
    }
    if (c < thin * (1 - EQUAL)) w = third;
    const one = w === second ? first : second;
    const two = w === third ? first : third;
    const longer = ends[two + 3] - ends[two] > (ends[one + 3] - ends[one]) * (1 + EQUAL);
    const u = longer ? two : one;
    const v = longer ? one : two;
    for (let k = 0; k < 3; k++) {
      const axis = k === 0 ? u : k === 1 ? v : w;
      rows[3 * k] = base[3 * axis];
      rows[3 * k + 1] = base[3 * axis + 1];
      rows[3 * k + 2] = base[3 * axis + 2];
      low[k] = ends[axis];
      high[k] = ends[axis + 3];
    }
  }

  private isRound(): boolean {
    const { kind } = this.lead;
    return (
      kind === PRIMITIVE.cylinder ||
      kind === PRIMITIVE.infiniteCylinder ||
      kind === PRIMITIVE.frustum ||
      kind === PRIMITIVE.capsule
    );
  }

  /** Three axes, rows: those of the leading primitive, turned about its symmetry. */
  private makeBase(): void {
    const { base, lead, point, frame: f } = this;
    const t = lead.placement;
    for (let k = 0; k < 3; k++) {
      base[k] = t[3 * k];
      base[3 + k] = t[3 * k + 1];
      base[6 + k] = t[3 * k + 2];
    }
    const d = this.direction;
    if (lead.kind === PRIMITIVE.halfSpace) {
      // towards the longest axis of the other cell in the plane
      const o = this.other.placement;
      let most = 0;
      d[0] = d[1] = d[2] = 0;
      for (let axis = 0; axis < 3; axis++) {
        const x = f[0] * o[axis] + f[1] * o[3 + axis] + f[2] * o[6 + axis];
        const y = f[3] * o[axis] + f[4] * o[3 + axis] + f[5] * o[6 + axis];
        const z = f[6] * o[axis] + f[7] * o[3 + axis] + f[8] * o[6 + axis];
        const up = x * base[6] + y * base[7] + z * base[8];
        const across = 1 - up * up;
        const weight = this.axisWeight(axis);
        if (across * weight > most * (1 + EQUAL)) {
          most = across * weight;
          d[0] = x;
          d[1] = y;
          d[2] = z;
        }
      }
      this.turn(6);
    } else if (this.isRound()) {
      d[0] = point[0] - t[9];
      d[1] = point[1] - t[10];
      d[2] = point[2] - t[11];
      this.turn(6);
    } else if (lead.kind === PRIMITIVE.sphere) {
      const x = point[0] - t[9];
      const y = point[1] - t[10];
      const z = point[2] - t[11];
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length > SHORT * lead.sizes[0]) {
        base[6] = x / length;
        base[7] = y / length;
        base[8] = z / length;
      }
      // across it, from the axis that is least along it
      const ax = Math.abs(base[6]);
      const ay = Math.abs(base[7]);
      const az = Math.abs(base[8]);
      d[0] = ax <= ay && ax <= az ? 1 : 0;
      d[1] = d[0] === 0 && ay <= az ? 1 : 0;
      d[2] = d[0] === 0 && d[1] === 0 ? 1 : 0;
      this.turn(6);
    }
  }

  private axisWeight(axis: number): number {
    const { kind } = this.other;
    if (kind === PRIMITIVE.box) return 1;
    if (kind === PRIMITIVE.beam) return axis === 0 ? 1 : 0;
    return axis === 2 ? 1 : 0;
  }

  /** Turns the base about its row o so that its first row is `direction` across that row. */
  private turn(o: number): void {
    const { base, direction: d } = this;
    const z0 = base[o];
    const z1 = base[o + 1];
    const z2 = base[o + 2];
    const before = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const along = d[0] * z0 + d[1] * z1 + d[2] * z2;
    let x = d[0] - along * z0;
    let y = d[1] - along * z1;
    let z = d[2] - along * z2;
    let square = x * x + y * y + z * z;
    if (!(square > SHORT * SHORT * before)) {
      x = base[0];
      y = base[1];
      z = base[2];
      square = 1;
    }
    const scale = 1 / Math.sqrt(square);
    base[0] = x * scale;
    base[1] = y * scale;
    base[2] = z * scale;
    base[3] = z1 * base[2] - z2 * base[1];
    base[4] = z2 * base[0] - z0 * base[2];
    base[5] = z0 * base[1] - z1 * base[0];
  }

  /** Range of the overlap's box along row k of the base, from the point. */
  private extent(k: number): void {
    const { base, direction: d, support: p, frame: f, ends, point } = this;
    const x = base[3 * k];
    const y = base[3 * k + 1];
    const z = base[3 * k + 2];
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    for (let n = 0; n < this.common.length; n++) {
      const one = this.common[n];
      const second = this.cells[n] === 1;
      if (!one.bounded) {
        if (one.kind !== PRIMITIVE.halfSpace || second) continue;
        const t = one.placement;
        const up = t[2] * x + t[5] * y + t[8] * z;
        const here = t[9] * x + t[10] * y + t[11] * z;
        if (up > 1 - 1e-12 && here < high) high = here;
        if (up < 1e-12 - 1 && here > low) low = here;
        continue;
      }
      for (let sign = -1; sign <= 1; sign += 2) {
        let here: number;
        if (second) {
          d[0] = sign * (f[0] * x + f[3] * y + f[6] * z);
          d[1] = sign * (f[1] * x + f[4] * y + f[7] * z);
          d[2] = sign * (f[2] * x + f[5] * y + f[8] * z);
          one.support(d, p);
          here =
            sign * (d[0] * p[0] + d[1] * p[1] + d[2] * p[2]) + x * f[9] + y * f[10] + z * f[11];
        } else {
          d[0] = sign * x;
          d[1] = sign * y;
          d[2] = sign * z;
          one.support(d, p);
          here = x * p[0] + y * p[1] + z * p[2];
        }
        if (sign < 0 && here > low) low = here;
        if (sign > 0 && here < high) high = here;
      }
    }
    const at = x * point[0] + y * point[1] + z * point[2];
    ends[k] = low - at;
    ends[k + 3] = high - at;
  }
}

/** out := placement of b in the frame of a. @alloc none */
export function relate(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const x = b[ORIGIN] - a[ORIGIN];
  const y = b[ORIGIN + 1] - a[ORIGIN + 1];
  const z = b[ORIGIN + 2] - a[ORIGIN + 2];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    }
    out[ORIGIN + i] = a[i] * x + a[3 + i] * y + a[6 + i] * z;
  }
}
