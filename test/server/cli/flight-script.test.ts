/** Scripted flights, step by step, on a tool that moves exactly as the sticks report. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type FlightPlan, loadFlight } from '../../../config/flight.ts';
import {
  checkPlan,
  type FlightFacts,
  FlightScript,
  type FlightView,
} from '../../../server/cli/flight-script.ts';
import {
  angleBetween,
  multiply,
  orientationAlong,
  rotate,
  rotationTo,
} from '../../../server/cli/flight-frames.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-script-'));
after(() => rmSync(folder, { recursive: true }));

/** Interval of the status, s. */
const READING_S = 0.1;
const HALF = Math.SQRT1_2;
const operator = { deadband: 0.05, coarse_speed_mps: 0.02, coarse_angular_speed_radps: 0.05 };
const tool = { force_gain_Ns_per_m: 1e4, force_deadband_N: 10, maximum_speed_mps: 0.1 };
const NO_SEAT: FlightFacts = { operator, tool, insertion: null };
/** A seat into which the way leads along +y, 100 mm deep, and whose payload is turned by 90 degrees about z. */
const SEAT: FlightFacts = {
  operator,
  tool,
  insertion: {
    seated_position_m: [1, 2, 3],
    seated_orientation: [0, 0, HALF, HALF],
    direction: [0, 1, 0],
    depth_m: 0.1,
  },
};

let files = 0;
function planOf(text: string): FlightPlan {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, `name: test\ntitle: Test\n${text}`);
  return loadFlight(file);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A tool that follows the sticks without delay, and what `change` makes of its readings. */
class Tool {
  readonly view: Mutable<FlightView> = {
    time_s: 0,
    position_m: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    force_N: [0, 0, 0],
    moment_Nm: [0, 0, 0],
    contact: false,
    pairs: 0,
  };
  readonly script: FlightScript;
  readonly words: string[] = [];
  change: (view: Mutable<FlightView>) => void = () => undefined;

  constructor(script: FlightScript) {
    this.script = script;
  }

  /** Velocity that the loop makes of three sticks: nothing inside the dead-band. */
  #velocity(from: number, full: number): number[] {
    return this.script.axes.slice(from, from + 3).map((stick) => {
      const size = Math.max(0, Math.abs(stick) - operator.deadband) / (1 - operator.deadband);
      return Math.sign(stick) * size * full;
    });
  }

  get linear(): number[] {
    return this.#velocity(0, operator.coarse_speed_mps);
  }

  get angular(): number[] {
    return this.#velocity(3, operator.coarse_angular_speed_radps);
  }

  /** One reading, and the motion until the next one. */
  tick(): void {
    const { view, script } = this;
    this.change(view);
    script.read({ ...view });
    this.words.push(...script.words.splice(0));
    view.position_m = view.position_m.map((value, a) => value + this.linear[a] * READING_S);
    const turn = this.angular.map((value) => value * READING_S);
    const angle = Math.hypot(...turn);
    if (angle > 0) {
      const sine = Math.sin(angle / 2);
      const q = [...turn.map((value) => (value / angle) * sine), Math.cos(angle / 2)];
      view.orientation = multiply(q, view.orientation);
    }
    view.time_s += READING_S;
  }

  /** Readings until the flight is over or `most_s` have passed. */
  fly(most_s = 120): this {
    const end = this.view.time_s + most_s;
    while (!this.script.ended && this.script.failure === null && this.view.time_s < end)
      this.tick();
    return this;
  }
}

const fly = (text: string, facts = NO_SEAT, hold_s: number | null = null): Tool =>
  new Tool(new FlightScript(planOf(text), facts, hold_s));

const near = (actual: readonly number[], expected: readonly number[], error: number): void =>
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= error, `${actual.join()} for ${expected.join()}`),
  );

test('rotations: composed, applied, and the vector from one to another', () => {
  const quarter = [0, 0, HALF, HALF];
  near(rotate(quarter, [1, 0, 0]), [0, 1, 0], 1e-15);
  const about_x = [HALF, 0, 0, HALF];
  // first about z, then about x: x goes to y, and y to z
  near(rotate(multiply(about_x, quarter), [1, 0, 0]), [0, 0, 1], 1e-15);
  near(rotationTo(about_x, multiply(quarter, about_x)), [0, 0, Math.PI / 2], 1e-15);
  // the same orientation by the opposite quaternion is no turn, and a turn never goes the long way
  near(
    rotationTo(
      quarter,
      quarter.map((part) => -part),
    ),
    [0, 0, 0],
    0,
  );
  near(rotationTo(quarter, [0, 0, 0, -1]), [0, 0, -Math.PI / 2], 1e-15);
  for (const x of [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
    [0.6, 0, 0.8],
    [-1, 0, 0],
  ]) {
    const q = orientationAlong(x);
    near(rotate(q, [1, 0, 0]), x, 1e-15);
    assert.ok(Math.abs(rotate(q, [0, 1, 0])[2]) < 1e-15 || Math.abs(x[2]) > 0.9);
  }
});

