/**
 * Where the tool may be: a box of the base frame, less the keep-out zones in it. The box is a cube about where the robot was when
 * its session began. Where settings or scenario have the work-site, it is a box that stays where it is, and a session changes
 * nothing but its size.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { Region } from './bounded-motion.ts';

type Triple = readonly [number, number, number];

/** A box of the base frame, m. */
export interface Box {
  readonly min_m: Triple;
  readonly max_m: Triple;
}

/** What the tool point must stay out of, base frame, m. */
export type KeepOut =
  | { readonly kind: 'box'; readonly min_m: Triple; readonly max_m: Triple }
  | { readonly kind: 'sphere'; readonly center_m: Triple; readonly radius_m: number }
  /** Everything behind a plane: where (p − point)·normal < 0. */
  | { readonly kind: 'half-space'; readonly point_m: Triple; readonly normal: Triple };

/**
 * A measured place counts as outside the box by this share of the half-size beyond a border. The set-point ends at the border, and
 * so does the place but for tracking and noise.
 */
const MEASURED_MARGIN = 0.02;

/**
 * Inside a zone it is out by this, m, which is what an honest arm at rest may be off (`following.position_m`). The margin is at
 * most this share of the zone's smallest half-extent, so that a zone of some millimetres is one, too.
 */
const ZONE_MARGIN_m = 0.002;
const ZONE_MARGIN_SHARE = 0.1;

const BOX = 0;
const SPHERE = 1;
const HALF_SPACE = 2;
// Slots of a zone: its kind; a corner, the centre or a point, m; the other corner, the radius or the normal; and by how much a measured
// place may be inside, m.
const LOW = 1;
const HIGH = 4;
const RADIUS = 4;
const MARGIN = 7;
const ZONE = 8;

/** Box in which the tool may be, less its keep-out zones. */
export class Workspace implements Region {
  /** Centre of the cube. */
  readonly #center: Float64Array;
  /** Half-size of the cube. */
  readonly #half: Float64Array;
  /** Lower and upper corner of what is allowed at present. */
  readonly #box = new Float64Array(6);
  readonly #fixed: Box | null;
  readonly #zones: Float64Array;
  readonly #direction = new Float64Array(3);

  constructor(
    half_m: number,
    fixed: Box | null = null,
    keepOut: readonly KeepOut[] = [],
    arena: StateArena = new StateArena(),
  ) {
    this.#center = arena.add('center_m', 3);
    this.#half = arena.add('half_m', 1);
    arena.afterLoad(() => {
      this.#place();
    });
    this.#fixed = fixed;
    this.#half[0] = half_m;
    this.#zones = Float64Array.from(keepOut.flatMap(describe));
    this.#place();
  }

  /** Centre of the cube, where it is not fixed. @alloc none */
  setCenter(x: number, y: number, z: number): void {
    this.#center[0] = x;
    this.#center[1] = y;
    this.#center[2] = z;
    this.#place();
  }

  /** Half-size of the cube: of the settings, or of a robot that allows less. @alloc none */
  setHalf(half_m: number): void {
    this.#half[0] = half_m;
    this.#place();
  }

