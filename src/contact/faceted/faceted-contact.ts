/**
 * A contact of two bodies of facets as one: the forces of all its pairs of facets are one force and one moment at one point, with one slope.
 * The law has no memory, so that a pair needs none; friction has its own (facet-friction.ts). `LaFarge & Lewis 1998`, docs/theory/faceted.md.
 *
 * At the point P with the relative twist u = (v, ω), a pair c with normal n and lever ρ from P has the rate v_n = w·u, w = (n; ρ × n), and
 *
 *   f_c = max(f_min, f_el − B v_n)        wrench += (1; [ρ]×) (f_c n + t_c)        K += (1; [ρ]×) K_c (1  −[ρ]×)
 *
 * with friction t_c and the slope K_c = B n nᵀ + (friction). Without friction K = Σ B w wᵀ: for f_el = k δⁿ, B = 3/2 α k δⁿ the matrix D of
 * the implicit step (1 + h S D) u' = u* + h S Σ k δⁿ w.
 */
import type { FacetQuery } from '../../proximity/facet-query.ts';
import { factorize, solveFactored } from '../../math/lu.ts';
import type { ContactBody } from '../contact-body.ts';
import type { ContactKernels } from '../contact-loops.ts';
import { ContactModel } from '../contact-model.ts';
import { ContactReadout } from '../contact-readout.ts';
import { SLOPE_FORCE } from '../friction/friction-law.ts';
import {
  DAMPING,
  DEPTH,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  NORMAL_RATE,
  NORMAL_RESULT,
  type NormalLaw,
  STORED,
} from '../normal/normal-law.ts';
import { GAP, LOAD, POINT, RATE, RESISTANCE, SPIN, STEP, VELOCITY } from '../pair.ts';
import type { RollingLaw } from '../rolling/rolling-law.ts';
import type { ContactSums } from './facet-kernel.ts';
import type { FacetFriction } from './facet-friction.ts';
import { sumSquares, sumWrenches } from './facet-sums.ts';
import type { FacetedPair } from './faceted-pair.ts';
import type { Places } from './places.ts';
import { writeLargestEigenvalue, writeRelativeResponse } from './response.ts';

/** Part of the speed at touch below which the number of sub-steps follows the present stiffness. */
const CALM = 0.01;
/** Contact phase that one sub-step may cover. */
const PHASE = 0.2;
/** Motion in a sub-step over the standoff: a body must not get from outside of the shell to its other side. */
const MOST_MOTION = 0.5;
/** Newton steps of a contact by itself, and the part of the twist at which they end. */
const MOST_STEPS = 12;
const SETTLED = 1e-13;

/** Slots of the memory in the arena. */
export const PENETRATED = 0; // steps that found the bodies inside of each other
export const REFUSED = 1; //    pairs without room, one count for each (sub-)step and pair
export const FACETED_MEMORY = 2;

/** A contact of many places: pairs of facets, or patches of samples. */
export abstract class PlacesContact extends ContactModel {
  override readonly whole: boolean = true;
  readonly memory: Float64Array;
  private readonly facets: Places;
  private readonly drag: FacetFriction;
  /** n of f ~ δⁿ. */
  private readonly exponent: Float64Array;
  private readonly standoffStep: Float64Array;
  /** Elastic force and damping of each pair, and normal force of the last evaluation. */
  protected elastic: Float64Array;
  protected damping: Float64Array;
  private readonly energies: Float64Array;
  /** Normal force of each pair at the last evaluation, N, and how it falls with the rate, N s/m. */
  private pushes: Float64Array;
  protected slopes: Float64Array;
  protected readonly result: Float64Array = new Float64Array(NORMAL_RESULT);
  /** Force, N, and moment, N m, of the normal forces of all pairs. */
  private wrench: Float64Array = new Float64Array(6);
  /** A kernel that sums up the normal forces; null: none does. */
  private sums: ContactSums | null = null;
  /** Sum of the normal forces of all pairs, N. */
  private readonly push: Float64Array = new Float64Array(3);
  // work space of the contact by itself
  private readonly response: Float64Array = new Float64Array(36);
  protected readonly slope: Float64Array = new Float64Array(36);
  private readonly matrix: Float64Array = new Float64Array(36);
  private readonly rows: Float64Array = new Float64Array(18);
  private readonly pivots: Int32Array = new Int32Array(6);
  private readonly twist: Float64Array = new Float64Array(6);
  private readonly missing: Float64Array = new Float64Array(6);
  private readonly value: Float64Array = new Float64Array(1);

