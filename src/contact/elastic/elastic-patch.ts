/**
 * A reduced face of an elastic body against a half-space: contact points without mass, mid-point rule. Nothing chatters, since a point
 * that touches has no momentum of its own; with constant C and fixed normal the energy ½ f·C_r f + ½ η²ω² + ½ η̇² is a potential.
 *
 * η̇_f = (η̇ − (h/2) ω² η)/d                     modes at mid-step without contact
 * b   = places at mid-step without contact, tangential part less the anchor
 * η̇_m = η̇_f + (h/2) φᵀ f/d,  η ← η + h η̇_m,  η̇ ← 2 η̇_m − η̇
 *
 * Poses are relative to the half-space z ≤ 0, whose axes are those of the target. Where the pose answers to the force within the step,
 * `mobility` has to be W = (h²/4) M⁻¹, and poses have to advance with the mean velocity v_m = v_f + (h/2) M⁻¹ Jᵀ f: advancing with the new
 * one takes energy out. After a step an open or sliding point has its anchor where it is; before the first one, where `start` found it.
 *
 * Staggered, for poses that advance with the new velocity, x₊ = x + h v₊: velocities then stand half a step before poses, and the mid-point
 * rule in these variables has forces at the mean of the two mid-steps beside x, x + (h/4)(v₊ − v). The pose given is that without contact,
 * x + (h/4)(v_f − v), W is the same, and so is A:
 *
 * η̇_f = (η̇ (2 + h² ω²/2 − d) − h ω² η)/d,   η̇₊ = η̇_f + h φᵀ f/d,   η ← η + h η̇₊
 *
 * The impulse h f is a function of x alone and has a potential: the step is symplectic, with C + W for the compliance.
 */
import { type Columns, OWN_COLUMNS } from '../../math/columns.ts';
import { type PatchConstants, setStep } from './patch-constants.ts';
import { PatchFrictionSolver } from './patch-friction-solver.ts';
import { PatchNormalSolver } from './patch-normal-solver.ts';
import { ACTIVE, type PatchFriction, PatchProblem, ROUNDS, SLIDE, STICK } from './patch-problem.ts';
import { FaceHeights } from './face-heights.ts';
import { PartnerFace } from './partner-face.ts';
import type { Solid } from './solid-heights.ts';
import type { PatchModel } from '../../model/patch-spec.ts';
import { range } from '../../base/parameter-checks.ts';

/** Most points that push at once. */
const MOST_ACTIVE = 32;
/** Most times that points outside of the list may come to it. */
const ADMISSIONS = 4;

/** Doubles of the state of a patch: forces, anchors, states, [1 after the first step], modes and their rates. */
export function patchStateLength(
  { count, modes }: Pick<PatchConstants, 'count' | 'modes'>,
  curved = false,
): number {
  return 3 * count + anchorLength(curved) * count + count + 1 + 2 * modes;
}

/** Numbers of an anchor: on a plane two. */
const anchorLength = (curved: boolean): number => (curved ? 3 : 2);

/** A patch against the half-space. */
export class ElasticPatch {
  readonly constants: PatchConstants;
  readonly problem: PatchProblem;
  /** Pose of the body at mid-step without contact, axes of the target: place, m, and rotation row by row. */
  readonly pose: Float64Array;
  /** Displacement and rotation of the body beyond the pose, small, in its axes. */
  readonly drift: Float64Array;
  /** Force and moment about the origin of the body at mid-step, axes of the target, N and N m. */
  readonly wrench: Float64Array;
  /** Where each point is at mid-step, axes of the target, m; in contact deformed. */
  readonly places: Float64Array;
  /** [energy taken by friction in the last step, J] */
  readonly lost: Float64Array;
  /** Anchors on the target, two numbers each, three on a shape, m; modes η and rates η̇, √kg m and √kg m/s. */
  readonly anchors: Float64Array;
  readonly eta: Float64Array;
  readonly etaRate: Float64Array;
  /** Null for the half-space. */
  private readonly target: Solid | null;
  /** The target where it is an elastic face itself. */
  private readonly partner: PartnerFace | null;
  private readonly staggered: boolean;
  private readonly known: Float64Array;
  private readonly freeRates: Float64Array;
  /** Points of the body with its modes; w; the deflection under forces. Axes of the body. */
  private readonly deflected: Float64Array;
  private readonly shift: Float64Array;
  private readonly bend: Float64Array;
  private readonly solver: { solve(): void };

