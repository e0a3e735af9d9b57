/**
 * A ball of 1 kg falls on a table: the model is written in code and stepped, and the rebound is compared with the law's restitution.
 *
 *   node --import tsx examples/drop-a-ball.ts
 */
import { BerthError, makeSystem, type SystemModel } from 'berth';

const RADIUS = 0.05; // m
const HEIGHT = 0.1; // m of free fall
const RESTITUTION = 0.6;
const STEP = 1e-5; // s

const still = {
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 0],
  orientation: [0, 0, 0, 1],
} as const;
const moment = 0.4 * RADIUS * RADIUS;
const model: SystemModel = {
  name: 'ball on table',
  gravity: [0, 0, -9.81],
  bodies: [
    {
      ...still,
      name: 'ball',
      motion: 'dynamic',
      mass: 1,
      inertia: [moment, moment, moment, 0, 0, 0],
      rotationLocked: false,
      position: [0, 0, RADIUS + HEIGHT],
    },
    {
      ...still,
      name: 'table',
      motion: 'fixed',
      mass: 1,
      inertia: [1, 1, 1, 0, 0, 0],
      rotationLocked: false,
      position: [0, 0, 0],
    },
  ],
  contacts: [
    {
      name: 'ball-table',
      bodyI: 'ball',
      bodyJ: 'table',
      pair: {
        kind: 'sphere-plane',
        radius: RADIUS,
        center: [0, 0, 0],
        normal: [0, 0, 1],
        offset: 0,
      },
      normalLaw: {
        kind: 'hysteretic',
        stiffness: 1e8, // N/m^1.5
        exponent: 1.5,
        restitution: RESTITUTION,
        smallVelocity: 1e-3,
        relaxationTime: 0,
      },
      frictionLaw: {
        kind: 'regularized-coulomb',
        coulomb: 0.3,
        regularization: 'cubic',
        velocityTolerance: 1e-3,
      },
    },
  ],
  springs: [],
  tool: null,
  command: [],
  integrator: 'implicit-contact',
  step: STEP,
  maximumSubsteps: 64,
  duration: 1,
};

const system = makeSystem(model);
const ball = system.bodyIndex('ball');
const motion = new Float64Array(13); // p(3) q(4) v(3) w(3)
let approach = 0;
let rebound = 0;
for (let n = 0; n < 0.3 / STEP; n++) {
  if (system.step(STEP) !== 0) throw new Error(`no finite state at ${system.time} s`);
  system.readBody(ball, motion, 0);
  approach = Math.min(approach, motion[9] ?? 0);
  rebound = Math.max(rebound, motion[9] ?? 0);
}
const measured = rebound / -approach;
console.log(`fell at ${(-approach).toFixed(3)} m/s, left at ${rebound.toFixed(3)} m/s`);
console.log(`restitution ${measured.toFixed(3)}, asked for ${RESTITUTION}`);
if (Math.abs(measured - RESTITUTION) > 0.02) throw new Error('the ball does not rebound as asked');

// a wrong model is refused by the field that is wrong
try {
  makeSystem({ ...model, gravity: [0, 0, NaN] });
} catch (error) {
  if (!(error instanceof BerthError)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
