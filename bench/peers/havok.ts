/** The scenes in Havok, the build of Babylon.js: single precision, WebAssembly. A container of one shape for each cell. */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
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

type Id = readonly unknown[];
type Made = readonly [result: unknown, id: Id];
type Numbers = readonly number[];
type Got = readonly [result: unknown, values: Numbers];

interface Havok {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
  readonly MotionType: { readonly STATIC: unknown; readonly DYNAMIC: unknown };
  readonly MaterialCombine: { readonly MAXIMUM: unknown };
  readonly ActivationControl: { readonly ALWAYS_ACTIVE: unknown };
  HP_Shape_CreateBox(center: Numbers, turn: Numbers, edges: Numbers): Made;
  HP_Shape_CreateSphere(center: Numbers, radius: number): Made;
  HP_Shape_CreateConvexHull(at: number, count: number): Made;
  HP_Shape_CreateContainer(): Made;
  HP_Shape_AddChild(container: Id, child: Id, pose: readonly Numbers[]): unknown;
  HP_Shape_SetMaterial(shape: Id, material: readonly unknown[]): unknown;
  HP_Shape_Release(shape: Id): unknown;
  HP_World_Create(): Made;
  HP_World_Release(world: Id): unknown;
  HP_World_SetGravity(world: Id, gravity: Numbers): unknown;
  HP_World_SetIdealStepTime(world: Id, seconds: number): unknown;
  HP_World_AddBody(world: Id, body: Id, asleep: boolean): unknown;
  HP_World_Step(world: Id, seconds: number): unknown;
  HP_Body_Create(): Made;
  HP_Body_Release(body: Id): unknown;
  HP_Body_SetShape(body: Id, shape: Id): unknown;
  HP_Body_SetMotionType(body: Id, type: unknown): unknown;
  HP_Body_SetMassProperties(body: Id, mass: readonly unknown[]): unknown;
  HP_Body_SetLinearDamping(body: Id, damping: number): unknown;
  HP_Body_SetAngularDamping(body: Id, damping: number): unknown;
  HP_Body_SetActivationControl(body: Id, control: unknown): unknown;
  HP_Body_SetQTransform(body: Id, pose: readonly Numbers[]): unknown;
  HP_Body_SetLinearVelocity(body: Id, v: Numbers): unknown;
  HP_Body_SetAngularVelocity(body: Id, w: Numbers): unknown;
  HP_Body_ApplyImpulse(body: Id, at: Numbers, impulse: Numbers): unknown;
  HP_Body_ApplyAngularImpulse(body: Id, impulse: Numbers): unknown;
  HP_Body_GetPosition(body: Id): Got;
  HP_Body_GetOrientation(body: Id): Got;
  HP_Body_GetLinearVelocity(body: Id): Got;
  HP_Body_GetAngularVelocity(body: Id): Got;
}

const UPRIGHT = [0, 0, 0, 1];
const MIDDLE = [0, 0, 0];

function hull(havok: Havok, corners: readonly Numbers[]): Made {
  const at = havok._malloc(12 * corners.length);
  new Float32Array(havok.HEAPU8.buffer, at, 3 * corners.length).set(corners.flat());
  const made = havok.HP_Shape_CreateConvexHull(at, corners.length);
  havok._free(at);
  return made;
}

