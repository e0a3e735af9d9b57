/**
 * An elastic block on a plane in MuJoCo: a grid of tetrahedra between two layers of nodes, each a body with three degrees of freedom, under gravity;
 * the lower layer touches by soft constraints. Full elasticity, integrator `discrete`, which is the one that takes it implicitly.
 */
import type loadMujoco from '@mujoco/mujoco';
import { loadPackage } from './load-package.ts';

/** A block of `size` m on a face of points[0] × points[1] nodes. */
export interface FlexBlock {
  readonly points: readonly [number, number];
  readonly size: readonly [number, number];
  readonly height: number;
  readonly mass: number;
  readonly modulus: number;
  readonly poisson: number;
  /** Coefficient; 0: no friction. */
  readonly friction: number;
  readonly step: number;
}

/** One that runs. */
export interface RunningFlex {
  readonly step: () => void;
  /** Points in contact. */
  readonly contacts: () => number;
  /** Largest speed of a node, m/s. */
  readonly speed: () => number;
}

/** Radius of the nodes, m. */
const RADIUS = 5e-4;
/** Time of damping of the elasticity, s: without it the grid rings. */
const DAMPING = 2e-3;

function describe({ points, size, height, mass, modulus, poisson, friction, step }: FlexBlock) {
  const spacing = size.map((length, a) => length / (points[a] - 1));
  const touch = `condim="${friction > 0 ? 3 : 1}" friction="${friction}"`;
  return `
    <mujoco>
      <option timestep="${step}" integrator="discrete" cone="elliptic"/>
      <worldbody>
        <geom type="plane" size="0 0 1" ${touch}/>
        <flexcomp name="block" type="grid" dim="3" count="${points.join(' ')} 2" spacing="${spacing.join(' ')} ${height}"
          pos="0 0 ${height / 2 + RADIUS}" mass="${mass}" radius="${RADIUS}">
          <contact ${touch} selfcollide="none" internal="false"/>
          <elasticity young="${modulus}" poisson="${poisson}" damping="${DAMPING}"/>
        </flexcomp>
      </worldbody>
    </mujoco>`;
}

/** Loads the engine. @throws PackageAbsent */
export async function loadMujocoFlex(): Promise<{
  readonly name: string;
  readonly make: (block: FlexBlock) => RunningFlex;
}> {
  const { default: load } = await loadPackage<{ readonly default: typeof loadMujoco }>(
    '@mujoco/mujoco',
  );
  const mujoco = await load();
  return {
    name: `MuJoCo ${mujoco.mj_versionString()} flex`,
    make: (block) => {
      const model = mujoco.MjModel.from_xml_string(describe(block));
      const data = new mujoco.MjData(model);
      return {
        step: () => mujoco.mj_step(model, data),
        contacts: () => data.ncon,
        speed: () => Math.max(...(data.qvel as Float64Array).map(Math.abs)),
      };
    },
  };
}
