/**
 * Correction of the contact wrench for the delay of the loop (`hil-anchors 3`, remedies c, d, e; docs/theory/loop-energy.md,
 * Compensation). F is the newest wrench, T the delay of the loop, V the twist of the arm.
 *
 *   lead     C = T dF/dt, filtered with T/5
 *   model    C = W_model(pose of the arm) − W_model(measured pose)
 *   damping  C = −b (n·V) n,  n = F/|f|,  b = b_v/(1 + h b_v n'M⁻¹n),  b_v = 1.1 k T
 *
 * A contact pushes and never pulls: when F + C would pull, the wrench on the arm is zero. A couple neither pushes nor pulls, and is
 * not damped: the guard bounds its energy.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { CompensationIndex } from '../contract/commands.ts';
import type { ShadowContact } from '../contract/shadow-contact.ts';
import { DelaySlot } from './delay-estimator.ts';
import { dot6, forceOf, multiply6 } from './sextuple.ts';

/** Filter of the derivative, as a share of the delay. */
const FILTER = 0.2;
/** Damping over k T: at 1 the held contact stays at its limit of stability. */
const RESERVE = 1.1;

/** A wrench whose force passes the tool point further off than any contact of a tool is a couple, m: its force is what is left over. */
const LEVER_MOST_m = 20;

/** The contact at the pose of the arm, and at the measured pose. */
export interface ShadowPair {
  readonly arm: ShadowContact;
  readonly robot: ShadowContact;
}

function stepShadows({ arm, robot }: ShadowPair, measured: Float64Array, pose: Float64Array): void {
  arm.step(pose);
  robot.step(measured);
  // a robot that stood still where it touches shows no impact: its force would be too large, and that on the arm none
  arm.shareImpacts(robot);
}

/** What a compensation reads. */
export interface CompensationParts {
  readonly period_s: number;
  /** A force below this may be noise, N; 0 where the model makes it. */
  readonly noise_N: number;
  /** Slots of DelaySlot, s. */
  readonly delay: Float64Array;
  /** [stiffness of the contact], N/m; NaN or 0 unknown. */
  readonly stiffness: Float64Array;
  /** M⁻¹ of the arm, 6×6. */
  readonly inverseMass: Float64Array;
  /** Null without a model prediction. */
  readonly shadows: ShadowPair | null;
}

/** Compensation of the loop delay: lead, model or damping. */
export class Compensation {
  /** Index in COMPENSATIONS. */
  kind = 0;
  /** C. */
  readonly wrench: Float64Array = new Float64Array(6);
  private readonly parts: CompensationParts;
  /** Filtered dF/dt. */
  private readonly rate: Float64Array;
  private readonly lastForce: Float64Array;
  /** [ticks since the newest frame, a frame has come] */
  private readonly age: Float64Array;
  private readonly direction = new Float64Array(6);
  private readonly response = new Float64Array(6);
  private readonly product = new Float64Array(1);

  constructor(parts: CompensationParts, arena: StateArena = new StateArena()) {
    this.parts = parts;
    this.rate = arena.add('rate', 6);
    this.lastForce = arena.add('lastForce', 6);
    this.age = arena.add('age', 2);
    if (parts.shadows === null) return;
    arena.part('shadowOfArm', parts.shadows.arm.arena);
    arena.part('shadowOfRobot', parts.shadows.robot.arena);
  }

  /**
   * Fills `wrench` from the newest wrench, whether it came in this tick and is one of a contact, the measured motion and the motion
   * of the arm. @alloc none
   */
  compute(
    force: Float64Array,
    fresh: number,
    touching: number,
    measured: Float64Array,
    arm: Float64Array,
  ): void {
    const { kind, wrench } = this;
    for (let a = 0; a < 6; a++) wrench[a] = 0;
    if (kind === CompensationIndex.LEAD) this.lead(force, fresh, touching);
    else if (kind === CompensationIndex.MODEL) this.predict(force, measured, arm);
    else if (kind === CompensationIndex.DAMPING && touching === 1) this.damp(force, arm);
  }

