/** The workspace in the base frame, and the zones in it: where a tool can be armed, and where its set-points come to rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settings } from '../../../config/settings.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { ClampKind } from '../../../hil/contract/counters.ts';

type Limits = Settings['limits'];
const start = (): readonly [number, number, number] => {
  const { setpoint } = new VirtualRig({ robot: false }).tick;
  return [setpoint[0], setpoint[1], setpoint[2]];
};
const START = start();
const above = (z: number): readonly [number, number, number] => [START[0], START[1], START[2] + z];
const rigAt = (z: number, limits: Partial<Limits> = {}): VirtualRig =>
  new VirtualRig({
    settings: (settings) => void Object.assign(settings.limits, limits),
    emulator: { position: above(z) },
  });

test('74: a tool is armed where the work-site of the scenario is, and not 10, 20 or 30 m above it', (t) => {
  for (const z of [0, 0.49]) assert.ok(rigAt(z).runUntil('MONITOR_READY', 6000) >= 0, `${z} m`);
  for (const z of [0.52, 10, 20, 30]) {
    const rig = rigAt(z);
    assert.equal(rig.runUntil('MONITOR_READY', 6000), -1, `${z} m`);
    assert.equal(rig.state, 'MONITOR_WAIT');
    assert.equal(rig.tick.inputs.workspaceExceeded, 1);
  }
  const anywhere = rigAt(30, { workspace_about: 'session' });
  assert.ok(
    anywhere.runUntil('MONITOR_READY', 6000) >= 0,
    'about the session, when that is asked for',
  );
  t.diagnostic('acceptance 74: armed at 0 and 0.49 m from the start, not at 0.52, 10, 20 and 30 m');
});

test('74: a tool inside a keep-out zone of some millimetres is not armed, one a tenth of it inside is', (t) => {
  const [x, y, z] = START;
  const sphere = (radius_m: number, off: number): Partial<Limits> => ({
    keep_out: [{ kind: 'sphere', center_m: [x, y, z + off], radius_m }],
  });
  const plate = (half: number, off: number): Partial<Limits> => ({
    keep_out: [
      {
        kind: 'box',
        min_m: [x - 0.3, y - 0.3, z + off - half],
        max_m: [x + 0.3, y + 0.3, z + off + half],
      },
    ],
  });
  const half = (off: number): Partial<Limits> => ({
    keep_out: [{ kind: 'half-space', point_m: [x, y, z + off], normal: [0, 0, 1] }],
  });
  const inside: readonly (readonly [string, Partial<Limits>])[] = [
    ['in the middle of a sphere of 9 mm', sphere(0.009, 0)],
    ['1 mm inside a sphere of 9 mm', sphere(0.009, 0.008)],
    ['in the middle of a plate of 18 mm', plate(0.009, 0)],
    ['1 mm inside a plate of 18 mm', plate(0.009, 0.008)],
    ['2.1 mm inside a sphere of 90 mm', sphere(0.09, 0.0879)],
    ['90 mm behind a plane, in 5 m', { ...half(0.09), workspace_m: 5 }],
  ];
  for (const [what, limits] of inside) {
    const rig = rigAt(0, limits);
    assert.equal(rig.runUntil('MONITOR_READY', 3000), -1, what);
    assert.equal(rig.tick.inputs.workspaceExceeded, 1, what);
  }
  for (const [what, limits] of [
    ['0.8 mm inside a sphere of 9 mm', sphere(0.009, 0.0082)],
    ['0.8 mm inside a plate of 18 mm', plate(0.009, 0.0082)],
    ['1.9 mm behind a plane', half(0.0019)],
  ] as const) {
    assert.ok(rigAt(0, limits).runUntil('MONITOR_READY', 6000) >= 0, what);
  }
  t.diagnostic(`acceptance 74: not armed ${inside.map(([what]) => what).join(', ')}`);
});

/** Fly up for so long with a full stick. @returns highest set-point above the start, m */
function flyUp(limits: Partial<Limits>): { highest: number; rig: VirtualRig } {
  const rig = rigAt(0, limits);
  rig.activate();
  let highest = -Infinity;
  rig.run(8000, () => {
    rig.input(1, 1);
    highest = Math.max(highest, rig.tick.setpoint[2] - START[2]);
  });
  assert.equal(rig.state, 'ACTIVE_FREE');
  assert.equal(
    rig.counter(LoopSlot.limit_clamps_total + ClampKind.WORKSPACE),
    0,
    'it came to rest by itself',
  );
  return { highest, rig };
}

test('74: set-points come to rest before a wall of the box and before zones of each kind', (t) => {
  const [x, y, z] = START;
  const told: string[] = [];
  const cases: readonly (readonly [string, number, Partial<Limits>])[] = [
    [
      'box',
      0.05,
      { workspace_box: { min_m: [x - 1, y - 1, z - 1], max_m: [x + 1, y + 1, z + 0.05] } },
    ],
    [
      'keep-out box',
      0.04,
      {
        keep_out: [{ kind: 'box', min_m: [x - 1, y - 1, z + 0.04], max_m: [x + 1, y + 1, z + 1] }],
      },
    ],
    [
      'keep-out sphere',
      0.03,
      { keep_out: [{ kind: 'sphere', center_m: [x, y, z + 0.13], radius_m: 0.1 }] },
    ],
    [
      'half-space',
      0.02,
      { keep_out: [{ kind: 'half-space', point_m: [x, y, z + 0.02], normal: [0, 0, -3] }] },
    ],
  ];
  for (const [name, wall, limits] of cases) {
    const { highest, rig } = flyUp(limits);
    // the command dies away as the distance over 0.1 s: after 8 s at 0.02 m/s nothing is left of it
    assert.ok(Math.abs(highest - wall) < 1e-6, `${name}: ${highest}`);
    assert.ok(highest <= wall, `${name}: ${highest}`);
    told.push(`${name} ${(1e9 * (wall - highest)).toFixed(1)} nm before`);
    rig.run(500, () => rig.input(-1, 1));
    assert.ok(rig.tick.setpoint[2] < START[2] + wall - 0.005, `${name}: the way back is free`);
  }
  t.diagnostic(`acceptance 74: at rest: ${told.join(', ')}`);
});

test('74: a measured tool in a zone is outside: it stops what moves, and is not armed', () => {
  const [x, y, z] = START;
  const zone: Partial<Limits> = {
    keep_out: [{ kind: 'sphere', center_m: [x, y, z], radius_m: 0.1 }],
  };
  const rig = rigAt(0, zone);
  assert.equal(rig.runUntil('MONITOR_READY', 6000), -1);
  assert.equal(rig.tick.inputs.workspaceExceeded, 1);
});
