/**
 * A gripper at the tip of the flexible planar arm meets a free payload, `Kim 1999, 6.3.1, tables 6.2 and 6.3`.
 *
 * The source prints neither meshes nor sizes. Here the gripper is a U of 0.40 m × 0.49 m (base 0.08 m, fingers 0.05 m) that turns freely about
 * the middle of its base; the payload is a regular octagon of circumradius 2.5 m with a face on the tips of the fingers. Plane stress,
 * E = 70 GPa, ν = 0.3. The thickness of 5.2 m is chosen so that the contact lasts as long as in the source; masses are those of table 6.2.
 */
import { assembleFem, type FemModel } from '../../src/fem/assembly.ts';
import { ContactPair } from '../../src/fem/contact-pair.ts';
import type { ContactFriction } from '../../src/fem/contact-states.ts';
import { ContactStep } from '../../src/fem/contact-step.ts';
import { NodalBasis } from '../../src/fem/elastic-basis.ts';

import type { ElementBlock, FemMesh } from '../../src/fem/fem-mesh.ts';
import { type BodyStart, FloatingBody, rayleighDamping } from '../../src/fem/floating-body.ts';
import { PinJoint } from '../../src/fem/joints.ts';
import { lowestModes } from '../../src/fem/modes.ts';
import { ArmPart } from './arm-part.ts';

export const DEGREE = Math.PI / 180;
const THICKNESS = 5.2;
const YOUNG = 7e10;
const POISSON = 0.3;
export const GAP = 1e-7;
/** From the joint to the tips, m. */
export const REACH = 0.49;
export const CIRCUMRADIUS = 2.5;
/** Angles and rates of table 6.3. */
export const ANGLES = [0, 67.3, 45.4, 0, 0];
export const RATES = [0, 0.911, -1.82, 0, 0];
export const GRIPPER_RATE = 0.911;
export const MASSES = { gripper: 2.3, payload: 884.3 } as const;

/** Columns and rows of the gripper's grid. */
const COLUMNS = [-0.2, -0.175, -0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.175, 0.2];
const BASE_ROWS = 3;
const FINGER_ROWS = 8;
const FINGER_COLUMNS = 2;
/** Faces, elements of a half face, rings. */
const FACES = 8;
const HALF = 2;
const RINGS = 5;

/** The U; returns its mesh, the node of the joint and those of both tips. */
export function gripperMesh(): { mesh: FemMesh; joint: number; tips: number[][] } {
  const heights = [
    ...Array.from({ length: BASE_ROWS }, (_, j) => (0.08 * j) / BASE_ROWS),
    ...Array.from({ length: FINGER_ROWS + 1 }, (_, j) => 0.08 + (0.41 * j) / FINGER_ROWS),
  ];
  const last = COLUMNS.length - 1;
  const numbers = new Map<number, number>();
  const coordinates: number[] = [];
  const node = (i: number, j: number): number => {
    const key = i + COLUMNS.length * j;
    let number = numbers.get(key);
    if (number === undefined) {
      number = coordinates.length / 2;
      numbers.set(key, number);
      coordinates.push(COLUMNS[i], heights[j]);
    }
    return number;
  };
  const nodes: number[] = [];
  for (let j = 0; j < BASE_ROWS + FINGER_ROWS; j++) {
    for (let i = 0; i < last; i++) {
      if (j >= BASE_ROWS && i >= FINGER_COLUMNS && i < last - FINGER_COLUMNS) continue;
      nodes.push(node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1));
    }
  }
  const top = BASE_ROWS + FINGER_ROWS;
  const tip = (from: number): number[] =>
    Array.from({ length: FINGER_COLUMNS + 1 }, (_, i) => node(from + i, top));
  return {
    mesh: {
      dimension: 2,
      coordinates: Float64Array.from(coordinates),
      blocks: [{ kind: 'quad4', nodes: Int32Array.from(nodes) }],
      nodeSets: {},
    },
    joint: node(last / 2, 0),
    tips: [tip(0), tip(last - FINGER_COLUMNS)],
  };
}

