/** Stiffness read-out of contacts, and the live prediction on the scenarios. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { COMPENSATIONS } from '../../../hil/contract/commands.ts';
import { DelaySlot } from '../../../hil/energy/delay-estimator.ts';
import { PermitSlot } from '../../../hil/energy/contact-permit.ts';
import { LoopPrediction, MARGIN_MOST, PredictedSlot } from '../../../hil/energy/loop-prediction.ts';
import { contactStiffness } from '../../../src/contact/contact-stiffness.ts';
import type { ContactModelSpec, NormalLawModel, SystemModel } from '../../../src/model/model.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { CompensationIndex } from '../../../hil/contract/commands.ts';

const near = (is: number, want: number, tolerance: number, what: string): void => {
  assert.ok(Math.abs(is / want - 1) <= tolerance, `${what}: ${is} for ${want}`);
};

function model(name: string): SystemModel {
  return compileScenario(loadScenario(name));
}

function sphereContact(normalLaw: NormalLawModel): ContactModelSpec {
  const [contact] = model('half-sphere-on-plate').contacts;
  if (contact === undefined) throw new Error('no contact');
  return { ...contact, normalLaw };
}

test('linearised stiffness of every point law against its derivative written out', () => {
  const [half] = model('half-sphere-on-plate').contacts;
  if (half === undefined) throw new Error('no contact');
  // k = 3/2 K^(2/3) F^(1/3); the central difference of δ^1.5 is 4e-8 off
  const hertz = 1.5 * 2.5413e8 ** (2 / 3) * 30 ** (1 / 3);
  near(contactStiffness(half, 30, 0.1).stiffness, hertz, 1e-6, 'half-sphere');
  near(hertz, 1.87e6, 1e-3, 'as quoted');
  const linear = sphereContact({ kind: 'kelvin-voigt', stiffness: 1e5, damping: 200 });
  const found = contactStiffness(linear, 30, 0.1);
  near(found.stiffness, 1e5, 1e-9, 'kelvin-voigt');
  assert.equal(found.damping, 200);
  const square = sphereContact({
    kind: 'restitution-slope',
    stiffness: 1e9,
    exponent: 2,
    slope: 0.4,
  });
  const slope = contactStiffness(square, 30, 0.1);
  near(slope.stiffness, 2 * Math.sqrt(1e9 * 30), 1e-6, 'k δ²: 2 √(K F)');
  near(slope.damping, 30 * 1.5 * 0.4, 1e-9, 'F 3/2 α');
  // hysteretic damping falls with the speed at touch
  const slow = contactStiffness(half, 30, 0.01).damping;
  near(contactStiffness(half, 30, 0.1).damping * 10, slow, 1e-9, 'damping over impact speed');
  const [volumetric] = model('battery-box-insertion').contacts;
  if (volumetric === undefined) throw new Error('no contact');
  assert.ok(Number.isNaN(contactStiffness(volumetric, 30, 0.1).stiffness), 'unknown by the law');
  assert.throws(() => contactStiffness(half, 0, 0.1), /force and a speed > 0, got 0 N/);
});

/** A prediction for a delay, everything brought up to date. */
function predict(
  name: string,
  delay_s: number,
  change: (settings: ReturnType<typeof loadSettings>) => void = () => undefined,
): LoopPrediction {
  const settings = structuredClone(loadSettings());
  settings.energy.guard = false;
  change(settings);
  const delay = new Float64Array(7);
  delay[DelaySlot.TOTAL] = delay_s;
  delay[DelaySlot.VALID] = 1;
  const prediction = new LoopPrediction(makeSystem(model(name)), delay, settings);
  prediction.refresh();
  return prediction;
}

const value = (prediction: LoopPrediction, slot: number): number => prediction.values[slot] ?? NaN;

