/** Examples of Modia3D with sliding and rolling: a heavy ball that starts rolling, and two billiard balls. */
import { materials } from '../../../config/materials.ts';
import type { ContactModelSpec } from '../../../src/model/model.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  makeSystem,
  type System,
} from '../../../src/system/system.ts';
import { type Figure, independent, printed, type ValidationCase } from '../case.ts';
import { modia3dContact, modia3dModel, onBox, onGround } from '../modia3d-world.ts';
import { referenceRows } from '../reference-data.ts';
import { ballInertia, bodyModel } from '../world-models.ts';

const STEEL = ['Steel', 'Steel'] as const;

/** Interval of the results of the thrown ball, s. */
const INTERVAL = 1e-3;

interface RollingStart {
  readonly state: Float64Array;
  readonly impacts: number;
  readonly lastImpact: number;
  readonly course: {
    readonly time: number[];
    readonly speed: number[];
    readonly rim: number[];
    readonly height: number[];
  };
}

/** A ball of 10 t is thrown at 1 m/s from 0.2 m over the ground; z is up, the y of Modia3D. */
function rollingStart(pair: ContactModelSpec['pair']): RollingStart {
  const system = makeSystem(
    modia3dModel({
      bodies: [
        bodyModel('ground', 'fixed'),
        bodyModel('ball', 'dynamic', {
          mass: 1e4,
          inertia: ballInertia(1e4, 0.1),
          position: [-0.5, 0, 0.3],
          velocity: [1, 0, 0],
        }),
      ],
      contacts: [modia3dContact('ball', 'ground', pair, STEEL)],
      step: INTERVAL,
      relativeTolerance: 1e-9,
      absoluteTolerance: 1e-12,
    }),
  );
  const contact = new Float64Array(CONTACT_READOUT.length);
  const state = new Float64Array(13);
  const course: RollingStart['course'] = { time: [], speed: [], rim: [], height: [] };
  let impacts = 0;
  let lastImpact = NaN;
  let touching = false;
  for (let n = 0; n < 1500; n++) {
    system.step(INTERVAL);
    system.readContact(0, contact, 0);
    system.readBody(1, state, 0);
    course.time.push(system.time);
    course.speed.push(state[7]);
    course.rim.push(0.1 * state[11]);
    course.height.push(state[2] - 0.1);
    const touches = contact[ContactReadout.active] !== 0; // a contact lasts 7 ms
    if (touches && !touching) {
      impacts++;
      lastImpact = system.time;
    }
    touching = touches;
  }
  return { state, impacts, lastImpact, course };
}