  constructor(
    name: string,
    i: ContactBody,
    j: ContactBody,
    pair: Places,
    normalLaw: NormalLaw,
    friction: FacetFriction,
    rolling: RollingLaw,
    flags: Float64Array,
    readout: Float64Array,
    memory: Float64Array,
    exponent: number,
  ) {
    super(name, i, j, pair, normalLaw, friction, rolling, flags, readout);
    const room = pair.depths.length;
    this.facets = pair;
    this.drag = friction;
    this.memory = memory;
    this.exponent = Float64Array.of(exponent);
    this.standoffStep = Float64Array.of(MOST_MOTION * pair.standoff[0]);
    this.elastic = new Float64Array(room);
    this.damping = new Float64Array(room);
    this.energies = new Float64Array(room);
    this.pushes = new Float64Array(room);
    this.slopes = new Float64Array(room);
  }

  /** From now on kernels do what they can, with the same bits. */
  abstract useKernels(kernels: ContactKernels): void;

  /** From now on a kernel sums up the normal forces, where they lie. */
  protected sumBy(sums: ContactSums): void {
    this.elastic = sums.elastic;
    this.damping = sums.damping;
    this.pushes = sums.pushes;
    this.slopes = sums.slopes;
    this.wrench = sums.wrench;
    this.drag.loads = sums.loads;
    this.sums = sums;
  }

  /** Pairs of facets that push. */
  override get pairCount(): number {
    return this.active ? this.facets.count : 0;
  }

  /** Whether the bodies are inside of each other where they were measured last. */
  get penetrates(): boolean {
    return this.facets.penetrates;
  }

  override detect(): void {
    super.detect();
    if (this.facets.penetrates) this.memory[PENETRATED]++;
    this.memory[REFUSED] += this.facets.refused;
  }

  override computeElastic(): void {
    const { facets, normal, elastic, damping, energies } = this;
    const { shares, count } = facets;
    this.evaluateLaw();
    let force = 0;
    let resistance = 0;
    let energy = 0;
    for (let c = 0; c < count; c++) {
      const share = shares[c];
      elastic[c] *= share;
      damping[c] *= share;
      force += elastic[c];
      resistance += damping[c];
      energy += share * energies[c];
    }
    normal[ELASTIC] = force;
    normal[DAMPING] = resistance;
    normal[STORED] = energy;
    normal[DEPTH] = -this.kinematics[GAP];
    this.mobility[RESISTANCE] = resistance;
    this.friction.computeStored(this.flags, normal, this.kinematics);
  }

  /** Elastic force, damping and energy of all pairs, and the least force of the law. */
  private evaluateLaw(): void {
    const { facets, normal, result, elastic, damping, energies, normalLaw } = this;
    const { depths, count } = facets;
    const isWhole = normalLaw.evaluateAll !== undefined;
    normal[LEAST] = 0;
    for (let c = 0; c < (isWhole ? Math.min(1, count) : count); c++) {
      result[DEPTH] = depths[c];
      result[NORMAL_RATE] = this.kinematics[RATE];
      normalLaw.evaluate(result);
      elastic[c] = result[ELASTIC];
      damping[c] = result[DAMPING];
      energies[c] = result[STORED];
      normal[LEAST] = result[LEAST];
    }
    normalLaw.evaluateAll?.(depths, count, elastic, damping, energies);
  }

  override computeForce(): void {
    this.computeElastic();
    this.drag.locate();
    this.sum(true);
  }