  /**
   * @param state `patchStateLength` doubles of the arena
   * @param staggered whether poses advance with the new velocity
   * @param other the face of the target where that is one
   * @throws BerthError for coefficients of friction that are none, and for μ_d > μ_s
   */
  constructor(
    constants: PatchConstants,
    friction: PatchFriction,
    state: Float64Array,
    columns: Columns = OWN_COLUMNS,
    most: number = MOST_ACTIVE,
    staggered = false,
    target: Solid | null = null,
    other: PatchModel | null = null,
  ) {
    const { sliding } = friction;
    range('friction.static', friction.static, friction.static >= 0, '>= 0');
    const least = sliding >= 0 && sliding <= friction.static;
    range(
      'friction.sliding',
      sliding,
      least,
      `to lie from 0 to friction.static, ${friction.static}`,
    );
    const { count, modes } = constants;
    this.constants = constants;
    this.staggered = staggered;
    this.target = target;
    let at = 0;
    const slice = (length: number): Float64Array => state.subarray(at, (at += length));
    const force = slice(3 * count);
    this.anchors = slice(anchorLength(target !== null) * count);
    const states = slice(count);
    this.known = slice(1);
    this.eta = slice(modes);
    this.etaRate = slice(modes);
    this.pose = columns.doubles(12);
    this.partner =
      other !== null && target instanceof FaceHeights
        ? new PartnerFace(other, target, this.pose.subarray(3), count)
        : null;
    this.problem = new PatchProblem(constants, most, force, states, columns, this.partner);
    this.drift = columns.doubles(6);
    this.wrench = columns.doubles(6);
    this.places = columns.doubles(3 * count);
    this.lost = columns.doubles(1);
    this.freeRates = columns.doubles(modes);
    this.deflected = columns.doubles(3 * count);
    this.shift = columns.doubles(3 * count);
    this.bend = columns.doubles(3 * count);
    this.solver =
      friction.static > 0
        ? new PatchFrictionSolver(this.problem, friction, columns)
        : new PatchNormalSolver(this.problem, columns);
  }

  /** From now on steps of timing[0]. @alloc none */
  setStep(timing: Float64Array): void {
    setStep(this.constants, timing);
  }

  /** Whether all points have the normal of the pose. */
  get isFlat(): boolean {
    return this.target === null;
  }

  /** Whether points have anchors: since the first step or `start`. */
  get isAnchored(): boolean {
    return this.known[0] !== 0;
  }

  /** Anchors where the points are at the present pose, that of the start of the first step. @alloc none */
  start(): void {
    this.place();
  }

  /** One step at the present pose: forces, modes, anchors, wrench. @alloc none */
  step(): void {
    this.solve();
    this.advance();
  }

  /** Forces and wrench at the present pose. @alloc none */
  solve(): void {
    const { problem, shift } = this;
    const { readout, states } = problem;
    this.place();
    readout[ROUNDS] = 0;
    problem.gather();
    for (let round = 0; round < ADMISSIONS; round++) {
      this.solver.solve();
      problem.fillPlaces(this.bend, shift);
      if (!problem.admitOverlaps(shift)) break;
    }
    readout[ACTIVE] = 0;
    for (let p = 0; p < this.constants.count; p++) if (states[p] > 0) readout[ACTIVE]++;
    this.sumWrench();
  }

  /** Forgets forces, anchors and modes: the next step is the first. @alloc none */
  clear(): void {
    this.problem.force.fill(0);
    this.problem.states.fill(0);
    this.eta.fill(0);
    this.etaRate.fill(0);
    this.known[0] = 0;
  }

