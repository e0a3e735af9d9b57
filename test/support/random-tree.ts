/** Random trees of rigid links, and random states and loads for them. Everything is drawn from a seeded source. */
import type { Random } from '../../src/index.ts';
import type {
  JointDriveModel,
  TreeJointModel,
  TreeLinkModel,
  TreeModel,
} from '../../src/multibody/tree/tree-model.ts';
import type { MaximalLoads } from './maximal-dynamics.ts';
import { rotation, turnedInertia, type Vector } from './maximal-vectors.ts';

type Triple = [number, number, number];
type Quadruple = [number, number, number, number];

/** In [−1, 1). */
export const number = (random: Random): number => 2 * random.uniform() - 1;
export const triple = (random: Random): Triple => [number(random), number(random), number(random)];

/** A point of the unit sphere in three or four dimensions. */
export function direction(random: Random): Triple {
  const [x, y, z] = unitOf(random, 3);
  return [x, y, z];
}
export function orientation(random: Random): Quadruple {
  const [x, y, z, w] = unitOf(random, 4);
  return [x, y, z, w];
}

function unitOf(random: Random, size: number): number[] {
  const v = Array.from({ length: size }, () => random.gaussian());
  const length = Math.sqrt(v.reduce((sum, c) => sum + c * c, 0));
  return v.map((c) => c / length);
}

/** What may occur in a random tree. */
export interface RandomTreeOptions {
  readonly links: number;
  /** The first link floats free and carries all others. */
  readonly floating?: boolean;
  /** Some joints have drives, rigid or flexible. */
  readonly drives?: boolean;
  /** Some links have no mass and carry the next one on an axis across theirs. */
  readonly massless?: boolean;
  /** Some links are beams with up to three modes in each plane. */
  readonly beams?: boolean;
  readonly centrifugalStiffening?: boolean;
}

/** A tree with random branches, every kind of joint and masses over three decades, 0.1 … 100 kg. */
export function randomTree(random: Random, options: RandomTreeOptions): TreeModel {
  const links: TreeLinkModel[] = [];
  while (links.length < options.links) {
    const i = links.length;
    const hollow = i > 0 && links[i - 1].mass === 0;
    const parent = hollow
      ? i - 1
      : i === 0
        ? -1
        : pickParent(random, links, options.floating === true);
    const first = i === 0 && options.floating === true;
    const empty = options.massless === true && !hollow && !first && i + 1 < options.links;
    const light = empty && random.uniform() < 0.15;
    let joint = randomJoint(random, options.drives === true);
    if (first) joint = freeJoint(random);
    if (light) joint = { kind: 'revolute', axis: [1, 0, 0], position: 0, rate: 0 };
    if (hollow) joint = { kind: 'revolute', axis: [0, 1, 0], position: 0, rate: 0 };
    links.push({
      name: `link${i}`,
      parent,
      position: triple(random),
      // across the axis of a link without mass, at every angle
      orientation: hollow ? [0, 0, 0, 1] : orientation(random),
      joint,
      mass: light ? 0 : 10 ** (3 * random.uniform() - 1),
      center: [0, 0, 0],
      inertia: [0, 0, 0, 0, 0, 0],
    });
    if (!light) links[i] = withInertia(random, links[i]);
    if (!light && options.beams === true && random.uniform() < 0.5) {
      links[i] = withBeam(random, links[i], options.centrifugalStiffening === true);
    }
  }
  return {
    name: 'random',
    position: triple(random),
    orientation: orientation(random),
    links,
    frames: [0, 1].map((n) => ({
      name: `frame${n}`,
      link: Math.floor(random.uniform() * links.length),
      position: triple(random),
      orientation: orientation(random),
    })),
  };
}

/** Any link before, more often one of the last three. A link without mass has one child. */
function pickParent(random: Random, links: readonly TreeLinkModel[], floating: boolean): number {
  const first = random.uniform() < 0.7 ? Math.max(-1, links.length - 4) : -1;
  for (;;) {
    const pick = Math.floor(random.uniform() * (links.length - first)) + first;
    if (pick < 0 && !floating) return -1;
    if (pick >= 0 && links[pick].mass > 0) return pick;
  }
}

