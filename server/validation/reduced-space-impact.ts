/**
 * The space impact of Kim 6.3.1 as the loop would have it (engine of docs/theory/elastic-contact.md): the gripper is a rigid link that is pinned to the
 * tip, the payload a rigid body, and what bends is one static compliance between six points without mass. The matrix of masses, the Jacobian and
 * the bias are those of the start: a tick of 1 ms holds them, and the face takes its sub-steps.
 */
import type { PatchFriction } from '../../src/contact/elastic/patch-problem.ts';
import { assembleFem } from '../../src/fem/assembly.ts';
import { NodalBasis } from '../../src/fem/elastic-basis.ts';
import { type Component, freeCompliance } from '../../src/fem/free-compliance.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../../src/math/cholesky.ts';
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
import { dot, MasslessPoints, onFace, type PlaneFace } from './massless-points.ts';
import { ARM_SIZE, PlanarArm } from './planar-arm.ts';

/** Coordinates: the arm, the angle of the gripper, place and angle of the payload. */
const GRIPPER = ARM_SIZE;
const PAYLOAD = GRIPPER + 1;
const SIZE = PAYLOAD + 3;
/** Axes of the face. */
const ACROSS = 0;
const NORMAL = 1;
/** What the impact gives, as in `SpaceImpact`. */
export interface ReducedImpact {
  readonly duration: number;
  readonly jointAlong: number;
  readonly jointAcross: number;
  readonly impulse: number;
  readonly tangentImpulse: number;
  readonly payloadSpeed: number;
  readonly payloadSpin: number;
  /** Kinetic energy and that of the face after it over that before, less 1. */
  readonly energyChange: number;
  /** What friction took of it, same unit. */
  readonly rubbed: number;
  /** Rates of joints 2 and 3, °/s, and of the modes, m/s. */
  readonly rates: readonly number[];
  readonly unsettled: number;
  readonly contacts: number;
  /** 1ᵀ C⁻¹ 1 along the normal and across it, N/m. */
  readonly stiffness: number;
  readonly acrossStiffness: number;
  /** Kinetic energy before it, J. */
  readonly initial: number;
  readonly time: readonly number[];
  readonly along: readonly number[];
}

/** What the bodies are made of: N/m², kg, m. */
export interface FaceData {
  readonly young: { readonly gripper: number; readonly payload: number };
  readonly payload: { readonly mass: number; readonly circumradius: number };
}

export const METAL: FaceData = {
  young: { gripper: 7e10, payload: 7e10 },
  payload: { mass: MASSES.payload, circumradius: CIRCUMRADIUS },
};

/** The face about the joint, axes of the gripper: the compliances of both bodies. */
export function makeFace({ young, payload: data } = METAL): {
  face: PlaneFace;
  inertias: number[];
  centre: number;
} {
  const u = gripperMesh();
  const octagon = payloadMesh(data.circumradius);
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
      onFace(octagon.mesh.coordinates, octagon.face, coordinates[2 * node], axis),
    ),
  );
  const gripperHeld = [
    { node: u.joint, axis: 0 },
    { node: u.joint, axis: 1 },
    { node: 0, axis: 1 },
  ];
  const gripper = bodyModel(u.mesh, MASSES.gripper, gripperHeld, young.gripper);
  const payloadHeld = [
    { node: 0, axis: 0 },
    { node: 0, axis: 1 },
    { node: 1, axis: 1 },
  ];
  const payload = bodyModel(octagon.mesh, data.mass, payloadHeld, young.payload);
  const parts = [freeCompliance(gripper, own), freeCompliance(payload, others)];
  const bases = [gripper, payload].map((body) => new NodalBasis(assembleFem(body)));
  return {
    face: {
      points: nodes.map((node) => [coordinates[2 * node], coordinates[2 * node + 1]]),
      compliance: parts[0].map((value, e) => value + parts[1][e]),
    },
    inertias: bases.map((basis) => basis.polarMoment[0]),
    centre: bases[0].firstMoment[1] / MASSES.gripper,
  };
}

/** Runs 0.5 ms in steps of `step`, s. */
export function runReducedImpact(
  friction: PatchFriction,
  step: number,
  direction = 112.7,
  end = 5e-4,
): ReducedImpact {
  const { face, inertias, centre } = makeFace();
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
  const system = new MasslessPoints(face, friction, step, mass, bias, rows, v, REACH + GAP);
  const initial = system.energyNow();
  const time: number[] = [];
  const along: number[] = [];
  let [impulse, tangentImpulse, acrossMost, first, last, contacts, was, unsettled, taken] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0,
  ];
  for (let s = 1; s * step <= end + step / 2; s++) {
    const before = centreRows.map((row) => dot(row, v));
    system.step();
    const { forces, active } = system;
    unsettled += system.patch.problem.readout[2];
    taken += system.patch.lost[0];
    const gained = centreRows.map((row, a) => (dot(row, v) - before[a]) / step);
    time.push(1e3 * s * step);
    along.push(MASSES.gripper * (n[0] * gained[0] + n[1] * gained[1]) + forces[1]);
    const side = MASSES.gripper * (t[0] * gained[0] + t[1] * gained[1]) - forces[0];
    acrossMost = Math.max(acrossMost, Math.abs(side));
    impulse += step * forces[1];
    tangentImpulse -= step * forces[0];
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
    energyChange: system.energyNow() / initial - 1,
    rubbed: taken / initial,
    rates: [1, 2, 3, 4].map((i) => (i < 3 ? v[i] / DEGREE : v[i])),
    unsettled,
    contacts,
    stiffness: stiffnessAlong(face, NORMAL),
    acrossStiffness: stiffnessAlong(face, ACROSS),
    initial,
    time,
    along,
  };
}

/** Force along the normal over the approach of both bodies, N/m. */
export const faceStiffness = (data: FaceData): number =>
  stiffnessAlong(makeFace(data).face, NORMAL);

/** Force along an axis when all points move by one along it and none has a force across: 1ᵀ C⁻¹ 1 of that axis. */
function stiffnessAlong({ points, compliance }: PlaneFace, axis: number): number {
  const count = points.length;
  const own = Float64Array.from({ length: count * count }, (_, e) => {
    const [p, q] = [Math.floor(e / count), e % count];
    return compliance[2 * count * (2 * p + axis) + 2 * q + axis];
  });
  factorCholesky(own, own, count, new Float64Array(1));
  const ones = new Float64Array(count).fill(1);
  solveLower(own, count, ones, 0);
  solveLowerTransposed(own, count, ones, 0);
  return ones.reduce((sum, value) => sum + value, 0);
}
