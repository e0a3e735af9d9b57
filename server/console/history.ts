/**
 * The last seconds of the feed for strips: one ring per series. Each value is stored twice, so that
 * the newest samples are always contiguous and a strip reads them without a copy.
 */
import type { Numbers, Pose, Telemetry, ValueQuality } from '../client/messages.ts';

/** Length of the history, s, at 100 Hz. */
export const HISTORY_S = 10;
const SAMPLES = 1000;

/**
 * Series by name, which contains the unit. Wrenches are those of the accommodation: measured on
 * hardware, modelled otherwise.
 */
export const SERIES = [
  'force_x_N',
  'force_y_N',
  'force_z_N',
  'force_N',
  'moment_x_Nm',
  'moment_y_Nm',
  'moment_z_Nm',
  'moment_Nm',
  'position_error_m',
  'angle_error_rad',
  'lateness_s',
  'normal_force_N',
  'state_age_s',
  'rtt_s',
  'loop_delay_s',
  'loop_delay_wire_s',
  'loop_delay_robot_s',
  'loop_delay_measurement_s',
  'guard_force_N',
  'guard_force_x_N',
  'guard_force_y_N',
  'guard_force_z_N',
  'energy_created_J',
  'passivity_J',
] as const;
export type SeriesName = (typeof SERIES)[number];

const QUALITIES: readonly ValueQuality[] = ['good', 'held', 'extrapolated', 'stale', 'invalid'];

export class History {
  readonly #time = new Float64Array(2 * SAMPLES);
  readonly #quality = new Uint8Array(2 * SAMPLES);
  readonly #values = Object.fromEntries(
    SERIES.map((name) => [name, new Float64Array(2 * SAMPLES)]),
  ) as Record<SeriesName, Float64Array>;
  /** Row of the newest sample in the first half of the rings. */
  #newest = SAMPLES - 1;
  #count = 0;

  /** Number of stored samples. */
  get count(): number {
    return this.#count;
  }

  /** Times of receipt, oldest first, s on the clock of `performance.now()`. A view: read it before the next sample. */
  get time_s(): Float64Array {
    return this.#window(this.#time);
  }

  /** Values of a series, oldest first; NaN without a value. A view. */
  series(name: SeriesName): Float64Array {
    return this.#window(this.#values[name]);
  }

  /** Quality of the robot's state in each sample. A view of numbers: see `qualityName`. */
  get quality(): Uint8Array {
    const end = this.#newest + SAMPLES + 1;
    return this.#quality.subarray(end - this.#count, end);
  }

  /** Word of a number in `quality`. */
  qualityName(index: number): ValueQuality {
    return QUALITIES[index] ?? 'invalid';
  }

  /** Adds a message received at `time_s`; `hardware` selects the wrench that the accommodation follows. */
  add(message: Telemetry, time_s: number, hardware: boolean): void {
    const { state, wrench, timing, peak, loop_energy } = message;
    this.#newest = (this.#newest + 1) % SAMPLES;
    this.#count = Math.min(SAMPLES, this.#count + 1);
    this.#put(this.#time, time_s);
    const quality = QUALITIES.indexOf(state?.link?.state_quality ?? 'good');
    this.#quality[this.#newest] = this.#quality[this.#newest + SAMPLES] = Math.max(0, quality);

    const followed = hardware ? wrench?.measured : wrench?.model;
    const values = this.#values;
    for (let axis = 0; axis < 3; axis++) {
      this.#put(values[FORCES[axis]], followed?.[axis] ?? NaN);
      this.#put(values[GUARD_FORCES[axis]], loop_energy?.guard_wrench[axis] ?? NaN);
      this.#put(values[MOMENTS[axis]], followed?.[3 + axis] ?? NaN);
    }
    this.#put(values.force_N, length(followed, 0));
    this.#put(values.moment_Nm, length(followed, 3));
    this.#put(values.position_error_m, positionError_m(state?.setpoint, state?.measured));
    this.#put(values.angle_error_rad, angleError_rad(state?.setpoint, state?.measured));
    this.#put(values.lateness_s, timing === undefined ? NaN : peak.lateness_s);
    this.#put(values.normal_force_N, peak.normal_force_N);
    this.#put(values.state_age_s, state?.link?.state_age_s ?? NaN);
    this.#put(values.rtt_s, state?.link?.rtt_s ?? NaN);
    const delay = loop_energy?.delay;
    this.#put(values.loop_delay_s, delay?.total_s ?? NaN);
    this.#put(values.loop_delay_wire_s, delay?.wire_s ?? NaN);
    this.#put(values.loop_delay_robot_s, delay?.robot_s ?? NaN);
    this.#put(values.loop_delay_measurement_s, delay?.measurement_s ?? NaN);
    this.#put(values.guard_force_N, length(loop_energy?.guard_wrench, 0));
    this.#put(values.energy_created_J, loop_energy?.audit.created_J ?? NaN);
    this.#put(values.passivity_J, loop_energy?.passivity.observer_J ?? NaN);
  }

  /** Clears the history. */
  clear(): void {
    this.#count = 0;
  }

  #put(ring: Float64Array, value: number): void {
    ring[this.#newest] = value;
    ring[this.#newest + SAMPLES] = value;
  }

  #window(ring: Float64Array): Float64Array {
    const end = this.#newest + SAMPLES + 1;
    return ring.subarray(end - this.#count, end);
  }
}

const FORCES = ['force_x_N', 'force_y_N', 'force_z_N'] as const;
const GUARD_FORCES = ['guard_force_x_N', 'guard_force_y_N', 'guard_force_z_N'] as const;
const MOMENTS = ['moment_x_Nm', 'moment_y_Nm', 'moment_z_Nm'] as const;

function length(v: Numbers | undefined, at: number): number {
  if (v === undefined) return NaN;
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}

/** Distance of the measured tool from its set-point, m. */
function positionError_m(setpoint: Pose | undefined, measured: Pose | undefined): number {
  if (setpoint === undefined || measured === undefined) return NaN;
  const [a, b] = [setpoint.position_m, measured.position_m];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Rotation angle between the measured tool and its set-point, rad. */
function angleError_rad(setpoint: Pose | undefined, measured: Pose | undefined): number {
  if (setpoint === undefined || measured === undefined) return NaN;
  const [a, b] = [setpoint.orientation, measured.orientation];
  // vector part of a⁻¹ b, exact for small rotations, where the scalar part is 1
  const x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
  const y = a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2];
  const z = a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0];
  return 2 * Math.asin(Math.min(1, Math.hypot(x, y, z)));
}
