/**
 * What an operator does to insert a payload, as a machine of phases: pure, fed with what is measured ten times a second, answers
 * with stick positions. It flies carelessly once, on purpose: pushes while it turns the payload, until it jams, then eases.
 *
 * Pressed on the floor the accommodation law gives F = gain × commanded speed + dead-band (Gonthier 2007, 5.1.4), along the way in.
 */
import type { Welcome } from '../client/node.ts';

/** What the script reads. */
export interface InsertionView {
  /** Model time, s. */
  readonly time_s: number;
  readonly position_m: readonly number[];
  readonly orientation: readonly number[];
  /** Force on the tool, N, world. */
  readonly force_N: readonly number[];
  /** Pairs of cells that touch. */
  readonly pairs: number;
}

/** Phases in order. */
export type InsertionPhase =
  | 'withdraw'
  | 'aim'
  | 'lead-in'
  | 'push-turned'
  | 'ease'
  | 'straighten'
  | 'seat'
  | 'press'
  | 'seated'
  | 'retreat'
  | 'out'
  | 'failed';

type Vector = readonly number[];

const DEGREE = Math.PI / 180;
/** Speeds of the way in and of pressing, m/s; retreat in full coarse gear. */
const WAY_SPEED = 0.01;
const PRESS_SPEED = 0.002;
/** Careless: pressed to the side while pushed and turned, so that friction there exceeds the push. */
const SIDE_SPEED = 0.015;
/** Where the careless push begins, part of the full depth. */
const GUIDED = 0.7;
/** Jammed: less than this part of the commanded way in so long. */
const JAM_SHARE = 0.1;
const JAM_S = 2;
/** Seated: within this of the full depth, and this share of the plateau, for this long. */
export const SEATED_M = 1e-3;
const PLATEAU_SHARE = 0.1;
const SETTLE_S = 0.5;
/** Longest time of one phase, s. */
const PATIENCE_S: Partial<Record<InsertionPhase, number>> = {
  withdraw: 60,
  aim: 2,
  'lead-in': 40,
  'push-turned': 12,
  straighten: 6,
  seat: 30,
  press: 15,
  retreat: 40,
};
/** Time constant of straightening by the measured tilt, s: several readings long. */
const STRAIGHTEN_S = 0.5;
/** Outside by so much the retreat ends, m. */
const OUTSIDE_M = 0.03;
/** A new beginning: straight and on the axis to within this, for which the lead-in has room ten times over. */
const STRAIGHT_RAD = 0.3 * DEGREE;
const ON_AXIS_M = 2e-3;
/** Past this a payload inside is not aligned by going on: the tilt at the first touch, three times the clearance. */
const ASTRAY_RAD = 3 * DEGREE;
const ASTRAY_M = 15e-3;
/** Time constant of coming back to the axis, s. */
const CENTRE_S = 0.5;

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const cross = (a: Vector, b: Vector): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A direction across the way in. */
function across([x, y, z]: Vector): number[] {
  const flat = Math.abs(z) < 0.9 ? [y, -x, 0] : [0, z, -y];
  const length = Math.sqrt(dot(flat, flat));
  return flat.map((value) => value / length);
}

/** Phases of an insertion, from measurements to stick positions. */
export class InsertionScript {
  /** Sticks: translation x, y, z, rotation x, y, z; coarse gear, base frame. */
  readonly axes: number[] = [0, 0, 0, 0, 0, 0];
  phase: InsertionPhase = 'aim';
  /** Force along the way in when pressed at rest, N. */
  readonly plateau_N: number;
  /** Whether the payload is still to be jammed on the way. */
  careless: boolean;
  /** Lines for the operator since the last reading. */
  readonly words: string[] = [];
  readonly #insertion: NonNullable<Welcome['insertion']>;
  readonly #operator: Welcome['operator'];
  readonly #hold_s: number;
  readonly #turnAxis: number[];
  readonly #side: number[];
  #since_s = NaN;
  #settledSince_s = NaN;
  #touched = false;
  /** [time, depth] of the last readings. */
  #track: [number, number][] = [];

  constructor(
    insertion: NonNullable<Welcome['insertion']>,
    tool: NonNullable<Welcome['tool']>,
    operator: Welcome['operator'],
    hold_s: number,
    careless = true,
  ) {
    this.careless = careless;
    this.#insertion = insertion;
    this.#operator = operator;
    this.#hold_s = hold_s;
    this.#turnAxis = across(insertion.direction);
    this.#side = cross(this.#turnAxis, insertion.direction);
    this.plateau_N = tool.force_gain_Ns_per_m * PRESS_SPEED + tool.force_deadband_N;
  }