/** The octagon about its centre, node 0; its lowest face comes first. Ring by ring, counter-clockwise. */
export function payloadMesh(circumradius = CIRCUMRADIUS): {
  mesh: FemMesh;
  face: number[];
  /** Middles of the faces, counter-clockwise from the lowest. */
  middles: number[];
} {
  const around = FACES * 2 * HALF;
  const coordinates = [0, 0];
  for (let ring = 1; ring <= RINGS; ring++) {
    const scale = circumradius * (1 - (1 - ring / RINGS) ** 1.5);
    for (let face = 0; face < FACES; face++) {
      const ends = [face - 0.5, face + 0.5].map((turn) => -Math.PI / 2 + (turn * Math.PI) / 4);
      for (let k = 0; k < 2 * HALF; k++) {
        const half = (k - HALF) / HALF;
        const along = (1 + Math.sign(half) * Math.abs(half) ** 1.5) / 2;
        coordinates.push(
          scale * ((1 - along) * Math.cos(ends[0]) + along * Math.cos(ends[1])),
          scale * ((1 - along) * Math.sin(ends[0]) + along * Math.sin(ends[1])),
        );
      }
    }
  }
  const at = (ring: number, k: number): number => 1 + around * (ring - 1) + (k % around);
  const triangles: number[] = [];
  const quads: number[] = [];
  for (let k = 0; k < around; k++) {
    triangles.push(0, at(1, k), at(1, k + 1));
    for (let ring = 1; ring < RINGS; ring++) {
      quads.push(at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1));
    }
  }
  const blocks: ElementBlock[] = [
    { kind: 'cst', nodes: Int32Array.from(triangles) },
    { kind: 'quad4', nodes: Int32Array.from(quads) },
  ];
  return {
    mesh: { dimension: 2, coordinates: Float64Array.from(coordinates), blocks, nodeSets: {} },
    face: Array.from({ length: 2 * HALF + 1 }, (_, k) => at(RINGS, k)),
    middles: Array.from({ length: FACES }, (_, face) => at(RINGS, 2 * HALF * face + HALF)),
  };
}

/** A body of a given mass; `held` components do not move. */
export function bodyModel(
  mesh: FemMesh,
  mass: number,
  held: FemModel['held'] = [],
  young = YOUNG,
): FemModel {
  const model = (density: number): FemModel => ({
    mesh,
    material: { young, poisson: POISSON, density },
    state: 'plane-stress',
    thickness: THICKNESS,
    held,
  });
  return model(mass / new NodalBasis(assembleFem({ ...model(1), held: [] })).totalMass);
}

/** A body of a given mass with 1 % damping at its first two elastic frequencies; the frame lies at `origin` and turns with `second`. */
function makeBody(
  mesh: FemMesh,
  mass: number,
  origin: number,
  second: { node: number; axis: number },
  start: BodyStart,
): FloatingBody {
  const free = assembleFem(bodyModel(mesh, mass));
  const [, , , first, next] = lowestModes(free.stiffness, free.mass, 5).frequencies;
  const held = [{ node: origin, axis: 0 }, { node: origin, axis: 1 }, second];
  const basis = new NodalBasis(assembleFem(bodyModel(mesh, mass, held)));
  return new FloatingBody(basis, start, rayleighDamping(0.01, first, next));
}

/** What the impact gives; forces are in axes of the gripper: across it and along it. */
export interface SpaceImpact {
  /** From the first to the last contact, s. */
  readonly duration: number;
  /** Largest forces at the joint, mean over five steps, N. */
  readonly jointAlong: number;
  readonly jointAcross: number;
  /** Impulse on the payload along its normal and along its face, N s. */
  readonly impulse: number;
  readonly tangentImpulse: number;
  /** Speed, m/s, and spin, rad/s, of the payload. */
  readonly payloadSpeed: number;
  readonly payloadSpin: number;
  /** Energies of arm, gripper and payload after the last contact, J; that of all over that of the start, less 1. */
  readonly energies: readonly number[];
  readonly energyChange: number;
  /** The same three at the largest force. */
  readonly middle: readonly number[];
  /** Coordinates and rates of the arm at the end, rad and m. */
  readonly arm: { readonly q: readonly number[]; readonly rate: readonly number[] };
  /** Rates of the arm's joints, °/s, and of its modes, m/s, at the end. */
  readonly rates: readonly number[];
  /** Moments of inertia of gripper and payload about their origins, kg m², and way of the gripper's centre from the joint, m. */
  readonly inertias: readonly number[];
  readonly centre: number;
  readonly unsettled: number;
  readonly contacts: number;
  readonly time: number[];
  readonly along: number[];
  readonly across: number[];
  readonly parts: number[][];
}

