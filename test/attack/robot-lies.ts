/** Robots with false STATE: position, speed, acknowledgement, condition; each beside a correct one. */
import assert from 'node:assert/strict';
import { CommandKind } from '../../hil/contract/commands.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { at, AttackRig } from './robot-rig.ts';
import { LimitField } from '../../hil/contract/limit-fields.ts';

const { add, list } = (() => {
  const cases = new Cases();
  return { add: cases.add.bind(cases), list: cases.list };
})();

const POSITION = at('position');
const ORIENTATION = at('orientation');
const TWIST = at('twist');
const WRENCH = at('wrench');

/** STATE that hold by rule when they are missing or invalid, and the tick in which it shows. */
const INVALID_TICKS = 8;
/** A limit that acts at once, and ARM's way out of a motion. */
const AT_ONCE = 5;

// numbers that are none
const NUMBERS: readonly (readonly [string, (view: DataView) => void])[] = [
  ['NaN as position', (v) => v.setFloat64(POSITION + 8, NaN, true)],
  ['NaN as orientation', (v) => v.setFloat32(ORIENTATION, NaN, true)],
  ['NaN as twist', (v) => v.setFloat32(TWIST + 4, NaN, true)],
  ['NaN as wrench', (v) => v.setFloat32(WRENCH + 20, NaN, true)],
  ['+Infinity as position', (v) => v.setFloat64(POSITION, Infinity, true)],
  ['-Infinity as wrench', (v) => v.setFloat32(WRENCH, -Infinity, true)],
  ['a denormal position', (v) => v.setFloat64(POSITION, 1e-310, true)],
  ['a position of 1e9 m', (v) => v.setFloat64(POSITION, 1e9, true)],
  ['a wrench of 1e30 N', (v) => v.setFloat32(WRENCH, 1e30, true)],
  ['a quaternion of length 1.01', (v) => v.setFloat32(ORIENTATION + 12, 1.01, true)],
  [
    'a quaternion of zeros',
    (v) => [0, 4, 8, 12].forEach((o) => v.setFloat32(ORIENTATION + o, 0, true)),
  ],
  [
    'a pose 50 mm away from one period to the next',
    (v) => v.setFloat64(POSITION, v.getFloat64(POSITION, true) + 0.05, true),
  ],
];
for (const [what, change] of NUMBERS) {
  add(0, `STATE with ${what}, in flight`, 'not applied; the motion ends within 8 periods', () => {
    const rig = AttackRig.fly();
    rig.lie(change);
    const ticks = rig.flyUntilSafe(INVALID_TICKS, what);
    assert.ok(rig.tick.setpoint.slice(0, 13).every(Number.isFinite), 'the set-point is finite');
    return `${ticks} periods: ${rig.ways}`;
  });
}
add(0, 'control: one STATE in 50 with NaN', 'no hold: one lost frame is none', () => {
  const rig = AttackRig.fly();
  let n = 0;
  rig.lie((v) => {
    if (++n % 50 === 0) v.setFloat64(POSITION, NaN, true);
  });
  rig.flyOn(1000);
  rig.assertFlying();
  return `${Math.floor(n / 50)} refused`;
});

/** Freezes the reported pose at its start. */
function standStill(rig: AttackRig): void {
  let frozen: Uint8Array | null = null;
  rig.lie((_, bytes) => {
    frozen ??= bytes.slice(POSITION, WRENCH);
    bytes.set(frozen, POSITION);
    bytes.fill(0, TWIST, WRENCH);
  });
}

// following error
for (const period_s of [0.001, 0.004, 0.01]) {
  add(
    4,
    `a robot that stands still while set-points run, period ${1000 * period_s} ms`,
    'the motion ends before the set-point is 20 mm away',
    () => {
      const rig = AttackRig.fly({ settings: (s) => (s.loop.period_s = period_s) }, 1);
      standStill(rig);
      const from = rig.tick.setpoint[2];
      const ticks = rig.flyUntilSafe(1.2 / period_s, 'stands still');
      const away_mm = 1000 * Math.abs(rig.tick.setpoint[2] - from);
      assert.ok(away_mm < 20, `${away_mm.toFixed(1)} mm`);
      return `${away_mm.toFixed(1)} mm, ${ticks} periods: ${rig.ways}`;
    },
  );
}
add(4, 'a robot that follows with half the speed', 'the motion ends within 2 s', () => {
  const rig = AttackRig.fly({}, 1);
  let from: number | null = null;
  rig.lie((v) => {
    const z = v.getFloat64(POSITION + 16, true);
    from ??= z;
    v.setFloat64(POSITION + 16, from + (z - from) / 2, true);
  });
  const ticks = rig.flyUntilSafe(2000, 'half the speed');
  return `${ticks} periods: ${rig.ways}`;
});
add(4, 'control: an honest robot with its lag, full stick for 2 s', 'no hold, at any speed', () => {
  const rig = AttackRig.fly({}, 1);
  rig.flyOn(2000);
  rig.assertFlying();
  return rig.state;
});