test('a waypoint is reached at its speed, to its tolerance, and the next step begins', () => {
  const flown = fly(`speed_mps: 10 mm/s
angular_speed_radps: 0.05
steps:
  - { name: there, position_m: [30 mm, 40 mm, 0] }
  - { name: turn, orientation: { kind: axis-angle, axis: [0, 1, 0], angle_rad: 20 deg } }
`);
  flown.tick();
  near(flown.linear, [0.006, 0.008, 0], 1e-12);
  flown.fly();
  assert.deepEqual(
    flown.words.map((line) => line.split(' ')[0]),
    ['there', 'turn'],
  );
  assert.match(flown.words[0], /^there at \[[\d., ]+\] mm: 0[.]0 N, 0 cell pairs; turn$/);
  near(flown.view.position_m, [0.03, 0.04, 0], 1e-3);
  const [sine, cosine] = [Math.sin(Math.PI / 18), Math.cos(Math.PI / 18)];
  assert.ok(angleBetween(flown.view.orientation, [0, sine, 0, cosine]) <= 0.005);
  assert.ok(flown.script.reached, 'a flight without a goal has reached it at its end');
  // 45 mm at full speed, the last 5 mm with a time constant of 0.5 s down to 1 mm, 20 degrees likewise
  const expected_s = 4.5 + 0.5 * Math.log(5) + (0.349 - 0.025) / 0.05 + 0.5 * Math.log(5);
  assert.ok(Math.abs(flown.view.time_s - expected_s) < 0.6, `${flown.view.time_s} s`);
});

test('vectors are of the frame of their step: of the robot, of the way in, of the tool where it begins', () => {
  const text = (frame: string, what: string): string => `steps:
  - { name: only, frame: ${frame}, ${what}, until: [{ after_s: 1 s }] }
`;
  const speed = 'velocity_mps: [10 mm/s, 0, 0]';
  const base = fly(text('base', speed));
  base.tick();
  near(base.linear, [0.01, 0, 0], 1e-15);
  const way = fly(text('way', speed), SEAT);
  way.tick();
  near(way.linear, [0, 0.01, 0], 1e-15);
  const here = fly(text('here', speed));
  here.view.orientation = [0, HALF, 0, HALF];
  here.tick();
  near(here.linear, [0, 0, -0.01], 1e-15);
});

test('waypoints of the way in: x is the depth, and no turn is the seated orientation', () => {
  const flown = fly(
    `speed_mps: 20 mm/s
angular_speed_radps: 0.05
steps:
  - { name: before, frame: way, position_m: [-30 mm, 0, 0], orientation: { kind: identity } }
  - { name: tilted, frame: way, orientation: { kind: axis-angle, axis: [1, 0, 0], angle_rad: 3 deg } }
`,
    SEAT,
  );
  flown.view.position_m = [1.02, 1.85, 3.01];
  flown.view.orientation = [0, 0, Math.sin(0.7), Math.cos(0.7)];
  flown.fly();
  near(flown.view.position_m, [1, 1.87, 3], 1.5e-3);
  const { orientation } = flown.view;
  assert.ok(Math.abs(flown.script.tilt_rad(flown.view) - (3 * Math.PI) / 180) < 0.005);
  // about the way in, +y
  const [sine, cosine] = [Math.sin(Math.PI / 120), Math.cos(Math.PI / 120)];
  const target = multiply([0, sine, 0, cosine], SEAT.insertion!.seated_orientation);
  assert.ok(angleBetween(orientation, target) <= 0.005);
  assert.match(
    flown.words[1],
    /^tilted at -[\d.]+ mm of 100 mm: -?0[.]0 N along the way, tilt [23][.]\d\d°/,
  );
});

