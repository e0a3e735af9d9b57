/** A body that passes through another one within a tick: event, fault and HOLD, in every mode of the loop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { FaultCode } from '../../../hil/contract/codes.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { EventKind } from '../../../hil/contract/events.ts';
import { NO_NAMES } from '../../../hil/contract/scene-columns.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { eventLevel, eventWords, LogLevel } from '../../../hil/recording/event-words.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { body } from '../../fixtures/models.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;

/** The half-sphere over its plate, and a sheet of 1 mm that waits 5 m above. */
function withSheet(): SystemModel {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  return {
    ...model,
    bodies: [...model.bodies, body('sheet', 'prescribed', { position: [0, 0, 5] })],
    contacts: [
      ...model.contacts,
      {
        name: 'sheet',
        bodyI: 'half-sphere',
        bodyJ: 'sheet',
        pair: {
          kind: 'convex',
          shapeI: { shape: { kind: 'sphere', radius: 0.05 }, ...AT, position: [0, 0, 0.05] },
          shapeJ: { shape: { kind: 'box', size: [1, 1, 1e-3] }, ...AT },
        },
        normalLaw: { kind: 'kelvin-voigt', stiffness: 1e5, damping: 10 },
        frictionLaw: { kind: 'none' },
      },
    ],
  };
}

for (const [mode, robot] of [
  ['simulation', false],
  ['virtual', true],
  ['hardware', true],
] as const) {
  test(`10 m a tick through a sheet of 1 mm is held in mode ${mode}`, () => {
    const rig = new VirtualRig({ mode, robot, model: withSheet() });
    const sheet = rig.system.bodyIndex('sheet');
    const motion = Float64Array.of(0, 0, 5, 0, 0, 0, 1, 0, 0, -1e4, 0, 0, 0);
    const pass = (): void => {
      rig.system.setBodyMotion(sheet, motion, 0);
      rig.run(1, () => rig.input(0, 1));
    };
    rig.runUntil('MONITOR_READY', 6000);
    pass();
    rig.system.setBodyMotion(sheet, Float64Array.of(0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0), 0);
    assert.deepEqual(rig.crossed, [], 'before ARM a robot may stand anywhere');
    rig.activate();
    pass();
    rig.system.setBodyMotion(sheet, motion.fill(0, 7).fill(-9, 2, 3), 0);
    rig.run(1, () => rig.input(0, 1));
    assert.deepEqual(rig.errors, []);
    const { to, cause } = rig.transitions[rig.transitions.length - 1];
    assert.deepEqual([to, cause], ['HOLD', 'CONTACT_CROSSED']);
    assert.deepEqual(rig.crossed, [[1, 1]]);
    assert.equal(rig.counter(LoopSlot.faults_total + FaultCode.CONTACT_CROSSED), 1);
    const { row } = rig.tick.record;
    assert.equal(
      row[Column.hold_bits],
      2 ** FaultCode.CONTACT_CROSSED,
      'the highest bit is no sign',
    );
    assert.equal(row[Column.fault_bits], 0);
  });
}

test('the event in words', () => {
  const names = { ...NO_NAMES, contacts: ['pad', 'foot', 'rail'] };
  const event = Float64Array.of(EventKind.CONTACT_CROSSED, 7, 0.007, 2, 3, 0);
  assert.equal(eventWords(event, names), 'tick 7: contact rail crossed, and 2 more');
  assert.equal(eventLevel(event), LogLevel.WARN);
});

test('bodies of facets that get inside of each other are held, and told once', () => {
  const model = withSheet();
  const [plate, sheet] = model.contacts;
  const box = (size: readonly [number, number, number], z: number) =>
    ({ shape: { kind: 'box', size }, ...AT, position: [0, 0, z] }) as const;
  const pair = {
    kind: 'faceted',
    shapeI: box([0.1, 0.1, 0.1], 0.05),
    shapeJ: box([1, 1, 0.5], 0),
    standoff: 1e-3,
  } as const;
  const normalLaw = { kind: 'kelvin-voigt', stiffness: 1, damping: 0 } as const;
  const rig = new VirtualRig({
    mode: 'virtual',
    robot: true,
    model: { ...model, contacts: [plate, { ...sheet, pair, normalLaw }] },
  });
  const moved = rig.system.bodyIndex('sheet');
  rig.runUntil('MONITOR_READY', 6000);
  rig.activate();
  const tip = new Float64Array(13);
  rig.system.readBody(rig.system.bodyIndex('half-sphere'), tip, 0);
  const motion = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
  // its under side comes down on the top of the box, 0.2 mm a tick from 2 mm above
  for (let n = 0; n < 12 && rig.crossed.length === 0; n++) {
    motion[2] = tip[2] + 0.1 + 0.25 + 2e-3 - 2e-4 * n;
    rig.system.setBodyMotion(moved, motion, 0);
    rig.run(1, () => rig.input(0, 1));
    if (n < 9) assert.deepEqual(rig.crossed, [], `tick ${n}`);
  }
  assert.deepEqual(rig.errors, []);
  assert.deepEqual(rig.crossed, [[1, 1]]);
  rig.run(20, () => rig.input(0, 1));
  const { to, cause } = rig.transitions[rig.transitions.length - 1];
  assert.deepEqual([to, cause], ['HOLD', 'CONTACT_CROSSED']);
  assert.equal(rig.crossed.length, 1, 'told once while it is held');
  assert.deepEqual([rig.system.crossedCount, rig.system.penetratedCount], [0, 1]);
});
