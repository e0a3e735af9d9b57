/**
 * Where the coordinates of a tree lie: joints in link order, then modes (link order; y modes, then z modes), then the rotors of joints
 * whose drive has a stiffness. Rates in the same order. docs/theory/trees.md.
 */
import type { TreeJointModel, TreeLinkModel, TreeModel } from '../../model/tree-model.ts';

/** Sizes of the state of a tree: positions, then rates. */
export interface TreeFreedoms {
  readonly positions: number;
  readonly rates: number;
}

/** Places of one link's coordinates, in the positions and in the rates. */
export interface LinkPlaces {
  readonly position: number;
  readonly rate: number;
  /** Number of joint rates. */
  readonly freedoms: number;
  readonly modePosition: number;
  readonly modeRate: number;
  /** Modes in y, in z. */
  readonly modes: readonly [number, number];
  /** Rotor behind the joint's stiffness; −1 without one. */
  readonly rotorPosition: number;
  readonly rotorRate: number;
}

/** Places of all links. */
export interface TreeLayout extends TreeFreedoms {
  readonly links: readonly LinkPlaces[];
  /** Rates of joints and modes, which come before those of the rotors. */
  readonly moving: number;
}

/** Positions and rates of a kind of joint. */
const FREEDOMS: Record<TreeJointModel['kind'], readonly [number, number]> = {
  fixed: [0, 0],
  revolute: [1, 1],
  prismatic: [1, 1],
  universal: [2, 2],
  spherical: [4, 3],
  free: [7, 6],
};

/** Lays out a tree. */
export function layoutTree(model: TreeModel): TreeLayout {
  const { links } = model;
  let [position, rate] = [0, 0];
  const joints = links.map(({ joint }) => {
    const start = { position, rate, freedoms: FREEDOMS[joint.kind][1] };
    position += FREEDOMS[joint.kind][0];
    rate += FREEDOMS[joint.kind][1];
    return start;
  });
  const modes = links.map(({ beam }) => {
    const start = {
      modePosition: position,
      modeRate: rate,
      modes: beam?.modes ?? ([0, 0] as const),
    };
    position += start.modes[0] + start.modes[1];
    rate += start.modes[0] + start.modes[1];
    return start;
  });
  const moving = rate;
  const rotors = links.map((link) => {
    if (!hasRotor(link)) return { rotorPosition: -1, rotorRate: -1 };
    return { rotorPosition: position++, rotorRate: rate++ };
  });
  return {
    positions: position,
    rates: rate,
    moving,
    links: joints.map((joint, i) => ({ ...joint, ...modes[i], ...rotors[i] })),
  };
}

/** Sizes of the state of a tree. */
export function treeFreedoms(model: TreeModel): TreeFreedoms {
  const { positions, rates } = layoutTree(model);
  return { positions, rates };
}

/** The columns (joint and modal rates) that move the end frame of each link, from the base outwards. */
export function columnsOfLinks(model: TreeModel, layout: TreeLayout): Int32Array[] {
  const columns: Int32Array[] = [];
  model.links.forEach((link, i) => {
    const { rate, freedoms, modeRate, modes } = layout.links[i];
    const inward = link.parent < 0 ? [] : Array.from(columns[link.parent]);
    for (let k = 0; k < freedoms; k++) inward.push(rate + k);
    for (let k = 0; k < modes[0] + modes[1]; k++) inward.push(modeRate + k);
    columns.push(Int32Array.from(inward));
  });
  return columns;
}

function hasRotor({ joint }: TreeLinkModel): boolean {
  const axis = joint.kind === 'revolute' || joint.kind === 'prismatic';
  return axis && joint.drive !== undefined && joint.drive.stiffness !== null;
}
