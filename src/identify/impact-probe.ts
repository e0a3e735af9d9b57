/**
 * What a lasting force takes from an impact. e of the hysteretic law is exact without other forces (3.22). A constant acceleration a towards the
 * plate does no work over the contact, but shifts the path to depths where damping takes more: the ratio of the speeds falls by about
 * 0.12 a T/v for a contact of duration T (p = 1.5, e = 0.85). Scaled by v and T the law has no other parameter than e and p, so that an impact of
 * a ball of 1 kg at 1 m/s says it for all.
 */
import { ContactReadout, CONTACT_READOUT } from '../contact/contact-readout.ts';
import { makeSystem } from '../system/system.ts';
import { probeModel } from './probe.ts';

/** Steps of a contact, and the most that one may take. */
const STEPS = 200;
const MOST_STEPS = 20 * STEPS;
/** Duration of an elastic contact of 1 kg at 1 m/s with 1 N/m^p is about this, s. */
const DURATION_s = 3;
const REPEATS = 3;
const MOTION = 13;

interface Outcome {
  readonly ratio: number;
  readonly duration: number;
}

/** One impact under a constant acceleration towards the plate. */
function impact(restitution: number, exponent: number, pull: number): Outcome {
  const step = DURATION_s / STEPS;
  const model = probeModel(
    {
      kind: 'hysteretic',
      stiffness: 1,
      exponent,
      restitution,
      smallVelocity: 1e-3,
      relaxationTime: 0,
    },
    { kind: 'none' },
  );
  const [plate, ball] = model.bodies;
  const system = makeSystem({
    ...model,
    gravity: [0, 0, -pull],
    bodies: [plate, { ...ball, motion: 'dynamic', velocity: [0, 0, -1] }],
    integrator: 'dormand-prince',
    step,
  });
  const motion = new Float64Array(MOTION);
  const readout = new Float64Array(CONTACT_READOUT.length);
  const start = ball.position[2];
  for (let n = 1; n <= MOST_STEPS; n++) {
    if (system.step(step) !== 0) break;
    system.readBody(1, motion, 0);
    system.readContact(0, readout, 0);
    const [gap, rate] = [motion[2] - start, motion[9]];
    if (readout[ContactReadout.normalForce] > 0 || !(gap >= 0 && rate > 0)) continue;
    // back to the place of touch, along the free motion
    const speed = Math.sqrt(rate * rate + 2 * pull * gap);
    return { ratio: speed, duration: n * step - (2 * gap) / (speed + rate) };
  }
  return { ratio: NaN, duration: NaN };
}

/**
 * Restitution of the law with which an impact has the measured ratio of speeds, when `share` = a T/v of its momentum came from a lasting force
 * towards the plate. NaN when the force does not let it part.
 */
export function restitutionOf(ratio: number, exponent: number, share: number): number {
  if (share === 0) return ratio;
  let restitution = ratio;
  let { duration } = impact(limited(ratio), exponent, 0);
  for (let n = 0; n < REPEATS; n++) {
    const found = impact(limited(restitution), exponent, share / duration);
    restitution += ratio - found.ratio;
    ({ duration } = found);
  }
  return restitution;
}

/** Laws have a restitution from 0.01 to 1; noise may carry a ratio beyond. */
function limited(restitution: number): number {
  return restitution < 0.01 ? 0.01 : restitution > 1 ? 1 : restitution;
}