  /** While the wrench does not act on the arm: drops the history; the shadows go on with their surroundings. @alloc none */
  idle(measured: Float64Array, arm: Float64Array): void {
    this.reset();
    const { shadows } = this.parts;
    if (this.kind === CompensationIndex.MODEL && shadows !== null)
      stepShadows(shadows, measured, arm);
  }

  /** Forgets what came before. @alloc none */
  reset(): void {
    for (let a = 0; a < 6; a++) {
      this.wrench[a] = 0;
      this.rate[a] = 0;
    }
    this.age[1] = 0;
  }

  private lead(force: Float64Array, fresh: number, touching: number): void {
    const { rate, lastForce, age, wrench } = this;
    const h = this.parts.period_s;
    // a robot that runs ahead is not led: its delay is none
    const total = this.parts.delay[DelaySlot.TOTAL];
    const delay = total > 0 ? total : 0;
    age[0]++;
    if (fresh === 1) {
      const span = age[0] * h;
      const part = age[1] === 1 ? span / (span + FILTER * delay) : 0;
      for (let a = 0; a < 6; a++) {
        rate[a] += part * ((force[a] - lastForce[a]) / span - rate[a]);
        lastForce[a] = force[a];
      }
      age[0] = 0;
      age[1] = 1;
    }
    if (touching === 0 || delay === 0) return;
    // a frame that did not come makes the newest force older
    const ahead = delay + age[0] * h;
    for (let a = 0; a < 6; a++) wrench[a] = ahead * rate[a];
    this.pushOnly(force, force);
  }

  private predict(force: Float64Array, measured: Float64Array, arm: Float64Array): void {
    const { shadows } = this.parts;
    if (shadows === null) return;
    stepShadows(shadows, measured, arm);
    const at = shadows.arm.wrench;
    const late = shadows.robot.wrench;
    const { wrench, direction } = this;
    for (let a = 0; a < 6; a++) {
      wrench[a] = at[a] - late[a];
      direction[a] = at[a] + late[a];
    }
    this.pushOnly(force, direction);
  }

  private damp(force: Float64Array, arm: Float64Array): void {
    const { parts, direction, response, wrench } = this;
    const delay = parts.delay[DelaySlot.TOTAL];
    const stiffness = parts.stiffness[0];
    forceOf(this.product, 0, force);
    const size = this.product[0];
    if (!(delay > 0) || !(stiffness > 0)) return;
    // along a couple, or noise, its lever would brake every rotation
    if (!(size > parts.noise_N) || this.isCouple(force)) return;
    let speed = 0;
    for (let a = 0; a < 6; a++) {
      direction[a] = force[a] / size;
      speed += direction[a] * arm[7 + a];
    }
    multiply6(response, parts.inverseMass, direction);
    const wanted = RESERVE * stiffness * delay;
    dot6(this.product, 0, direction, response);
    const damping = wanted / (1 + parts.period_s * wanted * this.product[0]);
    for (let a = 0; a < 6; a++) wrench[a] = -damping * speed * direction[a];
  }

  /** Along the force of `normal` the sum of force and compensation must not pull. */
  private pushOnly(force: Float64Array, normal: Float64Array): void {
    const c = this.wrench;
    if (this.isCouple(normal)) return;
    let push = 0;
    for (let i = 0; i < 3; i++) push += normal[i] * (force[i] + c[i]);
    if (!(push < 0)) return; // also when it is no number, which must be seen
    for (let a = 0; a < 6; a++) c[a] = -force[a];
  }

  /** Whether the force of a wrench is negligible beside its moment, as that of a zero wrench is. */
  private isCouple(w: Float64Array): boolean {
    const reach = LEVER_MOST_m * LEVER_MOST_m * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    return w[3] * w[3] + w[4] * w[4] + w[5] * w[5] >= reach;
  }
}
