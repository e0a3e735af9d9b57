/** Robots that send what no robot sends: broken, replayed, out of order, too many, in the middle of a flight. */
import assert from 'node:assert/strict';
import { FRAME_ERRORS } from '../../hil/contract/counters.ts';
import { CRC_PLAIN } from '../../hil/protocol/crc.ts';
import { FrameType } from '../../hil/protocol/frames.ts';
import { RejectCode } from '../../hil/contract/reject-codes.ts';
import { fieldOffset, frameLayout } from '../../hil/protocol/layout.ts';
import { SessionCount } from '../../hil/protocol/server-session.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { AttackRig, sign } from './robot-rig.ts';

const cases = new Cases();
const NONCE = fieldOffset(FrameType.HELLO, 'nonce');
const PEER_NONCE = fieldOffset(FrameType.HELLO, 'peerNonce');
const INVALID_TICKS = 8;

const refused = (rig: AttackRig, name: (typeof FRAME_ERRORS)[number]): number =>
  rig.session!.counts[SessionCount.ERRORS + FRAME_ERRORS.indexOf(name)];

/** A frame of a type with an empty payload, numbered after what the robot sent last. */
function makeFrame(rig: AttackRig, type: number, ahead = 1): Uint8Array {
  const length = frameLayout(type).length + 4;
  const frame = new Uint8Array(length);
  const view = new DataView(frame.buffer);
  frame[0] = 0x10;
  frame[1] = type;
  view.setUint32(4, (rig.numbering.seq + ahead) >>> 0, true);
  view.setBigUint64(8, BigInt(Math.floor(rig.clock.now_us())), true);
  return frame;
}

/** The HELLO with which the session began, caught on a rig of its own way. */
function withHello(): { rig: AttackRig; hello: Uint8Array } {
  const rig = new AttackRig();
  const caught: Uint8Array[] = [];
  rig.ends[1].capture = caught;
  rig.activate();
  rig.ends[1].capture = null;
  const hello = caught.find((frame) => frame[1] === FrameType.HELLO);
  assert.ok(hello !== undefined);
  rig.flyOn(100);
  rig.assertFlying();
  return { rig, hello };
}

// every STATE broken
const BROKEN: readonly (readonly [string, (frame: Uint8Array) => void])[] = [
  ['a wrong CRC', (f) => (f[f.length - 1] ^= 0xff)],
  ['the CRC of another layout', (f) => sign(f, f.length, 0x1234)],
  ['a plain CRC, as of HELLO', (f) => sign(f, f.length, CRC_PLAIN)],
  [
    'major version 2',
    (f) => {
      f[0] = 0x20;
      sign(f);
    },
  ],
  [
    'an unknown incompatible flag',
    (f) => {
      f[2] |= 0x80;
      sign(f);
    },
  ],
  [
    'the flag of a tag and no tag',
    (f) => {
      f[2] |= 1;
      sign(f);
    },
  ],
  [
    'the type of a frame that is none',
    (f) => {
      f[1] = 0x6e;
      sign(f);
    },
  ],
  [
    'the type SETPOINT',
    (f) => {
      f[1] = FrameType.SETPOINT;
      sign(f);
    },
  ],
  [
    'a time beyond 2^53',
    (f) => {
      f.fill(0xff, 8, 16);
      sign(f);
    },
  ],
  [
    'a sequence number that stands still',
    (f) => {
      f.fill(7, 4, 8);
      sign(f);
    },
  ],
  ['every bit turned', (f) => f.forEach((byte, i) => (f[i] = byte ^ 0xff))],
];
for (const [what, spoil] of BROKEN) {
  cases.add(0, `every STATE with ${what}`, 'refused; the motion ends within 8 periods', () => {
    const rig = AttackRig.fly();
    rig.ends[1].faults.corrupt = (frame) => {
      if (frame[1] === FrameType.STATE) spoil(frame);
    };
    return `${rig.flyUntilSafe(INVALID_TICKS, what)} periods: ${rig.ways}`;
  });
}

