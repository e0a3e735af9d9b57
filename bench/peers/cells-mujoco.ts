/** Free bodies of cells in MuJoCo: one geom for each cell; a hull is a mesh, of which MuJoCo takes the hull. */
import loadMujoco from '@mujoco/mujoco';
import type { CellModel } from '../../src/index.ts';
import type { CellEngine, CellScene } from './cells.ts';

const text = (values: Iterable<number>): string => [...values].join(' ');

function geom({ name, shape, position }: CellModel, owner: string, contact: string): string {
  const at = `pos="${text(position)}" ${contact}`;
  if (shape.kind === 'box') {
    return `<geom type="box" size="${text(shape.size.map((edge) => edge / 2))}" ${at}/>`;
  }
  if (shape.kind === 'sphere') return `<geom type="sphere" size="${shape.radius}" ${at}/>`;
  if (shape.kind !== 'mesh') throw new Error(`MuJoCo: cell ${name} is no box, sphere or hull`);
  return `<geom type="mesh" mesh="${owner}-${name}" ${at}/>`;
}

function meshes(cells: readonly CellModel[], owner: string): string {
  return cells
    .flatMap(({ name, shape }) =>
      shape.kind === 'mesh'
        ? [`<mesh name="${owner}-${name}" vertex="${text(shape.vertices.flat())}"/>`]
        : [],
    )
    .join('');
}

function describe(scene: CellScene, contact: string): string {
  const [x, y, z, w] = scene.orientation;
  return `
    <mujoco>
      <option timestep="${scene.step}" gravity="${text(scene.gravity)}" integrator="implicitfast" cone="elliptic"/>
      <asset>${meshes(scene.ground, 'ground')}${meshes(scene.cells, 'box')}</asset>
      <worldbody>
        ${scene.ground.map((cell) => geom(cell, 'ground', contact)).join('')}
        <body pos="${text(scene.position)}" quat="${text([w, x, y, z])}">
          <freejoint/>
          <inertial pos="0 0 0" mass="${scene.mass}" diaginertia="${text(scene.moments)}"/>
          ${scene.cells.map((cell) => geom(cell, 'box', contact)).join('')}
        </body>
      </worldbody>
    </mujoco>`;
}

/** Loads the engine; `torsion` is its coefficient of friction about the normal, m, and null for none. */
export async function loadMujocoCells(torsion: number | null): Promise<CellEngine> {
  const mujoco = await loadMujoco();
  return {
    name: `MuJoCo ${mujoco.mj_versionString()}${torsion === null ? '' : ', condim 4'}`,
    contact:
      'points with soft constraints, double precision, WebAssembly; elliptic cone, default solref' +
      (torsion === null ? '' : `; friction about the normal with a coefficient of ${torsion} m`),
    unit: 'points',
    make: (scene) => {
      const dims =
        torsion === null
          ? `condim="3" friction="${scene.friction} 0 0"`
          : `condim="4" friction="${scene.friction} ${torsion} 0"`;
      const model = mujoco.MjModel.from_xml_string(describe(scene, dims));
      const data = new mujoco.MjData(model);
      const [vx, vy, vz] = scene.velocity;
      // the scenes that spin begin with a turn about z: body and world axes agree on it
      const [wx, wy, wz] = scene.spin;
      (data.qvel as Float64Array).set([vx, vy, vz, wx, wy, wz]);
      return {
        push: (force, moment) => {
          (data.xfrc_applied as Float64Array).set([...force, ...moment], 6);
        },
        step: () => mujoco.mj_step(model, data),
        read: (out) => {
          // read again: a view is invalid after the memory of the module grows
          const p = data.qpos as Float64Array;
          const v = data.qvel as Float64Array;
          out.set([p[0], p[1], p[2], p[4], p[5], p[6], p[3], v[0], v[1], v[2], v[3], v[4], v[5]]);
        },
        contacts: () => data.ncon,
        free: () => {
          data.delete();
          model.delete();
        },
      };
    },
  };
}
