/**
 * The scenes in MuJoCo: soft constraints, double precision, WebAssembly. One geom for each cell; a hull is a mesh, of which MuJoCo
 * takes the hull. It has no coefficient of restitution: `solref` gives stiffness and damping per unit of mass. A constant impedance
 * makes a ball a spring and dashpot with a force cut off at zero. The damping ratio for a restitution e is then known
 * (kelvinVoigtRestitution). Bodies that return nothing have the default `solref`.
 */
import type loadMujoco from '@mujoco/mujoco';
import { type CellModel, kelvinVoigtRestitution } from '../../src/index.ts';
import { type Engine, marks, type Running, type Scene, type Start } from './engine.ts';
import { loadPackage } from './load-package.ts';

type Mujoco = Awaited<ReturnType<typeof loadMujoco>>;

/** Stiffness per unit of mass of the ball, 1/s²: an impact of 10 ms, as long as in Berth. */
const STIFFNESS = 1e5;
/** `solimp`: the impedance does not depend on depth. */
const IMPEDANCE = '0.99 0.99 0.001';

/** ζ for which the cut spring and dashpot return e. */
function dampingRatio(e: number): number {
  let low = 0;
  let high = 1;
  for (let n = 0; n < 60; n++) {
    const middle = 0.5 * (low + high);
    if (kelvinVoigtRestitution(middle) > e) low = middle;
    else high = middle;
  }
  return low;
}

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

function describe(scene: Scene, torsion: number | null): string {
  const [x, y, z, w] = scene.orientation;
  const { ground, friction, restitution } = scene;
  const rough =
    torsion === null
      ? `condim="3" friction="${friction} 0 0"`
      : `condim="4" friction="${friction} ${torsion} 0"`;
  const damping = 2 * dampingRatio(restitution) * Math.sqrt(STIFFNESS);
  const contact =
    restitution === 0 ? rough : `${rough} solref="-${STIFFNESS} -${damping}" solimp="${IMPEDANCE}"`;
  const floor =
    ground === 'plane'
      ? `<geom type="plane" size="0 0 1" ${contact}/>`
      : ground.map((cell) => geom(cell, 'ground', contact)).join('');
  return `
    <mujoco>
      <option timestep="${scene.step}" gravity="${text(scene.gravity)}" integrator="implicitfast" cone="elliptic"/>
      <asset>${ground === 'plane' ? '' : meshes(ground, 'ground')}${meshes(scene.cells, 'box')}</asset>
      <worldbody>
        ${floor}
        <body pos="${text(scene.position)}" quat="${text([w, x, y, z])}">
          <freejoint/>
          <inertial pos="0 0 0" mass="${scene.mass}" diaginertia="${text(scene.moments)}"/>
          ${scene.cells.map((cell) => geom(cell, 'box', contact)).join('')}
        </body>
      </worldbody>
    </mujoco>`;
}

function make(mujoco: Mujoco, scene: Scene, torsion: number | null): Running {
  const model = mujoco.MjModel.from_xml_string(describe(scene, torsion));
  const data = new mujoco.MjData(model);
  const place = ({ position, orientation, velocity, spin }: Start): void => {
    const [x, y, z, w] = orientation;
    (data.qpos as Float64Array).set([...position, w, x, y, z]);
    // the scenes that spin begin with a turn about z: body and world axes agree on it
    (data.qvel as Float64Array).set([...velocity, ...spin]);
  };
  const read = (out: Float64Array): void => {
    // read again: a view is invalid after the memory of the module grows
    const p = data.qpos as Float64Array;
    const v = data.qvel as Float64Array;
    out.set([p[0], p[1], p[2], p[4], p[5], p[6], p[3], v[0], v[1], v[2], v[3], v[4], v[5]]);
  };
  place(scene);
  return {
    push: (force, moment) => {
      (data.xfrc_applied as Float64Array).set([...force, ...moment], 6);
    },
    step: () => mujoco.mj_step(model, data),
    read,
    ...marks(read, place),
    contacts: () => data.ncon,
    free: () => {
      data.delete();
      model.delete();
    },
  };
}

/** Loads the engine; `torsion` is its coefficient of friction about the normal, m, and null for none. */
export async function loadMujocoEngine(torsion: number | null = null): Promise<Engine> {
  const { default: load } = await loadPackage<{ readonly default: typeof loadMujoco }>(
    '@mujoco/mujoco',
  );
  const mujoco = await load();
  return {
    name: `MuJoCo ${mujoco.mj_versionString()}${torsion === null ? '' : ', condim 4'}`,
    contact:
      'points; soft constraints, double precision, WebAssembly; Newton solver to 1e-8, elliptic cone, default solref 0.02 1' +
      (torsion === null
        ? '; a ball by stiffness 1e5 1/s² and the damping ratio that returns e'
        : `; friction about the normal with a coefficient of ${torsion} m`),
    unit: 'points',
    make: (scene) => make(mujoco, scene, torsion),
  };
}
