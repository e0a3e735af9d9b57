/**
 * What the console draws, as messages of Foxglove's 3-D panel (foxglove.SceneUpdate): cells of bodies, which follow the frames of
 * `/tf`, and an arrow for the force at each contact point. Written by the thread of the recorder.
 */
import { loadRobot } from '../../config/robot.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { Robot } from '../../config/compile-robot.ts';
import { multiplyQuaternion } from '../../src/math/quaternion.ts';
import type { SystemModel } from '../../src/model/model.ts';
import {
  SCENE_FACE,
  SCENE_POINT,
  SceneColumn,
  SceneFace,
  ScenePoint,
} from '../contract/scene-columns.ts';
import { drawnBodies } from '../drawing/drawn-bodies.ts';
import type { DrawnBody, DrawnShape } from '../drawing/drawn-shapes.ts';
import type { CdrWriter } from './cdr.ts';
import type { Stamp } from './stamp.ts';

type Color = readonly [r: number, g: number, b: number, a: number];

/** Colours of the console: payload and what else moves, arm, and the work-site, which is seen through. */
const COLORS: Readonly<Record<DrawnBody['role'], Color>> = {
  payload: [0.85, 0.64, 0.25, 1],
  moving: [0.85, 0.64, 0.25, 1],
  arm: [0.73, 0.76, 0.79, 1],
  site: [0.5, 0.59, 0.67, 0.35],
};
/** What is cut out of a cell, and surfaces without an end. */
const OPEN_ALPHA = 0.12;
const FORCE_COLOR: Color = [0.71, 0.16, 0.42, 1];
/** At a point of an elastic face that slides: state 2. */
const SLIP_COLOR: Color = [0.12, 0.37, 0.77, 1];
const SLIDES = 2;
/** Length of an arrow for a force, m/N: 20 N for each 10 cm. */
export const METERS_PER_NEWTON = 0.1 / 20;
const ARROW_SHAFT_M = 0.006;
const ARROW_HEAD_M = 0.03;
/** Half-size of a surface without an end, and length of a bore, m. */
const ENDLESS_M = 1;
const FLAT_M = 1e-4;

/** Position and orientation. */
interface Place {
  readonly position: readonly number[];
  readonly orientation: readonly number[];
}

interface Primitive extends Place {
  readonly size: readonly [number, number, number];
  readonly color: Color;
  /** Of a cylinder, its upper diameter over its lower one. */
  readonly top?: number;
  /** Of triangles: corners, three each. */
  readonly corners?: readonly (readonly number[])[];
}

/** Primitives of one body. */
interface Primitives {
  readonly cubes: Primitive[];
  readonly spheres: Primitive[];
  readonly cylinders: Primitive[];
  readonly triangles: Primitive[];
}

/** A body whose frame has the name of its entity. */
export interface DrawnEntity extends Primitives {
  readonly name: string;
}

const HERE: Place = { position: [0, 0, 0], orientation: [0, 0, 0, 1] };

/** Place of something in the frame of `outer`. */
function within(outer: Place, position: readonly number[], orientation: readonly number[]): Place {
  const q = Float64Array.from(outer.orientation);
  const turned = new Float64Array(4);
  const vector = Float64Array.of(position[0], position[1], position[2], 0);
  const conjugate = Float64Array.of(-q[0], -q[1], -q[2], q[3]);
  multiplyQuaternion(turned, 0, q, 0, vector, 0);
  const back = new Float64Array(4);
  multiplyQuaternion(back, 0, turned, 0, conjugate, 0);
  const product = new Float64Array(4);
  multiplyQuaternion(product, 0, q, 0, Float64Array.from(orientation), 0);
  return {
    position: [0, 1, 2].map((a) => outer.position[a] + back[a]),
    orientation: [...product],
  };
}

interface PlacedShape {
  readonly shape: DrawnShape;
  readonly position_m: readonly number[];
  readonly orientation: readonly number[];
}

