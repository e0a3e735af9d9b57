/**
 * The space impact of Kim 6.3.1 as the loop would have it (engine of docs/theory/elastic-contact.md): the gripper is a rigid link that is pinned to the
 * tip, the payload a rigid body, and what bends is one static compliance between six points without mass. The matrix of masses, the Jacobian and
 * the bias are those of the start: a tick of 1 ms holds them, and the face takes its sub-steps.
 */
import { ElasticPatch, patchStateLength } from '../../src/contact/elastic/elastic-patch.ts';
import { makePatch } from '../../src/contact/elastic/patch-constants.ts';
import type { PatchFriction } from '../../src/contact/elastic/patch-problem.ts';
import { assembleFem } from '../../src/fem/assembly.ts';
import { NodalBasis } from '../../src/fem/elastic-basis.ts';
import { type Component, freeCompliance } from '../../src/fem/free-compliance.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../../src/math/cholesky.ts';
import type { PatchModel } from '../../src/model/patch-spec.ts';
import {
  ANGLES,
  bodyModel,
  CIRCUMRADIUS,
  DEGREE,
  GAP,
  GRIPPER_RATE,
  gripperMesh,
  MASSES,
  payloadMesh,
  RATES,
  REACH,
} from './fem-space-impact.ts';
import { ARM_SIZE, PlanarArm } from './planar-arm.ts';

/** Coordinates: the arm, the angle of the gripper, place and angle of the payload. */
const GRIPPER = ARM_SIZE;
const PAYLOAD = GRIPPER + 1;
const SIZE = PAYLOAD + 3;
/** Of the relative motion: across, along the outward normal of the payload's face, turn. */
const RELATIVE = 3;
/** Where they lie among the six of a patch. */
const SLOTS = [0, 2, 4];
/** In place of the compliance out of the plane, which nothing loads. */
const OUT_OF_PLANE = 1e-10;

/** What the impact gives, as in `SpaceImpact`. */
export interface ReducedImpact {
  readonly duration: number;
  readonly jointAlong: number;
  readonly jointAcross: number;
  readonly impulse: number;
  readonly tangentImpulse: number;
  readonly payloadSpeed: number;
  readonly payloadSpin: number;
  /** Kinetic energy after it over that before, less 1. */
  readonly energyChange: number;
  /** Rates of joints 2 and 3, °/s, and of the modes, m/s. */
  readonly rates: readonly number[];
  readonly unsettled: number;
  readonly contacts: number;
  /** 1ᵀ C⁻¹ 1 along the normal, N/m. */
  readonly stiffness: number;
  readonly time: readonly number[];
  readonly along: readonly number[];
}

/** The face: both bodies, compliances added, in axes across, out of the plane, against the way of the gripper; about the joint. */
function makeFace(): { model: PatchModel; inertias: number[]; centre: number } {
  const u = gripperMesh();
  const octagon = payloadMesh();
  const nodes = u.tips.flat();
  const { coordinates } = u.mesh;
  const own: Component[] = nodes.flatMap((node) =>
    [0, 1].map((axis) => [
      { node, axis, share: 1 },
      { node: u.joint, axis, share: -1 },
    ]),
  );
  const others: Component[] = nodes.flatMap((node) =>
    [0, 1].map((axis) =>
      across(octagon.mesh.coordinates, octagon.face, coordinates[2 * node], axis),
    ),
  );
  const gripper = bodyModel(u.mesh, MASSES.gripper, [
    { node: u.joint, axis: 0 },
    { node: u.joint, axis: 1 },
    { node: 0, axis: 1 },
  ]);
  const payload = bodyModel(octagon.mesh, MASSES.payload, [
    { node: 0, axis: 0 },
    { node: 0, axis: 1 },
    { node: 1, axis: 1 },
  ]);
  const parts = [freeCompliance(gripper, own), freeCompliance(payload, others)];
  const count = nodes.length;
  const n = 3 * count;
  const compliance = Array.from({ length: n * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    const [a, b] = [i % 3, j % 3];
    if (a === 1 || b === 1) return i === j ? OUT_OF_PLANE : 0;
    const at = 2 * count * (2 * Math.floor(i / 3) + a / 2) + 2 * Math.floor(j / 3) + b / 2;
    // the third axis is against the second of the mesh
    return (a === b ? 1 : -1) * (parts[0][at] + parts[1][at]);
  });
  const bases = [gripper, payload].map((body) => new NodalBasis(assembleFem(body)));
  return {
    model: {
      points: nodes.flatMap((node) => [coordinates[2 * node], 0, -coordinates[2 * node + 1]]),
      normals: nodes.flatMap(() => [0, 0, -1]),
      areas: nodes.map(() => 0),
      compliance,
      modes: [],
    },
    inertias: bases.map((basis) => basis.polarMoment[0]),
    centre: bases[0].firstMoment[1] / MASSES.gripper,
  };
}

