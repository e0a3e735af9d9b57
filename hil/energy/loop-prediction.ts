/**
 * What the measured delay does to the contacts of the tool, live: effective mass along each contact normal, restitution without and
 * with what compensates, critical delay, margin, stiffness limit (docs/theory/loop-energy.md, Prediction). One contact every
 * `EVERY` ticks; the values reported are those of the contact that rebounds hardest, of the touching ones when something touches.
 * The permit is judged by all of them.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import type { Settings } from '../../config/settings.ts';
import { contactStiffness } from '../../src/contact/contact-stiffness.ts';
import type { ContactModelSpec } from '../../src/model/model.ts';
import { FacingArea } from '../../src/overlap/facing-area.ts';
import type { CellModel } from '../../src/shapes/cell-model.ts';
import { CONTACT_READOUT, ContactReadout, type System } from '../../src/system/system.ts';
import { CompensationIndex, COMPENSATIONS } from '../contract/commands.ts';
import { pushes } from './compensation-check.ts';
import { AlongSlot, ApparentInertia } from './apparent-inertia.ts';
import { RootSlot } from './characteristic-roots.ts';
import { PermitSlot } from './contact-permit.ts';
import { DelaySlot } from './delay-estimator.ts';
import {
  findCriticalDelay,
  findMargin,
  findStiffnessLimit,
  makePredictionCells,
  predictRestitution,
  PredictionSlot as P,
} from './prediction.ts';
import { indicesOf } from '../../src/base/name-indices.ts';

/** Slots of `LoopPrediction.values`; NaN is unknown. */
export const PredictedSlot = Object.freeze({
  /** Index of the contact in the model; −1 none. */
  CONTACT: 0,
  /** Stiffness, N/m, and damping, N s/m, of the contact. */
  STIFFNESS: 1,
  CONTACT_DAMPING: 2,
  /** Effective mass, kg, and damping, N s/m, of the arm along its normal. */
  MASS: 3,
  DAMPING: 4,
  /** T that the prediction is for, s. */
  DELAY: 5,
  /** Restitution without compensation and as the loop is set; 0 when it does not rebound. */
  RESTITUTION: 6,
  RESTITUTION_ACTIVE: 7,
  /** Without compensation, s. */
  CRITICAL_DELAY: 8,
  /** Critical delay over delay without compensation and as the loop is set; at most MARGIN_MOST. */
  MARGIN: 9,
  MARGIN_ACTIVE: 10,
  /** Stiffness for the restitution limit, without compensation, N/m; at most STIFFNESS_MOST. */
  STIFFNESS_LIMIT: 11,
  /** k T/g of the rate loop g x' = F_des − k x(t − T) that accommodation with a short lag is, of this contact alone. */
  ACCOMMODATION_NUMBER: 12,
});
const SLOTS = 13;
const S = PredictedSlot;

/** A margin is reported up to this, a stiffness limit up to that, N/m: beyond them the delay does not matter. */
export const MARGIN_MOST = 1000;
export const STIFFNESS_MOST = 1e10;
/** Virtual damping over k T (`hil-anchors 3`, e). */
export const DAMPING_FACTOR = 1.1;

const EVERY = 10;
/**
 * The limit is searched anew when the delay or the mass changed by more than this part, or the delay by 20 µs. That is done once in
 * so many predictions at most, for it takes some of them.
 */
const SEARCH_EVERY = 64;
/** What the last search was for, its result, and the predictions since. */
const SEARCHED = ['mass', 'damping', 'contactDamping', 'delay', 'limit', 'age'] as const;
const Searched = indicesOf(SEARCHED);
/** What is known of a contact: N/m, N s/m, N/m³. */
const KNOWN = ['stiffness', 'damping', 'perArea'] as const;
const Known = indicesOf(KNOWN);
const KNOWN_WIDTH = KNOWN.length;
/** Behind the figures of a contact that come with `observe`: whether it touches, and g of the accommodation along it, N s/m. */
const Seen = Object.freeze({ touching: SLOTS, gain: SLOTS + 1 });
const CHANGE = 0.02;
const CHANGE_s = 2e-5;
const ARM_POSE = 13;
/** Place of the orientation in a pose. */
const ORIENTATION = 3;