test('the first rule that holds ends a step, after it has held for as long as it must', () => {
  const flown = fly(`steps:
  - name: down
    velocity_mps: [0, 0, -5 mm/s]
    until:
      - { push_N: { above: 20 }, held_s: 0.5 s, report: pressed, go: stay }
      - { z_m: { below: -50 mm }, go: fail }
  - { name: skipped, until: [{ after_s: 0 }] }
  - { name: stay, goal: true, until: [{ after_s: 3 s }] }
`);
  const times: number[] = [];
  flown.change = (view) => {
    // a knock at 1 s, contact from 2 s on
    const pressed = Math.abs(view.time_s - 1) < 0.15 || view.time_s >= 2;
    view.force_N = [5, 0, pressed ? 25 : 0];
    if (flown.script.step === 'stay' && times.length === 0) times.push(view.time_s);
  };
  flown.fly();
  assert.ok(flown.script.ended && flown.script.reached);
  assert.match(flown.words[0], /^pressed at .*; stay$/);
  assert.ok(Math.abs(times[0] - 2.6) < 0.01, `${times[0]} s`);
  assert.ok(Math.abs(flown.view.time_s - 5.6) < 0.11, `${flown.view.time_s} s`);
  // the time that the command line gives takes the place of the goal's own
  const held = fly('steps: [{ name: stay, goal: true, until: [{ after_s: 3 s }] }]', NO_SEAT, 0.5);
  assert.ok(Math.abs(held.fly().view.time_s - 0.6) < 0.01, `${held.view.time_s} s`);
});

test('a force or moment above its limit stops at once and fails the flight', () => {
  for (const [text, change, words] of [
    [
      'force_limit_N: 50',
      { force_N: [0, 40, 31] },
      /^A force of 50[.]6 N is above force_limit_N 50 N in step "down"[.]$/,
    ],
    [
      'moment_limit_Nm: 4',
      { moment_Nm: [0, 0, -5] },
      /^A moment of 5[.]00 N m is above moment_limit_Nm 4 N m/,
    ],
  ] as const) {
    const flown = fly(
      `${text}\nsteps: [{ name: down, velocity_mps: [0, 0, -0.01], until: [{ after_s: 5 s }] }]`,
    );
    flown.change = (view) => {
      if (view.time_s > 1) Object.assign(view, change);
    };
    flown.fly();
    assert.match(flown.script.failure!, words);
    assert.deepEqual(flown.script.axes, [0, 0, 0, 0, 0, 0]);
    assert.ok(!flown.script.reached);
    assert.ok(flown.view.time_s < 1.3, 'at the first reading above it');
  }
  const own = fly(`force_limit_N: 10
steps: [{ name: press, force_limit_N: 60, velocity_mps: [0, 0, -0.01], until: [{ after_s: 1 s }] }]`);
  own.change = (view) => (view.force_N = [0, 0, 50]);
  assert.ok(own.fly().script.ended, 'a limit of the step takes the place of that of the file');
});

test('a step that stalls, one that takes too long, and one that gives up', () => {
  const text = (until: string, more = ''): string =>
    `steps: [{ name: push, velocity_mps: [0.01, 0, 0]${more}, until: [${until}] }]`;
  const stall = fly(text('{ stalled: { less_than_m: 1 mm, in_s: 2 s }, report: jammed }'));
  stall.change = (view) => {
    if (view.time_s > 3) view.position_m = [0.03, view.position_m[1], 0.01 * view.time_s];
  };
  stall.fly();
  assert.match(stall.words[0], /^jammed at/);
  // in the way at 3.1 s, and what was moved in the 2 s before goes below 1 mm when they are over
  assert.ok(Math.abs(stall.view.time_s - 5.1) < 0.21, `${stall.view.time_s} s`);
  const late = fly(text('{ contact: true }', ', timeout_s: 4 s')).fly();
  assert.match(
    late.script.failure!,
    /^No progress in step "push" at \[4\d[.]\d, 0[.]0, 0[.]0\] mm/,
  );
  assert.ok(Math.abs(late.view.time_s - 4.2) < 0.11, `${late.view.time_s} s`);
  const given = fly(text('{ x_m: { above: 20 mm }, go: fail, report: nothing there }')).fly();
  assert.match(given.script.failure!, /^The script gave up in step "push": nothing there at/);
});