/** A component of the face of the payload beside x. */
function across(
  coordinates: Float64Array,
  face: readonly number[],
  x: number,
  axis: number,
): Component {
  const k = face.findIndex((node, i) => i > 0 && x <= coordinates[2 * node] + 1e-12);
  const [a, b] = [face[k - 1], face[k]];
  const beta = (x - coordinates[2 * a]) / (coordinates[2 * b] - coordinates[2 * a]);
  return [
    { node: a, axis, share: 1 - beta },
    { node: b, axis, share: beta },
  ];
}

/** Runs 0.5 ms in steps of `step`, s. */
export function runReducedImpact(
  friction: PatchFriction,
  step: number,
  direction = 112.7,
  end = 5e-4,
): ReducedImpact {
  const { model, inertias, centre } = makeFace();
  const turn = (direction - 90) * DEGREE;
  const t = [Math.cos(turn), Math.sin(turn)];
  const n = [-Math.sin(turn), Math.cos(turn)];
  const arm = new PlanarArm(undefined, 0);
  const q = Float64Array.from({ length: ARM_SIZE }, (_, i) => ANGLES[i] * DEGREE);
  const v = new Float64Array(SIZE);
  for (let i = 0; i < ARM_SIZE; i++) v[i] = RATES[i] * DEGREE;
  v[GRIPPER] = (RATES[0] + RATES[1] + RATES[2] + GRIPPER_RATE) * DEGREE;
  arm.evaluate(q, v.subarray(0, ARM_SIZE));
  // velocity of the centre of the gripper: the tip, and its turn
  const centreRows = [0, 1].map((a) =>
    Float64Array.from({ length: SIZE }, (_, i) =>
      i < ARM_SIZE ? arm.jacobian[ARM_SIZE * a + i] : i === GRIPPER ? -centre * t[a] : 0,
    ),
  );
  const mass = new Float64Array(SIZE * SIZE);
  const bias = new Float64Array(SIZE);
  const spin = v[GRIPPER];
  for (let i = 0; i < SIZE; i++) {
    bias[i] = i < ARM_SIZE ? arm.bias[i] : 0;
    for (let j = 0; j < SIZE; j++) {
      if (i < ARM_SIZE && j < ARM_SIZE) mass[SIZE * i + j] = arm.mass[ARM_SIZE * i + j];
      for (const row of centreRows) mass[SIZE * i + j] += MASSES.gripper * row[i] * row[j];
    }
    for (const [a, row] of centreRows.entries()) {
      bias[i] += MASSES.gripper * row[i] * (arm.jacobianBias[a] - centre * spin * spin * n[a]);
    }
  }
  mass[(SIZE + 1) * GRIPPER] = inertias[0];
  mass[(SIZE + 1) * PAYLOAD] = mass[(SIZE + 1) * (PAYLOAD + 1)] = MASSES.payload;
  mass[(SIZE + 1) * (PAYLOAD + 2)] = inertias[1];
  const factors = mass.slice();
  factorCholesky(factors, factors, SIZE, new Float64Array(1));
  const solve = (x: Float64Array): Float64Array => {
    solveLower(factors, SIZE, x, 0);
    solveLowerTransposed(factors, SIZE, x, 0);
    return x;
  };
  // the joint against the payload's point there, −away n from its centre
  const away = REACH + GAP + CIRCUMRADIUS * Math.cos(Math.PI / 8);
  const moved = (direction2: readonly number[], sign: number): Float64Array =>
    Float64Array.from({ length: SIZE }, (_, i) => {
      if (i < ARM_SIZE) {
        return (
          sign * (direction2[0] * arm.jacobian[i] + direction2[1] * arm.jacobian[ARM_SIZE + i])
        );
      }
      if (i === GRIPPER) return 0;
      if (i < PAYLOAD + 2) return -sign * direction2[i - PAYLOAD];
      return -sign * away * (direction2[0] * n[1] - direction2[1] * n[0]);
    });
  const rows = [
    moved(t, 1),
    moved(n, -1),
    Float64Array.from({ length: SIZE }, (_, i) => (i === GRIPPER ? 1 : i === PAYLOAD + 2 ? -1 : 0)),
  ];
  const answers = rows.map((row) => solve(row.slice()));
  const drift = solve(bias.map((value) => -value));
  const dot = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, x, i) => sum + x * b[i], 0);
  const constants = makePatch(model, step);
  const patch = new ElasticPatch(
    constants,
    friction,
    new Float64Array(patchStateLength(constants)),
  );
  const { problem, pose, wrench } = patch;
  problem.moves[0] = 1;
  for (let a = 0; a < RELATIVE; a++) {
    for (let b = 0; b < RELATIVE; b++) {
      problem.mobility[6 * SLOTS[a] + SLOTS[b]] = ((step * step) / 4) * dot(rows[a], answers[b]);
    }
  }
  const place = [0, REACH + GAP, 0];
  const kinetic = (): number => {
    let sum = 0;
    for (let i = 0; i < SIZE; i++) {
      for (let j = 0; j < SIZE; j++) sum += 0.5 * v[i] * mass[SIZE * i + j] * v[j];
    }
    return sum;
  };
  const initial = kinetic();
  const time: number[] = [];
  const along: number[] = [];
  let [impulse, tangentImpulse, acrossMost, first, last, contacts, was, unsettled] = [
    0, 0, 0, 0, 0, 0, 0, 0,
  ];
  for (let s = 1; s * step <= end + step / 2; s++) {
    const before = centreRows.map((row) => dot(row, v));
    const middle = v.map((value, i) => value + (step / 2) * drift[i]);
    const at = rows.map((row, a) => place[a] + (step / 2) * dot(row, middle));
    const [c, sn] = [Math.cos(at[2]), Math.sin(at[2])];
    pose.set([at[0], 0, at[1], c, 0, sn, 0, 1, 0, -sn, 0, c]);
    patch.step();
    unsettled += problem.readout[2];
    const forces = SLOTS.map((slot) => wrench[slot]);
    for (const [a, answer] of answers.entries()) {
      for (let i = 0; i < SIZE; i++) middle[i] += (step / 2) * answer[i] * forces[a];
    }
    for (const [a, row] of rows.entries()) place[a] += step * dot(row, middle);
    for (let i = 0; i < SIZE; i++) v[i] = 2 * middle[i] - v[i];
    const gained = centreRows.map((row, a) => (dot(row, v) - before[a]) / step);
    time.push(1e3 * s * step);
    along.push(MASSES.gripper * (n[0] * gained[0] + n[1] * gained[1]) + forces[1]);
    const side = MASSES.gripper * (t[0] * gained[0] + t[1] * gained[1]) - forces[0];
    acrossMost = Math.max(acrossMost, Math.abs(side));
    impulse += step * forces[1];
    tangentImpulse -= step * forces[0];
    const active = problem.readout[0];
    if (active > 0) {
      if (was === 0) contacts++;
      if (first === 0) first = s;
      last = s;
    }
    was = active;
  }
  return {
    duration: (last - first + 1) * step,
    jointAlong: Math.max(...along),
    jointAcross: acrossMost,
    impulse,
    tangentImpulse,
    payloadSpeed: Math.sqrt(v[PAYLOAD] ** 2 + v[PAYLOAD + 1] ** 2),
    payloadSpin: v[PAYLOAD + 2],
    energyChange: kinetic() / initial - 1,
    rates: [1, 2, 3, 4].map((i) => (i < 3 ? v[i] / DEGREE : v[i])),
    unsettled,
    contacts,
    stiffness: normalStiffness(model),
    time,
    along,
  };
}

/** Force along the normal when all points move by one along it and none across: the frictionless face, 1ᵀ C_nn⁻¹ 1. */
function normalStiffness({ compliance, areas }: PatchModel): number {
  const count = areas.length;
  const normal = Float64Array.from({ length: count * count }, (_, e) => {
    const [p, q] = [Math.floor(e / count), e % count];
    return compliance[3 * count * (3 * p + 2) + 3 * q + 2];
  });
  factorCholesky(normal, normal, count, new Float64Array(1));
  const ones = new Float64Array(count).fill(1);
  solveLower(normal, count, ones, 0);
  solveLowerTransposed(normal, count, ones, 0);
  return ones.reduce((sum, value) => sum + value, 0);
}