/** One contact of the tool: what of it is known before anything touches. */
interface Candidate {
  /** Index in the model; −1: a contact that is in the settings, or one that is not known. */
  readonly index: number;
  /** N/m; NaN for one that is known by its area. */
  readonly stiffness: number;
  readonly damping: number;
  /** Volumetric stiffness, N/m³; NaN otherwise. */
  readonly perArea: number;
  /** Of a volumetric contact: what it may have before its first touch; null for others. */
  readonly facing: Facing | null;
}

/** Bodies of a volumetric contact, and how much of them can lie on each other. */
interface Facing {
  readonly bodyI: number;
  readonly bodyJ: number;
  readonly patch: FacingArea;
}

/** Null where the stiffness does not depend on an area. */
function facingOf(
  system: System,
  { bodyI, bodyJ }: ContactModelSpec,
  perArea: number,
): Facing | null {
  if (!(perArea > 0)) return null;
  const { bodies, trees = [] } = system.model;
  const parts = [...bodies, ...trees.flatMap((tree) => tree.links)];
  const cellsOf = (name: string): readonly CellModel[] =>
    parts.find((part) => part.name === name)?.cells ?? [];
  return {
    bodyI: system.bodyIndex(bodyI),
    bodyJ: system.bodyIndex(bodyJ),
    patch: new FacingArea(cellsOf(bodyI), cellsOf(bodyJ)),
  };
}

/**
 * Contacts that touch the tool, with their linearised stiffness. Where none is modelled and a measured force acts on the arm: one
 * contact, of which only the settings are known.
 */
function toolContacts(
  system: System,
  settings: Settings['energy'],
  speed: number,
  measuredForce: boolean,
): Candidate[] {
  const payload = system.model.tool?.payload;
  if (payload === undefined) return [];
  const known = settings.stiffness_N_per_m > 0;
  const given = {
    stiffness: settings.stiffness_N_per_m,
    damping: settings.damping_N_s_per_m,
    perArea: Number.NaN,
    facing: null,
  };
  const candidate = (spec: ContactModelSpec, index: number): Candidate => {
    if (known) return { index, ...given };
    const linear = contactStiffness(spec, settings.reference_force_N, speed);
    return { index, ...linear, facing: facingOf(system, spec, linear.perArea) };
  };
  const own = system.model.contacts.flatMap((spec, index) =>
    pushes(spec, payload) ? [candidate(spec, index)] : [],
  );
  if (own.length > 0) return own;
  if (known) return [{ index: -1, ...given }];
  const unknown = {
    stiffness: Number.NaN,
    damping: Number.NaN,
    perArea: Number.NaN,
    facing: null,
  };
  return measuredForce ? [{ index: -1, ...unknown }] : [];
}

/** How the loop is set. */
const FIELDS = { compensation: 0, guard: false } as const;

/** Prediction of what the delay does to the contacts. Call `observe` and `step` once per tick; `refresh` updates all values at once. */
export class LoopPrediction {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Slots of PredictedSlot. */
  readonly values: Float64Array;
  /** As the loop is set: index in COMPENSATIONS, and whether the guard is on. */
  declare compensation: number;
  declare guard: boolean;
  readonly inertia: ApparentInertia = new ApparentInertia();
  private readonly system: System;
  /** Slots of DelaySlot; null: no delay (nothing is measured). */
  private readonly delay: Float64Array | null;
  private readonly candidates: readonly Candidate[];
  /** Per contact: k (of a volumetric one the largest that has touched, NaN before), b, k_v. */
  private readonly known: Float64Array;
  /** Per contact: the slots of PredictedSlot, and whether it touches behind them. */
  private readonly found: Float64Array;
  /** Of the contact that is predicted in this tick: slots of PredictedSlot up to DELAY, then those of Seen. */
  private readonly seen = new Float64Array(SLOTS + 2);
  private readonly work = makePredictionCells();
  private readonly readout = new Float64Array(CONTACT_READOUT.length);
  private readonly line = new Float64Array(6);
  private readonly pose = new Float64Array(ARM_POSE);
  /** Poses of the two bodies of a contact, one after the other. */
  private readonly pair = new Float64Array(2 * ARM_POSE);
  private readonly payload: number;
  /** [lag, step] of the accommodation, s. */
  private readonly timing: Float64Array;
  /** [mass, damping, contact damping, delay, limit] of the last search for the stiffness limit. */
  private readonly searched: Float64Array;
  /** [ticks to the next, contact that is next] */
  private readonly turn: Float64Array;