  override respond(): void {
    this.measureVelocity();
    this.sum(false);
  }

  /** Force and moment of all pairs at the twist of the kinematics. */
  protected sum(explicit: boolean): void {
    if (this.sums === null) this.sumNormal();
    else {
      const { twist, least, run } = this.sums;
      for (let a = 0; a < 3; a++) {
        twist[a] = this.kinematics[VELOCITY + a];
        twist[3 + a] = this.kinematics[SPIN + a];
      }
      least[0] = this.normal[LEAST];
      run(this.facets.count);
    }
    this.takePush();
    if (!this.drag.absent) this.addFriction(explicit);
  }

  /** The normal force of every pair, and the wrench of all. */
  private sumNormal(): void {
    const { facets, elastic, damping, pushes, slopes, drag, kinematics: k } = this;
    const { rows, count } = facets;
    const { loads } = drag;
    const least = this.normal[LEAST];
    const x = k[VELOCITY];
    const y = k[VELOCITY + 1];
    const z = k[VELOCITY + 2];
    const u = k[SPIN];
    const v = k[SPIN + 1];
    const w = k[SPIN + 2];
    for (let c = 0, o = 0; c < count; c++, o += 6) {
      const rate =
        x * rows[o] +
        y * rows[o + 1] +
        z * rows[o + 2] +
        u * rows[o + 3] +
        v * rows[o + 4] +
        w * rows[o + 5];
      const f = elastic[c] - damping[c] * rate;
      const yields = f > least;
      pushes[c] = yields ? f : least;
      loads[c] = pushes[c] > 0 ? pushes[c] : 0;
      slopes[c] = yields ? damping[c] : 0;
    }
    sumWrenches(rows, pushes, count, this.wrench);
  }

  /** The wrench of the normal forces is that of the contact. */
  private takePush(): void {
    const { wrench, force, torque, push, drag } = this;
    for (let a = 0; a < 3; a++) {
      push[a] = wrench[a];
      force[a] = wrench[a];
      torque[a] = wrench[3 + a];
      drag.force[a] = 0;
    }
    const size = Math.sqrt(push[0] * push[0] + push[1] * push[1] + push[2] * push[2]);
    this.flags[1] = size;
    this.mobility[LOAD] = size;
  }

  private addFriction(explicit: boolean): void {
    const { facets, drag, force, torque, kinematics: k } = this;
    const { points } = facets;
    const { forces } = drag;
    for (let c = 0; c < facets.count; c++) {
      const o = 3 * c;
      drag.act(c, k, explicit);
      const rx = points[o] - k[POINT];
      const ry = points[o + 1] - k[POINT + 1];
      const rz = points[o + 2] - k[POINT + 2];
      const fx = forces[o];
      const fy = forces[o + 1];
      const fz = forces[o + 2];
      drag.force[0] += fx;
      drag.force[1] += fy;
      drag.force[2] += fz;
      torque[0] += ry * fz - rz * fy;
      torque[1] += rz * fx - rx * fz;
      torque[2] += rx * fy - ry * fx;
    }
    for (let a = 0; a < 3; a++) force[a] += drag.force[a];
  }

  override combine(): void {
    return;
  }

  override computeSlope(slope: Float64Array, secant: boolean): void {
    const { facets, slopes, drag } = this;
    sumSquares(facets.rows, slopes, facets.count, slope);
    if (!drag.absent) this.addFrictionSlope(slope, secant);
  }