  /** Offsets b and normals from the pose; modes without contact. */
  private place(): void {
    const { constants, pose, places, deflected, freeRates, eta, etaRate, anchors, known } = this;
    const { offsets, normals } = this.problem;
    const { points, shapes, squares, dividers, timing, count, modes } = constants;
    const { staggered, drift } = this;
    const h = timing[0];
    const n = 3 * count;
    for (let i = 0; i < n; i++) deflected[i] = points[i];
    for (let k = 0; k < modes; k++) {
      const d = dividers[k];
      const kept = staggered ? 2 + (h * h * squares[k]) / 2 - d : 1;
      const span = staggered ? h : h / 2;
      freeRates[k] = (kept * etaRate[k] - span * squares[k] * eta[k]) / d;
      const middle = staggered
        ? eta[k] + (h / 4) * (freeRates[k] - etaRate[k])
        : eta[k] + (h / 2) * freeRates[k];
      for (let i = 0; i < n; i++) deflected[i] += middle * shapes[n * k + i];
    }
    for (let p = 0; p < count; p++) {
      const o = 3 * p;
      const dx = deflected[o] + (drift[0] + drift[4] * points[o + 2] - drift[5] * points[o + 1]);
      const dy = deflected[o + 1] + (drift[1] + drift[5] * points[o] - drift[3] * points[o + 2]);
      const dz = deflected[o + 2] + (drift[2] + drift[3] * points[o + 1] - drift[4] * points[o]);
      for (let a = 0; a < 3; a++) {
        const r = 3 + 3 * a;
        places[o + a] = pose[a] + pose[r] * dx + pose[r + 1] * dy + pose[r + 2] * dz;
        normals[o + a] = pose[9 + a];
      }
      if (this.target !== null) {
        this.placeOnTarget(p, this.target);
        continue;
      }
      if (known[0] === 0) {
        anchors[2 * p] = places[o];
        anchors[2 * p + 1] = places[o + 1];
      }
      const x = places[o] - anchors[2 * p];
      const y = places[o + 1] - anchors[2 * p + 1];
      const z = places[o + 2];
      for (let a = 0; a < 3; a++) {
        offsets[o + a] = pose[3 + a] * x + pose[6 + a] * y + pose[9 + a] * z;
      }
    }
    known[0] = 1;
  }

  /**
   * Normal, anchor and offset of a point over a shape: along the normal its height, across it the way from its anchor. What the surface bends away
   * over that way, in one step, is left out.
   */
  private placeOnTarget(p: number, target: Solid): void {
    const { pose, places, anchors, known } = this;
    const { offsets, normals } = this.problem;
    const { gap, normal } = target;
    const o = 3 * p;
    target.measure(places, o);
    if (this.partner !== null) this.partner.take(p);
    let along = 0.0;
    for (let a = 0; a < 3; a++) {
      if (known[0] === 0) anchors[o + a] = places[o + a] - gap[0] * normal[a];
      along += (places[o + a] - anchors[o + a]) * normal[a];
    }
    const lift = gap[0] - along;
    const x = places[o] - anchors[o] + lift * normal[0];
    const y = places[o + 1] - anchors[o + 1] + lift * normal[1];
    const z = places[o + 2] - anchors[o + 2] + lift * normal[2];
    for (let a = 0; a < 3; a++) {
      normals[o + a] = pose[3 + a] * normal[0] + pose[6 + a] * normal[1] + pose[9 + a] * normal[2];
      offsets[o + a] = pose[3 + a] * x + pose[6 + a] * y + pose[9 + a] * z;
    }
  }

