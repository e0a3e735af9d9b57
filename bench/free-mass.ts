/**
 * The free mass on a spring, flown again and again against its wall: the scenario for any mass and spring, a pilot that turns the
 * mass round by force set-points, and a reader that takes the restitution of each contact from the telemetry rows.
 */
import { type Scenario, loadScenario } from '../config/scenario.ts';
import { columnIndex } from '../hil/columns.ts';
import { SafetyState } from '../hil/safety/codes.ts';
import { FMA_RAMP_s } from '../src/control/fma.ts';
import type { RestitutionRow } from './restitution-table.ts';

const Column = {
  simTime: columnIndex('sim_time_s'),
  state: columnIndex('safety_state'),
  slipped: columnIndex('slipped'),
  fresh: columnIndex('state_quality'),
  setpointZ: columnIndex('setpoint_p_z_m'),
  setpointV: columnIndex('setpoint_v_z_mps'),
  measuredZ: columnIndex('measured_p_z_m'),
  force: columnIndex('measured_force_z_N'),
  push: columnIndex('fma_force_z_N'),
  wrench: columnIndex('measured_force_x_N'),
  added: columnIndex('compensation_force_x_N'),
};

/** What a contact may come to without any limit of loop or robot taking part: N, m/s, m/s². */
const FORCE_N = 300;
const SPEED_MPS = 0.09;
const ACCELERATION_MPS2 = 4.5;
/** Ticks of a contact without a fresh STATE that are let pass: 5 % of them change e by 0.3 % (hil-anchors 3, robustness). */
const STALE_SHARE = 0.02;
/** Above this the tool is clear of the wall: beyond its noise, a tick of approach. */
const CLEAR_M = 2e-5;
/** The turn ends this far from the wall. */
const ROOM_M = 3e-3;
const TURN_S = 2 * FMA_RAMP_s;
/** For a command to take effect before its result is judged. */
const SETTLE_S = 0.1;
/** Slower than this part of the approach for so long is no turning point: a hold caught the mass in the wall, and a guard keeps it there. */
const REST_SHARE = 1e-3;
const REST_S = 0.2;

/** Speed at which the mass of a row is sent against the wall; the faster it is, the less the noise of a force sensor changes it. */
export function approachSpeed(row: RestitutionRow): number {
  const { mass_kg: m, stiffness_N_per_m: k } = row;
  const rebound = Math.max(1, row.restitution);
  const w = Math.sqrt(k / m);
  return Math.min(SPEED_MPS, ACCELERATION_MPS2 / w, FORCE_N / Math.sqrt(k * m)) / rebound;
}

/**
 * Measured force from which the loop takes note of a contact: what it gives and takes below a quarter of this is not seen. Clear of the
 * noise of the sensor, and no higher.
 */
export function contactForce(noise_N: number): number {
  return Math.max(0.5, 5 * noise_N);
}

/** The scenario with another mass and spring. */
export function freeMassScenario(row: RestitutionRow): Scenario {
  const scenario = structuredClone(loadScenario('free-mass-on-spring'));
  const law = scenario.contacts[0]?.normal_law;
  const { tool } = scenario;
  if (law?.kind !== 'kelvin-voigt' || tool === undefined) throw new Error('not a free mass');
  law.stiffness_N_per_m = row.stiffness_N_per_m;
  law.damping_N_s_per_m = row.damping_Ns_per_m;
  tool.lag_s = row.mass_kg / tool.force_gain_N_per_mps;
  return scenario;
}

/** Whether the arm follows set-points in this row. */
export function isFlying(values: Float64Array): boolean {
  const state = values[Column.state];
  return state === SafetyState.ACTIVE_FREE || state === SafetyState.ACTIVE_CONTACT;
}

/** Tells which vertical force set-point to ask for. */
export class Pilot {
  readonly #mass_kg: number;
  readonly #approach_mps: number;
  #pushedAt_s = NaN;
  #released = false;
  #restsSince_s = NaN;

  constructor(row: RestitutionRow) {
    this.#mass_kg = row.mass_kg;
    this.#approach_mps = approachSpeed(row);
  }