// the echo
add(4, 'an echo that stands still: no set-point arrives', 'the motion ends within 0.5 s', () => {
  const rig = AttackRig.fly({}, 1);
  let echo: number | null = null;
  rig.lie((v) => {
    echo ??= v.getUint32(at('echoSeq'), true);
    v.setUint32(at('echoSeq'), echo, true);
  });
  return `${rig.flyUntilSafe(500, 'frozen echo')} periods: ${rig.ways}`;
});
add(4, 'success 0 and lostInRow 65535, echo frozen', 'the motion ends within 0.5 s', () => {
  const rig = AttackRig.fly({}, 1);
  let echo: number | null = null;
  rig.lie((v) => {
    echo ??= v.getUint32(at('echoSeq'), true);
    v.setUint32(at('echoSeq'), echo, true);
    v.setUint16(at('lostInRow'), 65_535, true);
    v.setUint16(at('success'), 0, true);
  });
  return `${rig.flyUntilSafe(500, 'no set-point')} periods: ${rig.ways}`;
});
add(4, 'an echo of set-points that were never sent', 'the motion ends within 0.5 s', () => {
  const rig = AttackRig.fly({}, 1);
  rig.lie((v) => v.setUint32(at('echoSeq'), 0xfffffff0, true));
  return `${rig.flyUntilSafe(500, 'future echo')} periods: ${rig.ways}`;
});

/** Tells a pose that runs away with twist 0. */
function runAway(rig: AttackRig, step_m: number): void {
  let off = 0;
  rig.lie((v, bytes) => {
    off += step_m;
    v.setFloat64(POSITION, v.getFloat64(POSITION, true) + off, true);
    bytes.fill(0, TWIST, WRENCH);
  });
}

// speed
const RUNS: readonly (readonly [string, number, number])[] = [
  ['9.9 mm a period with twist 0', 0.0099, 45],
  ['0.79 m/s with twist 0', 0.00079, 300],
  ['0.25 m/s with twist 0', 0.00025, 600],
];
for (const [what, step_m, most] of RUNS) {
  add(5, `a pose that runs away: ${what}`, `the motion ends within ${most} periods`, () => {
    const rig = AttackRig.fly();
    runAway(rig, step_m);
    const ticks = rig.flyUntilSafe(most, what);
    return `${(1000 * ticks * step_m).toFixed(1)} mm, ${ticks} periods: ${rig.ways}`;
  });
}
add(5, 'a tool that turns 3 rad/s and tells twist 0', 'the motion ends within 0.3 s', () => {
  const rig = AttackRig.fly();
  let angle = 0;
  rig.lie((v, bytes) => {
    angle += 0.003;
    [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)].forEach((q, i) =>
      v.setFloat32(ORIENTATION + 4 * i, q, true),
    );
    bytes.fill(0, TWIST, WRENCH);
  });
  return `${rig.flyUntilSafe(300, 'turns')} periods: ${rig.ways}`;
});
add(
  5,
  'in HOLD a robot that drifts 300 mm with twist 0',
  'the held set-point moves 20 mm at most',
  () => {
    const rig = AttackRig.fly();
    rig.command(CommandKind.HOLD);
    rig.flyOn(100);
    assert.equal(rig.state, 'HOLD');
    const from = rig.tick.setpoint[0];
    runAway(rig, 0.0001);
    rig.flyOn(3000);
    const went_mm = 1000 * Math.abs(rig.tick.frame.position[0] - from);
    assert.ok(rig.state !== 'HOLD' || went_mm < 20, `${rig.state}, ${went_mm.toFixed(0)} mm`);
    return `${rig.state}: ${rig.ways}`;
  },
);
add(5, 'a told twist of 5 m/s while it stands', 'VELOCITY_LIMIT at once', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setFloat32(TWIST, 5, true));
  return `${rig.flyUntilSafe(AT_ONCE, 'twist')} periods: ${rig.ways}`;
});
add(5, 'a noise of 0.05 mm in the pose, twist true', 'control: no hold for 2 s', () => {
  const rig = AttackRig.fly({}, 0.5);
  let n = 0;
  rig.lie((v) => {
    const noise = 5e-5 * Math.sin(12.9898 * ++n);
    v.setFloat64(POSITION, v.getFloat64(POSITION, true) + noise, true);
  });
  rig.flyOn(2000);
  rig.assertFlying();
  return rig.state;
});

