/** Interface of the benchmarks to every engine: a free body over a fixed one, one step, and the state of the free body. */
import type { CellModel, Quadruple, Triple } from '../../src/index.ts';

/** Slots of `read`. */
export const POSITION = 0; //  3, centre of mass, m
export const ROTATION = 3; //  4, quaternion x, y, z, w
export const VELOCITY = 7; //  3, m/s
export const TURNING = 10; //  3, angular velocity, rad/s; the frame differs between engines, only its length is used
export const BODY = 13;

/** Pose and velocity of the free body. */
export interface Start {
  readonly position: Triple;
  readonly orientation: Quadruple;
  readonly velocity: Triple;
  /** Angular velocity, rad/s. */
  readonly spin: Triple;
}

/** A free body over fixed ground. Both are made of boxes, spheres and convex hulls whose orientation is that of the body. */
export interface Scene extends Start {
  readonly step: number;
  readonly gravity: Triple;
  readonly mass: number;
  /** Principal moments about the body axes, kg m². */
  readonly moments: Triple;
  readonly cells: readonly CellModel[];
  /** Cells of the ground, or the half-space z ≤ 0. An engine without half-spaces takes a slab, `SLAB`. */
  readonly ground: readonly CellModel[] | 'plane';
  /** Coefficient of sliding friction, and of friction after rest: an engine that has one takes the former. */
  readonly friction: number;
  readonly stiction: number;
  readonly restitution: number;
}

/** A scene that runs. */
export interface Running {
  /** Constant force through the centre of mass, N, and moment, N m, from the next step on. */
  push(force: Triple, moment: Triple): void;
  /** Keeps the state, and puts the last one that was kept back. */
  mark(): void;
  rewind(): void;
  step(): void;
  read(out: Float64Array): void;
  /** Points or pairs in contact; −1 for an engine that does not count them. */
  contacts(): number;
  free(): void;
}

/** An engine. */
export interface Engine {
  readonly name: string;
  /** How contact is computed and set up. */
  readonly contact: string;
  /** What it counts as a contact. */
  readonly unit: string;
  make(scene: Scene): Running;
  /** Contact force and moment on the body at the start of the scene. Without it, the first step gives them. */
  wrench?(scene: Scene): number[];
}

/** The ground of an engine without half-spaces: 10 × 10 × 1 m under z = 0. */
const SLAB: CellModel = {
  name: 'slab',
  shape: { kind: 'box', size: [10, 10, 1] },
  position: [0, 0, -0.5],
  orientation: [0, 0, 0, 1],
};

/** Cells of the ground, with a slab for a half-space. */
export function groundCells({ ground }: Scene): readonly CellModel[] {
  return ground === 'plane' ? [SLAB] : ground;
}

/** A cell whose corners lie about its origin, which some engines take for granted of a hull. */
export function centered(cell: CellModel): CellModel {
  const { shape, position } = cell;
  if (shape.kind !== 'mesh') return cell;
  const mean = [0, 1, 2].map(
    (a) => shape.vertices.reduce((sum, corner) => sum + corner[a], 0) / shape.vertices.length,
  );
  const vertices = shape.vertices.map(
    ([x, y, z]): Triple => [x - mean[0], y - mean[1], z - mean[2]],
  );
  return {
    ...cell,
    shape: { kind: 'mesh', vertices },
    position: [position[0] + mean[0], position[1] + mean[1], position[2] + mean[2]],
  };
}

/** What the cells of peers may be; makes of it what an engine takes. */
export function shapeOf<T>(
  { name, shape }: CellModel,
  make: {
    /** By half edges. */
    readonly box: (half: Triple) => T;
    readonly sphere: (radius: number) => T;
    readonly hull: (corners: readonly Triple[]) => T;
  },
): T {
  if (shape.kind === 'box') {
    const [x, y, z] = shape.size;
    return make.box([x / 2, y / 2, z / 2]);
  }
  if (shape.kind === 'sphere') return make.sphere(shape.radius);
  if (shape.kind === 'mesh') return make.hull(shape.vertices);
  throw new Error(`Cell ${name} is no box, sphere or hull`);
}

/** `mark` and `rewind` of an engine whose body can be placed. What it caches of contacts is its own. */
export function marks(
  read: (out: Float64Array) => void,
  place: (start: Start) => void,
): Pick<Running, 'mark' | 'rewind'> {
  const kept = new Float64Array(BODY);
  const triple = (at: number): Triple => [kept[at], kept[at + 1], kept[at + 2]];
  return {
    mark: () => read(kept),
    rewind: () =>
      place({
        position: triple(POSITION),
        orientation: [...triple(ROTATION), kept[ROTATION + 3]],
        velocity: triple(VELOCITY),
        spin: triple(TURNING),
      }),
  };
}
