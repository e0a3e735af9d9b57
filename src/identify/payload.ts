/**
 * Mass, centre and inertia of a payload, bias and gain of the force sensor that carries it, from motion in free space. In the frame of the tool, with the
 * acceleration a of the tool point, the rates w and the place c of the centre from that point, the payload puts on the sensor
 *
 *   f = m (s − ẇ × c − w × (w × c))      τ = c × f − I ẇ − w × I w      s = Rᵀ(g − a)
 *
 * (Newton and Euler), and the sensor says y = G (f, τ) + b with a gain for each component. f and τ are linear in m, m c and the inertia about the tool
 * point, which m, c and I map to one to one: without gains there is one minimum, whatever the start.
 *
 * A sensor that was tared in the base frame says y = G (f, τ) + b + Rᵀ t with a wrench t that is constant there. Weight is, too: Rᵀ (t + m g), so that
 * the mass comes from acceleration alone, and t_z with it. For small turns φ the moment of the weight changes by g m ((c·e) φ − (c·φ) e), e upwards,
 * that of the tare by −φ × t: m c_z comes from a tilt, m c_x and m c_y need a turn about the vertical beside it, which gives t_x and t_y.
 *
 * Means of consecutive samples are fitted; the acceleration of a mean is a difference of the rates at its ends. An axis whose s or ẇ varies by less than
 * 20 times the noise that the rates bring into it counts as one that does not: it would make m and I too small by the square of that ratio. A gain that is common to all components
 * is a factor on mass and inertia, and does not show: gains of the force need a mass that is known, those of the moment a known centre as well.
 */
import { BerthError } from '../base/errors.ts';
import { range } from '../base/parameter-checks.ts';
import { acos } from '../math/elementary/inverse-circular.ts';
import { rotationOf } from '../math/quaternion.ts';
import type { Triple } from '../model/model.ts';
import { binned } from './bins.ts';
import { identify, type Identification } from './estimate.ts';
import type { Parameter } from './parameter.ts';
import { ONE_ALONE } from './team.ts';

/** Samples of a motion in free space in the order of time. Triples and quaternions lie one column each. */
export interface PayloadData {
  /** s */
  readonly time: Float64Array;
  /** Unit quaternion x, y, z, w, tool to base. */
  readonly orientation: readonly Float64Array[];
  /** Of the tool point, linear and angular, base frame, m/s and rad/s. */
  readonly twist: readonly Float64Array[];
  /** Of the sensor, as the load on the tool at the tool point, base frame, N and N m. */
  readonly wrench: readonly Float64Array[];
}

/** What is known beforehand. */
export interface PayloadChoice {
  /** Along −z of the base frame, m/s². */
  readonly gravity: number;
  /** Mass, kg, and centre from the tool point in its frame, m; null to identify. A known centre needs a known mass. */
  readonly mass: number | null;
  readonly center: Triple | null;
  /** Whether the sensor was tared in the base frame before the first sample. */
  readonly tared: boolean;
  readonly confidence: number;
}

/** Result of a motion. */
export interface PayloadResult {
  readonly identification: Identification;
  /** Means that were fitted. */
  readonly means: number;
  /** Largest turn from the first orientation, rad. */
  readonly turned: number;
  /** Middle of each mean, s, its wrench in the frame of the tool, N and N m, and what the law found makes of it. */
  readonly time: Float64Array;
  readonly wrench: readonly Float64Array[];
  readonly fitted: readonly Float64Array[];
}

/** So many that shakes show, which alone give the inertia, and the mass of a sensor that was tared: 50 ms of a flight of 100 s. */
const MOST_BINS = 2000;
const LEAST_ROWS = 80;
/** The centre lies within this of the tool point, m, on each axis; the square of it times the mass bounds the inertia. */
const REACH_m = 1;
/** Samples of a bin for each sample between the ends of a difference. */
const PER_DIFFERENCE = 8;
const AXES = ['x', 'y', 'z'];
const INERTIA = ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'];