test('half-sphere: mass g lag, stiffness of 30 N, what the delay does to it', () => {
  const at = (delay_s: number): LoopPrediction => predict('half-sphere-on-plate', delay_s);
  const one = at(1e-3);
  near(value(one, PredictedSlot.STIFFNESS), 1.87e6, 1e-3, 'stiffness');
  near(value(one, PredictedSlot.MASS), 200, 1e-9, 'mass');
  near(value(one, PredictedSlot.DAMPING), 1e4, 1e-9, 'damping');
  near(value(one, PredictedSlot.ACCOMMODATION_NUMBER), 0.187, 1e-3, 'K_a k T');
  near(value(one, PredictedSlot.CRITICAL_DELAY), 5.62e-3, 2e-3, 'critical delay');
  near(value(one, PredictedSlot.MARGIN), 5.62, 2e-3, 'margin');
  assert.ok(value(one, PredictedSlot.RESTITUTION) < 1, 'damped by the accommodation');
  const ten = at(10e-3);
  assert.ok(value(ten, PredictedSlot.RESTITUTION) > 1, 'a contact over 10 ms gains energy');
  assert.ok(value(ten, PredictedSlot.MARGIN) < 1, 'and does not come to rest');
  assert.equal(value(at(-1e-3), PredictedSlot.MARGIN), MARGIN_MOST, 'a robot that runs ahead');
  const limit = value(ten, PredictedSlot.STIFFNESS_LIMIT);
  const softer = predict('half-sphere-on-plate', 10e-3, ({ energy }) => {
    energy.stiffness_N_per_m = limit;
    energy.damping_N_s_per_m = value(ten, PredictedSlot.CONTACT_DAMPING);
  });
  near(value(softer, PredictedSlot.RESTITUTION), 1.02, 1e-4, 'the operator knows a softer wall');
});

test('as the loop is set: model takes the delay away, lead part of it, damping pays for it, guard caps', () => {
  const active = (
    compensation: (typeof COMPENSATIONS)[number],
    delay_s = 10e-3,
    guard = false,
  ): number => {
    const settings = (s: ReturnType<typeof loadSettings>): void => {
      Object.assign(s.energy, { compensation, guard });
    };
    const found = predict('half-sphere-on-plate', delay_s, settings);
    return value(found, PredictedSlot.RESTITUTION_ACTIVE);
  };
  const none = active('none');
  const undelayed = predict('half-sphere-on-plate', 0);
  assert.equal(active('model'), value(undelayed, PredictedSlot.RESTITUTION));
  const early = [active('model', 3e-3), active('lead', 3e-3), active('none', 3e-3)];
  assert.ok(
    early.every((e, i) => i === 0 || e > (early[i - 1] ?? NaN)),
    early.join(),
  );
  // at wT = 0.97 the lead pushes more than it helps
  assert.ok(active('lead') > none, `${active('lead')} and ${none}`);
  assert.ok(active('damping') < none, `${active('damping')}`);
  assert.ok(none > 1, `${none}`);
  assert.equal(active('none', 10e-3, true), 1);
});

test('unknown stays unknown before the delay is; what the operator knows goes first', () => {
  const early = predict('half-sphere-on-plate', 1e-3);
  const settings = structuredClone(loadSettings());
  const unmeasured = new LoopPrediction(
    makeSystem(model('half-sphere-on-plate')),
    new Float64Array(7),
    settings,
  );
  unmeasured.refresh();
  assert.ok(Number.isNaN(value(unmeasured, PredictedSlot.RESTITUTION)), 'delay');
  assert.ok(!Number.isNaN(value(early, PredictedSlot.RESTITUTION)));
  const given = predict('battery-box-insertion', 1e-3, ({ energy }) => {
    energy.stiffness_N_per_m = 1e5;
  });
  near(value(given, PredictedSlot.STIFFNESS), 1e5, 1e-12, 'as the operator knows it');
  assert.ok(value(given, PredictedSlot.RESTITUTION) >= 0, 'along the lightest axis');
});

/** The battery box as a robot has it: `depth` into the floor, m, tilted by `tilt`, rad. */
function putBox(system: System, depth: number, tilt: number): void {
  const { tool } = system;
  if (tool === null) throw new Error('no tool');
  system.useSchedule = false;
  tool.mode = 2;
  tool.measuredMotion.fill(0);
  tool.measuredMotion[0] = depth;
  tool.measuredMotion[4] = Math.sin(tilt / 2);
  tool.measuredMotion[6] = Math.cos(tilt / 2);
  assert.equal(system.step(1e-3), 0);
}

