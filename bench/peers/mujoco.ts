/**
 * The scenes in MuJoCo: soft constraints, double precision, WebAssembly. It has no coefficient of
 * restitution: `solref` gives stiffness and damping per unit of mass. A constant impedance makes
 * the ball a spring and dashpot with a force cut off at zero. The damping ratio for a restitution e
 * is then known (kelvinVoigtRestitution).
 */
import loadMujoco from '@mujoco/mujoco';
import { kelvinVoigtRestitution } from '../../src/index.ts';
import { type Engine, gravityOf, type Running } from './engine.ts';

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

/** Loads the engine. */
export async function loadMujocoEngine(): Promise<Engine> {
  const mujoco = await loadMujoco();
  const scene = (
    gravity: readonly number[],
    step: number,
    height: number,
    geometry: string,
    contact: string,
  ): Running => {
    const model = mujoco.MjModel.from_xml_string(`
      <mujoco>
        <option timestep="${step}" gravity="${gravity.join(' ')}" integrator="implicitfast" cone="elliptic"/>
        <worldbody>
          <geom type="plane" size="0 0 1" ${contact}/>
          <body pos="0 0 ${height}"><freejoint/><geom ${geometry} ${contact}/></body>
        </worldbody>
      </mujoco>`);
    const data = new mujoco.MjData(model);
    return {
      step: () => mujoco.mj_step(model, data),
      read: (out) => {
        // read again: a view is invalid after the memory of the module grows
        const p = data.qpos as Float64Array;
        const v = data.qvel as Float64Array;
        out.set([p[0], p[1], p[2], p[4], p[5], p[6], p[3], v[0], v[1], v[2], v[3], v[4], v[5]]);
      },
      free: () => {
        data.delete();
        model.delete();
      },
    };
  };
  return {
    name: `MuJoCo ${mujoco.mj_versionString()}`,
    contact:
      'soft constraints, double precision, WebAssembly: ball by stiffness 1e5 1/s² and the damping ratio that returns e (no coefficient of restitution); box by default solref 0.02 1; elliptic cone',
    ball: (ball) => {
      const damping = 2 * dampingRatio(ball.restitution) * Math.sqrt(STIFFNESS);
      return scene(
        gravityOf(ball),
        ball.step,
        ball.radius + ball.drop,
        `type="sphere" size="${ball.radius}" mass="${ball.mass}"`,
        `solref="-${STIFFNESS} -${damping}" solimp="${IMPEDANCE}" friction="0 0 0"`,
      );
    },
    box: (box) =>
      scene(
        gravityOf(box),
        box.step,
        box.size[2] / 2 + box.drop,
        `type="box" size="${box.size.map((edge) => edge / 2).join(' ')}" mass="${box.mass}"`,
        `friction="${box.friction} 0.005 0.0001"`,
      ),
  };
}