// beside the true ones
const BESIDE: readonly (readonly [string, (rig: AttackRig) => Uint8Array])[] = [
  ['frames of 5 bytes', () => new Uint8Array(5).fill(0x11)],
  ['frames of one byte', () => new Uint8Array(1)],
  ['frames of 512 bytes', () => new Uint8Array(512).fill(0x11)],
  ['STATE of half its length', (rig) => rig.catchFrame(FrameType.STATE).slice(0, 60)],
  [
    'frames of unknown types',
    (rig) => {
      const frame = makeFrame(rig, FrameType.HEARTBEAT);
      frame[1] = 0x55;
      sign(frame);
      return frame;
    },
  ],
  ['a STATE of a moment ago', (rig) => rig.catchFrame(FrameType.STATE)],
];
for (const [what, make] of BESIDE) {
  cases.add(0, `${what}, 20 in every period beside true STATE`, 'counted, and no hold', () => {
    const rig = AttackRig.fly();
    const frame = make(rig);
    rig.flyOn(300, () => {
      for (let i = 0; i < 20; i++) rig.deliver(frame.slice());
    });
    rig.assertFlying();
    return rig.state;
  });
}
cases.add(
  0,
  'a flood of 500 true STATE in every period',
  'the loop serves every period; the flight ends safely',
  () => {
    const rig = AttackRig.fly();
    const frame = rig.catchFrame(FrameType.STATE);
    const before = rig.timing.executed;
    rig.flyOn(100, () => {
      for (let i = 0; i < 500; i++) rig.deliver(frame.slice());
    });
    assert.equal(rig.timing.executed - before, 100);
    assert.equal(rig.errors.length, 0);
    rig.flyOn(3000);
    assert.ok(!rig.moving || rig.ways.endsWith('ACTIVE_FREE'), rig.ways);
    return `${refused(rig, 'sequence')} refused, ${rig.state}`;
  },
);

// sequence numbers
cases.add(0, 'a STATE numbered 4,097 ahead', 'a replay: refused, and no hold', () => {
  const rig = AttackRig.fly();
  const frame = rig.catchFrame(FrameType.STATE);
  const view = new DataView(frame.buffer);
  view.setUint32(4, view.getUint32(4, true) + 4200, true);
  sign(frame);
  const before = refused(rig, 'sequence');
  rig.deliver(frame);
  rig.flyOn(50);
  assert.ok(refused(rig, 'sequence') > before, 'not counted');
  rig.assertFlying();
  return rig.state;
});
cases.add(0, 'numbers that wrap round in flight', 'no hold', () => {
  const rig = new AttackRig();
  rig.numbering.seq = 0xffffff00 - 1700;
  rig.activate();
  rig.flyOn(2500);
  rig.assertFlying();
  assert.ok(rig.numbering.seq < 0x10000, 'it has wrapped');
  return `${rig.numbering.seq} after the wrap`;
});
cases.add(
  0,
  'a capture of the whole flight, played again',
  'refused and counted, and no hold',
  () => {
    const rig = AttackRig.fly();
    const capture: Uint8Array[] = [];
    rig.ends[1].capture = capture;
    rig.flyOn(1000);
    rig.ends[1].capture = null;
    capture.forEach((frame, i) => rig.deliver(frame, 200 * i));
    const before = refused(rig, 'sequence');
    rig.flyOn(500);
    rig.assertFlying();
    return `${refused(rig, 'sequence') - before} refused of ${capture.length}`;
  },
);

// HELLO in flight
const HELLOS: readonly (readonly [string, number, (hello: Uint8Array, rig: AttackRig) => void])[] =
  [
    ['a new nonce', 3, (f) => f.fill(0x5a, NONCE, NONCE + 8)],
    [
      "a new nonce that quotes the server's, with a limit of 1 mm/s",
      3,
      (f, rig) => {
        f.fill(0x5b, NONCE, NONCE + 8);
        const nonce = rig.serverNonce;
        const view = new DataView(f.buffer, f.byteOffset);
        view.setUint32(PEER_NONCE, nonce[0], true);
        view.setUint32(PEER_NONCE + 4, nonce[1], true);
        view.setFloat32(fieldOffset(FrameType.HELLO, 'speed'), 0.001, true);
      },
    ],
  ];