test('a volume is known by the area that touches, k_v A, and by the largest so far when nothing does', () => {
  const box = model('battery-box-insertion');
  const law = box.contacts[0]?.normalLaw;
  if (law?.kind !== 'volumetric') throw new Error('not a volume');
  const system = makeSystem(box);
  const prediction = new LoopPrediction(system, null, loadSettings());
  const readout = new Float64Array(31);
  /** @returns the reported stiffness, and k_v A */
  const predictAt = (depth: number, tilt: number): [number, number] => {
    putBox(system, depth, tilt);
    prediction.refresh();
    system.readContact(0, readout, 0);
    return [value(prediction, PredictedSlot.STIFFNESS), law.stiffness * (readout[26] ?? NaN)];
  };
  // straight, 0.1 mm into the floor: the face of the box on it
  const [seated, face] = predictAt(1e-4, 0);
  assert.ok(face > 0.01 * law.stiffness, `${face} N/m`);
  near(seated, face, 1e-12, 'k_v A');
  assert.equal(value(prediction, PredictedSlot.DELAY), 0, 'no robot, no delay');
  assert.ok(value(prediction, PredictedSlot.MASS) > 0, 'along its normal');
  // it lifts off over an edge
  const [tilted, sliver] = predictAt(-1e-4, 3e-3);
  assert.ok(sliver > 0 && sliver < 0.5 * face, `${sliver} of ${face} N/m`);
  near(tilted, sliver, 1e-12, 'what touches now');
  const [lifted, nothing] = predictAt(-1e-3, 0);
  assert.equal(nothing, 0);
  assert.equal(lifted, seated, 'the next touch may be the whole face again');
  const state = new Float64Array(prediction.arena.stateLength);
  prediction.arena.saveState(state, 0);
  const copy = new LoopPrediction(system, null, loadSettings());
  copy.arena.loadState(state, 0);
  copy.refresh();
  assert.equal(value(copy, PredictedSlot.STIFFNESS), seated, 'and crosses with the state');
});

/** The half-sphere with two contacts of the plate, N/m, the second one `gap` m behind the first; 2 ms of delay. */
function twoContacts(
  stiffness: readonly [number, number],
  gap: number,
): { prediction: LoopPrediction; judge: (height: number) => Float64Array } {
  const one = model('half-sphere-on-plate');
  const [contact] = one.contacts;
  if (contact?.pair.kind !== 'sphere-plane') throw new Error('not a sphere on a plane');
  const { pair } = contact;
  const contacts = stiffness.map(
    (k, i): ContactModelSpec => ({
      ...contact,
      name: `contact-${i}`,
      pair: { ...pair, radius: pair.radius - i * gap },
      normalLaw: { kind: 'kelvin-voigt', stiffness: k, damping: 0 },
    }),
  );
  const system = makeSystem({ ...one, contacts });
  const settings = structuredClone(loadSettings());
  settings.energy.guard = false;
  const delay = new Float64Array(7);
  delay[DelaySlot.TOTAL] = 2e-3;
  delay[DelaySlot.VALID] = 1;
  const prediction = new LoopPrediction(system, delay, settings);
  const judge = (height: number): Float64Array => {
    const { tool } = system;
    if (tool === null) throw new Error('no tool');
    system.useSchedule = false;
    tool.mode = 2;
    tool.measuredMotion.fill(0);
    tool.measuredMotion[2] = height;
    tool.measuredMotion[6] = 1;
    assert.equal(system.step(1e-3), 0);
    prediction.refresh();
    prediction.refresh();
    const worst = new Float64Array(4);
    prediction.judge(worst);
    return worst;
  };
  return { prediction, judge };
}

