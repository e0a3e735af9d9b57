/**
 * The scenes in cannon-es: constraints solved by SPOOK (Gauss–Seidel with stiffness and relaxation
 * d), double precision, JavaScript. SPOOK realises the share b = 4 d/(1 + 4 d) of the wanted change
 * of velocity, so an impact returns about (1 + e) b − 1: 0.66 for e = 0.8 and the default d = 3,
 * 0.796 for d = 100. Both are shown. One shape for each cell.
 */
import type * as Cannon from 'cannon-es';
import type { CellModel } from '../../src/index.ts';
import { makePolytope } from '../../src/overlap/polytope.ts';
import {
  centered,
  type Engine,
  marks,
  type Running,
  type Scene,
  shapeOf,
  type Start,
} from './engine.ts';
import { loadPackage } from './load-package.ts';

type Package = typeof Cannon;

function shape(cannon: Package, cell: CellModel): Cannon.Shape {
  const point = ([x, y, z]: readonly number[]): Cannon.Vec3 => new cannon.Vec3(x, y, z);
  return shapeOf<Cannon.Shape>(cell, {
    box: (half) => new cannon.Box(point(half)),
    sphere: (radius) => new cannon.Sphere(radius),
    hull: () => {
      const { corners, loops, loopStart } = makePolytope(cell.shape)!;
      return new cannon.ConvexPolyhedron({
        vertices: Array.from({ length: corners.length / 3 }, (_, k) =>
          point([...corners.subarray(3 * k, 3 * k + 3)]),
        ),
        faces: Array.from({ length: loopStart.length - 1 }, (_, k) => [
          ...loops.subarray(loopStart[k], loopStart[k + 1]),
        ]),
      });
    },
  });
}

function make(cannon: Package, scene: Scene, relaxation: number): Running {
  const world = new cannon.World({ gravity: new cannon.Vec3(...scene.gravity) });
  world.defaultContactMaterial.restitution = scene.restitution;
  world.defaultContactMaterial.friction = scene.friction;
  world.defaultContactMaterial.contactEquationRelaxation = relaxation;
  const ground = new cannon.Body({ mass: 0 });
  if (scene.ground === 'plane') ground.addShape(new cannon.Plane());
  else {
    for (const cell of scene.ground.map(centered)) {
      ground.addShape(shape(cannon, cell), new cannon.Vec3(...cell.position));
    }
  }
  world.addBody(ground);
  const body = new cannon.Body({ mass: scene.mass, linearDamping: 0, angularDamping: 0 });
  for (const cell of scene.cells.map(centered)) {
    body.addShape(shape(cannon, cell), new cannon.Vec3(...cell.position));
  }
  // addShape takes the moments of a bounding box
  const [x, y, z] = scene.moments;
  body.inertia.set(x, y, z);
  body.invInertia.set(1 / x, 1 / y, 1 / z);
  world.addBody(body);
  const push = [new cannon.Vec3(), new cannon.Vec3()];
  let pushed = false;
  const place = ({ position, orientation, velocity, spin }: Start): void => {
    body.position.set(...position);
    body.quaternion.set(...orientation);
    body.velocity.set(...velocity);
    body.angularVelocity.set(...spin);
    body.updateInertiaWorld(true);
  };
  const read = (out: Float64Array): void => {
    const { position: p, quaternion: q, velocity: v, angularVelocity: w } = body;
    out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]);
  };
  place(scene);
  return {
    push: (force, moment) => {
      pushed = true;
      push[0].set(...force);
      push[1].set(...moment);
    },
    step: () => {
      // a step clears the forces at its end
      if (pushed) {
        body.force.vadd(push[0], body.force);
        body.torque.vadd(push[1], body.torque);
      }
      world.step(scene.step);
    },
    read,
    ...marks(read, place),
    contacts: () => world.contacts.length,
    free: () => undefined,
  };
}

/** Loads the engine: the default relaxation is 3, and with 100 restitution comes back. */
export async function loadCannon(relaxation = 3): Promise<Engine> {
  const cannon = await loadPackage<Package>('cannon-es');
  return {
    name: `cannon-es${relaxation === 3 ? '' : `, relaxation ${relaxation}`}`,
    contact: `points; constraints on velocity with a coefficient of restitution, double precision, JavaScript; up to 10 solver iterations (default), contact relaxation ${relaxation}, no damping, no sleep`,
    unit: 'points',
    make: (scene) => make(cannon, scene, relaxation),
  };
}