  /**
   * @param delay `DelayEstimator.delay`, or null when the force is the model's own at the arm (mode `simulation`, no robot)
   * @param settings of the service: `energy`, `limits.speed_mps` (impact speed for the damping), `loop.period_s`
   * @param measuredForce whether a measured wrench acts on the arm (mode `hardware`), whatever it touches
   */
  constructor(
    system: System,
    delay: Float64Array | null,
    settings: Settings,
    measuredForce = false,
    arena: StateArena = new StateArena(),
  ) {
    this.arena = arena;
    const { energy } = settings;
    this.system = system;
    this.delay = delay;
    const tool = system.model.tool;
    this.payload = tool === null ? -1 : system.bodyIndex(tool.payload);
    this.timing = Float64Array.of(tool?.lag ?? 1, settings.loop.period_s);
    const speed = Math.min(settings.limits.speed_mps, tool?.maximumSpeed ?? Infinity);
    this.candidates = toolContacts(system, energy, speed, measuredForce);
    const n = this.candidates.length;
    this.values = arena.table(PredictedSlot).fill(Number.NaN);
    this.known = arena.add('known', KNOWN_WIDTH * n);
    this.known.set(
      this.candidates.flatMap(({ stiffness, damping, perArea }) => [stiffness, damping, perArea]),
    );
    this.found = arena.add('found', n * (SLOTS + 1)).fill(Number.NaN);
    this.searched = arena.add('searched', SEARCHED.length).fill(Number.NaN);
    this.turn = arena.add('turn', 2);
    this.cells = arena.fields(FIELDS);
    this.compensation = COMPENSATIONS.indexOf(energy.compensation);
    this.guard = energy.guard;
    this.work[P.RESTITUTION_LIMIT] = energy.restitution_limit;
    this.values[S.CONTACT] = -1;
  }

  /** Whether the tool can touch anything. */
  get expectsContact(): boolean {
    return this.candidates.length > 0;
  }

  /** Once per tick, after the delay was estimated: takes the figures of the contact that is next. @alloc none */
  observe(): void {
    const turn = this.turn;
    if (turn[0]-- > 0) return;
    turn[0] = EVERY - 1;
    if (this.candidates.length > 0) this.measure(turn[1]);
  }

  /** Once per tick, when SETPOINT has left, which must not wait for it: predicts from these figures. @alloc none */
  step(): void {
    const turn = this.turn;
    // only where `observe` has taken figures in this tick
    if (turn[0] !== EVERY - 1 || this.candidates.length === 0) return;
    this.predict(turn[1]);
    turn[1] = (turn[1] + 1) % this.candidates.length;
    this.choose();
  }

  /** Every contact at once, for a decision that must not wait. @alloc none */
  refresh(): void {
    for (let i = 0; i < this.candidates.length; i++) {
      this.measure(i);
      this.predict(i);
    }
    this.choose();
  }