/** Identifies payload and sensor. @throws BerthError for times that do not rise, or too few samples */
export function identifyPayload(
  data: PayloadData,
  choice: PayloadChoice,
  team = ONE_ALONE,
): PayloadResult {
  const { time } = data;
  if (choice.mass !== null) range('mass', choice.mass, choice.mass > 0, 'to be > 0');
  const rows = time.length;
  const back = time.findIndex((t, i) => i > 0 && !(t > time[i - 1]));
  if (back >= 0 || rows < LEAST_ROWS) {
    const words =
      back < 0
        ? `${rows} rows; allowed: ${LEAST_ROWS} or more`
        : `${time[back]} s follows ${time[back - 1]} s; allowed: rising times`;
    throw new BerthError('BERTH_MISMATCH', `time: ${words}`, { field: 'time' });
  }
  const reach = Math.max(1, Math.floor(rows / MOST_BINS / PER_DIFFERENCE));
  const { columns, rates, turned } = inTool(data, choice.gravity, reach);
  const { count, size, means, noise } = binned(columns, MOST_BINS);
  // the sum of differences over a mean has the samples at its ends alone
  const span = Math.sqrt(reach) * size * ((time[rows - 1] - time[0]) / (rows - 1));
  const loudest = Math.max(...data.twist.slice(0, 3).map(noiseOf));
  for (let a = 0; a < 3; a++) {
    quieten(means[FORCE + a], loudest / span);
    quieten(means[RATE + a], noiseOf(rates[a]) / span);
  }
  const rough = Math.max(...rates.map(noiseOf));
  for (const column of means.slice(PRODUCTS, ROTATION))
    quieten(column, (2 * rough * Math.sqrt(rough * rough + largest(column))) / Math.sqrt(size));
  const wrench = means.slice(0, 6);
  const error = [0, 3].map((at) => {
    const [x, y, z] = noise.slice(at, at + 3);
    return Math.sqrt((x * x + y * y + z * z) / (3 * size)) || 1;
  });
  const motion = interleaved(means.slice(FORCE));
  const load = new Float64Array(6);
  const identification = identify({
    parameters: parametersOf(means, choice),
    rows: 6 * count,
    residuals: (values, out) => {
      const { mass, center, inertia, gain, bias, tare } = partsOf(values, choice);
      for (let i = 0; i < count; i++) {
        const at = i * WIDTH;
        loadOf(motion, at, mass, center, inertia, load);
        // a component after the other: neighbours are neighbours in time
        for (let c = 0; c < 6; c++) {
          const first = at + ROTATION - FORCE + (c % 3);
          const part = c < 3 ? 0 : 3;
          const tared =
            motion[first] * tare[part] +
            motion[first + 3] * tare[part + 1] +
            motion[first + 6] * tare[part + 2];
          out[c * count + i] =
            (wrench[c][i] - gain[c] * load[c] - bias[c] - tared) / error[c < 3 ? 0 : 1];
        }
      }
    },
    robust: true,
    part: (row) => Math.floor((5 * (row % count)) / count),
    confidence: choice.confidence,
    team,
  });
  const { residuals } = identification;
  const fitted = wrench.map((column, c) =>
    column.map((one, i) => one - residuals[c * count + i] * error[c < 3 ? 0 : 1]),
  );
  return {
    identification,
    means: count,
    turned,
    time: binned([time], MOST_BINS).means[0],
    wrench,
    fitted,
  };
}

/** A column that varies by less than so many times its noise counts as constant. */
const LEAST_SIGNAL = 20;

/** First column of s = Rᵀ(g − a), of ẇ, of the products w wᵀ in the order of an inertia, and of R; the wrench is before, in the frame of the tool. */
const [FORCE, RATE, PRODUCTS, ROTATION, COLUMNS] = [6, 9, 12, 18, 27];
/** Columns of a mean without its wrench. */
const WIDTH = COLUMNS - FORCE;

/** Columns one mean after the other. */
function interleaved(columns: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(columns.length * columns[0].length);
  for (const [c, column] of columns.entries())
    for (let i = 0; i < column.length; i++) out[i * columns.length + c] = column[i];
  return out;
}

