/** Force and moment accommodation: rest forces in closed form, axes, set-points, changes at run time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { Accommodation, FMA_RAMP_s, FmaSlot } from '../../../src/control/fma.ts';
import type { ToolModel } from '../../../src/model/model.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';

const H = 0.001;
const STEP = Float64Array.of(H);
const TOOL: ToolModel = {
  payload: 'payload',
  arm: 'arm',
  forceGain: 1e4,
  momentGain: 100,
  forceDeadband: 10,
  momentDeadband: 1,
  lag: 0.02,
  maximumSpeed: 0.1,
  maximumAngularSpeed: 0.5,
};
const DEADBAND = [10, 10, 10, 1, 1, 1];
const GAIN = [1e4, 1e4, 1e4, 100, 100, 100];

interface Setting {
  readonly axes?: number;
  readonly setPoint?: readonly number[];
  readonly deadband?: readonly number[];
}

/** Arguments of `change`; what is left out is kept. */
function values(setting: Setting): Float64Array {
  const keep = [NaN, NaN, NaN, NaN, NaN, NaN];
  const { axes = NaN, setPoint = keep, deadband = [NaN, NaN] } = setting;
  return Float64Array.of(axes, ...setPoint, ...deadband, NaN, NaN);
}

/** Changes a setting and waits for the end of its ramp. */
function set(fma: Accommodation, setting: Setting): void {
  fma.change(values(setting), 0);
  for (let t = 0; t < FMA_RAMP_s + H; t += H) fma.advance(STEP);
}

function unit(axis: number, value: number): Float64Array {
  const six = new Float64Array(6);
  six[axis] = value;
  return six;
}

/** Wrench at rest, when one axis is pressed against a spring for 5 s. */
function press(fma: Accommodation, axis: number, speed: number): number {
  const stiffness = axis < 3 ? 1e5 : 1e3; // stiffness × lag / gain = 0.2: no overshoot
  const command = unit(axis, speed);
  const state = new Float64Array(13);
  let place = 0;
  let wrench = 0;
  for (let n = 0; n < 5000; n++) {
    wrench = -stiffness * place;
    fma.computeReference(command, unit(axis, wrench));
    fma.track(state, STEP);
    place += H * state[7 + axis];
  }
  return wrench;
}

test('pressed at a speed, every axis rests at dead-band plus gain times speed', () => {
  for (let axis = 0; axis < 6; axis++) {
    for (const speed of [0.002, -0.005]) {
      const wanted = -Math.sign(speed) * (DEADBAND[axis] + GAIN[axis] * Math.abs(speed));
      const rest = press(new Accommodation(TOOL), axis, speed);
      assert.ok(Math.abs(rest - wanted) < 1e-9 * Math.abs(wanted), `axis ${axis}: ${rest}`);
    }
  }
});

test('a set-point is reached without an offset by the dead-band, above and below it; a stick adds gain times speed', () => {
  for (let axis = 0; axis < 6; axis++) {
    for (const push of [30, -4, 0.5]) {
      const fma = new Accommodation(TOOL);
      set(fma, { setPoint: [...unit(axis, push)] });
      assert.ok(Math.abs(press(fma, axis, 0) + push) < 1e-9, `axis ${axis}, ${push}`);
      const speed = Math.sign(push) * 0.002;
      const wanted = -push - GAIN[axis] * speed;
      assert.ok(Math.abs(press(fma, axis, speed) - wanted) < 1e-9, `axis ${axis}, ${push}, stick`);
    }
  }
});

test('free of contact the tool approaches at set-point over gain, at most at its largest speed', () => {
  const fma = new Accommodation(TOOL);
  const nothing = new Float64Array(6);
  set(fma, { setPoint: [0, 0, -30, 0, 2, 0] });
  fma.computeReference(nothing, nothing);
  [0, 0, -0.003, 0, 0.02, 0].forEach((v, i) =>
    assert.ok(Math.abs(fma.reference[i] - v) < 1e-15, String(fma.reference)),
  );
  set(fma, { setPoint: [0, 0, -3000, 0, 0, 0] });
  fma.computeReference(nothing, nothing);
  assert.ok(Math.abs(fma.reference[2] + 0.1) < 1e-15, String(fma.reference));
});