/** Runs the impact for 0.5 ms. @param direction of the gripper and of the way into the face, ° from X_o */
export function runSpaceImpact(
  friction: ContactFriction,
  step: number,
  direction = 112.7,
  end = 5e-4,
): SpaceImpact {
  const arm = new ArmPart();
  for (let i = 0; i < 5; i++) {
    arm.q[i] = i < 3 ? ANGLES[i] * DEGREE : 0;
    arm.rate[i] = i < 3 ? RATES[i] * DEGREE : 0;
  }
  arm.arm.evaluate(arm.q, arm.rate);
  const tip = Float64Array.from(arm.arm.tip);
  const speed = Float64Array.from(arm.arm.tipVelocity);
  const turn = (direction - 90) * DEGREE;
  const u = gripperMesh();
  const gripper = makeBody(
    u.mesh,
    MASSES.gripper,
    u.joint,
    { node: 0, axis: 1 },
    {
      position: [tip[0], tip[1]],
      angle: turn,
      velocity: [speed[0], speed[1]],
      angularVelocity: (RATES[0] + RATES[1] + RATES[2] + GRIPPER_RATE) * DEGREE,
    },
  );
  const octagon = payloadMesh();
  const n = [-Math.sin(turn), Math.cos(turn)];
  const away = REACH + GAP + CIRCUMRADIUS * Math.cos(Math.PI / 8);
  const payload = makeBody(
    octagon.mesh,
    MASSES.payload,
    0,
    { node: 1, axis: 1 },
    {
      position: [tip[0] + away * n[0], tip[1] + away * n[1]],
      angle: turn,
      velocity: [0, 0],
      angularVelocity: 0,
    },
  );
  const parts = [arm, gripper, payload] as const;
  const pairs = u.tips.map(
    (nodes) =>
      new ContactPair(
        { part: 1, body: gripper, nodes },
        { part: 2, body: payload, nodes: octagon.face },
        friction,
      ),
  );
  const pin = new PinJoint(
    { part: 1, body: gripper, point: u.joint },
    { part: 0, body: arm, point: 0 },
  );
  const system = new ContactStep(parts, pairs, [pin], { step, project: false });
  const energy = new Float64Array(3);
  const energiesNow = (): number[] =>
    parts.map((part) => {
      part.energies(energy);
      return energy[0] + energy[1];
    });
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
  const initial = sum(energiesNow());
  const time: number[] = [];
  const forces: { along: number[]; across: number[] } = { along: [], across: [] };
  const history: number[][] = [[], [], []];
  let impulse = 0;
  let tangentImpulse = 0;
  let first = 0;
  let last = 0;
  let contacts = 0;
  let was = 0;
  for (let s = 1; s * step <= end + step / 2; s++) {
    system.advance();
    time.push(1e3 * s * step);
    const [x, y] = pin.forces;
    forces.along.push(-n[0] * x - n[1] * y);
    forces.across.push(n[0] * y - n[1] * x);
    let active = 0;
    for (const pair of pairs) {
      active += pair.activeNodes();
      for (const force of pair.normalForce) impulse -= force * step;
      for (const force of pair.tangentForce) tangentImpulse += force * step;
    }
    if (active > 0) {
      if (was === 0) contacts++;
      if (first === 0) first = s;
      last = s;
    }
    was = active;
    for (const [p, value] of energiesNow().entries()) history[p].push(value);
  }
  const smooth = (values: number[]): number[] =>
    values.map((_, i) => {
      const near = values.slice(Math.max(0, i - 2), i + 3);
      return sum(near) / near.length;
    });
  const along = smooth(forces.along);
  const acrossForce = smooth(forces.across);
  const at = along.indexOf(Math.max(...along));
  const momentum = new Float64Array(3);
  payload.momentum(momentum);
  const spin = momentum[2] - payload.q[0] * momentum[1] + payload.q[1] * momentum[0];
  const energies = history.map((values) => values[last]);
  const inertias = [gripper, payload].map((body) => body.basis.polarMoment[0]);
  return {
    duration: (last - first + 1) * step,
    jointAlong: along[at],
    jointAcross: Math.max(...acrossForce.map(Math.abs)),
    impulse,
    tangentImpulse,
    payloadSpeed: Math.sqrt(momentum[0] ** 2 + momentum[1] ** 2) / MASSES.payload,
    payloadSpin: spin / inertias[1],
    energies,
    energyChange: sum(energies) / initial - 1,
    middle: history.map((values) => values[at]),
    arm: { q: [...arm.q], rate: [...arm.rate] },
    rates: Array.from(arm.rate, (rate, i) => (i < 3 ? rate / DEGREE : rate)),
    inertias,
    centre: gripper.basis.firstMoment[1] / MASSES.gripper,
    unsettled: system.unsettled,
    contacts,
    time,
    along,
    across: acrossForce,
    parts: history,
  };
}
