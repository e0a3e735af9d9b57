/** One or more sample descriptions of every registered kind of pair, of the scale of samples.ts, and where to find contacts of them. */
import type { PairModel, PlacedShape, Triple } from '../../src/contact-spec.ts';
import type { CellsOfPair } from './cell-samples.ts';
import { cell } from './volumetric-models.ts';

/** A pair and where to find a contact of it. */
export interface PairSample {
  readonly model: PairModel;
  /** Origin of body i in the frame of body j, near touching, and how far it may be off in each direction, m. */
  readonly near: Triple;
  readonly spread: number;
  /** The same pair with the roles of i and j exchanged, where the pair can describe it. */
  readonly swapped?: PairModel;
  /** The cells of both bodies, for a pair that is made of them. */
  readonly cells?: CellsOfPair;
}

const R = 0.1;
const OFF: Triple = [0.01, -0.02, 0.015];
const SLANT: Triple = [0.48, 0.6, 0.64];

const ELLIPSOID: PlacedShape = {
  shape: { kind: 'ellipsoid', size: [0.3, 0.2, 0.15] },
  position: OFF,
  orientation: [0.5, -0.1, 0.7, 0.5],
};
const BOX: PlacedShape = {
  shape: { kind: 'box', size: [0.3, 0.25, 0.2] },
  position: [0, 0.02, 0],
  orientation: [0, 0.6, 0, 0.8],
};

const CUT: Triple = [0.3, 0.25, 0.2];
/** Two corners cut off a box: faces of three and more corners, none parallel to its opposite. */
const STONE: readonly Triple[] = [
  [-0.1, -0.08, -0.07],
  [0.1, -0.08, -0.07],
  [0.1, 0.08, -0.05],
  [-0.1, 0.08, -0.07],
  [-0.09, -0.07, 0.07],
  [0.05, -0.06, 0.08],
  [0.08, 0.06, 0.07],
  [-0.1, 0.05, 0.06],
];

/** By kind of pair. */
export const PAIR_SAMPLES: Readonly<Record<string, readonly PairSample[]>> = {
  'sphere-plane': [
    {
      model: { kind: 'sphere-plane', radius: R, center: OFF, normal: SLANT, offset: 0.05 },
      near: [0.07, 0.09, 0.1],
      spread: 0.1,
    },
  ],
  'sphere-edge': [
    {
      model: {
        kind: 'sphere-edge',
        radius: R,
        center: OFF,
        edgePoint: [0, 0.02, 0.1],
        normal1: [0.6, 0, 0.8],
        normal2: [-0.6, 0, 0.8],
      },
      near: [0, 0, 0.2],
      spread: 0.04,
    },
  ],
  'sphere-cylinder': [
    {
      model: {
        kind: 'sphere-cylinder',
        radius: R,
        center: OFF,
        axisPoint: [0.01, 0, 0],
        axis: SLANT,
        cylinderRadius: 0.2,
        side: 'outside',
      },
      near: [0.24, -0.18, 0],
      spread: 0.05,
    },
    {
      model: {
        kind: 'sphere-cylinder',
        radius: R,
        center: OFF,
        axisPoint: [0.01, 0, 0],
        axis: SLANT,
        cylinderRadius: 0.4,
        side: 'inside',
      },
      near: [0.24, -0.18, 0],
      spread: 0.05,
    },
  ],
  'sphere-cone': [
    {
      model: {
        kind: 'sphere-cone',
        radius: R,
        center: OFF,
        apex: [0, 0, 0.1],
        axis: [0, 0, 1],
        apexAngle: 1.5,
      },
      near: [0.1, 0, 0.05],
      spread: 0.05,
    },
  ],
  'sphere-sphere': [
    {
      model: {
        kind: 'sphere-sphere',
        radius: R,
        center: OFF,
        radiusJ: 0.15,
        centerJ: [0, 0.02, 0],
      },
      near: [0.1, 0.2, 0.1],
      spread: 0.05,
      swapped: {
        kind: 'sphere-sphere',
        radius: 0.15,
        center: [0, 0.02, 0],
        radiusJ: R,
        centerJ: OFF,
      },
    },
  ],
  convex: [
    {
      model: { kind: 'convex', shapeI: ELLIPSOID, shapeJ: BOX },
      near: [0.05, 0.1, 0.15],
      spread: 0.06,
      swapped: { kind: 'convex', shapeI: BOX, shapeJ: ELLIPSOID },
    },
  ],
  volumetric: [
    {
      model: { kind: 'volumetric' },
      near: [0.02, 0.03, 0.2],
      spread: 0.02,
      swapped: { kind: 'volumetric' },
      cells: {
        i: cell('ball', { kind: 'sphere', radius: R }, OFF),
        j: cell('block', { kind: 'box', size: CUT }, [0, 0.02, 0]),
      },
    },
    {
      model: { kind: 'volumetric' },
      near: [0, 0, 0.2],
      spread: 0.04,
      swapped: { kind: 'volumetric' },
      cells: {
        i: cell('block', { kind: 'box', size: [0.2, 0.15, 0.1] }, OFF, [0, 0.6, 0, 0.8]),
        j: cell('ground', { kind: 'half-space' }, [0, 0, 0.01]),
      },
    },
    {
      // the principal axis of a small polytope may be far from the direction in which it grows: volumetric-impacts.test.ts
      model: { kind: 'volumetric', normal: 'vector-area' },
      near: [0.05, 0.1, 0.15],
      spread: 0.05,
      swapped: { kind: 'volumetric', normal: 'vector-area' },
      cells: {
        i: cell('stone', { kind: 'mesh', vertices: STONE }, OFF, [0.5, -0.1, 0.7, 0.5]),
        j: cell('block', { kind: 'box', size: CUT }, [0, 0.02, 0], [0, 0.6, 0, 0.8]),
      },
    },
  ],
};