// what it says of itself
add(11, 'all fault bits set', 'the motion ends at once', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setUint32(at('fault'), 0xffffffff, true));
  return `${rig.flyUntilSafe(AT_ONCE, 'fault bits')} periods: ${rig.ways}`;
});
add(11, 'fault bit 0 set in one STATE only', 'the motion ends: it is latched', () => {
  const rig = AttackRig.fly();
  let n = 0;
  rig.lie((v) => v.setUint32(at('fault'), n++ === 0 ? 1 : 0, true));
  return `${rig.flyUntilSafe(AT_ONCE, 'one fault bit')} periods: ${rig.ways}`;
});
add(11, 'a FAULT frame in flight', 'the motion ends at once', () => {
  const rig = AttackRig.fly();
  rig.robot!.session.sendFault(rig.ends[1], 3, 7);
  return `${rig.flyUntilSafe(AT_ONCE, 'FAULT frame')} periods: ${rig.ways}`;
});
add(11, 'safety REDUCED in flight', 'the limit of speed in force is lowered', () => {
  const rig = AttackRig.fly();
  const before = rig.tick.limits.inForce[LimitField.speed_mps];
  rig.lie((v) => v.setUint8(at('safety'), 3));
  rig.flyOn(50);
  const after = rig.tick.limits.inForce[LimitField.speed_mps];
  assert.ok(after < before || !rig.moving, `${before} to ${after} m/s, ${rig.state}`);
  return `${before} to ${after} m/s, ${rig.state}`;
});
add(11, 'ctlMode idle in flight', 'the motion ends within 0.2 s', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setUint8(at('ctlMode'), 0));
  return `${rig.flyUntilSafe(200, 'idle')} periods: ${rig.ways}`;
});
add(11, 'linkState fault in flight', 'the motion ends within 0.2 s', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setUint8(at('linkState'), 10));
  return `${rig.flyUntilSafe(200, 'linkState')} periods: ${rig.ways}`;
});
add(0, 'a protective stop', 'STOPPING at once', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setUint8(at('safety'), 1));
  return `${rig.flyUntilSafe(AT_ONCE, 'protective stop')} periods: ${rig.ways}`;
});
add(0, 'an emergency stop', 'ESTOP at once', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setUint8(at('safety'), 2));
  rig.flyUntilSafe(AT_ONCE, 'emergency stop');
  assert.equal(rig.state, 'ESTOP');
  return rig.ways;
});
for (const [name, code, wanted] of [
  ['EMERGENCY', 2, 'ESTOP'],
  ['PROTECTIVE', 1, 'STOPPING'],
] as const) {
  add(13, `two STATE in one tick, ${name} then NORMAL`, `${wanted} all the same`, () => {
    const rig = AttackRig.fly();
    let n = 0;
    rig.lie((v) => v.setUint8(at('safety'), n++ === 0 ? code : 0));
    // the first comes just after the next poll, the second, sent a period later, behind it
    rig.ends[1].faults.latency_us = 1100;
    rig.flyOn(1);
    rig.ends[1].faults.latency_us = 200;
    rig.flyOn(1);
    rig.ends[1].faults.latency_us = 0;
    rig.flyOn(20);
    assert.ok(
      rig.transitions.some(({ to }) => to === wanted),
      `${rig.state}: ${rig.ways}`,
    );
    return rig.ways;
  });
}
add(0, 'ten times the limit of force', 'FORCE_LIMIT within 5 periods', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setFloat32(WRENCH + 8, 4000, true));
  return `${rig.flyUntilSafe(AT_ONCE, 'force')} periods: ${rig.ways}`;
});
add(0, 'a moment beyond its limit', 'the motion ends within 5 periods', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setFloat32(WRENCH + 16, 1000, true));
  return `${rig.flyUntilSafe(AT_ONCE, 'moment')} periods: ${rig.ways}`;
});