  private addFrictionSlope(slope: Float64Array, secant: boolean): void {
    const { facets, slopes, drag, kinematics: k } = this;
    const { points, normals } = facets;
    const m = this.rows;
    for (let c = 0; c < facets.count; c++) {
      const o = 3 * c;
      const rx = points[o] - k[POINT];
      const ry = points[o + 1] - k[POINT + 1];
      const rz = points[o + 2] - k[POINT + 2];
      drag.slopeOf(c, k, secant);
      const load = drag.loads[c];
      const share = load > 0 ? slopes[c] / load : 0;
      const s = drag.slope;
      // the rows k of what friction adds to K_c, for the twist at P: (k, ρ × k)
      for (let a = 0; a < 3; a++) {
        const left = share * drag.forces[o + a];
        const x = left * normals[o] + load * s[SLOPE_FORCE + 3 * a];
        const y = left * normals[o + 1] + load * s[SLOPE_FORCE + 3 * a + 1];
        const z = left * normals[o + 2] + load * s[SLOPE_FORCE + 3 * a + 2];
        m[6 * a] = x;
        m[6 * a + 1] = y;
        m[6 * a + 2] = z;
        m[6 * a + 3] = ry * z - rz * y;
        m[6 * a + 4] = rz * x - rx * z;
        m[6 * a + 5] = rx * y - ry * x;
      }
      for (let col = 0; col < 6; col++) {
        const x = m[col];
        const y = m[6 + col];
        const z = m[12 + col];
        slope[col] += x;
        slope[6 + col] += y;
        slope[12 + col] += z;
        slope[18 + col] += ry * z - rz * y;
        slope[24 + col] += rz * x - rx * z;
        slope[30 + col] += rx * y - ry * x;
      }
    }
  }

  /**
   * Sub-steps that a step needs: for the largest frequency of all pairs together, λ_max of S Σ k w wᵀ, with the phase that a sub-step may
   * cover; and so many that no point of a body moves more than half the standoff in one when it can reach the other one. @alloc none
   */
  override computePhase(stepLength: Float64Array): void {
    const { facets, flags, kinematics: k, value } = this;
    if (facets.count === 0) super.computePhase(stepLength);
    else {
      this.phase[0] = 0;
      if (this.i.yields || this.j.yields) {
        this.computeElastic();
        this.fillStiffness();
        writeRelativeResponse(this.i, this.j, k, this.response);
        writeLargestEigenvalue(this.response, this.slope, value);
        const demand = Math.sqrt(value[0]) / PHASE;
        const calm =
          this.active && Math.abs(k[RATE]) < CALM * this.normalLaw.internals[IMPACT_SPEED];
        if (calm || demand > flags[2]) flags[2] = demand;
        this.phase[0] = flags[2] * stepLength[0];
      }
    }
    this.measureMotion();
    const motion = value[0] * stepLength[0];
    if (k[GAP] >= motion) return;
    const steps = motion / this.standoffStep[0];
    if (steps > this.phase[0]) this.phase[0] = steps;
  }

  /** value[0] := a bound of the speed of any point of i seen from j, m/s. */
  private measureMotion(): void {
    const a = this.i.state;
    const b = this.j.state;
    const x = a[0] - b[0];
    const y = a[1] - b[1];
    const z = a[2] - b[2];
    const vx = a[7] - b[7] - (b[11] * z - b[12] * y);
    const vy = a[8] - b[8] - (b[12] * x - b[10] * z);
    const vz = a[9] - b[9] - (b[10] * y - b[11] * x);
    const wx = a[10] - b[10];
    const wy = a[11] - b[11];
    const wz = a[12] - b[12];
    const reach = this.facets.reach[0];
    this.value[0] =
      Math.sqrt(vx * vx + vy * vy + vz * vz) + reach * Math.sqrt(wx * wx + wy * wy + wz * wz);
  }

  /** slope := Σ k w wᵀ with the stiffness k = n f_el/δ of each pair. */
  protected fillStiffness(): void {
    const { facets, elastic, slopes, slope } = this;
    const { depths, rows, count } = facets;
    const n = this.exponent[0];
    for (let c = 0; c < count; c++) slopes[c] = (n * elastic[c]) / depths[c];
    sumSquares(rows, slopes, count, slope);
  }

