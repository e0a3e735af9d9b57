/**
 * Hand-controller shaping: six calibrated axes in −1 … 1 become a commanded twist in the base
 * frame.
 *
 *   dead-band (rescaled to start at zero at its edge) → gear (coarse 1, vernier a fraction)
 *   → frame (base, tool or camera, by its orientation) → speed
 *
 * Translation and rotation are each limited to length 1, so a diagonal is no faster than an axis.
 *
 * The twist is zero in the tick in which the deadman is released. Stale input with the deadman
 * pressed ramps to zero, because a lost frame must not jerk the arm.
 */
import { defineFields, StateArena } from '../math/state-arena.ts';
import { type CodeIndices, codesOf } from '../base/name-indices.ts';

/** Frame of the axes, by index. */
export const HAND_FRAMES = ['base', 'tool', 'camera'] as const;
export const HandFrame: CodeIndices<typeof HAND_FRAMES> = codesOf(HAND_FRAMES);

/** Gear, by index. */
export const GEARS = ['vernier', 'coarse'] as const;
export const Gear: CodeIndices<typeof GEARS> = codesOf(GEARS);

/** Settings of the shaping. */
export interface HandControllerOptions {
  /** Half-width of the dead-band as a part of full deflection, 0 … 0.5. */
  readonly deadband: number;
  /** Full-stick speeds in coarse gear, m/s and rad/s. */
  readonly coarse_speed_mps: number;
  readonly coarse_angular_speed_radps: number;
  /** Speed in vernier gear as a part of coarse, 0 … 1. */
  readonly vernier_ratio: number;
  /** Age above which an input is stale, s. */
  readonly input_timeout_s: number;
  /** Time in which stale input ramps from full twist to zero, s. */
  readonly ramp_s: number;
}

/** Defaults of the settings. */
export const DEFAULT_HAND_CONTROLLER: HandControllerOptions = Object.freeze({
  deadband: 0.05,
  coarse_speed_mps: 0.02,
  coarse_angular_speed_radps: 0.05,
  vernier_ratio: 0.1,
  input_timeout_s: 0.1,
  ramp_s: 0.05,
});

/**
 * Dead-band of one axis: zero inside, rescaled outside so that ±1 stays ±1. A value that is not a
 * number gives zero.
 */
export function applyDeadband(axis: number, deadband: number): number {
  const size = Math.abs(axis);
  if (!(size > deadband)) return 0;
  const scaled = size >= 1 ? 1 : (size - deadband) / (1 - deadband);
  return axis < 0 ? -scaled : scaled;
}

/** Numbers of a station and their initial values. */
const FIELDS = {
  deadman: 0,
  gear: Gear.VERNIER,
  frame: HandFrame.BASE,
  age_s: 1e9,
  neutral: 1,
} as const;

/** Shaping of one operator station. Fill `axes` and the fields, then call `shape` once per tick. */
export class HandController {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Calibrated axes: translation x, y, z, rotation x, y, z, −1 … 1. */
  readonly axes: Float64Array;
  /** 0 or 1. */
  declare deadman: number;
  /** 0 vernier, 1 coarse. */
  declare gear: number;
  /** 0 base, 1 tool, 2 camera. */
  declare frame: number;
  /** Orientation of the camera in the base frame (x, y, z, w), a unit quaternion. */
  readonly camera: Float64Array;
  /** Age of the input, s. */
  declare age_s: number;
  /** 1 when every axis is inside its dead-band or is not a number. */
  declare neutral: number;
  /** Commanded twist in the base frame: m/s, rad/s. */
  readonly twist: Float64Array;
  /** Newest fresh axes after the dead-band, and the remaining part of a stale input: [1 fresh … 0 none]. */
  readonly levels: Float64Array;
  readonly fade: Float64Array;
  readonly #options: HandControllerOptions;
  readonly #centred = new Float64Array(6); // axes after the dead-band
  readonly #fresh: Float64Array; // last twist from fresh input