// its clock
add(18, 'tMeas an hour ahead', 'not taken for fresh: the motion ends within 20 periods', () => {
  const rig = AttackRig.fly();
  rig.lie((v) =>
    v.setBigUint64(at('tMeas'), v.getBigUint64(at('tMeas'), true) + 3_600_000_000n, true),
  );
  return `${rig.flyUntilSafe(20, 'tMeas ahead')} periods: ${rig.ways}`;
});
add(18, 'tMeas an hour behind', 'stale: the motion ends within 20 periods', () => {
  const rig = AttackRig.fly();
  rig.lie((v) => v.setBigUint64(at('tMeas'), 1n, true));
  return `${rig.flyUntilSafe(20, 'tMeas behind')} periods: ${rig.ways}`;
});
add(
  18,
  'the whole clock of the robot jumps by an hour',
  'it is counted as a step of its clock',
  () => {
    const rig = AttackRig.fly();
    rig.lie((v) => {
      for (const field of [8, at('tMeas')]) {
        v.setBigUint64(field, v.getBigUint64(field, true) + 3_600_000_000n, true);
      }
    });
    rig.flyOn(30);
    const steps = rig.clockSteps;
    assert.ok(steps > 0, 'not counted');
    return `${steps} steps counted, ${rig.state}`;
  },
);
/** Smallest and largest age of the state in a second of flight, s. */
function agesOf(rig: AttackRig): { least_s: number; most_s: number } {
  const ages = { least_s: Infinity, most_s: -Infinity };
  rig.flyOn(1000, () => {
    const { stateAge_s } = rig.session!;
    ages.least_s = Math.min(ages.least_s, stateAge_s);
    ages.most_s = Math.max(ages.most_s, stateAge_s);
  });
  return ages;
}
/** Every STATE is lost from now on. @returns periods until the motion ends */
function silenced(rig: AttackRig): number {
  rig.ends[1].faults.loss = 1;
  return rig.flyUntilSafe(INVALID_TICKS, 'no STATE');
}
add(
  18,
  'a clock that runs 5 % fast',
  'no STATE is younger than with an honest clock, steps are counted; without STATE the motion ends as soon',
  () => {
    const honest = AttackRig.fly();
    const truth = agesOf(honest);
    const rig = AttackRig.fly();
    let first: bigint | null = null;
    rig.lie((v) => {
      for (const field of [8, at('tMeas')]) {
        const t = v.getBigUint64(field, true);
        first ??= t;
        v.setBigUint64(field, t + (t - first) / 20n, true);
      }
    });
    const told = agesOf(rig);
    assert.ok(told.least_s >= truth.least_s, `${told.least_s} s, honest ${truth.least_s} s`);
    assert.ok(rig.clockSteps > 0, 'no step is counted');
    assert.equal(honest.clockSteps, 0, 'control: none with an honest clock');
    rig.assertFlying();
    const ticks = silenced(rig);
    assert.equal(ticks, silenced(honest), 'as soon as with an honest clock');
    return `youngest ${(1e3 * told.least_s).toFixed(2)} ms, ${rig.clockSteps} steps; silence ends it in ${ticks} periods`;
  },
);

