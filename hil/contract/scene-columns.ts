/**
 * One row of the scene: where every body is, where bodies touch or are held with which force, and the joints of the simulated arm. Written by the
 * loop 50 times a second of its own time into a ring of its own, because pictures need no more and the telemetry row stays short.
 */

import { ARM_READOUT, JOINT_READOUT } from '../../src/model/arm-spec.ts';
import { partModels, type SystemModel } from '../../src/model/model.ts';
import { TOUCH_READOUT } from '../../src/shapes/surfaces/touch-readout.ts';

/** Bodies, links and tips of links drawn at most, and contact points; more are counted but not drawn. Joints of the arm at most. */
export const SCENE_BODIES = 64;
export const SCENE_POINTS = 48;
export const SCENE_JOINTS = 24;

/** Numbers of one body: position, m, and orientation (x, y, z, w), world. */
export const SCENE_POSE = 7;
/** Numbers of one point: point, m; force on body i, N; unit normal from j to i, 0 of a constraint; all world. */
export const SCENE_POINT = 9;
/** Where they lie among the numbers of a point. */
export const ScenePoint = Object.freeze({ PLACE: 0, FORCE: 3, NORMAL: 6 });
/** Numbers of a point that only elastic faces have: state (1 sticks, 2 slides; 0 of any other point) and pressure, Pa, 0 where it is not known. */
export const SCENE_FACE = 2;
export const SceneFace = Object.freeze({ STATE: 0, PRESSURE: 1 });

/** Numbers of a point that tell whose it is, and how surfaces lie there: number of its contact, constraints after contacts, and TOUCH_READOUT. */
export const SCENE_TOUCH: number = 1 + TOUCH_READOUT.length;
export const SceneTouch = Object.freeze({ OF: 0, READOUT: 1 });

/** Numbers of one joint (JOINT_READOUT) and of the arm (ARM_READOUT). */
export const SCENE_JOINT: number = JOINT_READOUT.length;
export const SCENE_ARM: number = ARM_READOUT.length;

const FIRST_POINT = 5 + SCENE_BODIES * SCENE_POSE;
const ARM = FIRST_POINT + SCENE_POINTS * SCENE_POINT;
const FIRST_JOINT = ARM + SCENE_ARM;
const FIRST_FACE = FIRST_JOINT + SCENE_JOINTS * SCENE_JOINT;

/** Where things lie in a row. */
export const SceneColumn = Object.freeze({
  /** Model time, s. */
  TIME: 0,
  /** Bodies, links and tips of links in the row. */
  BODIES: 1,
  /** Contact points in the row, and after them the constraints. */
  POINTS: 2,
  /** Places that touch: pairs of cells, points of an elastic face, or whole contacts where bodies have neither. */
  TOUCHING: 3,
  /** Joints of the arm in the row; 0 without an articulated arm. */
  JOINTS: 4,
  POSES: 5,
  FIRST_POINT,
  ARM,
  FIRST_JOINT,
  /** SCENE_FACE numbers a point, in the order of the points. */
  FIRST_FACE,
  /** SCENE_TOUCH numbers a point, in the same order. */
  FIRST_TOUCH: FIRST_FACE + SCENE_POINTS * SCENE_FACE,
});
export const SCENE_WIDTH: number = SceneColumn.FIRST_TOUCH + SCENE_POINTS * SCENE_TOUCH;

/** Numbers from FIRST_TOUCH on that a message has: none where no point is one of surfaces, so that messages stay short. */
export function touchNumbers(row: Float64Array): number {
  const count = row[SceneColumn.POINTS];
  for (let k = 0; k < count; k++) {
    const at = SceneColumn.FIRST_TOUCH + k * SCENE_TOUCH;
    if (row[at + SceneTouch.READOUT] > 0) return count * SCENE_TOUCH;
  }
  return 0;
}

/** Time between two rows, s. */
export const SCENE_INTERVAL_S = 0.02;

/** Names of what a model has, in the order of its numbers in scene rows and events. */
export interface ModelNames {
  /** Bodies, links and tips of links in the order of their poses. */
  readonly bodies: readonly string[];
  readonly contacts: readonly string[];
  readonly constraints: readonly string[];
}

/** Before a model is there. */
export const NO_NAMES: ModelNames = { bodies: [], contacts: [], constraints: [] };

/** Names of a model. */
export function modelNames(model: SystemModel): ModelNames {
  const { contacts, constraints = [] } = model;
  return {
    bodies: sceneBodies(model),
    contacts: contacts.map(({ name }) => name),
    constraints: constraints.map(({ name }) => name),
  };
}

/** Names of bodies, links of trees, links of the arm and tips of its flexible links, in the order of their poses. */
export function sceneBodies(model: SystemModel): string[] {
  const links = model.tool?.robot?.tree.links ?? [];
  return [
    ...partModels(model).map(({ name }) => name),
    ...links.map(({ name }) => `arm/${name}`),
    ...links.filter(({ beam }) => beam !== undefined).map(({ name }) => `arm/${name}/end`),
  ];
}
