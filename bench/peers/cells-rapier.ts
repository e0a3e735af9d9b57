/** Free bodies of cells in Rapier: one collider for each cell. */
import RAPIER from '@dimforge/rapier3d-compat';
import type { CellModel } from '../../src/index.ts';
import type { CellEngine } from './cells.ts';

function collider({ name, shape, position: [x, y, z] }: CellModel): RAPIER.ColliderDesc {
  const place = (desc: RAPIER.ColliderDesc): RAPIER.ColliderDesc => desc.setTranslation(x, y, z);
  if (shape.kind === 'box') {
    const [a, b, c] = shape.size;
    return place(RAPIER.ColliderDesc.cuboid(a / 2, b / 2, c / 2));
  }
  if (shape.kind === 'sphere') return place(RAPIER.ColliderDesc.ball(shape.radius));
  const hull =
    shape.kind === 'mesh'
      ? RAPIER.ColliderDesc.convexHull(Float32Array.from(shape.vertices.flat()))
      : null;
  if (hull === null) throw new Error(`Rapier: cell ${name} is no box, sphere or hull`);
  return place(hull);
}

/** Loads the engine. */
export async function loadRapierCells(): Promise<CellEngine> {
  await RAPIER.init();
  return {
    name: `Rapier ${RAPIER.version()}`,
    contact:
      'points with constraints on velocity, single precision, WebAssembly; default solver settings, sleeping off',
    unit: 'points',
    make: (scene) => {
      const [gx, gy, gz] = scene.gravity;
      const world = new RAPIER.World({ x: gx, y: gy, z: gz });
      world.timestep = scene.step;
      const dress = (desc: RAPIER.ColliderDesc): RAPIER.ColliderDesc =>
        desc
          .setFriction(scene.friction)
          .setFrictionCombineRule(RAPIER.CoefficientCombineRule.Max)
          .setRestitution(0);
      const ground = scene.ground.map((cell) => world.createCollider(dress(collider(cell))));
      const [x, y, z] = scene.position;
      const [vx, vy, vz] = scene.velocity;
      const [wx, wy, wz] = scene.spin;
      const [qx, qy, qz, qw] = scene.orientation;
      const [a, b, c] = scene.moments;
      const body = world.createRigidBody(
        RAPIER.RigidBodyDesc.dynamic()
          .setTranslation(x, y, z)
          .setRotation({ x: qx, y: qy, z: qz, w: qw })
          .setLinvel(vx, vy, vz)
          .setAngvel({ x: wx, y: wy, z: wz })
          .setAdditionalMassProperties(
            scene.mass,
            { x: 0, y: 0, z: 0 },
            { x: a, y: b, z: c },
            { x: 0, y: 0, z: 0, w: 1 },
          )
          .setCanSleep(false),
      );
      const own = scene.cells.map((cell) =>
        world.createCollider(dress(collider(cell)).setDensity(0), body),
      );
      return {
        push: ([fx, fy, fz], [mx, my, mz]) => {
          body.resetForces(true);
          body.resetTorques(true);
          body.addForce({ x: fx, y: fy, z: fz }, true);
          body.addTorque({ x: mx, y: my, z: mz }, true);
        },
        step: () => world.step(),
        read: (out) => {
          const p = body.translation();
          const q = body.rotation();
          const v = body.linvel();
          const w = body.angvel();
          out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]);
        },
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
    },
  };
}