export const rollingStartCase: ValidationCase = {
  name: 'rolling-start',
  title: 'Heavy ball thrown on the ground',
  source: 'Modia3D, BouncingSphereContactResults',
  description:
    'A steel ball of 10 t and 0.1 m is thrown at 1 m/s from 0.2 m over the ground without spin; it bounces, slides and rolls for 1.5 s. Error-controlled, as sphere on box: convex shapes by portal refinement, the force midway between the surfaces. The pair sphere–plane, whose force acts on the plane, is run beside it.',
  equation:
    'Modia3D’s law with regularised Coulomb friction 0.5 and rolling resistance 0.001; rolling keeps 5/7 of the speed, less the loss by rolling.',
  tolerances:
    'Half a unit of the last given digit and as much again: 1e-6 m and 1e-6 m/s, 1e-5 rad/s, 1e-9 m for the height; the last impact is seen at the end of an interval of 1 ms. Recorded states of Modia3D 6e-4 m, 3e-4 m/s and 3e-3 rad/s: it computes the distance of the two shapes wrong, which is why its height is not reproduced. The pair sphere–plane 0.5 %: its lever arm is longer by half the depth, 0.1 mm to 3 mm of 0.1 m in the impacts.',
  run() {
    const state = ['x', 'y', 'v_x', 'w_z'] as const;
    const [own] = referenceRows('modia3d-examples', 'rolling-start', state);
    const [recorded] = referenceRows('modia3d-examples', 'rolling-start-recorded', state);
    const convex = rollingStart(onBox({ kind: 'sphere', radius: 0.1 }, [2, 0.5, 0.1]));
    const plane = rollingStart(onGround(0.1));
    const values = ({ state }: RollingStart): readonly number[] => [
      state[0],
      state[2],
      state[7],
      -state[11],
    ];
    const names = [
      ['x', 'm', 1e-6, 6e-4],
      ['height of the centre', 'm', 1e-9, null],
      ['v_x', 'm/s', 1e-6, 3e-4],
      ['w about the axis of rolling', 'rad/s', 1e-5, 3e-3],
    ] as const;
    const figures: Figure[] = names.flatMap(([quantity, unit, allowed, wide], i) => {
      const reference = [own.x, own.y, own.v_x, own.w_z][i];
      const kept = [recorded.x, recorded.y, recorded.v_x, recorded.w_z][i];
      const value = values(convex)[i];
      return [
        independent(`${quantity} at 1.5 s`, unit, value, reference, allowed),
        ...(wide === null
          ? []
          : [printed(`${quantity} at 1.5 s, recorded by Modia3D`, unit, value, kept, wide)]),
        independent(
          `${quantity} at 1.5 s, sphere–plane`,
          unit,
          values(plane)[i],
          reference,
          0.005 * Math.abs(reference),
        ),
      ];
    });
    figures.push(
      independent('impacts, the last one lasting', '1', convex.impacts, 8, 0),
      independent('last impact', 's', convex.lastImpact, 1.013617, INTERVAL),
    );
    const { course } = convex;
    return {
      figures,
      notReproduced: [
        {
          quantity: 'height of the centre at 1.5 s, recorded by Modia3D',
          unit: 'm',
          computed: convex.state[2],
          reference: recorded.y,
          basis: 'printed',
          reason:
            'The distance that Modia3D finds between a sphere and a box is wrong away from the middle of the box. Its ball rests at 0.619 of the depth that its own law asks for, 0.063 mm higher.',
        },
      ],
      plots: [
        {
          title: 'Speed of the centre and of the rim',
          xLabel: 'time, s',
          yLabel: 'speed, m/s',
          curves: [
            { name: 'v_x', x: course.time, y: course.speed },
            { name: 'R w', x: course.time, y: course.rim },
            { name: 'v_x, reference', x: [1.5], y: [own.v_x], kind: 'points' },
            { name: 'R w, reference', x: [1.5], y: [-0.1 * own.w_z], kind: 'points' },
            { name: '5/7 of the first speed', x: [0, 1.5], y: [5 / 7, 5 / 7], kind: 'bound' },
          ],
        },
        {
          title: 'Height of the lowest point',
          xLabel: 'time, s',
          yLabel: 'height, m',
          curves: [{ name: 'height', x: course.time, y: course.height }],
        },
      ],
    };
  },
};

const RADIUS = 0.03;

function billiards(): System {
  const mass =
    (4 / 3) * Math.PI * RADIUS ** 3 * materials().solid('BilliardBall', 'solid').density_kg_per_m3;
  const ball = { mass, inertia: ballInertia(mass, RADIUS) };
  const onTable = ['BilliardBall', 'BilliardTable'] as const;
  const onTop = onBox({ kind: 'sphere', radius: RADIUS }, [3, 0.5, 0.02]);
  return makeSystem(
    modia3dModel({
      bodies: [
        bodyModel('table', 'fixed'),
        bodyModel('cue', 'dynamic', {
          ...ball,
          position: [-1.3, 0, RADIUS],
          velocity: [3, 0, 0],
        }),
        bodyModel('object', 'dynamic', { ...ball, position: [0, 0, RADIUS] }),
      ],
      contacts: [
        modia3dContact('cue', 'table', onTop, onTable),
        modia3dContact('object', 'table', onTop, onTable),
        modia3dContact(
          'object',
          'cue',
          {
            kind: 'sphere-sphere',
            radius: RADIUS,
            center: [0, 0, 0],
            radiusJ: RADIUS,
            centerJ: [0, 0, 0],
          },
          ['BilliardBall', 'BilliardBall'],
        ),
      ],
      step: 5e-3,
      relativeTolerance: 1e-9,
      absoluteTolerance: 1e-12,
    }),
  );
}