  /** Stiffness, mass, damping and delay of contact `i` as they are now into the slots of PredictedSlot of `seen`. */
  private measure(i: number): void {
    const { inertia, known, seen } = this;
    const index = this.candidates[i].index;
    this.findLine(index);
    let stiffness = known[KNOWN_WIDTH * i + Known.stiffness];
    if (
      index >= 0 &&
      known[KNOWN_WIDTH * i + Known.perArea] > 0 &&
      this.readout[ContactReadout.area] > 0
    ) {
      // a foundation under the area that touches now; the sliver that is left when it lifts off does not predict the next touch
      stiffness = known[KNOWN_WIDTH * i + Known.perArea] * this.readout[ContactReadout.area];
      if (!(known[KNOWN_WIDTH * i + Known.stiffness] >= stiffness))
        known[KNOWN_WIDTH * i + Known.stiffness] = stiffness;
      known[KNOWN_WIDTH * i + Known.damping] = 0;
    }
    let damping = known[KNOWN_WIDTH * i + Known.damping];
    const facing = this.candidates[i].facing;
    if (facing !== null && stiffness !== stiffness) {
      // nothing has touched yet: as large a face as the bodies can lie on each other with, and no damping
      stiffness = known[KNOWN_WIDTH * i + Known.perArea] * this.facingArea(facing);
      damping = 0;
    }
    inertia.measure();
    const delay = this.delay;
    let T = 0;
    if (delay !== null) T = delay[DelaySlot.VALID] === 1 ? delay[DelaySlot.TOTAL] : Number.NaN;
    seen[S.CONTACT] = index;
    seen[S.STIFFNESS] = stiffness;
    seen[S.CONTACT_DAMPING] = damping;
    seen[S.MASS] = inertia.along[AlongSlot.MASS];
    seen[S.DAMPING] = inertia.along[AlongSlot.DAMPING];
    seen[S.DELAY] = T;
    seen[Seen.gain] = inertia.along[AlongSlot.GAIN];
    seen[Seen.touching] = index >= 0 ? this.readout[ContactReadout.active] : 0;
  }

  /** What follows from `seen` for contact `i`. */
  private predict(i: number): void {
    const { work: c, seen, found } = this;
    const at = i * (SLOTS + 1);
    const stiffness = seen[S.STIFFNESS];
    const mass = seen[S.MASS];
    const T = seen[S.DELAY];
    for (let slot = S.CONTACT; slot <= S.DELAY; slot++) found[at + slot] = seen[slot];
    found[at + SLOTS] = seen[Seen.touching];
    for (let slot = S.RESTITUTION; slot < SLOTS; slot++) found[at + slot] = Number.NaN;
    if (!(stiffness > 0) || T !== T) return;
    if (mass === Number.POSITIVE_INFINITY) {
      // nothing gives way: the force does not come back into the motion
      found[at + S.RESTITUTION] = 0;
      found[at + S.RESTITUTION_ACTIVE] = 0;
      found[at + S.CRITICAL_DELAY] = Number.POSITIVE_INFINITY;
      found[at + S.MARGIN] = MARGIN_MOST;
      found[at + S.MARGIN_ACTIVE] = MARGIN_MOST;
      found[at + S.STIFFNESS_LIMIT] = STIFFNESS_MOST;
      found[at + S.ACCOMMODATION_NUMBER] = 0;
      return;
    }
    c[P.MASS] = mass;
    c[P.DAMPING] = seen[S.DAMPING];
    c[P.STIFFNESS] = stiffness + mass * this.others(i);
    c[P.CONTACT_DAMPING] = seen[S.CONTACT_DAMPING];
    c[P.DELAY] = T;
    this.predictAs(at);
  }

  /** Area of the bodies as they are turned now, m²; NaN unknown. */
  private facingArea({ bodyI, bodyJ, patch }: Facing): number {
    this.system.readBody(bodyI, this.pair, 0);
    this.system.readBody(bodyJ, this.pair, ARM_POSE);
    patch.compute(this.pair, ORIENTATION, ARM_POSE + ORIENTATION);
    return patch.area[0];
  }

  /** Sum of k/m of the other contacts that touch, 1/s²: what they add to ω² at most. */
  private others(i: number): number {
    const { found } = this;
    let sum = 0;
    for (let j = 0; j < this.candidates.length; j++) {
      const at = j * (SLOTS + 1);
      const part = found[at + S.STIFFNESS] / found[at + S.MASS];
      if (j !== i && found[at + SLOTS] === 1 && part > 0) sum += part;
    }
    return sum;
  }

