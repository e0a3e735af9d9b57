/** Two sessions on a virtual clock: hil-anchors 9.4, tests 7, 9, 10, 11, 14, 20 and the handshake. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME_ERRORS } from '../../../hil/contract/counters.ts';
import { crcOf, crcStart } from '../../../hil/protocol/crc.ts';
import { FrameType, LAYOUT_HASH } from '../../../hil/protocol/frames.ts';
import { RejectCode } from '../../../hil/contract/reject-codes.ts';
import { CRC_BYTES, fieldOffset } from '../../../hil/protocol/layout.ts';
import { LinkQuality } from '../../../hil/protocol/link-quality.ts';
import { Phase } from '../../../hil/contract/phase.ts';
import { SessionCount } from '../../../hil/protocol/server-session.ts';
import { LIMITS, makeRandom, Pair, TestLink } from '../../fixtures/session-pair.ts';

function errors(pair: Pair, reason: (typeof FRAME_ERRORS)[number]): number {
  return pair.server.counts[SessionCount.ERRORS + FRAME_ERRORS.indexOf(reason)];
}

function countSent(link: TestLink, type: number): number {
  return link.sent.filter((frame) => frame[1] === type).length;
}

function synced(pair = new Pair()): Pair {
  pair.run(200);
  assert.equal(pair.server.phase, 3);
  assert.equal(pair.robot.phase, 3);
  return pair;
}

test('a handshake ends synchronised, with the robot known, the smaller limits, and the delay measured', () => {
  const pair = synced(
    new Pair({ limits: { ...LIMITS, speed_mps: 0.3 } }, { limits: { ...LIMITS, force_N: 100 } }),
  );
  const { server } = pair;
  assert.equal(server.robotDevice, 'test arm');
  assert.equal(server.robotFirmware, '1.2');
  assert.ok(Math.abs(server.limits[0] - 0.1) < 1e-7, 'speed: the robot allows less');
  assert.equal(server.limits[3], 100);
  assert.equal(server.quality, 3);
  assert.equal(server.successRatio, 1);
  // set-point at a tick, applied half a period later, measured there, seen at the next tick
  assert.equal(server.delayTicks, 1);
  assert.ok(Math.abs(server.delay_s - 0.001) < 1e-9);
  assert.ok(Math.abs(server.stateAge_s - 0.0005) < 1e-6, String(server.stateAge_s));
  assert.ok(Math.abs(server.rtt_s - 0.0004) < 1e-6, String(server.rtt_s));
  assert.ok(Math.abs(server.offset_s - 5) < 2e-6);
});

test('limits that no loop could obey are refused by name, and no cyclic frame is sent', () => {
  for (const [name, value] of [
    ['acceleration_mps2', NaN],
    ['speed_mps', 0],
    ['force_N', -400],
    ['workspace_m', -Infinity],
  ] as const) {
    const pair = new Pair({}, { limits: { ...LIMITS, [name]: value } });
    pair.run(2000);
    assert.equal(pair.server.phase, Phase.OFFLINE, name);
    assert.equal(pair.server.rejectText, `HELLO ${name} ${value}: above 0 is allowed`);
    assert.equal(pair.robot.rejectText, pair.server.rejectText);
    assert.equal(pair.robot.fresh, false);
  }
});

test('7: loss is reported within one point and the quality follows exactly', () => {
  for (const percent of [1, 2, 5, 10]) {
    const random = makeRandom(percent);
    const pair = synced();
    let dropped = 0;
    let sent = 0;
    pair.robotLink.drops = (frame) => {
      if (frame[1] !== FrameType.STATE) return false;
      sent++;
      const drop = random() < percent / 100;
      if (drop) dropped++;
      return drop;
    };
    let sum = 0;
    let longest = 0;
    const window: number[] = new Array<number>(100).fill(1);
    pair.run(20_000, () => {
      window.shift();
      window.push(pair.server.fresh ? 1 : 0);
      const ratio = window.reduce((a, b) => a + b, 0) / 100;
      assert.equal(pair.server.successRatio, ratio);
      const run = 99 - window.lastIndexOf(1);
      let expected = ratio >= 0.9 ? 1 : 0;
      if (ratio >= 0.98 && run <= 3) expected = 2;
      if (ratio >= 0.995 && run <= 1) expected = 3;
      assert.equal(pair.server.quality, expected);
      longest = Math.max(longest, pair.server.lostInRow);
      sum += pair.server.successRatio;
    });
    const truth = 1 - dropped / sent;
    assert.ok(Math.abs(sum / 20_000 - truth) < 0.01, `${percent} %: ${sum / 20_000} for ${truth}`);
    // The mean over the run counts every frame but those of the edges: 100 of 20,000.
    assert.equal(pair.server.phase, 3);
    if (percent === 1) assert.ok(longest < 4, 'no HOLD: four in a row never happen at 1 %');
    assert.ok(pair.server.counts[SessionCount.LOST] >= dropped - 1);
  }
});

test('7: transitions fall on the exact period', () => {
  const quality = new LinkQuality();
  for (let i = 0; i < 99; i++) quality.push(1);
  assert.equal(quality.quality, 2); // 99 of 100
  quality.push(1);
  assert.equal(quality.quality, 3);
  const seen: number[] = [];
  for (let i = 0; i < 11; i++) {
    quality.push(0);
    seen.push(quality.quality);
  }
  assert.deepEqual(seen, [2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
  assert.equal(quality.lostInRow, 11);
  for (let i = 0; i < 89; i++) quality.push(1);
  assert.equal(quality.quality, 0); // 89 of 100, the lost ones still inside
  quality.push(1);
  assert.equal(quality.quality, 1); // the first of them left: 90
});

test('two frames in one period make good for none before: jitter is not loss', () => {
  const quality = new LinkQuality();
  for (let i = 0; i < 200; i++) quality.push(i & 1 ? 2 : 0);
  assert.equal(quality.ratio, 1);
  for (let i = 0; i < 50; i++) quality.push(0);
  quality.push(50);
  assert.ok(quality.ratio < 0.55, 'a burst after a stall does not hide the stall');
});

test('9: duplicates, reordering by 1 to 50 and the replay of a capture are counted and never applied', () => {
  const pair = synced();
  const old = pair.robotLink.sent.slice();
  let applied = 0;
  let previous = pair.server.state.seq;
  const check = (): void => {
    if (!pair.server.fresh) return;
    applied++;
    assert.ok(((pair.server.state.seq - previous) | 0) > 0, 'sequence went back');
    previous = pair.server.state.seq;
  };
  // every frame twice
  pair.robotLink.drops = (frame) => {
    pair.serverLink.deliver(frame, 200);
    return false;
  };
  const before = errors(pair, 'sequence');
  pair.run(500, check);
  assert.equal(applied, 500);
  assert.ok(errors(pair, 'sequence') - before >= 500, 'duplicates counted');
  // one in ten is late by 1 to 50 periods
  const random = makeRandom(9);
  pair.robotLink.drops = () => false;
  pair.robotLink.delay_us = () => (random() < 0.1 ? 200 + 1000 * Math.ceil(random() * 50) : 200);
  const late = errors(pair, 'sequence');
  pair.run(2000, check);
  assert.ok(errors(pair, 'sequence') - late > 50, 'late STATE frames counted');
  pair.robotLink.delay_us = () => 200;
  pair.run(60_000, check);
  // the capture of a minute ago, HELLO included
  const seq = pair.server.state.seq;
  const counted = errors(pair, 'sequence');
  pair.robotRuns = false;
  const armed = pair.server.armAnswer;
  for (const frame of old) {
    if (frame[1] !== FrameType.HELLO) pair.serverLink.deliver(frame, 0);
  }
  pair.tick();
  assert.equal(pair.server.fresh, false);
  assert.equal(pair.server.state.seq, seq);
  assert.equal(pair.server.phase, 3);
  assert.equal(pair.server.armAnswer, armed);
  assert.equal(errors(pair, 'sequence') - counted, old.length - 1);
});

test('9: a HELLO of an earlier session is a replay: the session stays as it is', () => {
  const pair = synced();
  const hello = pair.robotLink.sent.find((frame) => frame[1] === FrameType.HELLO)!;
  pair.robot = Pair.makeRobot();
  pair.run(900);
  assert.equal(pair.server.phase, 3);
  const handshakes = pair.server.counts[SessionCount.HANDSHAKES];
  assert.equal(handshakes, 2);
  pair.serverLink.deliver(hello, 0);
  pair.run(50);
  assert.equal(pair.server.phase, 3);
  assert.equal(pair.server.counts[SessionCount.HANDSHAKES], handshakes);
});

test('10: NaN, infinity, a non-unit quaternion and a jump of 10 mm are refused and counted', (t) => {
  const pair = synced();
  const bad: readonly (readonly [string, (p: Pair) => void])[] = [
    ['NaN', (p) => (p.state.position[0] = Number.NaN)],
    ['infinity', (p) => (p.state.wrench[2] = -Infinity)],
    ['quaternion', (p) => (p.state.orientation[3] = 0.9)],
    ['jump', (p) => (p.state.position[1] = 0.0101)],
  ];
  for (const [name, spoil] of bad) {
    const counted = errors(pair, 'value');
    const seq = pair.server.state.seq;
    pair.beforeState = () => spoil(pair);
    pair.run(4);
    assert.equal(errors(pair, 'value') - counted, 4, name);
    assert.equal(pair.server.state.seq, seq, name);
    assert.equal(pair.server.lostInRow, 4, `${name}: four in a row, the loop holds`);
    pair.beforeState = () => {};
    pair.state.position.fill(0);
    pair.state.wrench.fill(0);
    pair.state.orientation[3] = 1;
    pair.tick();
    assert.equal(pair.server.fresh, true, `${name}: good frames are taken again`);
  }
  // 9.9 mm is a motion
  pair.state.position[1] = 0.0099;
  pair.tick();
  assert.equal(pair.server.fresh, true);
  t.diagnostic(
    'acceptance 10: every kind of bad STATE refused and counted, HOLD on the 4th in a row',
  );
});

test('11: 200 ppm of drift and jitter: offset within 100 µs after 2 s, nothing stale', (t) => {
  for (const ppm of [200, -200]) {
    const random = makeRandom(11);
    const pair = new Pair();
    const truth = (t: number): number => t * (1 + ppm * 1e-6) + 7_000_000;
    pair.robotTime = truth;
    pair.serverLink.delay_us = () => 250 + 200 * random();
    pair.robotLink.delay_us = () => 250 + 200 * random();
    let worst = 0;
    pair.run(20_000, (tick) => {
      if (tick < 2000) return;
      assert.equal(pair.server.offsetKnown, true);
      const error = pair.server.offset_s * 1e6 - (truth(pair.now_us) - pair.now_us);
      worst = Math.max(worst, Math.abs(error));
      assert.ok(pair.server.stateAge_s < 0.003, `age ${pair.server.stateAge_s} at tick ${tick}`);
    });
    assert.ok(worst <= 100, `offset error ${worst} µs`);
    t.diagnostic(`acceptance 11: ${ppm} ppm: offset within ${worst.toFixed(0)} µs, nothing stale`);
    assert.equal(errors(pair, 'stale'), 0);
    assert.ok(Math.abs(pair.server.drift * 1e6 - ppm) < 60, `drift ${pair.server.drift}`);
  }
});

test('11: a robot clock that steps by ±1 s never makes a STATE stale and is followed within 2 s', () => {
  for (const step of [1_000_000, -1_000_000]) {
    const pair = synced();
    pair.run(3000);
    pair.robotTime = (t) => t + 5_000_000 + step;
    let lost = 0;
    pair.run(2000, () => {
      if (!pair.server.fresh) lost++;
      assert.ok(pair.server.stateAge_s < 0.005, `age ${pair.server.stateAge_s}`);
    });
    assert.equal(lost, 0);
    assert.equal(errors(pair, 'stale'), 0);
    assert.equal(pair.server.counts[SessionCount.CLOCK_STEPS], 1);
    assert.equal(pair.server.offsetKnown, true);
    assert.ok(Math.abs(pair.server.offset_s * 1e6 - 5_000_000 - step) <= 100);
  }
});

test('a stalled stream that bursts: old STATE frames are stale, only the newest are applied', () => {
  const pair = synced();
  pair.run(1000);
  const held: Uint8Array[] = [];
  pair.robotLink.drops = (frame) => held.push(frame) > 0;
  pair.run(100);
  assert.equal(pair.server.lostInRow, 100);
  assert.ok(pair.server.stateAge_s > 0.099);
  pair.robotLink.drops = () => false;
  for (const frame of held) pair.serverLink.deliver(frame, 0);
  pair.tick();
  assert.ok(errors(pair, 'stale') >= 75, String(errors(pair, 'stale')));
  assert.equal(pair.server.fresh, true);
  assert.ok(pair.server.stateAge_s < 0.002);
});

test('14: another version or layout is rejected with what this end speaks, without one cyclic frame', (t) => {
  const cases = [
    [
      { layoutHash: 0x12345678 },
      'layout',
      /layout hash: peer has 0x12345678, this end 0x[0-9a-f]{8}/,
    ],
    [
      { versionMin: 0x20, versionMax: 0x21 },
      'version',
      /peer speaks 2\.0 to 2\.1, this end 1\.0 to 1\.0/,
    ],
  ] as const;
  for (const [options, code, text] of cases) {
    const pair = new Pair({}, options);
    pair.run(30_000);
    assert.equal(pair.server.phase, 0);
    assert.equal(pair.server.rejectCode, RejectCode[code]);
    assert.match(pair.server.rejectText, text);
    assert.equal(pair.robot.rejectCode, RejectCode[code]);
    for (const link of [pair.serverLink, pair.robotLink]) {
      assert.equal(countSent(link, FrameType.SETPOINT), 0);
      assert.equal(countSent(link, FrameType.STATE), 0);
      // back-off 0.25, 0.5, 1, 2, 4, 8, 8 … s: no storm in 30 s, from either end
      const hellos = countSent(link, FrameType.HELLO) + countSent(link, FrameType.REJECT);
      assert.ok(hellos >= 5 && hellos <= 24, `${hellos} frames in 30 s`);
    }
  }
  t.diagnostic('acceptance 14: REJECT with both versions named, 0 cyclic frames in 30 s');
});

test('20: a line too slow for the rate is refused at CONFIG with the computed load', () => {
  const pair = new Pair({ baud: 921_600 });
  pair.run(3000);
  assert.equal(pair.server.phase, 0);
  assert.equal(pair.server.rejectCode, RejectCode.baud);
  assert.match(pair.robot.rejectText, /921600 baud is too low for 1000 Hz: load 150 %/);
  assert.equal(countSent(pair.serverLink, FrameType.CONFIG), 0);
  assert.equal(synced(new Pair({ baud: 2_000_000 })).server.rejectCode, 0);
});

test('a robot of another period is refused with its range', () => {
  const pair = new Pair({ period_s: 0.002 });
  pair.run(1000);
  assert.equal(pair.server.rejectCode, RejectCode.period);
  assert.match(pair.server.rejectText, /period 2000 µs: the robot cycles in 1000 to 1000 µs/);
});

test('a key: the right one lets commands through, a wrong or missing one is refused with its reason', () => {
  const pair = synced(new Pair({}, {}, { server: 'a shared key', robot: 'a shared key' }));
  assert.equal(pair.server.sendArm(pair.serverLine), true);
  pair.run(3);
  assert.equal(pair.robot.armed, true);
  assert.equal(pair.server.armAnswer, 1);
  // a STOP with a changed category and a corrected CRC: the tag is wrong
  pair.serverLink.drops = (frame) => {
    if (frame[1] !== FrameType.STOP) return false;
    const changed = frame.slice();
    changed[fieldOffset(FrameType.STOP, 'category')] = 2;
    const view = new DataView(changed.buffer);
    const crcAt = changed.length - CRC_BYTES;
    view.setInt32(crcAt, crcOf(changed, crcAt, crcStart(LAYOUT_HASH)), true);
    pair.robotLink.deliver(changed, 200);
    return true;
  };
  pair.server.sendStop(pair.serverLine, 1);
  pair.run(3);
  assert.equal(pair.robot.stopRequested, -1);
  assert.equal(pair.robot.armed, true);
  assert.equal(pair.robot.counts[SessionCount.ERRORS + FRAME_ERRORS.indexOf('tag')], 1);
  pair.serverLink.drops = () => false;
  pair.server.sendStop(pair.serverLine, 1);
  pair.run(3);
  assert.equal(pair.robot.stopRequested, 1);
  assert.equal(pair.robot.armed, false);
  for (const key of ['', 'another key']) {
    const refused = new Pair({}, {}, { server: 'a shared key', robot: key });
    refused.run(2000);
    assert.equal(refused.server.phase, 0);
    assert.equal(refused.server.rejectCode, RejectCode.tag);
    assert.equal(countSent(refused.serverLink, FrameType.CONFIG), 0);
    assert.ok(errors(refused, 'tag') > 0);
  }
});

test('an ARM is answered with yes or no, whatever else is asked for after it', () => {
  const pair = synced();
  const { server, robot, serverLink } = pair;
  for (const answer of [1, -1]) {
    robot.armAllowed = answer === 1;
    server.sendArm(serverLink);
    assert.equal(server.armed, 0);
    server.sendClear(serverLink);
    pair.run(3);
    assert.equal(server.armed, answer);
  }
});

test('an unplugged link, a restarted robot and a restarted server recover, never armed', () => {
  const pair = synced();
  for (let n = 0; n < 20; n++) {
    pair.server.sendArm(pair.serverLink);
    pair.run(3);
    assert.equal(pair.robot.armed, true);
    pair.serverLink.connected = false;
    pair.robotLink.connected = false;
    pair.run(20);
    assert.equal(pair.server.phase, 0);
    pair.serverLink.connected = true;
    pair.robotLink.connected = true;
    pair.run(150);
    assert.equal(pair.server.phase, 3, `recovery ${n}`);
    assert.equal(pair.robot.armed, false);
  }
  // silence on a line that stays "connected", one direction only
  pair.robotLink.drops = () => true;
  pair.run(600);
  assert.equal(pair.server.phase, 0);
  pair.robotLink.drops = () => false;
  pair.run(1500);
  assert.equal(pair.server.phase, 3);
  pair.serverLink.drops = () => true;
  pair.run(600);
  assert.equal(pair.robot.phase, 0);
  pair.serverLink.drops = () => false;
  pair.run(1500);
  assert.equal(pair.server.phase, 3);
  assert.equal(pair.robot.phase, 3);
  pair.server.sendBye(pair.serverLink);
  pair.tick();
  assert.equal(pair.robot.phase, 0);
});