test('beside a set-point the dead-band stays', () => {
  const fma = new Accommodation(TOOL);
  set(fma, { setPoint: [0, 0, -30, 0, 0, 0] });
  // |(6, 8)| is the dead-band, whatever is left along the set-point
  fma.computeReference(new Float64Array(6), Float64Array.of(6, 8, 45, 0, 0, 0));
  assert.deepEqual([...fma.reference.slice(0, 2)], [0, 0]);
  assert.ok(Math.abs(fma.reference[2] - 1.5e-3) < 1e-15, String(fma.reference));
  fma.computeReference(new Float64Array(6), Float64Array.of(12, 16, 30, 0, 0, 0));
  // dz((12, 16)) = (12, 16) · 10/20
  [6e-4, 8e-4].forEach((v, i) =>
    assert.ok(Math.abs(fma.reference[i] - v) < 1e-15, String(fma.reference)),
  );
});

test('a stiff axis takes no notice of its force, nor do the others', () => {
  const free = new Accommodation(TOOL);
  const stiff = new Accommodation(TOOL);
  set(stiff, { axes: 0b101011 }); // not force z, not moment y
  const command = Float64Array.of(0.001, 0, 0.002, 0, 0.01, 0);
  stiff.computeReference(command, Float64Array.of(25, -3, 300, 0.4, 90, 2));
  free.computeReference(command, Float64Array.of(25, -3, 0, 0.4, 0, 2));
  assert.deepEqual([...stiff.reference], [...free.reference]);
  assert.equal(stiff.reference[2], 0.002);
  assert.equal(stiff.reference[4], 0.01);
});

test('an axis that becomes stiff loses its set-point for good', () => {
  const fma = new Accommodation(TOOL);
  set(fma, { setPoint: [5, 0, -30, 0, 0, 0] });
  set(fma, { axes: 0b111011 });
  set(fma, { axes: 0b111111 });
  assert.deepEqual([...fma.present.slice(FmaSlot.SET_POINT, FmaSlot.DEADBAND)], [5, 0, 0, 0, 0, 0]);
});

test('with every axis the law is the same in every frame', () => {
  const part = fc.double({ min: -1, max: 1, noNaN: true });
  const three = fc.tuple(part, part, part);
  const rotate = (q: readonly number[], v: readonly number[]): number[] => {
    const [x, y, z, w] = q;
    const u = [x, y, z];
    const cross = (a: readonly number[], b: readonly number[]): number[] => [
      a[1] * b[2] - a[2] * b[1],
      a[2] * b[0] - a[0] * b[2],
      a[0] * b[1] - a[1] * b[0],
    ];
    const t = cross(u, v).map((c) => 2 * c);
    const s = cross(u, t);
    return v.map((c, i) => c + w * t[i] + s[i]);
  };
  fc.assert(
    fc.property(three, three, three, fc.tuple(part, part, part, part), (v, f, s, raw) => {
      const size = Math.hypot(...raw);
      fc.pre(size > 0.1);
      const q = raw.map((c) => c / size);
      const answer = (turn: (w: readonly number[]) => number[]): number[] => {
        const fma = new Accommodation(TOOL);
        set(fma, { setPoint: [...turn(s.map((c) => 50 * c)), 0, 0, 0] });
        const command = Float64Array.of(...turn(v.map((c) => 0.02 * c)), 0, 0, 0);
        fma.computeReference(command, Float64Array.of(...turn(f.map((c) => 50 * c)), 0, 0, 0));
        return [...fma.reference.slice(0, 3)];
      };
      const turned = answer((w) => rotate(q, w));
      rotate(
        q,
        answer((w) => [...w]),
      ).forEach((c, i) => assert.ok(Math.abs(c - turned[i]) < 1e-14, `${c} ${turned[i]}`));
    }),
    { numRuns: 50 },
  );
});

