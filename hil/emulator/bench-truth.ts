/**
 * What is wrong with a bench, drawn from a seed: a plate that is not where it is thought to be, a force sensor with errors, and a payload on it that the
 * compensation leaves over.
 */
import { pow } from '../../src/math/elementary/power.ts';
import { Random } from '../../src/math/random.ts';
import type { SystemModel, Triple } from '../../src/model/model.ts';
import { rotationOf } from '../../src/math/quaternion.ts';
import type { SensorErrors } from './force-sensor.ts';
import type { PayloadResidual } from './residual-payload.ts';
import { rotateBy } from './rotation.ts';

/** Truth of a bench. */
export interface BenchTruth {
  /** All fixed bodies are higher by this, m, and turned about the x and y axes of the base frame, rad. */
  readonly height_m: number;
  readonly tilt_x_rad: number;
  readonly tilt_y_rad: number;
  /** Of the plate, in series with its contacts. */
  readonly plate_stiffness_N_per_m: number;
  readonly sensor: SensorErrors;
  readonly payload: PayloadResidual;
}

/** Ranges: uniform within ± of each. */
const HEIGHT_m = 50e-6;
const TILT_rad = 0.0175;
const BIAS_N = 3;
const BIAS_Nm = 0.3;
const GAIN = 0.02;
const CROSS_TALK = 0.005;
/** Filter from nothing to this, s. */
const FILTER_s = 2e-3;
/** Of the plate, from the first to a hundred times it, evenly in its logarithm. */
const PLATE_N_per_m = 1e7;
const PLATE_FACTOR = 100;
const SATURATION_N = 600;
const SATURATION_Nm = 60;
/**
 * Of the residual payload: mass and centre within these, and least gyration radius and its span. With the bias its weight stays within the dead-bands of
 * 10 N and 1 N m of the half-sphere: √3 · 3 N + 3.9 N, √3 · 0.3 N m + 3.9 N · √3 · 50 mm.
 */
const MASS_kg = 0.4;
const CENTER_m = 0.05;
const GYRATION_m = [0.04, 0.05];

/** The truth of a seed. */
export function drawTruth(seed: number): BenchTruth {
  const random = new Random(seed);
  const within = (most: number): number => most * (2 * random.uniform() - 1);
  const height_m = within(HEIGHT_m);
  const tilt_x_rad = within(TILT_rad);
  const tilt_y_rad = within(TILT_rad);
  const bias = Array.from({ length: 6 }, (_, i) => within(i < 3 ? BIAS_N : BIAS_Nm));
  const gain = Array.from({ length: 36 }, (_, at) =>
    at % 7 === 0 ? 1 + within(GAIN) : within(CROSS_TALK),
  );
  const filter_s = FILTER_s * random.uniform();
  const sensor = {
    gain,
    bias,
    filter_s,
    saturation_N: SATURATION_N,
    saturation_Nm: SATURATION_Nm,
  };
  const plate_stiffness_N_per_m = PLATE_N_per_m * pow(PLATE_FACTOR, random.uniform());
  return {
    height_m,
    tilt_x_rad,
    tilt_y_rad,
    plate_stiffness_N_per_m,
    sensor,
    payload: drawPayload(random),
  };
}

/** A body of three gyration radii along the axes of the tool; between 40 and 50 mm no moment is above the sum of the others. */
function drawPayload(random: Random): PayloadResidual {
  const mass_kg = MASS_kg * random.uniform();
  const place = (): number => CENTER_m * (2 * random.uniform() - 1);
  const center_m: Triple = [place(), place(), place()];
  const [least, most] = GYRATION_m;
  const moment = (): number => {
    const radius = least + (most - least) * random.uniform();
    return mass_kg * radius * radius;
  };
  return { mass_kg, center_m, inertia_kgm2: [moment(), moment(), moment(), 0, 0, 0] };
}

/** The model with its fixed bodies where they are in truth. */
export function inTruth(model: SystemModel, truth: BenchTruth): SystemModel {
  const { height_m, tilt_x_rad, tilt_y_rad } = truth;
  const turn = new Float64Array([0, 0, 0, 1]);
  rotateBy(tilt_x_rad, tilt_y_rad, 0, turn, turn);
  const r = new Float64Array(9);
  rotationOf(r, turn, 0);
  const bodies = model.bodies.map((body) => {
    if (body.motion !== 'fixed') return body;
    const [x, y, z] = body.position;
    const [px, py, pz] = [0, 3, 6].map((row) => r[row] * x + r[row + 1] * y + r[row + 2] * z);
    const position: Triple = [px, py, pz + height_m];
    const q = Float64Array.from(body.orientation);
    rotateBy(tilt_x_rad, tilt_y_rad, 0, q, q);
    return { ...body, position, orientation: [q[0], q[1], q[2], q[3]] as const };
  });
  return { ...model, bodies };
}