  /** Depth, m: 0 at the mouth, full at the floor. */
  depth_m({ position_m }: InsertionView): number {
    const { seated_position_m: seat, direction, depth_m } = this.#insertion;
    return (
      depth_m +
      dot(
        direction,
        [0, 1, 2].map((a) => position_m[a] - seat[a]),
      )
    );
  }

  /** Angle to the seated orientation, rad. */
  tilt_rad({ orientation }: InsertionView): number {
    const seat = this.#insertion.seated_orientation;
    const cosine = orientation.reduce((sum, value, k) => sum + value * seat[k], 0);
    return 2 * Math.acos(Math.min(1, Math.abs(cosine)));
  }

  /** From the axis of the way in to the payload, across it, m. */
  #offAxis({ position_m }: InsertionView): number[] {
    const { seated_position_m: seat, direction } = this.#insertion;
    const away = seat.map((value, a) => position_m[a] - value);
    const along = dot(away, direction);
    return away.map((value, a) => value - along * direction[a]);
  }

  #astray(view: InsertionView): boolean {
    const away = this.#offAxis(view);
    return this.tilt_rad(view) > ASTRAY_RAD || dot(away, away) > ASTRAY_M * ASTRAY_M;
  }

  /** One reading: sets `axes` and, when there is something to report, `words`. */
  step(view: InsertionView): void {
    const depth = this.depth_m(view);
    if (Number.isNaN(this.#since_s)) {
      this.#since_s = view.time_s;
      // a flight that was interrupted inside goes on, straight once it has jammed, or begins anew outside when it went astray
      if (depth > -OUTSIDE_M / 2 && this.#astray(view)) this.#enter('withdraw', view);
      else if (depth > 0 && !this.careless) this.#enter('straighten', view);
    }
    this.#track.push([view.time_s, depth]);
    this.#track = this.#track.filter(([time]) => view.time_s - time <= JAM_S + 1e-6);
    this.#decide(view, depth);
    this.#steer(view);
  }

  #enter(phase: InsertionPhase, view: InsertionView, words = ''): void {
    if (phase === 'ease') this.careless = false;
    this.phase = phase;
    this.#since_s = view.time_s;
    this.#settledSince_s = NaN;
    this.#track = [];
    if (words !== '') this.words.push(words);
  }

  #decide(view: InsertionView, depth: number): void {
    const full = this.#insertion.depth_m;
    const spent = view.time_s - this.#since_s;
    const push = -dot(view.force_N, this.#insertion.direction);
    const tilt = this.tilt_rad(view) / DEGREE;
    const here = `${(depth * 1000).toFixed(1)} mm`;
    const facts = `${push.toFixed(1)} N along the way, tilt ${tilt.toFixed(2)}°, ${view.pairs} cell pairs`;
    if (spent > (PATIENCE_S[this.phase] ?? Infinity) && this.#late(view, here, facts)) return;
    switch (this.phase) {
      case 'withdraw': {
        const away = this.#offAxis(view);
        const centred = dot(away, away) < ON_AXIS_M * ON_AXIS_M;
        if (depth < -OUTSIDE_M && centred && tilt * DEGREE < STRAIGHT_RAD) {
          this.#enter('aim', view, `outside and straight again at ${here}`);
        }
        break;
      }
      case 'aim':
        // what comes straight out of the seat is turned, as a tired operator would
        if (depth > -OUTSIDE_M / 2 || tilt > 1.5) this.#enter('lead-in', view);
        break;
      case 'lead-in':
        if (!this.#touched && view.pairs > 0) {
          this.#touched = true;
          this.words.push(`contact in the lead-in at ${here}: ${facts}`);
        }
        if (!this.careless || depth > 0.9 * full) this.#enter('seat', view);
        else if (depth > GUIDED * full) {
          this.#enter('push-turned', view, `guided to ${here}: ${facts}; now pushing and turning`);
        }
        break;
      case 'push-turned':
        if (this.#jammed(depth)) {
          this.#enter('ease', view, `jammed at ${here}: ${facts}; letting go`);
        }
        break;
      case 'ease':
        if (spent > 1) this.#enter('straighten', view, `eased at ${here}: ${facts}`);
        break;
      case 'straighten':
        if (tilt < 0.3) this.#enter('seat', view, `straight at ${here}: ${facts}`);
        break;
      case 'seat':
        if (depth > full - 3 * SEATED_M) this.#enter('press', view);
        break;
      case 'press':
        if (this.#settled(view, push, depth)) {
          this.#enter(
            'seated',
            view,
            `seated at ${here} of ${(full * 1000).toFixed(0)} mm: ${facts}`,
          );
        }
        break;
      case 'seated':
        if (spent >= this.#hold_s) this.#enter('retreat', view, 'retreating');
        break;
      case 'retreat':
        if (depth < -OUTSIDE_M) this.#enter('out', view, 'out');
        break;
      default:
    }
  }

  /** A phase that took too long. @returns false where that is no failure. */
  #late(view: InsertionView, here: string, facts: string): boolean {
    if (this.phase === 'aim') this.#enter('lead-in', view);
    else if (this.phase === 'push-turned') {
      this.#enter('ease', view, `did not jam; at ${here}: ${facts}`);
    } else if (this.phase === 'straighten') this.#enter('seat', view);
    else this.#enter('failed', view, `no progress in "${this.phase}" at ${here}: ${facts}`);
    return true;
  }

  #jammed(depth: number): boolean {
    const [first] = this.#track;
    const newest = this.#track.at(-1)!;
    if (newest[0] - first[0] < JAM_S - 0.15) return false;
    return depth - first[1] < JAM_SHARE * PRESS_SPEED * JAM_S;
  }

  #settled(view: InsertionView, push: number, depth: number): boolean {
    const near =
      Math.abs(push - this.plateau_N) <= PLATEAU_SHARE * this.plateau_N &&
      Math.abs(depth - this.#insertion.depth_m) < SEATED_M;
    if (!near) this.#settledSince_s = NaN;
    else if (Number.isNaN(this.#settledSince_s)) this.#settledSince_s = view.time_s;
    return view.time_s - this.#settledSince_s >= SETTLE_S;
  }

  #steer(view: InsertionView): void {
    const turn = this.#operator.coarse_angular_speed_radps;
    switch (this.phase) {
      case 'withdraw':
        this.#withdraw(view);
        break;
      case 'aim':
        this.#command(0, this.#turnAxis, turn);
        break;
      case 'lead-in':
      case 'seat':
        this.#command(WAY_SPEED, this.#turnAxis, 0);
        break;
      case 'push-turned':
        this.#command(PRESS_SPEED, this.#turnAxis, turn, SIDE_SPEED);
        break;
      case 'straighten': {
        const error = this.#rotationToSeat(view);
        const angle = Math.sqrt(dot(error, error));
        const axis = error.map((value) => value / Math.max(angle, 1e-9));
        this.#command(0, axis, Math.min(turn, angle / STRAIGHTEN_S));
        break;
      }
      case 'press':
      case 'seated':
        this.#command(PRESS_SPEED, this.#turnAxis, 0);
        break;
      case 'retreat':
        this.#command(-this.#operator.coarse_speed_mps, this.#turnAxis, 0);
        break;
      default:
        this.#command(0, this.#turnAxis, 0);
    }
  }

  /** Straight out; outside, back to the axis. Straightens all the while. */
  #withdraw(view: InsertionView): void {
    const { coarse_speed_mps: full, coarse_angular_speed_radps: fullTurn } = this.#operator;
    const { direction } = this.#insertion;
    const out = this.depth_m(view) < -OUTSIDE_M;
    const away = this.#offAxis(view);
    const error = this.#rotationToSeat(view);
    for (let a = 0; a < 3; a++) {
      const speed = out ? -away[a] / CENTRE_S : -full * direction[a];
      this.axes[a] = this.#stick(speed / full);
      this.axes[3 + a] = this.#stick(error[a] / STRAIGHTEN_S / fullTurn);
    }
  }

  /** Rotation vector from the present orientation to the seated one, world, rad. */
  #rotationToSeat({ orientation: [x, y, z, w] }: InsertionView): number[] {
    const [a, b, c, d] = this.#insertion.seated_orientation;
    const sign = x * a + y * b + z * c + w * d < 0 ? -2 : 2; // small turns: sine for angle
    return [
      sign * (a * w - d * x + c * y - b * z),
      sign * (b * w - d * y + a * z - c * x),
      sign * (c * w - d * z + b * x - a * y),
    ];
  }

  /** Sticks for a speed along the way in, m/s, a turn, rad/s, and a speed to the side that the turn leads to, m/s. */
  #command(speed: number, axis: Vector, rate: number, side = 0): void {
    const { coarse_speed_mps: full, coarse_angular_speed_radps: fullTurn } = this.#operator;
    const { direction } = this.#insertion;
    for (let a = 0; a < 3; a++) {
      this.axes[a] = this.#stick((speed * direction[a] + side * this.#side[a]) / full);
      this.axes[3 + a] = this.#stick((rate / fullTurn) * axis[a]);
    }
  }

  /** The stick that gives a part of full deflection: its dead-band is jumped over. */
  #stick(part: number): number {
    const size = Math.min(1, Math.abs(part));
    if (size < 1e-6) return 0;
    const { deadband } = this.#operator;
    return Math.sign(part) * (deadband + (1 - deadband) * size);
  }
}