export const billiardsCase: ValidationCase = {
  name: 'billiards',
  title: 'Two billiard balls: slide, roll, hit',
  source: 'Modia3D, TwoCollidingBalls; A9',
  description:
    'A billiard ball starts sliding at 3 m/s, rolls after 0.11 s, hits a resting ball after 1.3 m, and both roll on: three contacts at once, error-controlled.',
  equation:
    'Modia3D’s law: ball on table cor 0, μ 0.8, μ_r 0.01; ball on ball cor 1 without friction, so that the hit swaps the speeds and leaves the spins.',
  tolerances:
    'x and v 1e-5 (acceptance A9), spins 1e-3 rad/s (v over R), hit 1e-5 s and its duration 1e-6 s: the sampling around it; end of sliding 3e-5 s: the independent run was looked at in intervals, all that follows agrees to the last digit. Recorded states of Modia3D 2e-5: its integration tolerance was 1e-7.',
  run() {
    const system = billiards();
    const one = new Float64Array(13);
    const two = new Float64Array(13);
    const contact = new Float64Array(CONTACT_READOUT.length);
    const time: number[] = [];
    const courses: [number[], number[], number[], number[]] = [[], [], [], []];
    const read = (): void => {
      system.readBody(1, one, 0);
      system.readBody(2, two, 0);
    };
    const march = (until: number, interval: number): void => {
      while (system.time < until - 1e-12) {
        system.step(Math.min(interval, until - system.time));
        read();
        time.push(system.time);
        courses[0].push(one[7]);
        courses[1].push(RADIUS * one[11]);
        courses[2].push(two[7]);
        courses[3].push(RADIUS * two[11]);
      }
    };
    march(0.1094, 2e-3);
    let rolls = NaN;
    while (system.time < 0.111 && Number.isNaN(rolls)) {
      system.step(1e-6);
      read();
      system.readContact(0, contact, 0);
      if (Math.abs(contact[ContactReadout.slip_x]) < 0.01) rolls = system.time;
    }
    march(0.5616, 4e-3);
    const before = one[7];
    let hit = NaN;
    let left = NaN;
    while (system.time < 0.563 && Number.isNaN(left)) {
      system.step(1e-6);
      read();
      system.readContact(2, contact, 0);
      if (contact[ContactReadout.active] !== 0 && Number.isNaN(hit)) hit = system.time;
      if (contact[ContactReadout.active] === 0 && !Number.isNaN(hit)) left = system.time;
    }
    const after = [one[7], two[7]];
    march(1.5, 4e-3);
    const state = ['x1', 'v1', 'x2', 'v2', 'w1', 'w2'] as const;
    const [own] = referenceRows('modia3d-examples', 'billiards', state);
    const [recorded] = referenceRows('modia3d-examples', 'billiards-recorded', state);
    const [event] = referenceRows('modia3d-examples', 'billiard-hit', [
      ...(['rolls', 'hit', 'before', 'duration', 'after1', 'after2'] as const),
    ]);
    const figures: Figure[] = [
      independent('slip below v_small', 's', rolls, event.rolls, 3e-5),
      independent('hit', 's', hit, event.hit, 1e-5),
      independent('speed before the hit', 'm/s', before, event.before, 2e-5),
      independent('duration of the hit', 's', left - hit, event.duration, 1.5e-6),
      independent('speed of the cue ball after the hit', 'm/s', after[0], event.after1, 5e-5),
      independent('speed of the object ball after the hit', 'm/s', after[1], event.after2, 2e-5),
    ];
    const found = { x1: one[0], v1: one[7], x2: two[0], v2: two[7], w1: one[11], w2: two[11] };
    for (const name of state) {
      const spin = name.startsWith('w');
      const unit = spin ? 'rad/s' : name.startsWith('x') ? 'm' : 'm/s';
      figures.push(
        independent(`${name} at 1.5 s`, unit, found[name], own[name], spin ? 1e-3 : 1e-5),
        printed(
          `${name} at 1.5 s, recorded by Modia3D`,
          unit,
          found[name],
          recorded[name],
          spin ? 2e-3 : 2e-5,
        ),
      );
    }
    const marks = (name: string, value: number): { name: string; x: number[]; y: number[] } => ({
      name,
      x: [1.5],
      y: [value],
    });
    return {
      figures,
      plots: [
        {
          title: 'Speeds of both balls and of their rims',
          xLabel: 'time, s',
          yLabel: 'speed, m/s',
          curves: [
            { name: 'cue ball v', x: time, y: courses[0] },
            { name: 'cue ball R w', x: time, y: courses[1] },
            { name: 'object ball v', x: time, y: courses[2] },
            { name: 'object ball R w', x: time, y: courses[3] },
            { ...marks('cue ball v, reference', own.v1), kind: 'points' },
            { ...marks('cue ball R w, reference', RADIUS * own.w1), kind: 'points' },
            { ...marks('object ball v, reference', own.v2), kind: 'points' },
            { ...marks('object ball R w, reference', RADIUS * own.w2), kind: 'points' },
          ],
        },
      ],
    };
  },
};