  constructor(
    options: HandControllerOptions = DEFAULT_HAND_CONTROLLER,
    arena: StateArena = new StateArena(),
  ) {
    this.#options = options;
    this.arena = arena;
    this.axes = arena.add('axes', 6);
    this.twist = arena.add('twist', 6);
    this.#fresh = arena.add('fresh', 6);
    this.camera = arena.add('camera', 4);
    this.camera[3] = 1;
    this.fade = arena.add('fade', 1);
    this.cells = arena.fields(FIELDS);
    this.levels = arena.add('levels', 6);
  }

  /** Updates `neutral` without a call of `shape`. @alloc none */
  updateNeutral(): void {
    this.#centre();
  }

  /**
   * Computes the twist of this tick.
   * @param orientation tool orientation (x, y, z, w) at `at`, used by frame `tool`
   * @alloc none
   */
  shape(period_s: number, orientation: Float64Array, at: number): void {
    const options = this.#options;
    const twist = this.twist;
    this.updateNeutral();
    if (this.deadman !== 1) {
      twist.fill(0);
      this.fade[0] = 0;
      return;
    }
    if (this.age_s <= options.input_timeout_s) {
      this.#fromAxes(orientation, at);
      for (let i = 0; i < 6; i++) this.levels[i] = this.#centred[i];
      this.fade[0] = 1;
    } else {
      const left = this.fade[0] - period_s / options.ramp_s;
      this.fade[0] = left > 1e-9 ? left : 0;
    }
    const fade = this.fade[0];
    for (let i = 0; i < 6; i++) twist[i] = this.#fresh[i] * fade;
  }

  /** Applies the dead-band to the axes and updates `neutral`. */
  #centre(): void {
    const deadband = this.#options.deadband;
    let deflected = 0;
    for (let i = 0; i < 6; i++) {
      const value = applyDeadband(this.axes[i], deadband);
      this.#centred[i] = value;
      if (value !== 0) deflected++;
    }
    this.neutral = deflected === 0 ? 1 : 0;
  }

  /** Computes the speeds in the base frame; each group of three axes has length at most 1. */
  #fromAxes(orientation: Float64Array, at: number): void {
    const options = this.#options;
    const ratio = this.gear === Gear.COARSE ? 1 : options.vernier_ratio;
    const axes = this.#centred;
    const fresh = this.#fresh;
    for (let group = 0; group < 6; group += 3) {
      const x = axes[group];
      const y = axes[group + 1];
      const z = axes[group + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      const full = group === 0 ? options.coarse_speed_mps : options.coarse_angular_speed_radps;
      const scale = (ratio * full) / (length > 1 ? length : 1);
      fresh[group] = x * scale;
      fresh[group + 1] = y * scale;
      fresh[group + 2] = z * scale;
    }
    if (this.frame === HandFrame.TOOL) {
      rotate(fresh, 0, orientation, at);
      rotate(fresh, 3, orientation, at);
    } else if (this.frame === HandFrame.CAMERA) {
      rotate(fresh, 0, this.camera, 0);
      rotate(fresh, 3, this.camera, 0);
    }
  }
}

defineFields(HandController, FIELDS);

/** v ← R(q) v, in place: v + 2 w (u × v) + 2 u × (u × v). */
function rotate(v: Float64Array, i: number, q: Float64Array, at: number): void {
  const ux = q[at];
  const uy = q[at + 1];
  const uz = q[at + 2];
  const w = q[at + 3];
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  const tx = 2 * (uy * z - uz * y);
  const ty = 2 * (uz * x - ux * z);
  const tz = 2 * (ux * y - uy * x);
  v[i] = x + w * tx + (uy * tz - uz * ty);
  v[i + 1] = y + w * ty + (uz * tx - ux * tz);
  v[i + 2] = z + w * tz + (ux * ty - uy * tx);
}
