/** The scenes in OimoPhysics: sequential impulses, double precision, JavaScript. One shape for each cell. */
import type { CellModel } from '../../src/index.ts';
import {
  centered,
  type Engine,
  groundCells,
  type Running,
  type Scene,
  shapeOf,
  marks,
  type Start,
} from './engine.ts';
import { loadPackage } from './load-package.ts';

interface Vec3 {
  x: number;
  y: number;
  z: number;
}
interface Quat extends Vec3 {
  w: number;
  init(x: number, y: number, z: number, w: number): this;
}
interface Mat3 {
  readonly kind?: never;
}
interface RigidBody {
  addShape(shape: unknown): void;
  setMassData(data: { mass: number; localInertia: Mat3 }): void;
  setPosition(at: Vec3): void;
  setOrientation(turn: Quat): void;
  setLinearVelocity(v: Vec3): void;
  setAngularVelocity(w: Vec3): void;
  applyForceToCenter(force: Vec3): void;
  applyTorque(torque: Vec3): void;
  getPositionTo(out: Vec3): void;
  getOrientationTo(out: Quat): void;
  getLinearVelocityTo(out: Vec3): void;
  getAngularVelocity(): Vec3;
}
interface World {
  step(seconds: number): void;
  addRigidBody(body: RigidBody): void;
  getContactManager(): {
    getContactList(): Contact | null;
  };
}
interface Contact {
  getNext(): Contact | null;
  isTouching(): boolean;
  getManifold(): { getNumPoints(): number };
}
interface Oimo {
  readonly common: {
    readonly Vec3: new (x?: number, y?: number, z?: number) => Vec3;
    readonly Quat: new () => Quat;
    readonly Mat3: new (...entries: number[]) => Mat3;
    readonly Setting: { disableSleeping: boolean; linearSlop: number };
  };
  readonly collision: {
    readonly geometry: {
      readonly BoxGeometry: new (half: Vec3) => unknown;
      readonly SphereGeometry: new (radius: number) => unknown;
      readonly ConvexHullGeometry: new (corners: Vec3[]) => unknown;
    };
    readonly broadphase: { readonly BroadPhaseType: { readonly BVH: number } };
  };
  readonly dynamics: {
    readonly World: new (broadPhase: number, gravity: Vec3) => World;
    readonly rigidbody: {
      readonly RigidBody: new (config: RigidBodyConfig) => RigidBody;
      readonly RigidBodyConfig: new () => RigidBodyConfig;
      readonly RigidBodyType: { readonly STATIC: number; readonly DYNAMIC: number };
      readonly Shape: new (config: ShapeConfig) => unknown;
      readonly ShapeConfig: new () => ShapeConfig;
      readonly MassData: new () => { mass: number; localInertia: Mat3 };
    };
  };
}
interface RigidBodyConfig {
  type: number;
  autoSleep: boolean;
}
interface ShapeConfig {
  position: Vec3;
  friction: number;
  restitution: number;
  geometry: unknown;
}

/** The engine lets bodies sink in by 5 mm before it corrects them: as far as a compliant contact yields here, m. */
const SLOP = 1e-4;

function make({ common, collision, dynamics }: Oimo, scene: Scene): Running {
  const { Vec3, Quat } = common;
  const { geometry } = collision;
  const { rigidbody } = dynamics;
  const vector = ([x, y, z]: readonly number[]): Vec3 => new Vec3(x, y, z);
  common.Setting.disableSleeping = true;
  common.Setting.linearSlop = SLOP;
  const world = new dynamics.World(collision.broadphase.BroadPhaseType.BVH, vector(scene.gravity));
  const add = (type: number, cells: readonly CellModel[]): RigidBody => {
    const config = new rigidbody.RigidBodyConfig();
    config.type = type;
    config.autoSleep = false;
    const body = new rigidbody.RigidBody(config);
    for (const cell of cells.map(centered)) {
      const own = new rigidbody.ShapeConfig();
      own.position = vector(cell.position);
      // the root of the product of both sides is taken
      own.friction = scene.friction;
      own.restitution = scene.restitution;
      own.geometry = shapeOf<unknown>(cell, {
        box: (half) => new geometry.BoxGeometry(vector(half)),
        sphere: (radius) => new geometry.SphereGeometry(radius),
        hull: (corners) => new geometry.ConvexHullGeometry(corners.map(vector)),
      });
      body.addShape(new rigidbody.Shape(own));
    }
    return body;
  };
  const ground = add(rigidbody.RigidBodyType.STATIC, groundCells(scene));
  const body = add(rigidbody.RigidBodyType.DYNAMIC, scene.cells);
  const data = new rigidbody.MassData();
  data.mass = scene.mass;
  const [ix, iy, iz] = scene.moments;
  data.localInertia = new common.Mat3(ix, 0, 0, 0, iy, 0, 0, 0, iz);
  body.setMassData(data);
  world.addRigidBody(ground);
  world.addRigidBody(body);
  const p = new Vec3();
  const v = new Vec3();
  const q = new Quat();
  let push: readonly [Vec3, Vec3] | null = null;
  const place = ({ position, orientation, velocity, spin }: Start): void => {
    body.setPosition(vector(position));
    body.setOrientation(q.init(...orientation));
    body.setLinearVelocity(vector(velocity));
    body.setAngularVelocity(vector(spin));
  };
  const read = (out: Float64Array): void => {
    body.getPositionTo(p);
    body.getOrientationTo(q);
    body.getLinearVelocityTo(v);
    // `getAngularVelocityTo` of 1.2.2 gives the linear one
    const w = body.getAngularVelocity();
    out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]);
  };
  place(scene);
  return {
    push: (force, moment) => {
      push = [vector(force), vector(moment)];
    },
    step: () => {
      // a step clears the forces at its end
      if (push !== null) {
        body.applyForceToCenter(push[0]);
        body.applyTorque(push[1]);
      }
      world.step(scene.step);
    },
    read,
    ...marks(read, place),
    contacts: () => {
      let count = 0;
      let contact = world.getContactManager().getContactList();
      for (; contact !== null; contact = contact.getNext()) {
        if (contact.isTouching()) count += contact.getManifold().getNumPoints();
      }
      return count;
    },
    free: () => undefined,
  };
}

/** Loads the engine. */
export async function loadOimo(): Promise<Engine> {
  const { oimo } = await loadPackage<{ readonly oimo: Oimo }>('oimophysics');
  return {
    name: 'OimoPhysics',
    contact:
      'points; sequential impulses with a coefficient of restitution, double precision, JavaScript; 10 + 5 iterations (default), slop 0.1 mm instead of 5, no sleep',
    unit: 'points',
    make: (scene) => make(oimo, scene),
  };
}