/** Columns of the equations, sample by sample, and the largest turn from the first orientation. */
function inTool(
  { time, orientation, twist, wrench }: PayloadData,
  gravity: number,
  reach: number,
): { columns: Float64Array[]; rates: Float64Array[]; turned: number } {
  const rows = time.length;
  const columns = Array.from({ length: COLUMNS }, () => new Float64Array(rows));
  const rates = [0, 1, 2].map(() => new Float64Array(rows));
  const first = new Float64Array(9);
  const r = new Float64Array(9);
  const q = new Float64Array(4);
  let least = 3;
  const slope = (values: Float64Array, i: number): number => {
    const [from, to] = [Math.max(0, i - reach), Math.min(rows - 1, i + reach)];
    return (values[to] - values[from]) / (time[to] - time[from]);
  };
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < 4; k++) q[k] = orientation[k][i];
    rotationOf(r, q, 0);
    if (i === 0) first.set(r);
    least = Math.min(
      least,
      r.reduce((sum, one, k) => sum + one * first[k], 0),
    );
    const pull = [0, 1, 2].map((k) => -slope(twist[k], i) - (k === 2 ? gravity : 0));
    for (let a = 0; a < 3; a++) {
      const own = (v: (k: number) => number): number =>
        r[a] * v(0) + r[3 + a] * v(1) + r[6 + a] * v(2);
      columns[a][i] = own((k) => wrench[k][i]);
      columns[3 + a][i] = own((k) => wrench[3 + k][i]);
      columns[FORCE + a][i] = own((k) => pull[k]);
      rates[a][i] = own((k) => twist[3 + k][i]);
    }
    for (let k = 0; k < 9; k++) columns[ROTATION + k][i] = r[k];
  }
  for (let i = 0; i < rows; i++) {
    const [x, y, z] = rates.map((rate) => rate[i]);
    for (let a = 0; a < 3; a++) columns[RATE + a][i] = slope(rates[a], i);
    for (const [k, one] of [x * x, y * y, z * z, x * y, x * z, y * z].entries())
      columns[PRODUCTS + k][i] = one;
  }
  return { columns, rates, turned: acos(Math.min(1, Math.max(-1, (least - 1) / 2))) };
}

/** Noise of a sample by second differences, which a slow motion leaves out. */
function noiseOf(values: Float64Array): number {
  let squares = 0;
  for (let i = 2; i < values.length; i++) {
    const second = values[i] - 2 * values[i - 1] + values[i - 2];
    squares += second * second;
  }
  return Math.sqrt(squares / (6 * (values.length - 2)));
}

const largest = (column: Float64Array): number =>
  column.reduce((most, one) => Math.max(most, Math.abs(one)), 0);

/** Makes a column constant that hardly varies beyond its noise, 0 where that is all there is. */
function quieten(means: Float64Array, noise: number): void {
  const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
  const squares = means.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  if (squares <= means.length * LEAST_SIGNAL * LEAST_SIGNAL * noise * noise) {
    means.fill(Math.abs(mean) <= LEAST_SIGNAL * noise ? 0 : mean);
  }
}

/** out := what the payload puts on the sensor in the mean whose columns begin at `at`. */
function loadOf(
  motion: Float64Array,
  at: number,
  mass: number,
  [cx, cy, cz]: Triple,
  [xx, yy, zz, xy, xz, yz]: readonly number[],
  out: Float64Array,
): void {
  const sx = motion[at];
  const sy = motion[at + 1];
  const sz = motion[at + 2];
  const dx = motion[at + 3];
  const dy = motion[at + 4];
  const dz = motion[at + 5];
  const pxx = motion[at + 6];
  const pyy = motion[at + 7];
  const pzz = motion[at + 8];
  const pxy = motion[at + 9];
  const pxz = motion[at + 10];
  const pyz = motion[at + 11];
  // w × (w × c) = (w wᵀ) c − |w|² c
  const fx = mass * (sx - (dy * cz - dz * cy) - (pxy * cy + pxz * cz - (pyy + pzz) * cx));
  const fy = mass * (sy - (dz * cx - dx * cz) - (pxy * cx + pyz * cz - (pxx + pzz) * cy));
  const fz = mass * (sz - (dx * cy - dy * cx) - (pxz * cx + pyz * cy - (pxx + pyy) * cz));
  // w × I w from K = I w wᵀ
  const kzy = xz * pxy + yz * pyy + zz * pyz;
  const kyz = xy * pxz + yy * pyz + yz * pzz;
  const kxz = xx * pxz + xy * pyz + xz * pzz;
  const kzx = xz * pxx + yz * pxy + zz * pxz;
  const kyx = xy * pxx + yy * pxy + yz * pxz;
  const kxy = xx * pxy + xy * pyy + xz * pyz;
  out[0] = fx;
  out[1] = fy;
  out[2] = fz;
  out[3] = cy * fz - cz * fy - (xx * dx + xy * dy + xz * dz) - (kzy - kyz);
  out[4] = cz * fx - cx * fz - (xy * dx + yy * dy + yz * dz) - (kxz - kzx);
  out[5] = cx * fy - cy * fx - (xz * dx + yz * dy + zz * dz) - (kyx - kxy);
}

