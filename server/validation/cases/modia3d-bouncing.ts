/** Modia3D's BouncingSphere: a ball bounces under gravity until restitution is cut off and it stays. */
import { materials } from '../../../config/materials.ts';
import { hertzStiffness } from '../../../src/contact/normal/hertz.ts';
import { impactDuration } from '../../../src/contact/normal/impact.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../../src/system/system.ts';
import { closedForm, type Figure, independent, printed, type ValidationCase } from '../case.ts';
import { impulseBounces } from '../impulse-bounces.ts';
import { modia3dContact, modia3dModel, onGround } from '../modia3d-world.ts';
import { referenceRows } from '../reference-data.ts';
import { peakOf } from '../systems.ts';
import { bodyModel } from '../world-models.ts';

const G = 9.81;
const RADIUS = 0.1;
const STEEL = ['Steel', 'Steel'] as const;
const STIFFNESS = hertzStiffness(materials().contactModulus(STEEL, 'materials'), RADIUS);
/** Samples of a contact, and how many contact times it may last before it counts as lasting. */
const SAMPLES = 60;
const LASTING = 40;
/** v_small of steel, m/s: slower impacts do not bounce. */
const SMALL = 0.01;
/** Duration of 16 impacts (2e-4 s at most), and of the hop that the compliant ball makes after its 17th, s. */
const IMPULSE_ERROR = 4e-4;
/** Restitution that Modia3D's law delivers for the cor of steel, 0.7. */
const DELIVERED = 0.6831842;

interface Bounce {
  readonly time: number;
  readonly speed: number;
  /** Damping coefficient, s/m, from the force while the ball goes in. */
  readonly duration: number;
  readonly delivered: number;
  readonly depth: number;
}

interface Bouncing {
  readonly bounces: readonly Bounce[];
  /** Start of the contact that lasts, s, and its speed, m/s. */
  readonly staysAt: number;
  readonly staysWith: number;
  /** At `until`: height of the lowest point and its velocity. */
  readonly height: number;
  readonly velocity: number;
  readonly course: { readonly time: number[]; readonly height: number[] };
}

/** Time for which the ball of a state flies before it touches, and its speed then. */
function flight(z: number, v: number): { time: number; speed: number } {
  const speed = Math.sqrt(v * v + 2 * G * Math.max(z, 0));
  return { time: (v + speed) / G, speed };
}

/** Lets the ball fall from a height over the ground until a time, s. Flights are parabolas: onsets and releases are exact. */
function bounceFrom(
  fall: number,
  mass: number,
  reductionFactor: number,
  until: number,
  tolerance = { relative: 1e-11, absolute: 1e-15 },
): Bouncing {
  const model = modia3dModel({
    bodies: [
      bodyModel('ground', 'fixed'),
      bodyModel('ball', 'dynamic', {
        mass,
        rotationLocked: true,
        position: [0, 0, RADIUS + fall],
      }),
    ],
    contacts: [modia3dContact('ball', 'ground', onGround(RADIUS), STEEL, { reductionFactor })],
    step: 1e-3,
    relativeTolerance: tolerance.relative,
    absoluteTolerance: tolerance.absolute,
  });
  const system = makeSystem(model);
  const ball = new Float64Array(13);
  const contact = new Float64Array(CONTACT_READOUT.length);
  const course = { time: [0], height: [fall] };
  const bounces: Bounce[] = [];
  let staysAt = NaN;
  let staysWith = NaN;
  const read = (): boolean => {
    system.readBody(1, ball, 0);
    system.readContact(0, contact, 0);
    return contact[ContactReadout.active] !== 0;
  };
  const advance = (time: number): boolean => {
    system.step(time);
    const touches = read();
    course.time.push(system.time);
    course.height.push(ball[2] - RADIUS);
    return touches;
  };
  read();
  while (system.time < until && Number.isNaN(staysAt)) {
    const { time, speed } = flight(ball[2] - RADIUS, ball[9]);
    const touch = system.time + time;
    if (touch > until) break;
    for (let n = 1; n <= 30; n++) advance(n < 30 ? time / 30 : touch - system.time);
    const stiffness = reductionFactor * STIFFNESS;
    const short = impactDuration({ mass, stiffness, exponent: 1.5, speed, damping: 0 }) / SAMPLES;
    const depths: number[] = [];
    let touches = true;
    for (let n = 0; n < LASTING * SAMPLES && touches; n++) {
      touches = advance(short);
      depths.push(contact[ContactReadout.penetration]);
      if (n === 0 && !touches) touches = true; // the flight ended a rounding before touch
    }
    if (touches) {
      staysAt = touch;
      staysWith = speed;
      break;
    }
    const leaving = Math.sqrt(ball[9] ** 2 + 2 * G * (ball[2] - RADIUS));
    const release = system.time - (leaving - ball[9]) / G;
    bounces.push({
      time: touch,
      speed,
      duration: release - touch,
      delivered: leaving / speed,
      depth: peakOf(depths),
    });
  }
  while (system.time < until - 1e-9) advance(Math.min(0.01, until - system.time));
  return { bounces, staysAt, staysWith, height: ball[2] - RADIUS, velocity: ball[9], course };
}

