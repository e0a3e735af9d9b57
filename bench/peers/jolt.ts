/** The scenes in Jolt: single precision, WebAssembly. A compound of one shape for each cell. */
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

interface Vec3 {
  GetX(): number;
  GetY(): number;
  GetZ(): number;
}
interface Quat extends Vec3 {
  GetW(): number;
}
interface ShapeSettings {
  Create(): { HasError(): boolean; Get(): object };
}
interface Body {
  GetID(): object;
  GetPosition(): Vec3;
  GetRotation(): Quat;
  GetLinearVelocity(): Vec3;
  GetAngularVelocity(): Vec3;
  AddForce(force: Vec3): void;
  AddTorque(torque: Vec3): void;
}
interface BodySettings {
  mFriction: number;
  mRestitution: number;
  mAllowSleeping: boolean;
  mLinearDamping: number;
  mAngularDamping: number;
  mOverrideMassProperties: number;
  readonly mMassPropertiesOverride: { mMass: number; mInertia: object };
}
interface BodyInterface {
  CreateBody(settings: BodySettings): Body;
  AddBody(id: object, activation: number): void;
  SetPositionRotationAndVelocity(id: object, at: object, turn: object, v: object, w: object): void;
}
interface PhysicsSettings {
  mPenetrationSlop: number;
  mMinVelocityForRestitution: number;
  mAllowSleeping: boolean;
}
interface PhysicsSystem {
  SetGravity(gravity: Vec3): void;
  GetBodyInterface(): BodyInterface;
  GetPhysicsSettings(): PhysicsSettings;
  SetPhysicsSettings(settings: PhysicsSettings): void;
}
interface JoltSettings {
  mMaxWorkerThreads: number;
  mObjectLayerPairFilter: object;
  mBroadPhaseLayerInterface: object;
  mObjectVsBroadPhaseLayerFilter: object;
}
interface Jolt {
  destroy(object: object): void;
  readonly EMotionType_Static: number;
  readonly EMotionType_Dynamic: number;
  readonly EActivation_Activate: number;
  readonly EOverrideMassProperties_MassAndInertiaProvided: number;
  readonly Vec3: new (x: number, y: number, z: number) => Vec3;
  readonly RVec3: new (x: number, y: number, z: number) => Vec3;
  readonly Quat: new (x: number, y: number, z: number, w: number) => Quat;
  readonly Mat44: { readonly prototype: { sScaleVec3(scale: Vec3): object } };
  readonly JoltSettings: new () => JoltSettings;
  readonly JoltInterface: new (
    settings: JoltSettings,
  ) => {
    GetPhysicsSystem(): PhysicsSystem;
    Step(seconds: number, collisions: number): void;
  };
  readonly ObjectLayerPairFilterTable: new (
    count: number,
  ) => {
    EnableCollision(a: number, b: number): void;
  };
  readonly BroadPhaseLayer: new (index: number) => object;
  readonly BroadPhaseLayerInterfaceTable: new (
    layers: number,
    broad: number,
  ) => { MapObjectToBroadPhaseLayer(layer: number, broad: object): void };
  readonly ObjectVsBroadPhaseLayerFilterTable: new (
    map: object,
    broad: number,
    pairs: object,
    layers: number,
  ) => object;
  readonly BoxShapeSettings: new (half: Vec3, convexRadius: number) => ShapeSettings;
  readonly SphereShapeSettings: new (radius: number) => ShapeSettings;
  readonly ConvexHullShapeSettings: new () => ShapeSettings & {
    readonly mPoints: { push_back(point: Vec3): void };
    mMaxConvexRadius: number;
  };
  readonly StaticCompoundShapeSettings: new () => ShapeSettings & {
    AddShape(at: Vec3, turn: Quat, shape: ShapeSettings, data: number): void;
  };
  readonly BodyCreationSettings: new (
    shape: object,
    at: Vec3,
    turn: Quat,
    type: number,
    layer: number,
  ) => BodySettings;
}

const MOVING = 1;
const STILL = 0;
/** Bodies may sink in by 20 mm before they are corrected: as far as a compliant contact yields here, m. */
const SLOP = 1e-4;