/** Adds the primitives of a shape. */
function add(to: Primitives, shape: DrawnShape, at: Place, color: Color): void {
  const length = (name: string): number => shape[`${name}_m`] as number;
  const open: Color = [color[0], color[1], color[2], OPEN_ALPHA];
  const shifted = (x: number, y: number, z: number): Place =>
    within(at, [x, y, z], HERE.orientation);
  switch (shape.kind) {
    case 'sphere': {
      const d = 2 * length('radius');
      to.spheres.push({ ...at, size: [d, d, d], color });
      return;
    }
    case 'ellipsoid':
      to.spheres.push({ ...at, size: shape['size_m'] as [number, number, number], color });
      return;
    case 'box':
      to.cubes.push({ ...at, size: shape['size_m'] as [number, number, number], color });
      return;
    case 'cylinder': {
      const d = 2 * length('radius');
      to.cylinders.push({ ...at, size: [d, d, length('length')], color });
      return;
    }
    case 'capsule': {
      const d = 2 * length('radius');
      const half = length('length') / 2;
      to.cylinders.push({ ...at, size: [d, d, 2 * half], color });
      for (const z of [-half, half])
        to.spheres.push({ ...shifted(0, 0, z), size: [d, d, d], color });
      return;
    }
    case 'frustum': {
      const [d, top] = [2 * length('radius'), 2 * length('top_radius')];
      const most = Math.max(d, top);
      const place = shifted(0, 0, length('length') / 2);
      to.cylinders.push({ ...place, size: [most, most, length('length')], color, top: top / d });
      return;
    }
    case 'beam': {
      const [x, y, z] = [length('length'), length('width'), length('thickness')];
      to.cubes.push({ ...at, size: [x, y, z], color });
      for (const end of [-x / 2, x / 2]) {
        to.cylinders.push({ ...shifted(end, 0, 0), size: [y, y, z], color });
      }
      return;
    }
    case 'mesh': {
      const vertices = shape['vertices_m'] as readonly (readonly number[])[];
      const faces = shape['faces'] as readonly (readonly number[])[];
      const corners = faces.flat().map((index) => vertices[index]);
      to.triangles.push({ ...at, size: [1, 1, 1], color, corners });
      return;
    }
    case 'half-space':
      to.cubes.push({ ...at, size: [2 * ENDLESS_M, 2 * ENDLESS_M, FLAT_M], color: open });
      return;
    case 'bore': {
      const d = 2 * length('radius');
      to.cylinders.push({ ...at, size: [d, d, ENDLESS_M], color: open });
      return;
    }
    case 'boolean': {
      const inner = (cells: unknown, tone: Color): void => {
        for (const { shape: part, position_m, orientation } of cells as readonly PlacedShape[]) {
          add(to, part, within(at, position_m, orientation), tone);
        }
      };
      inner(shape['common'], color);
      inner(shape['without'], open);
      return;
    }
  }
}

/** Drawing of the links of the arm; null when the files of the scenario are gone. */
function robotOf(scenario: string): Robot | null {
  try {
    const robot = loadScenario(scenario).tool?.robot;
    return robot === undefined ? null : loadRobot(robot.name);
  } catch {
    return null;
  }
}

/** Once for each model: a file before a fault has that of the flight. */
const known = new WeakMap<SystemModel, readonly DrawnEntity[]>();

/** Entities of a model, one for each body that has cells. */
export function entitiesOf(model: SystemModel, scenario: string): readonly DrawnEntity[] {
  const before = known.get(model);
  if (before !== undefined) return before;
  const robot = model.tool?.robot === undefined ? null : robotOf(scenario);
  const entities = drawnBodies(model, robot).map(({ name, role, cells }) => {
    const entity: DrawnEntity = { name, cubes: [], spheres: [], cylinders: [], triangles: [] };
    for (const { shape, position_m, orientation } of cells) {
      add(entity, shape, within(HERE, position_m, orientation), COLORS[role]);
    }
    return entity;
  });
  known.set(model, entities);
  return entities;
}

