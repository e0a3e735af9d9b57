/** The ring in other engines: MuJoCo with the signed distance field that it makes of a mesh and with convex pieces, Rapier with a mesh of triangles. */
import type RAPIER from '@dimforge/rapier3d-compat';
import type loadMujoco from '@mujoco/mujoco';
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';
import { loadPackage } from '../peers/load-package.ts';
import { ringPieces } from './ring-cells.ts';
import {
  coneCorners,
  coneMesh,
  GRAVITY,
  MASS,
  MOMENTS,
  ringMesh,
  type Running,
  type Size,
  SPIN,
  startHeight,
  STEP,
} from './ring-scene.ts';

const text = (values: Iterable<number>): string => [...values].join(' ');
const meshText = ({ vertices, triangles }: TriangleMesh): string =>
  `vertex="${text(vertices)}" face="${text(triangles)}"`;

/** MuJoCo: `assets` and `geoms` are those of the ring, `cone` the kind of geom of the cone. */
async function mujocoRing(
  words: string,
  cone: 'sdf' | 'mesh',
  assets: string,
  geoms: string,
): Promise<Running> {
  const { default: load } = await loadPackage<{ readonly default: typeof loadMujoco }>(
    '@mujoco/mujoco',
  );
  const mujoco = await load();
  const model = mujoco.MjModel.from_xml_string(`
    <mujoco>
      <option timestep="${STEP}" gravity="0 0 ${-GRAVITY}" integrator="implicitfast"/>
      <default><geom condim="1"/></default>
      <asset>
        <mesh name="cone" ${meshText(coneMesh())}/>
        ${assets}
      </asset>
      <worldbody>
        <geom type="${cone}" mesh="cone"/>
        <body pos="0 0 ${startHeight()}">
          <freejoint/>
          <inertial pos="0 0 0" mass="${MASS}" diaginertia="${text(MOMENTS)}"/>
          ${geoms}
        </body>
      </worldbody>
    </mujoco>`);
  const data = new mujoco.MjData(model);
  (data.qvel as Float64Array).set([0, 0, 0, 0, 0, SPIN]);
  return {
    words: `MuJoCo ${mujoco.mj_versionString()}: ${words}`,
    step: () => mujoco.mj_step(model, data),
    // read again: a view is invalid after the memory of the module grows
    height: () => (data.qpos as Float64Array)[2],
    contacts: () => `${data.ncon} points`,
    missed: () => '',
  };
}

/** The fields that MuJoCo makes of both meshes: a ring with a field falls through a cone without one. */
export function mujocoField(size: Size): Promise<Running> {
  return mujocoRing(
    'fields of both meshes in octrees (geom `sdf`), search from 40 points with 10 iterations (default)',
    'sdf',
    `<mesh name="ring" ${meshText(ringMesh(size))}/>`,
    '<geom type="sdf" mesh="ring"/>',
  );
}

/** The same convex pieces as Berth's cells, a geom each. */
export async function mujocoPieces(size: Size): Promise<Running> {
  const pieces = await ringPieces(size);
  return mujocoRing(
    `${pieces.length} convex pieces`,
    'mesh',
    pieces
      .map((corners, k) => `<mesh name="piece-${k}" vertex="${text(corners.flat())}"/>`)
      .join(''),
    pieces.map((_, k) => `<geom type="mesh" mesh="piece-${k}"/>`).join(''),
  );
}

/** All triangles as one collider. */
export async function rapierRing(size: Size): Promise<Running> {
  const { default: rapier } = await loadPackage<{ readonly default: typeof RAPIER }>(
    '@dimforge/rapier3d-compat',
  );
  await rapier.init();
  const world = new rapier.World({ x: 0, y: 0, z: -GRAVITY });
  world.timestep = STEP;
  const cone = rapier.ColliderDesc.convexHull(Float32Array.from(coneCorners().flat()));
  if (cone === null) throw new Error('Rapier: the cone has no hull');
  const { vertices, triangles } = ringMesh(size);
  const ring = rapier.ColliderDesc.trimesh(Float32Array.from(vertices), triangles);
  const [x, y, z] = MOMENTS;
  const none = { x: 0, y: 0, z: 0 };
  const body = world.createRigidBody(
    rapier.RigidBodyDesc.dynamic()
      .setTranslation(0, 0, startHeight())
      .setAdditionalMassProperties(MASS, none, { x, y, z }, { ...none, w: 1 })
      .setAngvel({ x: 0, y: 0, z: SPIN })
      .setCanSleep(false),
  );
  const ground = world.createCollider(cone.setFriction(0).setRestitution(0));
  const own = world.createCollider(ring.setFriction(0).setRestitution(0).setDensity(0), body);
  return {
    words: `Rapier ${rapier.version()}: mesh of triangles (trimesh) on a hull, 4 solver iterations (default), single precision`,
    step: () => world.step(),
    height: () => body.translation().z,
    contacts: () => {
      let count = 0;
      world.contactPair(own, ground, (manifold) => {
        count += manifold.numSolverContacts();
      });
      return `${count} points`;
    },
    missed: () => '',
  };
}