  /** into[0] := stiffness of all contacts that touch now together, at least that of the one that is reported, N/m. @alloc none */
  sumTouching(into: Float64Array): void {
    const { candidates, known, values, readout } = this;
    let sum = 0;
    for (let i = 0; i < candidates.length; i++) {
      const { index } = candidates[i];
      if (index < 0) continue;
      this.system.readContact(index, readout, 0);
      if (readout[ContactReadout.active] === 0) continue;
      const byArea = known[KNOWN_WIDTH * i + Known.perArea] * readout[ContactReadout.area];
      const stiffness = byArea > 0 ? byArea : known[KNOWN_WIDTH * i + Known.stiffness];
      if (stiffness > 0) sum += stiffness;
    }
    const reported = values[S.STIFFNESS];
    into[0] = sum === 0 || reported > sum ? reported : sum;
  }

  /** Restitution, margins and limit of the cells into the row at `at`. */
  private predictAs(at: number): void {
    const { work: c, found } = this;
    const T = c[P.DELAY];
    const d = c[P.DAMPING];
    c[RootSlot.LEAD] = 0;
    predictRestitution(c);
    const e = c[P.RESTITUTION];
    found[at + S.RESTITUTION] = e;
    findCriticalDelay(c);
    found[at + S.CRITICAL_DELAY] = c[P.CRITICAL_DELAY];
    this.searchLimit();
    findMargin(c);
    found[at + S.MARGIN] = c[P.MARGIN] < MARGIN_MOST ? c[P.MARGIN] : MARGIN_MOST;
    found[at + S.STIFFNESS_LIMIT] =
      c[P.STIFFNESS_LIMIT] < STIFFNESS_MOST ? c[P.STIFFNESS_LIMIT] : STIFFNESS_MOST;
    const pushed = found[at + S.STIFFNESS] * (T > 0 ? T : 0); // of this contact alone
    found[at + S.ACCOMMODATION_NUMBER] = pushed / this.seen[Seen.gain];

    if (this.compensation === CompensationIndex.MODEL) {
      // the delay acts only on what the model does not have
      c[P.DELAY] = 0;
      predictRestitution(c);
      c[P.MARGIN] = Number.POSITIVE_INFINITY;
    } else if (this.compensation === CompensationIndex.LEAD) {
      c[RootSlot.LEAD] = 1;
      predictRestitution(c);
      findCriticalDelay(c);
      findMargin(c);
      c[RootSlot.LEAD] = 0;
    } else if (this.compensation !== CompensationIndex.NONE) {
      c[P.DAMPING] = d + DAMPING_FACTOR * c[P.STIFFNESS] * (T > 0 ? T : 0);
      predictRestitution(c);
      findCriticalDelay(c);
      findMargin(c);
    }
    const active = c[P.RESTITUTION];
    found[at + S.RESTITUTION_ACTIVE] = this.guard && active > 1 ? 1 : active;
    found[at + S.MARGIN_ACTIVE] = c[P.MARGIN] < MARGIN_MOST ? c[P.MARGIN] : MARGIN_MOST;
  }

  /** Only when what it depends on has changed, and from where it was. */
  private searchLimit(): void {
    const { work: c, searched: s } = this;
    const sameArm =
      Math.abs(c[P.MASS] - s[Searched.mass]) <= CHANGE * s[Searched.mass] &&
      c[P.DAMPING] === s[Searched.damping] &&
      c[P.CONTACT_DAMPING] === s[Searched.contactDamping];
    const sameDelay =
      Math.abs(c[P.DELAY] - s[Searched.delay]) <= CHANGE_s + CHANGE * Math.abs(s[Searched.delay]);
    s[Searched.age]++;
    if (sameArm && (sameDelay || s[Searched.age] < SEARCH_EVERY)) {
      c[P.STIFFNESS_LIMIT] = s[Searched.limit];
      return;
    }
    // without damping of the contact the limit goes with the mass of an accommodated arm, whose damping does, too
    c[P.STIFFNESS_LIMIT] = s[Searched.limit] * (c[P.MASS] / s[Searched.mass]);
    findStiffnessLimit(c);
    s[Searched.mass] = c[P.MASS];
    s[Searched.damping] = c[P.DAMPING];
    s[Searched.contactDamping] = c[P.CONTACT_DAMPING];
    s[Searched.delay] = c[P.DELAY];
    s[Searched.limit] = c[P.STIFFNESS_LIMIT];
    s[Searched.age] = 0;
  }