const COLUMNS = ['time', 'speed', 'damping', 'duration', 'delivered', 'depth'] as const;

export const bouncingBallCase: ValidationCase = {
  name: 'bouncing-ball',
  title: 'Bouncing ball with restitution cut-off',
  source: 'Modia3D, BouncingSphere; A6, A7',
  description:
    'A steel ball of 1 g and 0.1 m falls 1 m on steel, bounces 17 times and stays: Dormand–Prince with events, relative tolerance 1e-11. The same with 0.9 m, with the full steel mass, and with the full mass and k_red 1e-4, also at the tolerance 1e-5 that is in use with k_red. Beside them the impulse model: a hit above v_small returns cor times its speed at once.',
  equation:
    'm z̈ = f_n − m g with Modia3D’s law, cor 0.7, v_small 0.01 m/s: below it d = d_max = 2000 s/m and the ball stops within one impact.',
  tolerances:
    'Times of bounces 1e-6 s, start of the lasting contact 1e-5 s, depth at rest 1e-3 (acceptance A6, A7); speeds, restitutions, durations and depths: half a unit of the last given digit and as much again. Recorded states of Modia3D 2e-5 m/s and 1e-6 m: its integration tolerance was 1e-8. At tolerance 1e-5: 2e-3 s and 1 %. Of the impulse model: half a unit of the last given digit.',
  run() {
    const figures: Figure[] = [];
    const run = bounceFrom(1, 1e-3, 1, 2.5);
    const table = referenceRows('modia3d-examples', 'bounces', COLUMNS);
    const late = referenceRows('modia3d-examples', 'last-bounces', COLUMNS);
    const [rest] = referenceRows('modia3d-examples', 'rest', ['time', 'contacts', 'height']);
    const compare = (
      name: string,
      bounce: Bounce | undefined,
      row: (typeof table)[number],
    ): void => {
      figures.push(
        independent(`${name}: time`, 's', bounce?.time ?? NaN, row.time, 1e-6),
        independent(
          `${name}: approach speed`,
          'm/s',
          bounce?.speed ?? NaN,
          row.speed,
          row.speed > 0.1 ? 1e-6 : 1e-7,
        ),
        independent(
          `${name}: contact time`,
          's',
          bounce?.duration ?? NaN,
          row.duration,
          1.2e-3 * row.duration,
        ),
        independent(`${name}: restitution`, '1', bounce?.delivered ?? NaN, row.delivered, 1.5e-6),
        independent(`${name}: depth`, 'm', bounce?.depth ?? NaN, row.depth, 1e-3 * row.depth),
      );
    };
    for (const [i, row] of table.entries()) compare(`bounce ${i + 1}`, run.bounces[i], row);
    for (const [i, row] of late.entries()) {
      compare(`bounce ${16 + i}`, run.bounces[run.bounces.length - 2 + i], row);
    }
    const before = bounceFrom(1, 1e-3, 1, 2.2);
    const state = ['velocity', 'height'] as const;
    const [own] = referenceRows('modia3d-examples', 'at-2.2-s', state);
    const [recorded] = referenceRows('modia3d-examples', 'at-2.2-s-recorded', state);
    figures.push(
      independent('number of bounces', '1', run.bounces.length, rest.contacts, 0),
      independent('start of the lasting contact', 's', run.staysAt, rest.time, 1e-5),
      closedForm('height at 2.5 s', 'm', run.height, rest.height, 1e-3 * Math.abs(rest.height)),
      closedForm('velocity at 2.5 s', 'm/s', run.velocity, 0, 1e-7),
      independent('velocity at 2.2 s', 'm/s', before.velocity, own.velocity, 1e-7),
      independent('height at 2.2 s', 'm', before.height, own.height, 1e-8),
      printed(
        'velocity at 2.2 s, recorded by Modia3D',
        'm/s',
        before.velocity,
        recorded.velocity,
        2e-5,
      ),
      printed('height at 2.2 s, recorded by Modia3D', 'm', before.height, recorded.height, 1e-6),
    );
    const lower = bounceFrom(0.9, 1e-3, 1, 2.3);
    figures.push(
      independent(
        'fall of 0.9 m: start of the lasting contact',
        's',
        lower.staysAt,
        2.271704,
        1e-5,
      ),
    );
    const mass =
      (4 / 3) * Math.PI * RADIUS ** 3 * materials().solid('Steel', 'solid').density_kg_per_m3;
    const heavy = referenceRows('modia3d-examples', 'heavy', [
      'reduction',
      'contacts',
      'time',
      'restDepth',
    ]);
    const softCourses = heavy.map((row) => {
      const one = bounceFrom(1, mass, row.reduction, 3);
      const name = `33.5 kg, k_red ${row.reduction}`;
      figures.push(
        independent(`${name}: contacts`, '1', one.bounces.length + 1, row.contacts, 0),
        independent(`${name}: start of the lasting contact`, 's', one.staysAt, row.time, 1e-5),
        closedForm(`${name}: depth at rest`, 'm', -one.height, row.restDepth, 1e-3 * row.restDepth),
      );
      return { name, x: one.course.time, y: one.course.height };
    });
    const coarse = { relative: 1e-5, absolute: 1e-8 };
    const soft = heavy[heavy.length - 1];
    const quick = bounceFrom(1, mass, soft.reduction, 3, coarse);
    const name = `33.5 kg, k_red ${soft.reduction}, tolerance 1e-5`;
    figures.push(
      independent(`${name}: contacts`, '1', quick.bounces.length + 1, soft.contacts, 0),
      independent(`${name}: start of the lasting contact`, 's', quick.staysAt, soft.time, 2e-3),
      closedForm(
        `${name}: depth at rest`,
        'm',
        -quick.height,
        soft.restDepth,
        0.01 * soft.restDepth,
      ),
    );
    const impulse = impulseBounces(1, 0.7, SMALL, G, 3);
    const delivered = impulseBounces(1, DELIVERED, SMALL, G, 3);
    figures.push(
      independent('impulse model, cor 0.7: bounces', '1', impulse.count, 18, 0),
      independent('impulse model, cor 0.7: hit that rests', 's', impulse.restsAt, 2.555203, 5e-7),
      independent('impulse model, cor 0.7: its speed', 'm/s', impulse.restsWith, 7.21e-3, 5e-6),
      independent(
        `impulse model, restitution ${DELIVERED}: hit that rests`,
        's',
        delivered.restsAt,
        2.394476,
        5e-7,
      ),
      independent(
        'start of the lasting contact against the impulse model with the delivered restitution',
        's',
        run.staysAt,
        delivered.restsAt,
        IMPULSE_ERROR,
      ),
    );
    const all = [...table, ...late];
    return {
      figures,
      plots: [
        {
          title: 'Height of the lowest point',
          xLabel: 'time, s',
          yLabel: 'height, m',
          curves: [
            { name: '1 g', x: run.course.time, y: run.course.height },
            ...softCourses,
            { name: 'impulse model, cor 0.7', x: impulse.time, y: impulse.height },
            {
              name: 'impulse model, delivered restitution',
              x: delivered.time,
              y: delivered.height,
            },
            {
              name: 'reference, bounces of 1 g',
              x: all.map(({ time }) => time),
              y: all.map(() => 0),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Restitution of each bounce',
          xLabel: 'approach speed, m/s',
          yLabel: 'restitution, 1',
          xScale: 'log',
          curves: [
            {
              name: '1 g',
              x: run.bounces.map(({ speed }) => speed),
              y: run.bounces.map(({ delivered }) => delivered),
            },
            {
              name: 'reference',
              x: all.map(({ speed }) => speed),
              y: all.map(({ delivered }) => delivered),
              kind: 'points',
            },
            { name: 'v_small', x: [0.01, 0.01], y: [0, 0.7], kind: 'bound' },
          ],
        },
        {
          title: 'Contact time of each bounce',
          xLabel: 'approach speed, m/s',
          yLabel: 'contact time, s',
          xScale: 'log',
          yScale: 'log',
          curves: [
            {
              name: '1 g',
              x: run.bounces.map(({ speed }) => speed),
              y: run.bounces.map(({ duration }) => duration),
            },
            {
              name: 'reference',
              x: all.map(({ speed }) => speed),
              y: all.map(({ duration }) => duration),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};