test('a step with once is passed over when an interrupted flight goes on', () => {
  const plan = planOf(`begin: [{ flown: wiggle, x_m: { above: 5 mm }, go: press, report: going on }]
steps:
  - { name: down, velocity_mps: [0.01, 0, 0], until: [{ after_s: 1 s }] }
  - { name: wiggle, once: true, angular_velocity_radps: [0, 0, 0.05], until: [{ after_s: 1 s }] }
  - { name: press, velocity_mps: [0.01, 0, 0], until: [{ after_s: 1 s }] }
  - { name: stay, goal: true, until: [{ after_s: 1 s }] }
`);
  const flown = new Set<string>();
  const steps = (from_m: number, most_s: number): string[] => {
    const one = new Tool(new FlightScript(plan, NO_SEAT, null, flown));
    one.view.position_m = [from_m, 0, 0];
    const seen = new Set<string>();
    one.change = () => seen.add(one.script.step);
    one.fly(most_s);
    seen.delete('');
    return [...seen];
  };
  assert.deepEqual(steps(0, 2.5), ['down', 'wiggle', 'press']);
  assert.deepEqual(steps(0.02, 0.5), ['press'], 'begins where the rule says');
  assert.deepEqual(steps(0, 60), ['down', 'press', 'stay'], 'passed over on the way');
  assert.deepEqual(steps(0, 60), ['down', 'wiggle', 'press', 'stay'], 'flown in the next flight');
});

test('a velocity above full deflection keeps its direction', () => {
  const flown = fly(
    'steps: [{ name: fast, velocity_mps: [0.06, 0, 0.03], until: [{ after_s: 1 s }] }]',
  );
  flown.tick();
  near(flown.linear, [0.02, 0, 0.01], 1e-12);
});

test('the plateau is that of gain, speed and dead-band', () => {
  const flown = fly(`steps:
  - { name: press, velocity_mps: [0, 0, -2 mm/s], until: [{ plateau_ratio: { above: 0.9, below: 1.1 } }] }
`);
  flown.change = (view) => (view.force_N = [0, 0, 10 * view.time_s]);
  flown.fly();
  // 10 N + 1e4 N s/m * 2 mm/s = 30 N, nine tenths of it
  assert.ok(Math.abs(flown.view.force_N[2] - 27) < 1.01, `${flown.view.force_N[2]} N`);
});

test('a plan that the service cannot fly is refused before anything moves', () => {
  const refused = (text: string, facts: FlightFacts, words: RegExp): void => {
    assert.throws(() => checkPlan(planOf(text), 'ball-on-table', facts), words);
    assert.throws(
      () => checkPlan(planOf(text), 'ball-on-table', facts),
      /^BerthError: script "test": /,
    );
  };
  refused(
    'accommodates: [force_z]\nsteps: [{ name: in, until: [{ after_s: 1 s }] }]',
    { ...NO_SEAT, tool: null },
    /it sets the accommodation; scenario ball-on-table has no tool$/,
  );
  const way = 'steps: [{ name: in, frame: way, until: [{ after_s: 1 s }] }]';
  refused(way, NO_SEAT, /step "in" is in frame way; scenario ball-on-table has no insertion$/);
  const depth = 'steps: [{ name: in, until: [{ depth_m: { above: 0 } }] }]';
  refused(depth, NO_SEAT, /step "in" compares depth_m; scenario ball-on-table has no insertion$/);
  const plateau =
    'steps: [{ name: in, along: [1, 0, 0], until: [{ plateau_ratio: { above: 1 } }] }]';
  refused(plateau, { ...SEAT, tool: null }, /compares plateau_ratio; .* has no tool$/);
  refused(`scenario: peg\n${way}`, SEAT, /it is for scenario peg; the service runs ball-on-table$/);
  checkPlan(planOf(way), 'peg', SEAT);
  for (const scenario of ['peg', 'mine/peg.yaml', '/home/me/peg.yml']) {
    checkPlan(planOf(`scenario: peg\n${way}`), scenario, SEAT);
  }
});

test('a latch-hook flight that is interrupted goes on down above 4 mm, and waits over the roller and in the latch', () => {
  const plan = loadFlight('latch-hook');
  const begins = (x: number, z: number): string => {
    const script = new FlightScript(plan, NO_SEAT);
    const { view } = new Tool(script);
    script.read({ ...view, position_m: [x, 0, z] });
    return script.step;
  };
  assert.deepEqual(
    [
      [0.081, 0.045],
      [0.0754, 0.0076],
      [0.0762, 0.0037],
      [0.048, 0.005],
    ].map(([x, z]) => begins(x, z)),
    ['down', 'down', 'wait', 'wait'],
  );
});