// limits that bind
interface Bound {
  readonly speed: number;
  readonly angular: number;
  readonly acceleration: number;
}
/** Largest differences of the poses of set-points, and of their twists, in a flight. */
function differenced(rig: AttackRig, ticks: number): Bound {
  const { frame } = rig.tick;
  const h = rig.settings.loop.period_s;
  let last = frame.position.slice();
  let lastTwist = frame.twist.slice();
  let lastQ = frame.orientation.slice();
  const most = { speed: 0, angular: 0, acceleration: 0 };
  rig.flyOn(ticks, () => {
    const { position, twist, orientation } = frame;
    const d = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
      Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    most.speed = Math.max(most.speed, d(position, last) / h);
    most.acceleration = Math.max(most.acceleration, d(twist, lastTwist) / h);
    const dot = Math.abs(orientation.reduce((sum, q, i) => sum + q * lastQ[i], 0));
    if (dot < 1) most.angular = Math.max(most.angular, (2 * Math.acos(dot)) / h);
    last = position.slice();
    lastTwist = twist.slice();
    lastQ = orientation.slice();
  });
  return most;
}
/** Float32 orientations and twists, and the tick in which a limit comes into force. */
const ROOM = 1.02;
for (const [what, settings, stick] of [
  ['speed 5 mm/s, full stick', (s: AttackRig['settings']) => (s.limits.speed_mps = 0.005), 1],
  ['speed 1 mm/s, full stick', (s: AttackRig['settings']) => (s.limits.speed_mps = 0.001), -1],
] as const) {
  add(1, `lowered limit: ${what}`, 'the pose on the wire is no faster', () => {
    const rig = AttackRig.fly({ settings });
    rig.stick = stick;
    const limit = rig.tick.limits.inForce[LimitField.speed_mps];
    const { speed } = differenced(rig, 2000);
    assert.ok(speed <= limit * ROOM + 1e-6, `${speed.toFixed(4)} of ${limit} m/s`);
    return `${speed.toFixed(4)} of ${limit} m/s`;
  });
}
for (const force of [200, 350]) {
  add(
    1,
    `hardware mode, ${force} N told on every axis`,
    'pose and twist keep speed and acceleration',
    () => {
      const rig = AttackRig.fly({ mode: 'hardware' });
      const { inForce } = rig.tick.limits;
      rig.lie((v) =>
        [0, 4, 8].forEach((o) => v.setFloat32(WRENCH + o, force / Math.sqrt(3), true)),
      );
      const { speed, acceleration } = differenced(rig, 1000);
      const told = `${speed.toFixed(3)} of ${inForce[LimitField.speed_mps].toFixed(3)} m/s, ${acceleration.toFixed(1)} of ${inForce[LimitField.acceleration_mps2].toFixed(1)} m/s²`;
      assert.ok(speed <= inForce[LimitField.speed_mps] * ROOM + 1e-6, told);
      assert.ok(acceleration <= inForce[LimitField.acceleration_mps2] * ROOM + 1e-3, told);
      return `${told}, ${rig.state}`;
    },
  );
}
add(
  1,
  'lowered limit: 0.01 rad/s, a moment of 50 N m told',
  'the orientation on the wire turns no faster',
  () => {
    const rig = AttackRig.fly({
      mode: 'hardware',
      settings: (s) => (s.limits.angular_speed_radps = 0.01),
    });
    rig.lie((v) => v.setFloat32(WRENCH + 12, 50, true));
    const { angular } = differenced(rig, 1000);
    const limit = rig.tick.limits.inForce[LimitField.angular_speed_radps];
    assert.ok(angular <= limit * ROOM + 1e-3, `${angular.toFixed(4)} of ${limit} rad/s`);
    return `${angular.toFixed(4)} of ${limit} rad/s, ${rig.state}`;
  },
);

// period of 10 ms
add(
  12,
  'contact at a period of 10 ms',
  'a set-point in contact lives for two periods or the settings are refused',
  () => {
    let rig: AttackRig;
    try {
      rig = AttackRig.fly({ settings: (s) => (s.loop.period_s = 0.01) });
    } catch (error) {
      return `refused: ${String(error)}`;
    }
    const { ttlContact_ms } = rig.robot!.session;
    assert.ok(ttlContact_ms >= 20, `${ttlContact_ms} ms`);
    return `${ttlContact_ms} ms`;
  },
);
add(12, 'a flight of 5 s at a period of 10 ms, full stick', 'no VELOCITY_LIMIT', () => {
  const rig = AttackRig.fly({ settings: (s) => (s.loop.period_s = 0.01) }, 1);
  rig.flyOn(500);
  assert.ok(!rig.transitions.some(({ cause }) => cause === 'VELOCITY_LIMIT'), rig.ways);
  return `${rig.state}: ${rig.ways}`;
});

/** The attacks of this file. */
export const ROBOT_LIE_DOMAIN: AttackDomain = { name: 'robot-lies', cases: list };
