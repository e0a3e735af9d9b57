/**
 * A ball with a half-space, a ball or a bore: the forms of sphere-cap.ts and sphere-bore.ts at
 * world placements.
 *
 * Depth of a ball of radius R about c. In a half-space with the normal n through o it is R − n·(c −
 * o). In a ball of radius R_2 about o it is R + R_2 − |c − o|. In the wall of a bore of radius R_c
 * it is R − R_c plus the distance from the axis. The gap is minus that, exactly, on either side of
 * touch.
 */
import type { BoreShape } from '../../shapes/cell-model.ts';
import type { SphereShape } from '../../shapes/shape-model.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, PLACEMENT, type OverlapKernel } from '../kernel.ts';
import { SphereBore } from '../sphere-bore.ts';
import { SphereCap, SphereLens } from '../sphere-cap.ts';
import { writeApart, writeRoundWorld, writeWorld } from './world-column.ts';

/** Below this ratio of bore to ball the quadrature of the wall needs the larger number of nodes. */
const NARROW = 1.1;
const NODES = 24;
const NARROW_NODES = 64;

/** Ball i and half-space j. */
export class SphereHalfSpaceKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #form: SphereCap;
  readonly #radius: Float64Array;
  readonly #depth = new Float64Array(1);
  readonly #local = new Float64Array(COLUMN_SIZE);
  readonly #frame = new Float64Array(PLACEMENT);

  constructor(sphere: SphereShape) {
    this.#form = new SphereCap(sphere.radius);
    this.#radius = Float64Array.of(sphere.radius);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const f = this.#frame;
    const x = placementJ[2];
    const y = placementJ[5];
    const z = placementJ[8];
    f[2] = x;
    f[5] = y;
    f[8] = z;
    let away = 0;
    for (let k = 0; k < 3; k++) {
      f[ORIGIN + k] = placementI[ORIGIN + k];
      away += (placementI[ORIGIN + k] - placementJ[ORIGIN + k]) * f[3 * k + 2];
    }
    const depth = this.#radius[0] - away;
    const local = this.#local;
    local[COLUMN.gap] = -depth;
    this.#depth[0] = depth;
    if (depth <= 0) {
      writeApart(local, column);
      return;
    }
    this.#form.write(local, 0, this.#depth, 0);
    writeRoundWorld(local, f, column);
  }
}

/** Ball i and ball j. */
export class SphereSphereKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #form: SphereLens;
  /** Sum of the radii. */
  readonly #reach: Float64Array;
  readonly #depth = new Float64Array(1);
  readonly #local = new Float64Array(COLUMN_SIZE);
  readonly #frame = new Float64Array(PLACEMENT);

  constructor(sphereI: SphereShape, sphereJ: SphereShape) {
    this.#form = new SphereLens(sphereI.radius, sphereJ.radius);
    this.#reach = Float64Array.of(sphereI.radius + sphereJ.radius);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const f = this.#frame;
    const x = placementI[ORIGIN] - placementJ[ORIGIN];
    const y = placementI[ORIGIN + 1] - placementJ[ORIGIN + 1];
    const z = placementI[ORIGIN + 2] - placementJ[ORIGIN + 2];
    const distance = Math.sqrt(x * x + y * y + z * z);
    const depth = this.#reach[0] - distance;
    const local = this.#local;
    local[COLUMN.gap] = -depth;
    if (depth <= 0) {
      writeApart(local, column);
      return;
    }
    if (distance > 0) {
      f[2] = x / distance;
      f[5] = y / distance;
      f[8] = z / distance;
    } else {
      // with a common centre the direction is arbitrary: the smaller ball is inside, without area
      f[2] = f[5] = 0;
      f[8] = 1;
    }
    for (let k = 0; k < 3; k++) f[ORIGIN + k] = placementI[ORIGIN + k];
    this.#depth[0] = depth;
    this.#form.write(local, 0, this.#depth, 0);
    writeRoundWorld(local, f, column);
  }
}

/** Ball i in bore j, which is wider. */
export class SphereBoreKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #form: SphereBore;
  /** R − R_c. */
  readonly #play: Float64Array;
  readonly #depth = new Float64Array(1);
  readonly #local = new Float64Array(COLUMN_SIZE);
  readonly #frame = new Float64Array(PLACEMENT);

  constructor(sphere: SphereShape, bore: BoreShape) {
    const narrow = bore.radius < NARROW * sphere.radius;
    this.#form = new SphereBore(sphere.radius, bore.radius, narrow ? NARROW_NODES : NODES);
    this.#play = Float64Array.of(sphere.radius - bore.radius);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const f = this.#frame;
    const ax = placementJ[2];
    const ay = placementJ[5];
    const az = placementJ[8];
    let x = placementI[ORIGIN] - placementJ[ORIGIN];
    let y = placementI[ORIGIN + 1] - placementJ[ORIGIN + 1];
    let z = placementI[ORIGIN + 2] - placementJ[ORIGIN + 2];
    const along = x * ax + y * ay + z * az;
    x -= along * ax;
    y -= along * ay;
    z -= along * az;
    const distance = Math.sqrt(x * x + y * y + z * z);
    const depth = this.#play[0] + distance;
    const local = this.#local;
    local[COLUMN.gap] = -depth;
    if (depth <= 0) {
      writeApart(local, column);
      return;
    }
    // in contact the centre is off the axis by more than the play, which is not zero
    const nx = -x / distance;
    const ny = -y / distance;
    const nz = -z / distance;
    // x around the bore, y along it, z from the wall to the axis
    f[0] = ay * nz - az * ny;
    f[3] = az * nx - ax * nz;
    f[6] = ax * ny - ay * nx;
    f[1] = ax;
    f[4] = ay;
    f[7] = az;
    f[2] = nx;
    f[5] = ny;
    f[8] = nz;
    for (let k = 0; k < 3; k++) f[ORIGIN + k] = placementI[ORIGIN + k];
    this.#depth[0] = depth;
    this.#form.write(local, 0, this.#depth, 0);
    local[COLUMN.vectorArea + 2] = local[COLUMN.area];
    writeWorld(local, f, column);
  }
}
