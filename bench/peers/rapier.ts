/** The scenes in Rapier: constraints with restitution, single precision, WebAssembly; one collider for each cell. */
import type RAPIER from '@dimforge/rapier3d-compat';
import type { CellModel } from '../../src/index.ts';
import {
  type Engine,
  groundCells,
  type Scene,
  shapeOf,
  type Running,
  marks,
  type Start,
} from './engine.ts';
import { loadPackage } from './load-package.ts';

type Rapier = typeof RAPIER;

/** Its interface takes anything with these three. */
interface Vector {
  x: number;
  y: number;
  z: number;
}

const vector = ([x, y, z]: readonly number[]): Vector => ({ x, y, z });

function collider(rapier: Rapier, cell: CellModel): RAPIER.ColliderDesc {
  const desc = shapeOf<RAPIER.ColliderDesc | null>(cell, {
    box: ([a, b, c]) => rapier.ColliderDesc.cuboid(a, b, c),
    sphere: (radius) => rapier.ColliderDesc.ball(radius),
    hull: (corners) => rapier.ColliderDesc.convexHull(Float32Array.from(corners.flat())),
  });
  if (desc === null) throw new Error(`Rapier: cell ${cell.name} has no hull`);
  const [x, y, z] = cell.position;
  return desc.setTranslation(x, y, z);
}

function make(rapier: Rapier, scene: Scene): Running {
  const world = new rapier.World(vector(scene.gravity));
  world.timestep = scene.step;
  // both sides have the same coefficients, so no rule of combination but the product would change them
  const dress = (desc: RAPIER.ColliderDesc): RAPIER.ColliderDesc =>
    desc
      .setRestitution(scene.restitution)
      .setRestitutionCombineRule(rapier.CoefficientCombineRule.Max)
      .setFriction(scene.friction)
      .setFrictionCombineRule(rapier.CoefficientCombineRule.Max);
  const ground = groundCells(scene).map((cell) =>
    world.createCollider(dress(collider(rapier, cell))),
  );
  const [x, y, z] = scene.position;
  const body = world.createRigidBody(
    rapier.RigidBodyDesc.dynamic()
      .setTranslation(x, y, z)
      .setAdditionalMassProperties(scene.mass, vector([0, 0, 0]), vector(scene.moments), {
        x: 0,
        y: 0,
        z: 0,
        w: 1,
      })
      .setCanSleep(false),
  );
  const own = scene.cells.map((cell) =>
    world.createCollider(dress(collider(rapier, cell)).setDensity(0), body),
  );
  const place = ({ position, orientation, velocity, spin }: Start): void => {
    const [qx, qy, qz, qw] = orientation;
    body.setTranslation(vector(position), true);
    body.setRotation({ x: qx, y: qy, z: qz, w: qw }, true);
    body.setLinvel(vector(velocity), true);
    body.setAngvel(vector(spin), true);
  };
  const read = (out: Float64Array): void => {
    const p = body.translation();
    const q = body.rotation();
    const v = body.linvel();
    const w = body.angvel();
    out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]);
  };
  place(scene);
  return {
    push: (force, moment) => {
      body.resetForces(true);
      body.resetTorques(true);
      body.addForce(vector(force), true);
      body.addTorque(vector(moment), true);
    },
    step: () => world.step(),
    read,
    ...marks(read, place),
    contacts: () => {
      let count = 0;
      for (const mine of own) {
        for (const other of ground) {
          world.contactPair(mine, other, (manifold) => {
            count += manifold.numSolverContacts();
          });
        }
      }
      return count;
    },
    free: () => world.free(),
  };
}

/** Loads the engine: the package as it is, or built with SIMD. */
export async function loadRapier(simd = false): Promise<Engine> {
  const name = simd ? '@dimforge/rapier3d-simd-compat' : '@dimforge/rapier3d-compat';
  const { default: rapier } = await loadPackage<{ readonly default: Rapier }>(name);
  await rapier.init();
  return {
    name: `Rapier ${rapier.version()}${simd ? ', SIMD' : ''}`,
    contact:
      'points; constraints on velocity with a coefficient of restitution, single precision, WebAssembly; 4 solver iterations (default), no sleep',
    unit: 'points',
    make: (scene) => make(rapier, scene),
  };
}