for (const [what, line, change] of HELLOS) {
  cases.add(
    line,
    `a HELLO in flight with ${what}`,
    'the session ends; nothing moves before a new ARM',
    () => {
      const { rig, hello } = withHello();
      const frame = hello.slice();
      change(frame, rig);
      new DataView(frame.buffer).setUint32(4, rig.numbering.seq + 1, true);
      sign(frame);
      rig.deliver(frame);
      const ticks = rig.flyUntilSafe(INVALID_TICKS, what);
      rig.flyOn(3000);
      assert.ok(!rig.moving, `${rig.state} without ARM`);
      return `${ticks} periods: ${rig.ways}`;
    },
  );
}
cases.add(
  3,
  'a HELLO with the nonce (0, 0) in flight',
  'no session with it: no motion, or refused',
  () => {
    const { rig, hello } = withHello();
    const frame = hello.slice();
    frame.fill(0, NONCE, NONCE + 8);
    sign(frame);
    rig.deliver(frame);
    rig.flyOn(20);
    const answer = rig.ends[0].capture;
    assert.equal(answer, null);
    return `${rig.state}: ${rig.ways}`;
  },
);
cases.add(
  0,
  'the HELLO of this session, played again in flight',
  'ignored: no second session',
  () => {
    const { rig, hello } = withHello();
    const sessions = rig.transitions.filter(({ to }) => to === 'CONNECTING').length;
    for (let i = 0; i < 50; i++) rig.deliver(hello.slice(), 1000 * i);
    rig.flyOn(200);
    const now = rig.transitions.filter(({ to }) => to === 'CONNECTING').length;
    assert.ok(now === sessions || !rig.moving, `${rig.state}: ${rig.ways}`);
    return rig.state;
  },
);
cases.add(
  0,
  'a flood of 100 HELLO with new nonces in every period',
  'the loop goes on, nothing moves',
  () => {
    const { rig, hello } = withHello();
    const before = rig.timing.executed;
    let n = 0;
    rig.flyOn(100, () => {
      for (let i = 0; i < 100; i++) {
        const frame = hello.slice();
        new DataView(frame.buffer).setUint32(NONCE, ++n, true);
        sign(frame);
        rig.deliver(frame);
      }
    });
    assert.equal(rig.timing.executed - before, 100);
    assert.ok(!rig.moving, rig.state);
    return `${n} HELLO: ${rig.ways}`;
  },
);
cases.add(0, 'a HELLO that says it is a server', 'no session with it', () => {
  const { rig, hello } = withHello();
  const frame = hello.slice();
  frame[fieldOffset(FrameType.HELLO, 'role')] = 0;
  frame.fill(0x77, NONCE, NONCE + 8);
  new DataView(frame.buffer).setUint32(4, rig.numbering.seq + 1, true);
  sign(frame);
  const before = rig.transitions.length;
  const sent: Uint8Array[] = [];
  rig.ends[0].capture = sent;
  rig.deliver(frame);
  rig.flyOn(50);
  rig.ends[0].capture = null;
  const refusal = sent.find((one) => one[1] === FrameType.REJECT);
  assert.equal(refusal?.[fieldOffset(FrameType.REJECT, 'code')], RejectCode.role);
  assert.ok(!sent.some((one) => one[1] === FrameType.HELLO), 'it is not answered');
  assert.equal(rig.transitions.length, before, rig.ways);
  rig.assertFlying();
  return `REJECT role; ${rig.state} goes on`;
});
for (const [what, offset, value] of [
  ['a limit of NaN', 'speed', NaN],
  ['a limit of -1', 'force', -1],
  ['a limit of 0', 'acceleration', 0],
  ['a limit of infinity', 'moment', Infinity],
] as const) {
  cases.add(0, `the handshake with ${what}`, 'refused, or no limit above the settings', () => {
    const rig = new AttackRig();
    rig.ends[1].faults.corrupt = (frame) => {
      if (frame[1] !== FrameType.HELLO) return;
      new DataView(frame.buffer).setFloat32(fieldOffset(FrameType.HELLO, offset), value, true);
      sign(frame);
    };
    rig.run(3000);
    const ready = rig.state === 'MONITOR_READY';
    assert.ok(!ready || value === Infinity, `${rig.state} with ${what}`);
    assert.ok(
      rig.session!.limits.every((limit) => Number.isFinite(limit)),
      'limits are finite',
    );
    return rig.state;
  });
}
cases.add(
  0,
  'a device name of control characters and no end',
  'a session or none, no error',
  () => {
    const rig = new AttackRig();
    rig.ends[1].faults.corrupt = (frame) => {
      if (frame[1] !== FrameType.HELLO) return;
      for (let i = 40; i < 88; i++) frame[i] = [0x0a, 0x1b, 0x22, 0xff, 0x7d, 0x5c][i % 6];
      sign(frame);
    };
    rig.run(3000);
    assert.equal(rig.errors.length, 0);
    return rig.state;
  },
);

