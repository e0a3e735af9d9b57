/** The cable out, in every state and for three lengths: nothing moves after it without a new ARM. */
import assert from 'node:assert/strict';
import { CommandKind } from '../../hil/contract/commands.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { at, AttackRig } from './robot-rig.ts';

const cases = new Cases();

/** Ways into each state of the machine. */
const WAYS: Readonly<Record<string, () => AttackRig>> = {
  CONNECTING: () => {
    const rig = new AttackRig();
    rig.runUntil('CONNECTING', 500);
    return rig;
  },
  SYNCED: () => {
    const rig = new AttackRig();
    rig.runUntil('SYNCED', 2000);
    return rig;
  },
  MONITOR_WAIT: () => {
    const rig = new AttackRig();
    rig.runUntil('MONITOR_WAIT', 3000);
    return rig;
  },
  MONITOR_READY: () => {
    const rig = new AttackRig();
    rig.runUntil('MONITOR_READY', 6000);
    return rig;
  },
  ARMING: () => {
    const rig = new AttackRig();
    rig.requestArm();
    rig.flyOn(10);
    return rig;
  },
  ACTIVE_FREE: () => AttackRig.fly({}, 0.5),
  ACTIVE_CONTACT: () => {
    const rig = AttackRig.fly({}, -1);
    for (let i = 0; rig.state !== 'ACTIVE_CONTACT' && i < 4000; i++) rig.flyOn(1);
    rig.stick = -0.2;
    rig.flyOn(100);
    assert.equal(rig.state, 'ACTIVE_CONTACT', rig.ways);
    return rig;
  },
  HOLD: () => {
    const rig = AttackRig.fly();
    rig.command(CommandKind.HOLD);
    rig.flyOn(60);
    return rig;
  },
  STOPPING: () => {
    const rig = AttackRig.fly({}, 1);
    rig.command(CommandKind.STOP, 1);
    rig.flyOn(1);
    return rig;
  },
  FAULT: () => {
    const rig = AttackRig.fly();
    rig.command(CommandKind.STOP, 1);
    rig.flyOn(1500);
    return rig;
  },
  ESTOP: () => {
    const rig = AttackRig.fly();
    rig.lie((v) => v.setUint8(at('safety'), 2));
    rig.flyOn(30);
    rig.honest();
    return rig;
  },
};

for (const [state, way] of Object.entries(WAYS)) {
  for (const [ticks, length] of [
    [10, '10 ms'],
    [100, '0.1 s'],
    [1000, '1 s'],
  ] as const) {
    // for 10 ms a HOLD of three missing STATE and more may be all that happens
    cases.add(
      0,
      `the line cut for ${length} in ${state}`,
      'nothing moves after it without RESUME or ARM',
      () => {
        const rig = way();
        const before = rig.state;
        for (const end of rig.ends) end.faults.cut = true;
        rig.flyOn(ticks);
        const during = rig.state;
        for (const end of rig.ends) end.faults.cut = false;
        let moved = false;
        rig.flyOn(4000, () => (moved ||= rig.moving && before !== 'ARMING'));
        assert.ok(!moved, `${before}, ${during}, then ${rig.ways}`);
        assert.ok(!rig.moving, `${rig.state} after the cut`);
        assert.equal(rig.errors.length, 0);
        return `${before}, ${during}, then ${rig.state}`;
      },
    );
  }
}
for (const direction of [0, 1] as const) {
  const which = direction === 0 ? 'to the robot' : 'from the robot';
  cases.add(
    0,
    `only the direction ${which} cut in flight, for 2 s`,
    'the motion ends within 0.6 s and stays ended',
    () => {
      const rig = AttackRig.fly({}, 0.5);
      rig.ends[direction].faults.cut = true;
      const ticks = rig.flyUntilSafe(600, which);
      rig.flyOn(1400);
      rig.ends[direction].faults.cut = false;
      rig.flyOn(3000);
      assert.ok(!rig.moving, rig.state);
      return `${ticks} periods: ${rig.ways}`;
    },
  );
}
cases.add(
  0,
  'a line that is cut and joined every 3 periods',
  'no error; a motion only while STATE arrive',
  () => {
    const rig = AttackRig.fly();
    rig.flyOn(600, (tick) => (rig.ends[1].faults.cut = tick % 6 < 3));
    assert.equal(rig.errors.length, 0);
    return `${rig.state}: ${rig.ways}`;
  },
);
cases.add(
  0,
  'the robot stops for 10 s and goes on (SIGSTOP)',
  'STOP, and nothing moves without ARM',
  () => {
    const rig = AttackRig.fly({}, 0.5);
    rig.robotOn = false;
    const ticks = rig.flyUntilSafe(10, 'a robot that stands');
    rig.flyOn(10_000);
    rig.robotOn = true;
    rig.flyOn(4000);
    assert.ok(!rig.moving, rig.state);
    return `${ticks} periods: ${rig.ways}`;
  },
);

/** The attacks of this file. */
export const LINK_DOMAIN: AttackDomain = { name: 'link-cuts', cases: cases.list };