  /** Place of a point over a shape at the end of the step, and its anchor there where it does not stick. */
  private advanceOnTarget(p: number, target: Solid): void {
    const { problem, pose, places, shift, anchors } = this;
    const { offsets, states } = problem;
    const { gap, normal } = target;
    const o = 3 * p;
    for (let a = 0; a < 3; a++) {
      const r = 3 + 3 * a;
      for (let b = 0; b < 3; b++) places[o + a] += pose[r + b] * (shift[o + b] - offsets[o + b]);
    }
    if (states[p] === STICK) return;
    target.measure(places, o);
    for (let a = 0; a < 3; a++) anchors[o + a] = places[o + a] - gap[0] * normal[a];
  }

  /** Modes and anchors to the end of the step, from the forces of the last `solve`. @alloc none */
  advance(): void {
    const { constants, problem, pose, places, shift, anchors, lost, freeRates, eta, etaRate } =
      this;
    const { force, states, normals } = problem;
    const { shapes, dividers, timing, count, modes } = constants;
    const { staggered } = this;
    const h = timing[0];
    const n = 3 * count;
    lost[0] = 0;
    for (let p = 0; p < count; p++) {
      const o = 3 * p;
      let gap = 0;
      let load = 0;
      let power = 0;
      for (let a = 0; a < 3; a++) {
        gap += normals[o + a] * shift[o + a];
        load += normals[o + a] * force[o + a];
        power += force[o + a] * shift[o + a];
      }
      if (states[p] === SLIDE) lost[0] += load * gap - power;
      if (this.target !== null) {
        this.advanceOnTarget(p, this.target);
        continue;
      }
      for (let a = 0; a < 3; a++) {
        const r = 3 + 3 * a;
        const moved = pose[r] * shift[o] + pose[r + 1] * shift[o + 1] + pose[r + 2] * shift[o + 2];
        places[o + a] = a < 2 ? anchors[2 * p + a] + moved : moved;
        if (a < 2 && states[p] !== STICK) anchors[2 * p + a] = places[o + a];
      }
    }
    for (let k = 0; k < modes; k++) {
      let push = 0;
      for (let i = 0; i < n; i++) push += shapes[n * k + i] * force[i];
      const rate = freeRates[k] + ((staggered ? h : h / 2) * push) / dividers[k];
      eta[k] += h * rate;
      etaRate[k] = staggered ? rate : 2 * rate - etaRate[k];
    }
  }

  /** Wrench of the forces at the deflected points. */
  private sumWrench(): void {
    const { problem, bend, deflected, pose, wrench } = this;
    const { force } = problem;
    const n = 3 * this.constants.count;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let mx = 0;
    let my = 0;
    let mz = 0;
    for (let o = 0; o < n; o += 3) {
      const x = deflected[o] + bend[o];
      const y = deflected[o + 1] + bend[o + 1];
      const z = deflected[o + 2] + bend[o + 2];
      fx += force[o];
      fy += force[o + 1];
      fz += force[o + 2];
      mx += y * force[o + 2] - z * force[o + 1];
      my += z * force[o] - x * force[o + 2];
      mz += x * force[o + 1] - y * force[o];
    }
    for (let a = 0; a < 3; a++) {
      const r = 3 + 3 * a;
      wrench[a] = pose[r] * fx + pose[r + 1] * fy + pose[r + 2] * fz;
      wrench[3 + a] = pose[r] * mx + pose[r + 1] * my + pose[r + 2] * mz;
    }
  }

  /** out[0] := energy of the statics at mid-step, out[1] := that of the modes at the end of the step, J. @alloc none */
  energies(out: Float64Array): void {
    const { constants, problem, eta, etaRate } = this;
    const { rest, squares, count, modes } = constants;
    const { force } = problem;
    const n = 3 * count;
    let statics = this.partner === null ? 0 : this.partner.energy[0];
    for (let i = 0; i < n; i++) {
      if (force[i] === 0) continue;
      for (let j = 0; j < n; j++) statics += 0.5 * force[i] * rest[n * i + j] * force[j];
    }
    let moving = 0;
    for (let k = 0; k < modes; k++) {
      moving += 0.5 * (squares[k] * eta[k] * eta[k] + etaRate[k] * etaRate[k]);
    }
    out[0] = statics;
    out[1] = moving;
  }
}