// control frames in flight
const CONTROLS: readonly (readonly [string, number, boolean, (frame: DataView) => void])[] = [
  ['BYE', FrameType.BYE, true, () => undefined],
  ['CONFIG from the robot', FrameType.CONFIG, false, () => undefined],
  ['CONFIG_ACK of another session', FrameType.CONFIG_ACK, false, (v) => v.setUint32(24, 99, true)],
  ['ARM from the robot', FrameType.ARM, false, () => undefined],
  ['CLEAR from the robot', FrameType.CLEAR, false, () => undefined],
  ['TARE from the robot', FrameType.TARE, false, () => undefined],
  ['ARM_ACK of a request never made', FrameType.ARM_ACK, false, (v) => v.setUint32(16, 9999, true)],
  ['STOP from the robot', FrameType.STOP, false, () => undefined],
  ['SYNC of times that never were', FrameType.SYNC, false, (v) => v.setUint32(20, 0x1fffff, true)],
];
for (const [what, type, ends, fill] of CONTROLS) {
  cases.add(
    0,
    `${what} in flight`,
    ends ? 'the motion ends' : 'it moves nothing: finite set-points, no error',
    () => {
      const rig = AttackRig.fly();
      const frame = makeFrame(rig, type);
      fill(new DataView(frame.buffer));
      sign(frame);
      rig.deliver(frame);
      if (ends) return `${rig.flyUntilSafe(40, what)} periods: ${rig.ways}`;
      rig.flyOn(100);
      assert.equal(rig.errors.length, 0);
      assert.ok(rig.tick.setpoint.slice(0, 13).every(Number.isFinite));
      return rig.state;
    },
  );
}
cases.add(0, 'a robot that refuses ARM', 'no motion', () => {
  const rig = new AttackRig();
  rig.ends[1].faults.corrupt = (frame) => {
    if (frame[1] !== FrameType.ARM_ACK) return;
    frame.fill(0, 20, 24);
    sign(frame);
  };
  rig.requestArm();
  rig.flyOn(500);
  assert.ok(!/^ACTIVE/.test(rig.state), rig.state);
  return rig.ways;
});
cases.add(0, 'a robot that never answers ARM', 'no motion, given up within 2.5 s', () => {
  const rig = new AttackRig();
  rig.ends[1].faults.corrupt = (frame) => {
    if (frame[1] === FrameType.ARM_ACK) frame.fill(0);
  };
  rig.requestArm();
  rig.flyOn(2500);
  assert.ok(!rig.moving, rig.state);
  return rig.ways;
});
cases.add(
  0,
  'SYNC answers with times that run backwards',
  'the offset stays unknown or right: no NaN, no error',
  () => {
    const rig = new AttackRig();
    let n = 0n;
    rig.ends[1].faults.corrupt = (frame) => {
      if (frame[1] !== FrameType.SYNC) return;
      new DataView(frame.buffer).setBigUint64(24, 10_000_000n - 1000n * ++n, true);
      sign(frame);
    };
    rig.run(3000);
    assert.equal(rig.errors.length, 0);
    return rig.state;
  },
);

/** The attacks of this file. */
export const ROBOT_FRAME_DOMAIN: AttackDomain = { name: 'robot-frames', cases: cases.list };