function begin(to: CdrWriter, stamp: Stamp, frame: string, id: string, locked: boolean): void {
  to.i32(stamp.sec).u32(stamp.nanosec).string(frame).string(id);
  to.i32(0)
    .u32(0)
    .u8(locked ? 1 : 0)
    .u32(0); // stays until it is replaced; no metadata
}

function pose(to: CdrWriter, { position, orientation }: Place): CdrWriter {
  for (const value of [...position, ...orientation]) to.f64(value);
  return to;
}

const numbers = (to: CdrWriter, values: readonly number[]): void => {
  for (const value of values) to.f64(value);
};

/** Bodies of a model; each follows the frame of its name. */
export function writeBodies(
  to: CdrWriter,
  stamp: Stamp,
  entities: readonly DrawnEntity[],
  frameOf: (name: string) => string,
): void {
  to.u32(0).u32(entities.length);
  for (const { name, cubes, spheres, cylinders, triangles } of entities) {
    begin(to, stamp, frameOf(name), name, true);
    to.u32(0); // arrows
    for (const solids of [cubes, spheres]) {
      to.u32(solids.length);
      for (const one of solids) numbers(pose(to, one), [...one.size, ...one.color]);
    }
    to.u32(cylinders.length);
    for (const one of cylinders) {
      const { top = 1 } = one;
      const scales = top > 1 ? [1 / top, 1] : [1, top];
      numbers(pose(to, one), [...one.size, ...scales, ...one.color]);
    }
    to.u32(0); // lines
    to.u32(triangles.length);
    for (const one of triangles) {
      const { corners = [] } = one;
      pose(to, one).u32(corners.length);
      for (const corner of corners) numbers(to, corner);
      numbers(to, one.color);
      to.u32(0).u32(0); // one colour, no indices
    }
    to.u32(0).u32(0); // texts, models
  }
}

/** Turns +x to a direction, (x, y, z, w). */
function turnXTo(x: number, y: number, z: number): readonly number[] {
  if (x < -1 + 1e-12) return [0, 0, 1, 0];
  const w = 1 + x;
  const size = Math.sqrt(w * w + y * y + z * z);
  return [0, -z / size, y / size, w / size];
}

/** Forces at the contact points of a scene row, as arrows on the first body. */
export function writeForces(to: CdrWriter, stamp: Stamp, row: Float64Array, frame: string): void {
  const points = row[SceneColumn.POINTS];
  to.u32(0).u32(1);
  begin(to, stamp, frame, 'forces', false);
  to.u32(points);
  for (let k = 0; k < points; k++) {
    const at = SceneColumn.FIRST_POINT + k * SCENE_POINT;
    const [x, y, z] = row.subarray(at + ScenePoint.FORCE, at + ScenePoint.FORCE + 3);
    const force = Math.sqrt(x * x + y * y + z * z);
    const orientation = force > 0 ? turnXTo(x / force, y / force, z / force) : HERE.orientation;
    const length = force * METERS_PER_NEWTON;
    const head = Math.min(ARROW_HEAD_M, length / 2);
    const position = Array.from(row.subarray(at + ScenePoint.PLACE, at + ScenePoint.PLACE + 3));
    const state = row[SceneColumn.FIRST_FACE + k * SCENE_FACE + SceneFace.STATE];
    numbers(pose(to, { position, orientation }), [
      length - head,
      ARROW_SHAFT_M,
      head,
      3 * ARROW_SHAFT_M,
      ...(state === SLIDES ? SLIP_COLOR : FORCE_COLOR),
    ]);
  }
  // cubes, spheres, cylinders, lines, triangles, texts, models
  for (let i = 0; i < 7; i++) to.u32(0);
}