/** The half-sphere at touch, at rest, without an operator. */
function atTouch(): System {
  const model = compileScenario(
    loadScenario('half-sphere-on-plate', [
      'bodies.half-sphere.position_m=[0, 0, 0]',
      'bodies.arm.position_m=[0, 0, 0]',
    ]),
  );
  const system = makeSystem(model);
  system.useSchedule = false;
  return system;
}

test('half-sphere: set-points are reached in contact, and a step of them neither jumps nor overshoots', () => {
  const system = atTouch();
  const fma = system.accommodation!;
  const wrench = system.tool!.modelWrench;
  let last = 0;
  let jump = 0;
  const run = (push: number): [number, number, number] => {
    fma.change(values({ setPoint: [0, 0, -push, 0, 0, 0] }), 0);
    let least = Infinity;
    let most = 0;
    for (let n = 0; n < 2000; n++) {
      system.step(H);
      least = Math.min(least, wrench[2]);
      most = Math.max(most, wrench[2]);
      jump = Math.max(jump, Math.abs(fma.reference[2] - last));
      last = fma.reference[2];
    }
    return [wrench[2], least, most];
  };
  const [first] = run(30);
  assert.ok(Math.abs(first - 30) < 0.01, `${first} N`);
  const [second, least, most] = run(60);
  assert.ok(Math.abs(second - 60) < 0.01, `${second} N`);
  // up in half a second and no further: the loop follows a ramp of 60 N/s with a lag of a few milliseconds
  assert.ok(least > 29.99 && most < 60.5, `${least} … ${most} N`);
  const [small] = run(4); // below the dead-band
  assert.ok(Math.abs(small - 4) < 0.1, `${small} N`);
  // a step of 60 N at once would be 6 mm/s
  assert.ok(jump < 5e-4, `${jump} m/s in a step`);
  // back without a set-point the dead-band rules: what is left of the push stays below it
  const [rest] = run(0);
  assert.ok(rest < 10, `${rest} N`);
});

test('half-sphere: with force z stiff the tool does not yield, whatever it feels', () => {
  const system = atTouch();
  const tool = system.tool!;
  tool.mode = 2;
  tool.measuredMotion.set(tool.setpoint);
  set(system.accommodation!, { axes: 0b111011 });
  for (let n = 0; n < 1000; n++) {
    tool.measuredWrench[2] = 200 * Math.sin(n);
    tool.measuredWrench[0] = 30;
    system.step(H);
    tool.measuredMotion.set(tool.setpoint);
  }
  assert.equal(tool.setpoint[2], 0);
  // x yields: (30 − 10) N over the gain, for a second less the lag (by semi-implicit Euler T − h)
  assert.ok(Math.abs(tool.setpoint[0] - 0.002 * (1 - 0.019)) < 1e-9, String(tool.setpoint[0]));
});

test('a change goes on bit for bit from a saved state, in its middle', () => {
  const fma = new Accommodation(TOOL);
  fma.change(values({ axes: 0b011111, setPoint: [1, 2, 3, 0, 0.5, 0], deadband: [4, 0.2] }), 0);
  for (let n = 0; n < 123; n++) fma.advance(STEP);
  const other = new Accommodation(TOOL);
  const saved = new Float64Array(fma.arena.stateLength + 3);
  fma.arena.saveState(saved, 2);
  assert.equal(saved[saved.length - 1], 0, 'writes no more than stateLength');
  other.arena.loadState(saved, 2);
  const command = Float64Array.of(1e-3, 2e-3, -1e-3, 0, 0.01, 0);
  const wrench = Float64Array.of(12, -7, 22, 1.5, -0.3, 3);
  for (let n = 0; n < 600; n++) {
    for (const each of [fma, other]) {
      each.advance(STEP);
      each.computeReference(command, wrench);
    }
    assert.deepEqual(other.reference, fma.reference);
  }
  assert.deepEqual(other.present, other.target);
  assert.deepEqual(other.target, fma.target);
});