/** A centre off the joint and the inertia of three pairs of points, radii of gyration 0.1 … 0.7 m. */
function withInertia(random: Random, link: TreeLinkModel): TreeLinkModel {
  const [a, b, c] = [0, 0, 0].map(() => link.mass * (0.01 + 0.25 * random.uniform()));
  const m = turnedInertia(rotation(orientation(random)), [b + c, a + c, a + b, 0, 0, 0]);
  return {
    ...link,
    center: triple(random),
    inertia: [m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]],
  };
}

/** A beam of 1 … 2 m whose first frequency is 3 … 30 rad/s. */
function withBeam(random: Random, link: TreeLinkModel, stiffening: boolean): TreeLinkModel {
  const length = 1 + random.uniform();
  const stiffness = (): number => {
    const frequency = 3 * 10 ** random.uniform();
    return (frequency ** 2 * link.mass * length ** 3) / 12.36;
  };
  const modes = (): number => Math.floor(4 * random.uniform());
  return {
    ...link,
    center: [length / 2, 0, 0],
    inertia: [link.inertia[0], 0, 0, 0, 0, 0],
    beam: {
      length,
      bendingStiffness: [stiffness(), stiffness()],
      modes: [modes(), modes()],
      damping: 0.05 * random.uniform(),
      centrifugalStiffening: stiffening,
    },
  };
}

function freeJoint(random: Random): TreeJointModel {
  return {
    kind: 'free',
    position: triple(random),
    orientation: orientation(random),
    velocity: triple(random),
    angularVelocity: triple(random),
  };
}

function randomJoint(random: Random, drives: boolean): TreeJointModel {
  const draw = random.uniform();
  if (draw < 0.1) return { kind: 'fixed' };
  if (draw < 0.2) return freeJoint(random);
  if (draw < 0.35) {
    return {
      kind: 'spherical',
      orientation: orientation(random),
      angularVelocity: triple(random),
    };
  }
  const drive = drives ? randomDrive(random) : undefined;
  return {
    kind: draw < 0.75 ? 'revolute' : 'prismatic',
    axis: direction(random),
    position: 3 * number(random),
    rate: 3 * number(random),
    ...(drive === undefined ? {} : { drive }),
  };
}

function randomDrive(random: Random): JointDriveModel | undefined {
  const draw = random.uniform();
  if (draw < 0.5) return undefined;
  return {
    rotorInertia: 10 ** (2 * random.uniform() - 1),
    stiffness: draw < 0.75 ? null : 10 ** (2 + 2 * random.uniform()),
    damping: draw < 0.75 ? 0 : 10 * random.uniform(),
    effortLimit: Infinity,
  };
}

/** Draws the whole state: coordinates of axis joints and rotors ±3, quaternions on their sphere, rates ±3. */
export function drawState(
  random: Random,
  model: TreeModel,
  q: Float64Array,
  u: Float64Array,
): void {
  let at = 0;
  for (const { joint } of model.links) {
    if (joint.kind === 'fixed') continue;
    if (joint.kind === 'free') for (let a = 0; a < 3; a++) q[at++] = 3 * number(random);
    if (joint.kind === 'free' || joint.kind === 'spherical') {
      for (const c of orientation(random)) q[at++] = c;
    } else {
      q[at++] = 3 * number(random);
    }
  }
  // slopes of beams up to one
  for (const { beam } of model.links) {
    const modes = beam === undefined ? 0 : beam.modes[0] + beam.modes[1];
    for (let k = 0; k < modes; k++) q[at++] = 0.1 * number(random);
  }
  for (; at < q.length; at++) q[at] = 3 * number(random);
  for (let i = 0; i < u.length; i++) u[i] = 3 * number(random);
}

/** Gravity, wrenches, torques and a base that turns and accelerates. */
export function drawLoads(random: Random, model: TreeModel, rates: number): MaximalLoads {
  const vector = (size: number): Vector => triple(random).map((c) => size * c);
  return {
    gravity: vector(10),
    wrenches: model.links.map(() => [...vector(50), ...vector(50)]),
    tau: Array.from({ length: rates }, () => 50 * number(random)),
    base: [vector(1), vector(1), vector(3), vector(3)],
  };
}
