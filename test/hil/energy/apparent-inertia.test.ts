/** Effective mass along a contact normal: the accommodated arm by its law, free bodies by hand and by an impulse on a real body. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { AlongSlot, ApparentInertia } from '../../../hil/energy/apparent-inertia.ts';
import { FmaSlot } from '../../../src/control/fma.ts';
import { makeSystem } from '../../../src/system/system.ts';

/** Rounding of a few products. */
const ROUNDING = 1e-12;
const near = (is: number | undefined, want: number, what: string, tolerance = ROUNDING): void => {
  const scale = Math.max(1, Math.abs(want));
  assert.ok(Math.abs((is ?? NaN) - want) <= tolerance * scale, `${what}: ${is} for ${want}`);
};

function massAt(inertia: ApparentInertia, line: readonly number[]): number {
  inertia.pointContact(Float64Array.from(line));
  inertia.measure();
  return inertia.along[AlongSlot.MASS] ?? NaN;
}

test('accommodation: g lag along an axis, damping g; off-centre the angle gives way as well', () => {
  const inertia = new ApparentInertia();
  const { AXES, GAIN } = FmaSlot;
  const setting = new Float64Array(18).fill(1, AXES, AXES + 6);
  setting[GAIN] = 1e4;
  setting[GAIN + 1] = 100;
  inertia.setAccommodation(setting, Float64Array.of(0.02, 0.001));
  near(massAt(inertia, [0, 0, 0, 0, 0, 1]), 200, 'g lag');
  near(inertia.along[AlongSlot.DAMPING], 1e4, 'g');
  // 0.1 m off: 1/m = 1/200 + 0.1²/(100 · 0.02)
  near(massAt(inertia, [0.1, 0, 0, 0, 0, 1]), 100, 'off-centre');
  near(inertia.along[AlongSlot.DAMPING], 5e3, 'damping of the same mode: mass over lag');
  // skew normal through a point on it: no lever
  near(
    massAt(inertia, [0.3, 0.3, 0, Math.SQRT1_2, Math.SQRT1_2, 0]),
    200,
    'through the tool point',
  );
  setting[AXES + 2] = 0;
  inertia.setAccommodation(setting, Float64Array.of(0.02, 0.001));
  assert.equal(massAt(inertia, [0, 0, 0, 0, 0, 1]), Infinity, 'a stiff axis');
  near(massAt(inertia, [0, 0, 0, 0.6, 0, 0.8]), 200 / 0.36, 'half stiff');
  setting[AXES + 2] = 0.5; // in the middle of a change
  inertia.setAccommodation(setting, Float64Array.of(0.02, 0.001));
  near(massAt(inertia, [0, 0, 0, 0, 0, 1]), 400, 'half of the way');
  inertia.setAccommodation(setting, Float64Array.of(1e-4, 0.001));
  near(massAt(inertia, [0, 0, 0, 1, 0, 0]), 10, 'a lag below the step is the step');
});

test('accommodation: the mass is what the arm shows in a step under a force', () => {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  const system = makeSystem(model);
  const { tool, accommodation } = system;
  if (tool === null || accommodation === null) throw new Error('no tool');
  system.useSchedule = false;
  tool.mode = 2;
  tool.motion = 1;
  const h = 1e-3;
  const inertia = new ApparentInertia();
  inertia.setAccommodation(accommodation.present, Float64Array.of(model.tool?.lag ?? 0, h));
  const motion = new Float64Array(13);
  system.readBody(system.bodyIndex('arm'), motion, 0);
  tool.measuredMotion.set(motion);
  // beyond the dead-band the force counts less it: two forces, so that it drops out
  const speeds = [100, 200].map((force) => {
    system.setArmTwist(new Float64Array(6), 0);
    tool.measuredWrench[2] = force;
    assert.equal(system.step(h), 0);
    return tool.setpoint[9] ?? NaN;
  });
  const mass = (100 * h) / ((speeds[1] ?? NaN) - (speeds[0] ?? NaN));
  near(massAt(inertia, [0, 0, 0, 0, 0, 1]), mass, 'impulse over change of speed', 1e-9);
});

test('rigid body: closed forms of a rod and of a body held off its centre of mass', () => {
  const inertia = new ApparentInertia();
  // uniform rod along x, m = 3, L = 2: I = m L²/12 = 1 about y and z; struck at its end, m/4
  const rod = Float64Array.of(1e3, 0, 0, 0, 1, 0, 0, 0, 1);
  inertia.setRigidBody(3, rod, Float64Array.of(0, 0, 0));
  near(massAt(inertia, [1, 0, 0, 0, 0, 1]), 3 / 4, 'end of a rod');
  assert.equal(inertia.along[AlongSlot.DAMPING], 0);
  // the same contact with the tool point at the other end
  inertia.setRigidBody(3, rod, Float64Array.of(-1, 0, 0));
  near(massAt(inertia, [2, 0, 0, 0, 0, 1]), 3 / 4, 'about another tool point');
  near(massAt(inertia, [1, 0, 0, 0, 0, 1]), 3, 'through the centre of mass');
  // centre of percussion: a blow at 2L/3 from the end does not move the end: (M⁻¹ n) has no z there
  inertia.pointContact(Float64Array.of(4 / 3, 0, 0, 0, 0, 1));
  let z = 0;
  for (let j = 0; j < 6; j++) z += (inertia.inverse[12 + j] ?? NaN) * (inertia.wrench[j] ?? NaN);
  near(z, 0, 'centre of percussion');
});

test('rigid body: any wrench at any tool point, against Newton and Euler written out', () => {
  const inertia = new ApparentInertia();
  const m = 7;
  const inverse = Float64Array.of(0.9, 0.1, -0.2, 0.1, 0.5, 0.05, -0.2, 0.05, 1.3);
  const r = [0.3, -0.2, 0.5];
  inertia.setRigidBody(m, inverse, Float64Array.from(r));
  const cross = (a: readonly number[], b: readonly number[]): number[] => {
    const [ax = 0, ay = 0, az = 0] = a;
    const [bx = 0, by = 0, bz = 0] = b;
    return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  };
  const columns: number[][] = [];
  for (let a = 0; a < 6; a++) {
    const wrench = [0, 1, 2, 3, 4, 5].map((i) => (i === a ? 1 : 0));
    const f = wrench.slice(0, 3);
    const about = cross(r, f).map((value, i) => value + (wrench[3 + i] ?? 0));
    const w = [0, 1, 2].map((i) =>
      about.reduce((sum, value, j) => sum + (inverse[3 * i + j] ?? 0) * value, 0),
    );
    const v = cross(w, r).map((value, i) => value + (f[i] ?? 0) / m);
    columns.push([...v, ...w]);
  }
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 6; j++) {
      near(inertia.inverse[6 * i + j], columns[j]?.[i] ?? NaN, `row ${i}, column ${j}`);
      near(inertia.inverse[6 * i + j], inertia.inverse[6 * j + i] ?? NaN, `symmetric ${i} ${j}`);
    }
  }
});