/** Largest of three columns. */
const most = (means: readonly Float64Array[], from: number): number =>
  Math.max(...means.slice(from, from + 3).map(largest));

/** Least acceleration that counts for the range of the mass of a sensor that was tared, of that of gravity or 1 m/s². */
const LEAST_SHAKE = 0.01;

/** Largest change of s by acceleration, which is all that a tare leaves to tell the mass from. */
function shakeOf(means: readonly Float64Array[], gravity: number): number {
  let shake = LEAST_SHAKE * Math.max(1, gravity);
  for (let a = 0; a < 3; a++) {
    // −(Rᵀ a) = s + g · the third row of R
    const down = means[ROTATION + 6 + a];
    shake = Math.max(shake, largest(means[FORCE + a].map((one, i) => one + gravity * down[i])));
  }
  return shake;
}

/** Parameters in the order of `partsOf`, with ranges that follow from the largest force and moment. */
function parametersOf(means: readonly Float64Array[], choice: PayloadChoice): Parameter[] {
  const { tared, gravity } = choice;
  const shown = 4 * most(means, 0);
  if (shown === 0)
    throw new BerthError(
      'BERTH_MISMATCH',
      'force: is 0 in all rows; allowed: what a payload weighs',
      {
        field: 'force',
      },
    );
  const least = LEAST_SHAKE * Math.max(1, gravity);
  const moved = tared ? shakeOf(means, gravity) : Math.max(least, most(means, FORCE));
  const top = choice.mass ?? shown / moved;
  const force = shown + (tared ? top * gravity : 0);
  const moment = 4 * most(means, 3) + REACH_m * force;
  const linear = (name: string, unit: string, start: number, range_: number): Parameter => ({
    name,
    unit,
    start,
    low: start - range_,
    high: start + range_,
    logarithmic: false,
  });
  const gains = (of: string): Parameter[] =>
    AXES.map((axis) => linear(`gain_${of}_${axis}`, '1', 1, 0.9));
  return [
    ...(choice.mass === null
      ? [{ ...linear('mass', 'kg', top / 4, top), low: 1e-6 * top }]
      : gains('force')),
    ...(choice.center === null
      ? AXES.map((axis) => linear(`center_${axis}`, 'm', 0, REACH_m))
      : gains('moment')),
    ...INERTIA.map((name) => linear(`inertia_${name}`, 'kg m^2', 0, top * REACH_m * REACH_m)),
    ...AXES.map((axis) => linear(`bias_force_${axis}`, 'N', 0, force)),
    ...AXES.map((axis) => linear(`bias_moment_${axis}`, 'N m', 0, moment)),
    ...(tared ? AXES.map((axis) => linear(`tare_force_${axis}`, 'N', 0, force)) : []),
    ...(tared ? AXES.map((axis) => linear(`tare_moment_${axis}`, 'N m', 0, moment)) : []),
  ];
}

const NO_GAIN = [1, 1, 1];
const NO_TARE = [0, 0, 0, 0, 0, 0];

/** Values by what they are. */
function partsOf(values: Float64Array, { mass, center, tared }: PayloadChoice) {
  let at = 0;
  const take = (count: number): number[] => [...values.subarray(at, (at += count))];
  const weight = mass ?? take(1)[0];
  const force = mass === null ? NO_GAIN : take(3);
  const place = center ?? (take(3) as unknown as Triple);
  const moment = center === null ? NO_GAIN : take(3);
  return {
    mass: weight,
    center: place,
    gain: [...force, ...moment],
    inertia: take(6),
    bias: take(6),
    tare: tared ? take(6) : NO_TARE,
  };
}
