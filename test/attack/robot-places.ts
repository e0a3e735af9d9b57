/** Robots at an impossible place, or that report one, or that the demo does not expect. */
import assert from 'node:assert/strict';
import type { Settings } from '../../config/settings.ts';
import { FrameType } from '../../hil/protocol/frames.ts';
import { VirtualRig } from '../fixtures/virtual-rig.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { at, AttackRig } from './robot-rig.ts';

const cases = new Cases();
const POSITION = at('position');
/** Time in which a correct robot is ready for ARM, periods. */
const READY_TICKS = 6000;
/** Longest way that the workspace lets a set-point go from the work-site, m (limits.workspace_m). */
const RADIUS_M = 0.5;
const RUN_KEY = 'key-of-this-run-4c1d09aa57';

/** Where the payload starts. */
function site(): readonly [number, number, number] {
  const { setpoint } = new VirtualRig({ robot: false }).tick;
  return [setpoint[0], setpoint[1], setpoint[2]];
}

function rigAt(z: number, limits: Partial<Settings['limits']> = {}): AttackRig {
  const [x, y, z0] = site();
  return new AttackRig({
    settings: (settings) => void Object.assign(settings.limits, limits),
    emulator: { position: [x, y, z0 + z] },
  });
}

// the workspace is about the work-site, not about where a robot happens to connect
for (const z of [0.52, 10, 20, 30]) {
  cases.add(22, `a robot whose first STATE is ${z} m above the work-site`, 'not armed', () => {
    const rig = rigAt(z);
    assert.equal(rig.runUntil('MONITOR_READY', READY_TICKS), -1);
    assert.equal(rig.state, 'MONITOR_WAIT');
    return rig.state;
  });
}
for (const z of [0, 0.49]) {
  cases.add(22, `control: a robot ${z} m above the work-site`, 'ready to be armed', () => {
    const rig = rigAt(z);
    const ticks = rig.runUntil('MONITOR_READY', READY_TICKS);
    assert.ok(ticks >= 0, rig.state);
    return `${ticks} periods`;
  });
}
cases.add(22, 'a robot in a keep-out zone', 'not armed', () => {
  const [x, y, z] = site();
  const rig = rigAt(0, { keep_out: [{ kind: 'sphere', center_m: [x, y, z], radius_m: 0.1 }] });
  assert.equal(rig.runUntil('MONITOR_READY', READY_TICKS), -1);
  return rig.state;
});
cases.add(22, 'full stick against a keep-out zone for 8 s', 'no set-point in it', () => {
  const [x, y, z] = site();
  const rig = rigAt(0, {
    keep_out: [{ kind: 'sphere', center_m: [x, y, z + 0.13], radius_m: 0.1 }],
  });
  rig.activate();
  rig.stick = 1;
  let highest = -Infinity;
  rig.flyOn(8000, () => (highest = Math.max(highest, rig.tick.setpoint[2] - z)));
  assert.ok(highest <= 0.03, `${highest} m`);
  return `${(1000 * highest).toFixed(3)} of 30 mm`;
});
cases.add(
  22,
  'a robot that tells a pose drifting away at 50 mm/s, with the twist of it, in HOLD and flight',
  'the motion ends before the pose is outside by 10 mm',
  () => {
    const rig = AttackRig.fly();
    let off_m = 0;
    rig.lie((v) => {
      off_m += 0.05 * rig.settings.loop.period_s;
      v.setFloat64(POSITION + 16, v.getFloat64(POSITION + 16, true) + off_m, true);
      v.setFloat32(at('twist') + 8, v.getFloat32(at('twist') + 8, true) + 0.05, true);
    });
    const ticks = rig.flyUntilSafe(Math.ceil((RADIUS_M + 0.01) / 0.05 / 0.001), 'drifts away');
    assert.ok(off_m < RADIUS_M + 0.01, `${off_m} m`);
    return `${(1000 * off_m).toFixed(1)} mm, ${ticks} periods: ${rig.ways}`;
  },
);

// who the robot is
cases.add(
  2,
  'a robot without a key beside the key of the run',
  'it is not the emulated one',
  () => {
    const rig = new AttackRig({ runKey: RUN_KEY });
    assert.ok(rig.runUntil('MONITOR_READY', READY_TICKS) >= 0, rig.state);
    assert.equal(rig.session!.emulated, false);
    return 'connected, told as a robot of its own';
  },
);
cases.add(2, 'a robot that guesses the key of the run', 'no session', () => {
  const rig = new AttackRig({ runKey: RUN_KEY, emulator: { key: 'key-of-this-run-guessed-000' } });
  assert.equal(rig.runUntil('MONITOR_READY', READY_TICKS), -1);
  assert.equal(rig.session!.emulated, false);
  return rig.state;
});
cases.add(2, 'control: the emulated robot with the key of the run', 'told as emulated', () => {
  const rig = new AttackRig({ runKey: RUN_KEY, emulator: { key: RUN_KEY } });
  assert.ok(rig.runUntil('MONITOR_READY', READY_TICKS) >= 0, rig.state);
  assert.equal(rig.session!.emulated, true);
  return 'emulated';
});
cases.add(
  2,
  'the emulated robot hangs in flight, and a HELLO without the key takes its place',
  'the motion ends; what is there then is not told as emulated',
  () => {
    const rig = new AttackRig({ runKey: RUN_KEY, emulator: { key: RUN_KEY } });
    rig.activate();
    rig.flyOn(100);
    rig.assertFlying();
    rig.robotOn = false;
    rig.flyUntilSafe(10, 'hangs');
    const stranger = new AttackRig();
    const hello = stranger.catchFrame(FrameType.HELLO, 500);
    for (let i = 0; i < 100; i++) {
      rig.deliver(hello);
      rig.flyOn(20);
    }
    assert.ok(!rig.moving, rig.state);
    assert.equal(rig.session!.emulated, false);
    return rig.ways;
  },
);

/** The attacks of this file. */
export const ROBOT_PLACE_DOMAIN: AttackDomain = { name: 'robot-places', cases: cases.list };