  /** This contact against the present velocities, its impulse of before taken back: Newton's method in the twist at its point. @alloc none */
  override solveWhole(): void {
    const { force, torque, twist, missing, kinematics: k, response } = this;
    for (let a = 0; a < 3; a++) {
      this.priorForce[a] = force[a];
      force[a] = -force[a];
      torque[a] = -torque[a];
    }
    if (this.i.yields || this.j.yields) this.pushBodies();
    this.measureVelocity();
    writeRelativeResponse(this.i, this.j, k, response);
    for (let a = 0; a < 3; a++) {
      twist[a] = k[VELOCITY + a];
      twist[3 + a] = k[SPIN + a];
    }
    this.sum(false);
    if (!this.i.yields && !this.j.yields) return;
    for (let step = 0; step < MOST_STEPS; step++) {
      this.measureMissing();
      if (!(this.value[0] > SETTLED * SETTLED)) break;
      this.computeSlope(this.slope, step >= MOST_STEPS / 2);
      this.fillMatrix();
      if (!factorize(this.matrix, 6, this.pivots)) break;
      solveFactored(this.matrix, 6, this.pivots, missing, 0);
      for (let a = 0; a < 3; a++) {
        k[VELOCITY + a] += missing[a];
        k[SPIN + a] += missing[3 + a];
      }
      this.sum(false);
    }
    this.pushBodies();
  }

  /** missing := u* + h S w(u) − u; value[0] := its square over that of u* and h S w. */
  private measureMissing(): void {
    const { twist, missing, response, force, torque, kinematics: k } = this;
    const h = this.mobility[STEP];
    let square = 0;
    let scale = 0;
    for (let a = 0; a < 6; a++) {
      let answer = 0;
      for (let b = 0; b < 3; b++)
        answer += response[6 * a + b] * force[b] + response[6 * a + 3 + b] * torque[b];
      const present = a < 3 ? k[VELOCITY + a] : k[SPIN + a - 3];
      missing[a] = twist[a] + h * answer - present;
      square += missing[a] * missing[a];
      scale += twist[a] * twist[a] + h * h * answer * answer;
    }
    this.value[0] = scale > 0 ? square / scale : 0;
  }

  /** matrix := 1 + h S K. */
  private fillMatrix(): void {
    const { matrix, response, slope } = this;
    const h = this.mobility[STEP];
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b < 6; b++) {
        let sum = a === b ? 1 : 0;
        for (let c = 0; c < 6; c++) sum += h * response[6 * a + c] * slope[6 * c + b];
        matrix[6 * a + b] = sum;
      }
    }
  }

  /** The row of the whole: the sum of the normal forces is force × normal, the moment is about the centre of load. @alloc none */
  override writeReadout(): void {
    super.writeReadout();
    const { facets, drag, push, force, torque, readout: r, kinematics: k } = this;
    const size = this.flags[1];
    if (!this.active || !(size > 0)) return;
    let load = 0;
    for (let c = 0; c < facets.count; c++) load += drag.loads[c];
    for (let a = 0; a < 3; a++) {
      let sum = 0;
      for (let c = 0; c < facets.count; c++)
        sum += drag.loads[c] * (facets.points[3 * c + a] - k[POINT + a]);
      this.twist[a] = load > 0 ? sum / load : 0;
      r[ContactReadout.normal_x + a] = push[a] / size;
      r[ContactReadout.point_x + a] = k[POINT + a] + this.twist[a];
    }
    const x = this.twist[0];
    const y = this.twist[1];
    const z = this.twist[2];
    r[ContactReadout.torque_x] = torque[0] - (y * force[2] - z * force[1]);
    r[ContactReadout.torque_y] = torque[1] - (z * force[0] - x * force[2]);
    r[ContactReadout.torque_z] = torque[2] - (x * force[1] - y * force[0]);
  }
}

/** The contact of two bodies of facets. */
export class FacetedContact extends PlacesContact {
  declare readonly pair: FacetedPair;

  override useKernels(kernels: ContactKernels): void {
    this.sumBy(this.pair.follow(kernels).sums);
  }

  /** The trees of both bodies. */
  get query(): FacetQuery {
    return this.pair.query;
  }

  /** [d_s, m] */
  get standoff(): Float64Array {
    return this.pair.standoff;
  }
}