function make(havok: Havok, scene: Scene): Running {
  const [, world] = havok.HP_World_Create();
  havok.HP_World_SetGravity(world, scene.gravity);
  havok.HP_World_SetIdealStepTime(world, scene.step);
  const { MAXIMUM } = havok.MaterialCombine;
  const shapes: Id[] = [];
  const container = (cells: readonly CellModel[]): Id => {
    const [, whole] = havok.HP_Shape_CreateContainer();
    shapes.push(whole);
    for (const cell of cells) {
      const [, child] = shapeOf<Made>(cell, {
        box: (half) =>
          havok.HP_Shape_CreateBox(
            MIDDLE,
            UPRIGHT,
            half.map((x) => 2 * x),
          ),
        sphere: (radius) => havok.HP_Shape_CreateSphere(MIDDLE, radius),
        hull: (corners) => hull(havok, corners),
      });
      shapes.push(child);
      const { friction, restitution } = scene;
      havok.HP_Shape_SetMaterial(child, [friction, friction, restitution, MAXIMUM, MAXIMUM]);
      havok.HP_Shape_AddChild(whole, child, [cell.position, UPRIGHT, [1, 1, 1]]);
    }
    return whole;
  };
  const add = (cells: readonly CellModel[], type: unknown): Id => {
    const [, body] = havok.HP_Body_Create();
    havok.HP_Body_SetShape(body, container(cells));
    havok.HP_Body_SetMotionType(body, type);
    return body;
  };
  const ground = add(groundCells(scene), havok.MotionType.STATIC);
  havok.HP_Body_SetQTransform(ground, [MIDDLE, UPRIGHT]);
  const body = add(scene.cells, havok.MotionType.DYNAMIC);
  // moments are those of a body of 1 kg
  const moments = scene.moments.map((moment) => moment / scene.mass);
  havok.HP_Body_SetMassProperties(body, [MIDDLE, scene.mass, moments, UPRIGHT]);
  havok.HP_Body_SetLinearDamping(body, 0);
  havok.HP_Body_SetAngularDamping(body, 0);
  havok.HP_World_AddBody(world, ground, false);
  havok.HP_World_AddBody(world, body, false);
  havok.HP_Body_SetActivationControl(body, havok.ActivationControl.ALWAYS_ACTIVE);
  let push: readonly [Numbers, Numbers] | null = null;
  const place = ({ position, orientation, velocity, spin }: Start): void => {
    havok.HP_Body_SetQTransform(body, [position, orientation]);
    havok.HP_Body_SetLinearVelocity(body, velocity);
    havok.HP_Body_SetAngularVelocity(body, spin);
  };
  const read = (out: Float64Array): void => {
    out.set(havok.HP_Body_GetPosition(body)[1], 0);
    out.set(havok.HP_Body_GetOrientation(body)[1], 3);
    out.set(havok.HP_Body_GetLinearVelocity(body)[1], 7);
    out.set(havok.HP_Body_GetAngularVelocity(body)[1], 10);
  };
  place(scene);
  return {
    push: (force, moment) => {
      push = [force.map((f) => f * scene.step), moment.map((m) => m * scene.step)];
    },
    step: () => {
      if (push !== null) {
        havok.HP_Body_ApplyImpulse(body, havok.HP_Body_GetPosition(body)[1], push[0]);
        havok.HP_Body_ApplyAngularImpulse(body, push[1]);
      }
      havok.HP_World_Step(world, scene.step);
    },
    read,
    ...marks(read, place),
    contacts: () => -1,
    free: () => {
      for (const shape of shapes) havok.HP_Shape_Release(shape);
      havok.HP_Body_Release(body);
      havok.HP_Body_Release(ground);
      havok.HP_World_Release(world);
    },
  };
}

/** Loads the engine. */
export async function loadHavok(): Promise<Engine> {
  const name = '@babylonjs/havok';
  const { default: load } = await loadPackage<{ default: (options: object) => Promise<Havok> }>(
    name,
  );
  // its loader would fetch the module over HTTP
  const { resolve } = createRequire(import.meta.url);
  const wasmBinary = readFileSync(resolve(`${name}/lib/esm/HavokPhysics.wasm`));
  const havok = await load({ wasmBinary });
  return {
    name: 'Havok',
    contact:
      'points; constraints on velocity with a coefficient of restitution, single precision, WebAssembly; its own iterations, no damping, no sleep',
    unit: 'points',
    make: (scene) => make(havok, scene),
  };
}