test('the permit is judged by the hard stop behind the soft guide that touches', () => {
  const { prediction, judge } = twoContacts([1e4, 5e6], 10e-3);
  const [e = NaN, margin = NaN, gain = NaN, unknown] = judge(-1e-4);
  near(value(prediction, PredictedSlot.STIFFNESS), 1e4, 1e-3, 'told is what touches');
  assert.ok(value(prediction, PredictedSlot.MARGIN_ACTIVE) > 2);
  assert.ok(e > value(prediction, PredictedSlot.RESTITUTION_ACTIVE) + 0.5, `restitution ${e}`);
  assert.ok(margin < 2, `margin ${margin}`);
  near(gain, (5e6 + 1e4) * 2e-7, 1e-3, 'K_a k T of both');
  assert.equal(unknown, 0);
});

test('contacts that touch together count together, those that do not by themselves', () => {
  const { judge } = twoContacts([1e6, 1e6], 0);
  const apart = judge(1e-3);
  const together = judge(-1e-5);
  const { judge: judgeOne } = twoContacts([2e6, 1], 10e-3);
  const one = judgeOne(-1e-5);
  near(apart[PermitSlot.GAIN] ?? NaN, 0.2, 1e-3, 'one');
  near(together[PermitSlot.GAIN] ?? NaN, 0.4, 1e-3, 'two');
  near(together[PermitSlot.MARGIN] ?? NaN, one[PermitSlot.MARGIN] ?? NaN, 1e-3, 'as one of 2 k');
  near(
    together[PermitSlot.RESTITUTION] ?? NaN,
    one[PermitSlot.RESTITUTION] ?? NaN,
    1e-3,
    'restitution of one of 2 k',
  );
});

test('a volume that has not touched is as stiff as its largest face on the other body', () => {
  const box = predict('battery-box-insertion', 1e-3);
  // the end of the box, and its top, 0.56 m with the grapple, by the sine of the 2 degrees of tilt
  const face = 8e6 * (0.3 * 0.4 + 0.56 * 0.3 * Math.sin(Math.PI / 90));
  near(value(box, PredictedSlot.STIFFNESS), face, 4e-3, 'k_v A'); // the other tilt mixes in by sin² of 2 degrees
  assert.equal(value(box, PredictedSlot.CONTACT_DAMPING), 0, 'the least it can have');
  assert.ok(value(box, PredictedSlot.MARGIN) > 0, 'known');
});

test('contacts of which nothing is known are counted', () => {
  const worst = new Float64Array(4);
  const system = makeSystem({ ...model('half-sphere-on-plate'), contacts: [] });
  const prediction = new LoopPrediction(system, null, loadSettings(), true);
  prediction.refresh();
  prediction.judge(worst);
  assert.deepEqual([...worst], [0, Infinity, 0, 1]);
});

/** What a tick does: a look before the model steps, the prediction when SETPOINT has left. */
function tick(prediction: LoopPrediction): void {
  prediction.observe();
  prediction.step();
}

test('step: one contact every ten ticks; state crosses bit for bit', () => {
  const first = predict('half-sphere-on-plate', 2e-3);
  for (let i = 0; i < 7; i++) tick(first);
  const state = new Float64Array(first.arena.stateLength + 1);
  first.arena.saveState(state, 1);
  const second = predict('half-sphere-on-plate', 5e-3);
  second.arena.loadState(state, 1);
  const again = new Float64Array(state.length);
  second.arena.saveState(again, 1);
  assert.deepEqual(again, state);
  assert.deepEqual(second.values, first.values);
  for (let i = 0; i < 10; i++) tick(second);
  assert.equal(value(second, PredictedSlot.DELAY), 5e-3, 'its own delay after ten ticks');
});

test('a prediction is of what was seen before the step, and comes after it', () => {
  const prediction = predict('half-sphere-on-plate', 2e-3);
  const before = [...prediction.values];
  prediction.observe();
  assert.deepEqual([...prediction.values], before, 'nothing yet');
  prediction.compensation = CompensationIndex.DAMPING;
  prediction.step();
  const damped = value(prediction, PredictedSlot.RESTITUTION_ACTIVE);
  assert.ok(damped < before[PredictedSlot.RESTITUTION_ACTIVE], 'with the damping');
  prediction.compensation = CompensationIndex.NONE;
  tick(prediction);
  assert.equal(
    value(prediction, PredictedSlot.RESTITUTION_ACTIVE),
    damped,
    'the next is nine ticks away',
  );
});