  /** A fixed box stays as it is, whatever half-size a robot allows. */
  #place(): void {
    const fixed = this.#fixed;
    for (let i = 0; i < 3; i++) {
      this.#box[i] = fixed === null ? this.#center[i] - this.#half[0] : fixed.min_m[i];
      this.#box[3 + i] = fixed === null ? this.#center[i] + this.#half[0] : fixed.max_m[i];
    }
  }

  /** Distance to the nearest wall or zone, m; below zero outside. Never changes faster than the position. @alloc none */
  clearance(position: Float64Array): number {
    const zones = this.#zones;
    let least = this.#inBox(position);
    for (let at = 0; at < zones.length; at += ZONE) {
      const d = this.#distance(at, position);
      if (d < least) least = d;
    }
    return least;
  }

  /** Distance to the nearest wall of the box. */
  #inBox(position: Float64Array): number {
    const box = this.#box;
    // a place that is no number is outside
    const sum = position[0] + position[1] + position[2];
    let least = sum - sum === 0 ? Infinity : -Infinity;
    for (let i = 0; i < 3; i++) {
      const low = position[i] - box[i];
      const high = box[3 + i] - position[i];
      if (low < least) least = low;
      if (high < least) least = high;
    }
    return least;
  }

  /** Whether a measured place is inside, but for tracking and noise. @alloc none */
  holds(position: Float64Array): boolean {
    const box = this.#box;
    const zones = this.#zones;
    let half = Infinity;
    for (let i = 0; i < 3; i++) half = Math.min(half, 0.5 * (box[3 + i] - box[i]));
    if (!(this.#inBox(position) >= -MEASURED_MARGIN * half)) return false;
    for (let at = 0; at < zones.length; at += ZONE) {
      if (!(this.#distance(at, position) >= -zones[at + MARGIN])) return false;
    }
    return true;
  }

  /**
   * The border that a place is furthest beyond. @param figures out: coordinate and border, or for a zone the distance to its
   * surface, below zero inside, and 0
   * @returns axis of the border, or 3 for a keep-out zone @alloc none
   */
  findBreach(position: Float64Array, figures: Float64Array): number {
    const box = this.#box;
    const zones = this.#zones;
    let axis = 0;
    let most = -Infinity;
    for (let i = 0; i < 3; i++) {
      const low = box[i] - position[i];
      const high = position[i] - box[3 + i];
      if (low > most || high > most) {
        axis = i;
        most = Math.max(low, high);
        figures[0] = position[i];
        figures[1] = low > high ? box[i] : box[3 + i];
      }
    }
    if (most > 0) return axis;
    for (let at = 0; at < zones.length; at += ZONE) {
      const d = this.#distance(at, position);
      if (d > -most) continue;
      most = -d;
      axis = 3;
      figures[0] = d;
      figures[1] = 0;
    }
    return axis;
  }

  /**
   * Slows a velocity towards walls and zones, so that it dies away there: no faster than distance / tau.
   * @param velocity (3) at `at`, changed in place
   * @alloc none
   */
  slow(velocity: Float64Array, at: number, position: Float64Array, tau: number): void {
    const box = this.#box;
    const zones = this.#zones;
    for (let i = 0; i < 3; i++) {
      const up = Math.max(0, box[3 + i] - position[i]) / tau;
      const down = -Math.max(0, position[i] - box[i]) / tau;
      if (velocity[at + i] > up) velocity[at + i] = up;
      else if (velocity[at + i] < down) velocity[at + i] = down;
    }
    const n = this.#direction;
    for (let zone = 0; zone < zones.length; zone += ZONE) {
      const d = Math.max(0, this.#distance(zone, position));
      const closing = -(velocity[at] * n[0] + velocity[at + 1] * n[1] + velocity[at + 2] * n[2]);
      const excess = closing - d / tau;
      if (!(excess > 0)) continue;
      for (let i = 0; i < 3; i++) velocity[at + i] += excess * n[i];
    }
  }

  /** Distance to a zone; `#direction` := away from it. */
  #distance(zone: number, position: Float64Array): number {
    const zones = this.#zones;
    const n = this.#direction;
    const kind = zones[zone];
    if (kind === HALF_SPACE) {
      let d = 0;
      for (let i = 0; i < 3; i++) {
        n[i] = zones[zone + HIGH + i];
        d += (position[i] - zones[zone + LOW + i]) * n[i];
      }
      return d;
    }
    let square = 0;
    let inside = -Infinity; // of a box: the nearest face from within
    let face = 0;
    for (let i = 0; i < 3; i++) {
      if (kind === SPHERE) n[i] = position[i] - zones[zone + LOW + i];
      else {
        const below = zones[zone + LOW + i] - position[i];
        const above = position[i] - zones[zone + HIGH + i];
        const beyond = Math.max(below, above);
        if (beyond > inside) {
          inside = beyond;
          face = below > above ? -1 - i : 1 + i;
        }
        n[i] = beyond > 0 ? (below > above ? -beyond : beyond) : 0;
      }
      square += n[i] * n[i];
    }
    const length = Math.sqrt(square);
    if (length > 0) for (let i = 0; i < 3; i++) n[i] /= length;
    if (kind === SPHERE) return length - zones[zone + RADIUS];
    if (length > 0) return length;
    n[Math.abs(face) - 1] = Math.sign(face);
    return inside;
  }
}

function describe(zone: KeepOut): number[] {
  if (zone.kind === 'box') {
    const { min_m, max_m } = zone;
    const half = Math.min(...max_m.map((high, i) => 0.5 * (high - (min_m[i] ?? NaN))));
    return [BOX, ...min_m, ...max_m, marginOf(half)];
  }
  if (zone.kind === 'sphere') {
    return [SPHERE, ...zone.center_m, zone.radius_m, 0, 0, marginOf(zone.radius_m)];
  }
  const [x, y, z] = zone.normal;
  const length = Math.sqrt(x * x + y * y + z * z);
  const normal = zone.normal.map((part) => part / length);
  return [HALF_SPACE, ...zone.point_m, ...normal, marginOf(Infinity)];
}

function marginOf(half_m: number): number {
  return Math.min(ZONE_MARGIN_m, ZONE_MARGIN_SHARE * half_m);
}
