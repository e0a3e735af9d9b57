/** Curves of the rolling law: moment over turning, and how a ball slows down. */
import type { Drawing } from './drawing.ts';
import { ballScene, RADIUS, readColumn, readMotion, spaced, stepOrThrow } from './scenes.ts';

const NORMAL_LAW = {
  kind: 'hysteretic',
  stiffness: 1e6,
  exponent: 1.5,
  restitution: 0.5,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;
const GRAVITY = 9.81;
/** Depth at rest under the weight of 1 kg, m. */
const REST = (GRAVITY / 1e6) ** (2 / 3);

function rolling(rollingFriction: number) {
  return { kind: 'modia3d', rollingFriction, angularVelocityTolerance: 0.01 } as const;
}

function moment(): Drawing {
  const w = spaced(-0.03, 0.03, 121);
  const at = (turning: number, axis: 'y' | 'z'): number => {
    const run = ballScene({
      normalLaw: NORMAL_LAW,
      rollingLaw: rolling(0.02),
      motion: 'prescribed',
      height: RADIUS - 1e-3,
      angularVelocity: axis === 'y' ? [0, turning, 0] : [0, 0, turning],
    });
    stepOrThrow(run, 1e-5);
    const torque = readColumn(run, axis === 'y' ? 'torque_y' : 'torque_z');
    return -torque / (0.02 * RADIUS * readColumn(run, 'normalForce'));
  };
  return {
    file: 'rolling-moment',
    title: 'Rolling resistance, w_small = 10 mrad/s',
    xLabel: 'relative angular velocity, mrad/s',
    yLabel: 'moment / (μ_r R f_n)',
    curves: [
      {
        name: 'rolling, about a tangent',
        x: w.map((turning) => 1e3 * turning),
        y: w.map((turning) => at(turning, 'y')),
      },
      {
        name: 'spinning, about the normal',
        kind: 'marks',
        x: w.filter((_, k) => k % 10 === 5).map((turning) => 1e3 * turning),
        y: w.filter((_, k) => k % 10 === 5).map((turning) => at(turning, 'z')),
      },
    ],
  };
}

function coast(): Drawing {
  const curves = [0.01, 0.02, 0.05].map((coefficient) => {
    const run = ballScene({
      normalLaw: NORMAL_LAW,
      frictionLaw: {
        kind: 'regularized-coulomb',
        coulomb: 0.5,
        regularization: 'modia3d',
        velocityTolerance: 0.01,
      },
      rollingLaw: rolling(coefficient),
      height: RADIUS - REST,
      velocity: [1, 0, 0],
      angularVelocity: [0, 1 / RADIUS, 0],
      gravity: GRAVITY,
      integrator: 'implicit-contact',
    });
    const x: number[] = [0];
    const y: number[] = [1];
    while (run.time < 12) {
      for (let n = 0; n < 20; n++) stepOrThrow(run, 1e-3);
      x.push(run.time);
      y.push(readMotion(run, 7));
    }
    return { name: `μ_r = ${coefficient}`, x, y };
  });
  const stop = 1 / ((5 / 7) * 0.01 * GRAVITY);
  return {
    file: 'rolling-coast',
    title: 'A solid ball rolling on the level, 1 m/s at the start',
    xLabel: 'time, s',
    yLabel: 'speed, m/s',
    xRange: [0, 12],
    yRange: [0, 1.05],
    curves: [
      ...curves,
      {
        name: '1 − 5/7 μ_r g t for μ_r = 0.01',
        kind: 'reference',
        x: [0, 12],
        y: [1, 1 - 12 / stop],
      },
    ],
  };
}

/** Drawings of the rolling law. */
export function rollingDrawings(): Drawing[] {
  return [moment(), coast()];
}
