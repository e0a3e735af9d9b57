/** Impacts and rest with the implicit step at 1 ms. `Gonthier 2007, (3.18)–(3.25), (3.43); docs/theory/implicit-step.md`. */
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../../src/system/system.ts';
import { atMost, closedForm, curve, type Figure, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { ballModel, runImpact } from '../systems.ts';

const STEP = 1e-3;
/** Contact time times v/δ_el for p = 3/2. `Gonthier 2007, (3.22)`, integrated. */
const CONTACT_TIMES = referenceRows('gonthier-impact', 'contact-time', ['e', 'time']);
/** Phases of touch within a step. */
const PHASES = 16;

export const implicitImpactCase: ValidationCase = {
  name: 'impact-1ms',
  title: 'Restitution and rest, implicit step at 1 ms',
  source: 'Gonthier 2007, (3.18)–(3.25), (3.43)',
  description:
    'A ball hits a plane with 10 to 100 steps a contact, each at 16 phases of touch within a step, and a ball is laid on the plane: the implicit step of the real-time loop at 1 ms.',
  equation:
    'f_n = k δ^p (1 + a δ̇/v_i), solved for the velocity at the end of the step; e asked for is the truth, v_small sets the speed below which impacts die.',
  tolerances:
    'e within 0.002 for 10 steps a contact and more, worst of 16 phases of touch; a resting contact below 1e-4 m/s.',
  run() {
    const figures: Figure[] = [];
    const errorCurves = [];
    for (const { e, time: contactTime } of CONTACT_TIMES) {
      const x: number[] = [];
      const y: number[] = [];
      for (const stepsPerContact of [10, 15, 20, 50, 100]) {
        const speed = 0.1;
        const depth = (stepsPerContact * STEP * speed) / contactTime;
        const stiffness = (2.5 * speed * speed) / (2 * depth ** 2.5);
        let worst = e;
        for (let phase = 0; phase < PHASES; phase++) {
          const { restitution } = runImpact({
            mass: 1,
            speed,
            gap: speed * STEP * (1 + (phase + 0.5) / PHASES),
            gravity: 0,
            law: {
              kind: 'hysteretic',
              stiffness,
              exponent: 1.5,
              restitution: e,
              smallVelocity: 1e-3,
              relaxationTime: 0,
            },
            step: STEP,
            integrator: 'implicit-contact',
          });
          if (!(Math.abs(restitution - e) <= Math.abs(worst - e))) worst = restitution;
        }
        x.push(stepsPerContact);
        y.push(Math.abs(worst - e));
        figures.push(
          closedForm(
            `e = ${e}, ${stepsPerContact} steps a contact, worst phase`,
            '1',
            worst,
            e,
            0.002,
          ),
        );
      }
      errorCurves.push({ name: `e = ${e}`, x, y });
    }

    // A ball laid on the plane: it sinks to its static depth and must come to rest there.
    const system = makeSystem(
      ballModel({
        mass: 2,
        speed: 0,
        gap: 0,
        gravity: 9.81,
        law: {
          kind: 'hysteretic',
          stiffness: 1e6,
          exponent: 1.5,
          restitution: 0.5,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        step: STEP,
        integrator: 'implicit-contact',
      }),
    );
    const contact = new Float64Array(CONTACT_READOUT.length);
    const ball = new Float64Array(13);
    const time: number[] = [];
    const velocity: number[] = [];
    let residual = 0;
    for (let n = 0; n < 2000; n++) {
      system.step(STEP);
      system.readBody(1, ball, 0);
      time.push(system.time);
      velocity.push(ball[9]);
      if (n >= 1000) residual = Math.max(residual, Math.abs(ball[9]));
    }
    system.readContact(0, contact, 0);
    figures.push(
      atMost('speed of a resting contact after 1 s, v_small 1 mm/s', 'm/s', residual, 1e-4),
      closedForm(
        'depth of the resting contact, (m g/k)^(2/3)',
        'm',
        contact[ContactReadout.penetration],
        ((2 * 9.81) / 1e6) ** (2 / 3),
        1e-6,
      ),
    );
    return {
      figures,
      plots: [
        {
          title: 'Largest error of the restitution',
          xLabel: 'steps a contact, 1',
          yLabel: '|e − e_nominal|, 1',
          xScale: 'log',
          yScale: 'log',
          curves: [
            ...errorCurves,
            { name: 'allowed', x: [10, 100], y: [0.002, 0.002], kind: 'bound' },
          ],
        },
        {
          title: 'A ball laid on the plane',
          xLabel: 'time, s',
          yLabel: 'velocity, m/s',
          curves: [curve('v_z', time, velocity)],
        },
      ],
    };
  },
};
