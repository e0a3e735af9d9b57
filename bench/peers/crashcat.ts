/** The scenes in crashcat: sequential impulses after Jolt, double precision, JavaScript. A compound of one shape for each cell. */
import type { CellModel } from '../../src/index.ts';
import {
  type Engine,
  groundCells,
  type Running,
  type Scene,
  shapeOf,
  marks,
  type Start,
} from './engine.ts';
import { loadPackage } from './load-package.ts';

interface Settings {
  gravity: number[];
  readonly solver: { penetrationSlop: number; minVelocityForRestitution: number };
  readonly sleeping: { allowSleeping: boolean };
}
interface RigidBody {
  readonly position: number[];
  readonly quaternion: number[];
  readonly motionProperties: {
    readonly linearVelocity: number[];
    readonly angularVelocity: number[];
  };
}
interface Crashcat {
  registerAll(): void;
  createWorldSettings(): Settings;
  addBroadphaseLayer(settings: Settings): number;
  addObjectLayer(settings: Settings, layer: number): number;
  enableCollision(settings: Settings, a: number, b: number): void;
  createWorld(settings: Settings): object;
  updateWorld(world: object, listener: undefined, seconds: number): void;
  readonly MotionType: { readonly STATIC: number; readonly DYNAMIC: number };
  readonly MaterialCombineMode: { readonly MAX: number };
  readonly box: { create(options: object): object };
  readonly sphere: { create(options: object): object };
  readonly convexHull: { create(options: object): object };
  readonly staticCompound: { create(options: object): object };
  readonly rigidBody: {
    create(world: object, options: object): RigidBody;
    setTransform(world: object, body: RigidBody, at: number[], turn: number[], wake: boolean): void;
    setLinearVelocity(world: object, body: RigidBody, v: number[]): void;
    setAngularVelocity(world: object, body: RigidBody, w: number[]): void;
    addForce(world: object, body: RigidBody, force: number[], wake: boolean): void;
    addTorque(world: object, body: RigidBody, torque: number[], wake: boolean): void;
  };
}

/** Bodies may sink in by 20 mm before they are corrected: as far as a compliant contact yields here, m. */
const SLOP = 1e-4;

function make(crashcat: Crashcat, scene: Scene): Running {
  const { rigidBody, MotionType, MaterialCombineMode } = crashcat;
  const settings = crashcat.createWorldSettings();
  const moving = crashcat.addObjectLayer(settings, crashcat.addBroadphaseLayer(settings));
  const still = crashcat.addObjectLayer(settings, crashcat.addBroadphaseLayer(settings));
  crashcat.enableCollision(settings, moving, still);
  settings.gravity = [...scene.gravity];
  settings.solver.penetrationSlop = SLOP;
  settings.solver.minVelocityForRestitution = 0;
  settings.sleeping.allowSleeping = false;
  const world = crashcat.createWorld(settings);
  const compound = (cells: readonly CellModel[]): object => {
    const shapes = cells.map((cell) =>
      shapeOf<object>(cell, {
        box: (half) => crashcat.box.create({ halfExtents: [...half], convexRadius: 0 }),
        sphere: (radius) => crashcat.sphere.create({ radius }),
        hull: (corners) =>
          crashcat.convexHull.create({ positions: corners.flat(), convexRadius: 0 }),
      }),
    );
    if (shapes.length === 1 && cells[0].position.every((x) => x === 0)) return shapes[0];
    return crashcat.staticCompound.create({
      children: shapes.map((shape, k) => ({
        shape,
        position: [...cells[k].position],
        quaternion: [0, 0, 0, 1],
      })),
    });
  };
  const coefficients = {
    friction: scene.friction,
    restitution: scene.restitution,
    frictionCombineMode: MaterialCombineMode.MAX,
    restitutionCombineMode: MaterialCombineMode.MAX,
    allowSleeping: false,
    // with it a body of several cells creeps, and one of twelve is thrown off
    useManifoldReduction: false,
  };
  rigidBody.create(world, {
    ...coefficients,
    motionType: MotionType.STATIC,
    shape: compound(groundCells(scene)),
    objectLayer: still,
  });
  const [x, y, z] = scene.moments;
  const body = rigidBody.create(world, {
    ...coefficients,
    motionType: MotionType.DYNAMIC,
    shape: compound(scene.cells),
    objectLayer: moving,
    linearDamping: 0,
    angularDamping: 0,
    massPropertiesOverride: {
      mass: scene.mass,
      inertia: [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1],
    },
  });
  let push: readonly [number[], number[]] | null = null;
  const place = ({ position, orientation, velocity, spin }: Start): void => {
    rigidBody.setTransform(world, body, [...position], [...orientation], true);
    rigidBody.setLinearVelocity(world, body, [...velocity]);
    rigidBody.setAngularVelocity(world, body, [...spin]);
  };
  const read = (out: Float64Array): void => {
    out.set(body.position, 0);
    out.set(body.quaternion, 3);
    out.set(body.motionProperties.linearVelocity, 7);
    out.set(body.motionProperties.angularVelocity, 10);
  };
  place(scene);
  return {
    push: (force, moment) => {
      push = [[...force], [...moment]];
    },
    step: () => {
      // a step clears the forces at its end
      if (push !== null) {
        rigidBody.addForce(world, body, push[0], true);
        rigidBody.addTorque(world, body, push[1], true);
      }
      crashcat.updateWorld(world, undefined, scene.step);
    },
    read,
    ...marks(read, place),
    contacts: () => -1,
    free: () => undefined,
  };
}

/** Loads the engine. */
export async function loadCrashcat(): Promise<Engine> {
  const crashcat = await loadPackage<Crashcat>('crashcat');
  crashcat.registerAll();
  return {
    name: 'crashcat',
    contact:
      'points; sequential impulses with a coefficient of restitution, double precision, JavaScript; 10 + 2 iterations and contact cache (default), slop 0.1 mm instead of 20, no manifold reduction, no convex radius, no sleep',
    unit: 'points',
    make: (scene) => make(crashcat, scene),
  };
}