  /** The line of action of contact `index` as a wrench about the tool point; along the lightest axis when it is not known. */
  private findLine(index: number): void {
    const { inertia, line, readout, pose } = this;
    inertia.setArm(this.system, this.timing);
    for (let a = 0; a < 6; a++) line[a] = 0;
    if (index >= 0) {
      this.system.readContact(index, readout, 0);
      const x = readout[ContactReadout.normal_x];
      const y = readout[ContactReadout.normal_y];
      const z = readout[ContactReadout.normal_z];
      if (x * x + y * y + z * z > 0.5) {
        this.system.readBody(this.payload, pose, 0);
        for (let a = 0; a < 3; a++) {
          line[a] = readout[ContactReadout.point_x + a] - pose[a];
          line[3 + a] = readout[ContactReadout.normal_x + a];
        }
        inertia.pointContact(line);
        return;
      }
    }
    const m = inertia.inverse;
    const axis = m[0] >= m[7] && m[0] >= m[14] ? 0 : m[7] >= m[14] ? 1 : 2;
    line[3 + axis] = 1;
    inertia.pointContact(line);
  }

  /**
   * What the permit is judged by, slots of PermitSlot: the worst of all contacts, each with the others that touch. One that does
   * not touch yet counts, because the arm may be flown against it. K_a k T of contacts together is at most their sum. @alloc none
   */
  judge(into: Float64Array): void {
    const { found } = this;
    const n = this.candidates.length * (SLOTS + 1);
    let touching = 0;
    for (let at = 0; at < n; at += SLOTS + 1) {
      const gain = found[at + S.ACCOMMODATION_NUMBER];
      if (found[at + SLOTS] === 1 && gain > 0) touching += gain;
    }
    into[PermitSlot.RESTITUTION] = 0;
    into[PermitSlot.MARGIN] = Number.POSITIVE_INFINITY;
    into[PermitSlot.GAIN] = 0;
    into[PermitSlot.UNKNOWN] = 0;
    for (let at = 0; at < n; at += SLOTS + 1) {
      const e = found[at + S.RESTITUTION_ACTIVE];
      const margin = found[at + S.MARGIN_ACTIVE];
      let gain = found[at + S.ACCOMMODATION_NUMBER];
      if (e !== e || margin !== margin || gain !== gain) {
        into[PermitSlot.UNKNOWN]++;
        continue;
      }
      gain = found[at + SLOTS] === 1 ? touching : touching + gain;
      if (e > into[PermitSlot.RESTITUTION]) into[PermitSlot.RESTITUTION] = e;
      if (margin < into[PermitSlot.MARGIN]) into[PermitSlot.MARGIN] = margin;
      if (gain > into[PermitSlot.GAIN]) into[PermitSlot.GAIN] = gain;
    }
  }

  /** Tells the contact that rebounds hardest, of the touching ones when there are any; one that is not known counts as hardest. */
  private choose(): void {
    const { found, values } = this;
    let best = -1;
    for (let i = 0; i < this.candidates.length; i++) {
      if (best < 0 || this.harder(i, best)) best = i;
    }
    const at = best * (SLOTS + 1);
    for (let slot = 0; slot < SLOTS; slot++) values[slot] = found[at + slot];
  }

  private harder(i: number, than: number): boolean {
    const { found } = this;
    const a = i * (SLOTS + 1);
    const b = than * (SLOTS + 1);
    const touches = found[a + SLOTS] === 1;
    const other = found[b + SLOTS] === 1;
    if (touches !== other) return touches;
    const e = found[a + S.RESTITUTION];
    const f = found[b + S.RESTITUTION];
    return f === f && (e !== e || e > f);
  }
}

defineFields(LoopPrediction, FIELDS);