  /** @returns a new vertical force set-point, N, or NaN to leave it */
  next(values: Float64Array): number {
    if (!isFlying(values)) {
      this.#pushedAt_s = NaN;
      this.#restsSince_s = NaN;
      return NaN;
    }
    const now = values[Column.simTime];
    if (now < this.#pushedAt_s + FMA_RAMP_s) return NaN;
    if (!Number.isNaN(this.#pushedAt_s) && !this.#released) {
      this.#released = true;
      return 0;
    }
    if (now < this.#pushedAt_s + TURN_S + SETTLE_S) return NaN;
    const z = values[Column.measuredZ];
    const v = values[Column.setpointV];
    const speed = this.#approach_mps;
    const rests = z < CLEAR_M && Math.abs(v) < REST_SHARE * speed;
    if (!rests) this.#restsSince_s = NaN;
    else if (Number.isNaN(this.#restsSince_s)) this.#restsSince_s = now;
    const stuck = now > this.#restsSince_s + REST_S;
    if (values[Column.push] !== 0) return NaN;
    // approaching, or still at the wall: nothing to do
    if (!stuck && (z < CLEAR_M || v < -0.2 * speed)) return NaN;
    const room = ROOM_M + 0.5 * TURN_S * Math.max(0, speed - v);
    const wanted = z >= room ? -speed : speed;
    if (z < room && v > 0.5 * speed) return NaN;
    this.#pushedAt_s = now;
    this.#released = false;
    // up in one ramp, down in the next: the impulse is force times the length of one
    return (this.#mass_kg * (wanted - v)) / FMA_RAMP_s;
  }
}

/** One contact. */
export interface Contact {
  /** Speed clear of the wall over speed before it was near: the last ticks of free flight included. */
  readonly restitution: number;
  /** Largest speed over the speed at the contact's own begin, the first sensed tick of the row that leads to it; NaN: none was felt. */
  readonly atPort: number;
  readonly approach_mps: number;
  readonly peak_N: number;
  /** Delay that the loop had during the contact, mean, s: from poses that were sent to poses that were measured. */
  readonly delay_s: number;
  /** What disturbed it; '' nothing. */
  readonly disturbed: string;
}

/** Which disturbances are the experiment itself. */
interface ReaderOptions {
  readonly period_s: number;
  /** Frames are lost on purpose: a tick without a fresh STATE is no disturbance. */
  readonly lossy: boolean;
  /** Longest delay that can be told from poses, s. */
  readonly delayMost_s: number;
  /** Force from which the loop takes note of a contact, N. */
  readonly contact_N: number;
}

/** Length of the vector of three columns. */
function norm(values: Float64Array, at: number): number {
  return Math.hypot(values[at], values[at + 1], values[at + 2]);
}

/** Finds contacts in rows. */
export class ContactReader {
  readonly #options: ReaderOptions;
  /** Set-points sent of late: z by row number, and the rows since the last disturbance. */
  readonly #sent: Float64Array;
  #rows = 0;
  #near = false;
  #before_mps = 0;
  /** Speed in the row before, where the present row of sensed ticks began, and where the contact did; the largest since then. */
  #last_mps = NaN;
  #sensed_mps = NaN;
  #portIn_mps = NaN;
  #portOut_mps = NaN;
  #peak_N = 0;
  #disturbed = '';
  #quietRows = 0;
  #ticks = 0;
  #stale = 0;
  #delaySum = 0;
  #delays = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#sent = new Float64Array(2 + Math.ceil(options.delayMost_s / options.period_s));
  }

  /** Take the next row. @returns the contact that ended with it */
  feed(values: Float64Array): Contact | null {
    const { period_s, lossy } = this.#options;
    const z = values[Column.measuredZ];
    const v = values[Column.setpointV];
    const flying = isFlying(values);
    let reason = '';
    if (values[Column.slipped] > 0) reason = 'stall';
    else if (!flying) reason = 'hold';
    // a disturbance acts as long as its poses are under way
    if (reason !== '') this.#quietRows = 0;
    else this.#quietRows++;
    this.#feelPort(values, v);
    let ended: Contact | null = null;
    // a compensated arm feels the wall before the tool is there
    if (Math.min(z, values[Column.setpointZ]) < CLEAR_M && flying) {
      if (!this.#near) {
        this.#near = true;
        this.#peak_N = 0;
        this.#delaySum = 0;
        this.#delays = 0;
        this.#ticks = 0;
        this.#stale = 0;
        this.#portIn_mps = NaN;
        const settled = this.#quietRows >= this.#sent.length || this.#quietRows === this.#rows + 1;
        this.#disturbed = settled ? '' : 'stall';
      }
      if (reason !== '' && this.#disturbed === '') this.#disturbed = reason;
      if (values[Column.push] !== 0) this.#disturbed = 'pushed';
      this.#ticks++;
      if (values[Column.fresh] !== 0) this.#stale++;
      this.#peak_N = Math.max(this.#peak_N, values[Column.force]);
      this.#measureDelay(z);
    } else {
      if (this.#near && flying) {
        if (!lossy && this.#stale > STALE_SHARE * this.#ticks) this.#disturbed = 'late frames';
        ended = {
          restitution: v / -this.#before_mps,
          atPort: this.#portOut_mps / -this.#portIn_mps,
          approach_mps: -this.#before_mps,
          peak_N: this.#peak_N,
          delay_s: (this.#delaySum / Math.max(1, this.#delays)) * period_s,
          disturbed: this.#disturbed,
        };
      }
      this.#near = false;
      this.#before_mps = v;
    }
    this.#sent[this.#rows % this.#sent.length] = values[Column.setpointZ];
    this.#rows++;
    return ended;
  }

  /** The contact as the guard has it (hil/energy/passivity-guard.ts), from what the row tells of force and speed. */
  #feelPort(values: Float64Array, v: number): void {
    const force = norm(values, Column.wrench);
    const touching = force > this.#options.contact_N || norm(values, Column.added) > 0;
    if (!touching && force <= 0.25 * this.#options.contact_N) this.#sensed_mps = NaN;
    else if (Number.isNaN(this.#sensed_mps)) this.#sensed_mps = this.#last_mps;
    if (touching && Number.isNaN(this.#portIn_mps)) {
      this.#portIn_mps = this.#sensed_mps;
      this.#portOut_mps = v;
    }
    this.#portOut_mps = Math.max(this.#portOut_mps, v);
    this.#last_mps = v;
  }

  /** Which set-point is where the tool is, counted back from the newest one before this row: the delay in periods. */
  #measureDelay(z: number): void {
    const sent = this.#sent;
    const oldest = Math.max(0, this.#rows - sent.length);
    for (let back = this.#rows - 1; back > oldest; back--) {
      const newer = sent[back % sent.length];
      const older = sent[(back - 1) % sent.length];
      // only on the way in, where the motion is monotonic and a pose has one time
      if (newer >= older) return;
      if (z > older || z < newer) continue;
      this.#delaySum += this.#rows - 1 - back + (z - newer) / (older - newer);
      this.#delays++;
      return;
    }
  }
}