function compound(jolt: Jolt, cells: readonly CellModel[]): object {
  const vector = ([x, y, z]: readonly number[]): Vec3 => new jolt.Vec3(x, y, z);
  const upright = new jolt.Quat(0, 0, 0, 1);
  const shapes = cells.map((cell) =>
    shapeOf<ShapeSettings>(cell, {
      box: (half) => new jolt.BoxShapeSettings(vector(half), 0),
      sphere: (radius) => new jolt.SphereShapeSettings(radius),
      hull: (corners) => {
        const settings = new jolt.ConvexHullShapeSettings();
        settings.mMaxConvexRadius = 0;
        for (const corner of corners) settings.mPoints.push_back(vector(corner));
        return settings;
      },
    }),
  );
  let whole = shapes[0];
  if (shapes.length > 1 || cells[0].position.some((x) => x !== 0)) {
    const settings = new jolt.StaticCompoundShapeSettings();
    shapes.forEach((shape, k) => {
      settings.AddShape(vector(cells[k].position), upright, shape, k);
    });
    whole = settings;
  }
  const result = whole.Create();
  if (result.HasError()) throw new Error('Jolt: a shape could not be made');
  return result.Get();
}

function makeWorld(jolt: Jolt): InstanceType<Jolt['JoltInterface']> {
  const pairs = new jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STILL, MOVING);
  const map = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [STILL, MOVING]) {
    map.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(layer));
  }
  const settings = new jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = map;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(
    map,
    2,
    pairs,
    2,
  );
  return new jolt.JoltInterface(settings);
}

function make(jolt: Jolt, scene: Scene): Running {
  const vector = ([x, y, z]: readonly number[]): Vec3 => new jolt.Vec3(x, y, z);
  const point = ([x, y, z]: readonly number[]): Vec3 => new jolt.RVec3(x, y, z);
  const world = makeWorld(jolt);
  const system = world.GetPhysicsSystem();
  system.SetGravity(vector(scene.gravity));
  const settings = system.GetPhysicsSettings();
  settings.mPenetrationSlop = SLOP;
  settings.mMinVelocityForRestitution = 0;
  settings.mAllowSleeping = false;
  system.SetPhysicsSettings(settings);
  const bodies = system.GetBodyInterface();
  const add = (cells: readonly CellModel[], type: number, layer: number): Body => {
    const own = new jolt.BodyCreationSettings(
      compound(jolt, cells),
      point([0, 0, 0]),
      new jolt.Quat(0, 0, 0, 1),
      type,
      layer,
    );
    // friction: the root of the product of both sides; restitution: the larger
    own.mFriction = scene.friction;
    own.mRestitution = scene.restitution;
    own.mAllowSleeping = false;
    own.mLinearDamping = 0;
    own.mAngularDamping = 0;
    if (layer === MOVING) {
      own.mOverrideMassProperties = jolt.EOverrideMassProperties_MassAndInertiaProvided;
      own.mMassPropertiesOverride.mMass = scene.mass;
      own.mMassPropertiesOverride.mInertia = jolt.Mat44.prototype.sScaleVec3(vector(scene.moments));
    }
    const body = bodies.CreateBody(own);
    bodies.AddBody(body.GetID(), jolt.EActivation_Activate);
    jolt.destroy(own);
    return body;
  };
  add(groundCells(scene), jolt.EMotionType_Static, STILL);
  const body = add(scene.cells, jolt.EMotionType_Dynamic, MOVING);
  let push: readonly [Vec3, Vec3] | null = null;
  const place = ({ position, orientation, velocity, spin }: Start): void => {
    const [x, y, z, w] = orientation;
    const values = [point(position), new jolt.Quat(x, y, z, w), vector(velocity), vector(spin)];
    bodies.SetPositionRotationAndVelocity(body.GetID(), values[0], values[1], values[2], values[3]);
    for (const value of values) jolt.destroy(value);
  };
  const read = (out: Float64Array): void => {
    const write = (v: Vec3, at: number): void => out.set([v.GetX(), v.GetY(), v.GetZ()], at);
    write(body.GetPosition(), 0);
    const q = body.GetRotation();
    write(q, 3);
    out[6] = q.GetW();
    write(body.GetLinearVelocity(), 7);
    write(body.GetAngularVelocity(), 10);
  };
  place(scene);
  return {
    push: (force, moment) => {
      push = [vector(force), vector(moment)];
    },
    step: () => {
      // a step clears the forces at its end
      if (push !== null) {
        body.AddForce(push[0]);
        body.AddTorque(push[1]);
      }
      world.Step(scene.step, 1);
    },
    read,
    ...marks(read, place),
    contacts: () => -1,
    free: () => {
      jolt.destroy(world);
    },
  };
}

/** Loads the engine. */
export async function loadJolt(): Promise<Engine> {
  const { default: load } = await loadPackage<{ default: () => Promise<Jolt> }>('jolt-physics');
  const jolt = await load();
  return {
    name: 'Jolt',
    contact:
      'points; sequential impulses with a coefficient of restitution, single precision, WebAssembly; 10 + 2 iterations and contact cache (default), slop 0.1 mm instead of 20, no convex radius, no sleep',
    unit: 'points',
    make: (scene) => make(jolt, scene),
  };
}
