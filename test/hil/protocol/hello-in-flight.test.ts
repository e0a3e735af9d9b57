/** A HELLO in the middle of a session ends it: what its sender allows is obeyed from the next handshake on, and nothing moves before a new ARM. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crcOf, CRC_PLAIN } from '../../../hil/protocol/crc.ts';
import { decodeSetpoint, FrameType, SetpointFrame } from '../../../hil/protocol/frames.ts';
import { RejectCode } from '../../../hil/contract/reject-codes.ts';
import { CRC_BYTES, fieldOffset, HEADER_BYTES } from '../../../hil/protocol/layout.ts';
import { Phase } from '../../../hil/contract/phase.ts';
import { SessionCount } from '../../../hil/protocol/server-session.ts';
import { CTL_MODES } from '../../../hil/contract/codes.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { LIMITS, Pair } from '../../fixtures/session-pair.ts';

const { HELLO } = FrameType;
const NONCE = fieldOffset(HELLO, 'nonce');
const PEER_NONCE = fieldOffset(HELLO, 'peerNonce');
const SPEED = fieldOffset(HELLO, 'speed');
/** Well below the 20 mm/s of a full stick. */
const LOWERED_mps = 0.001;
const TRACK = CTL_MODES.indexOf('track');

/** A changed copy of a sent HELLO; everything else, CRC included, stays valid. */
function changed(hello: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const bytes = hello.slice();
  const view = new DataView(bytes.buffer);
  change(view);
  const end = bytes.length - CRC_BYTES;
  view.setInt32(end, crcOf(bytes, end, CRC_PLAIN), true);
  return bytes;
}

function setNonce(view: DataView, at: number, nonce: readonly number[]): void {
  nonce.forEach((word, i) => view.setUint32(at + 4 * i, word, true));
}

function nonceOf(hello: Uint8Array): number[] {
  const view = new DataView(hello.buffer, hello.byteOffset);
  return [view.getUint32(NONCE, true), view.getUint32(NONCE + 4, true)];
}

function newest(frames: readonly Uint8Array[], type: number): Uint8Array {
  const found = frames.findLast((frame) => frame[1] === type);
  assert.ok(found !== undefined, `a frame of type ${type}`);
  return found;
}

/** A pair in session, and its newest HELLO of the robot as a new one in the middle: other nonce, the server's known, lower speed. */
function interrupted(): { pair: Pair; hello: Uint8Array } {
  const pair = new Pair();
  pair.run(200);
  assert.equal(pair.server.phase, Phase.SYNCED);
  const seq = pair.robotLink.sent.at(-1)!;
  const serverNonce = nonceOf(newest(pair.serverLink.sent, HELLO));
  const hello = changed(newest(pair.robotLink.sent, HELLO), (view) => {
    view.setUint32(4, new DataView(seq.buffer).getUint32(4, true) + 1, true);
    setNonce(view, NONCE, [77, 78]);
    setNonce(view, PEER_NONCE, serverNonce);
    view.setFloat32(SPEED, LOWERED_mps, true);
  });
  return { pair, hello };
}

test('a new nonce that quotes the nonce of the server ends the session, and the next one has the new limits', () => {
  const { pair, hello } = interrupted();
  pair.robotRuns = false;
  pair.serverLink.deliver(hello, 0);
  pair.tick();
  assert.equal(pair.server.phase, Phase.OFFLINE, 'the tick sees that there is no session');
  // the server has drawn a new nonce and sends HELLO; the robot answers with its own values
  const fresh = nonceOf(newest(pair.serverLink.sent, HELLO));
  const answer = changed(hello, (view) => {
    view.setUint32(4, view.getUint32(4, true) + 1, true);
    setNonce(view, PEER_NONCE, fresh);
  });
  pair.serverLink.deliver(answer, 0);
  pair.tick();
  assert.equal(pair.server.phase, Phase.CONNECTING);
  assert.ok(Math.abs(pair.server.limits[0] - LOWERED_mps) < 1e-9, String(pair.server.limits[0]));
  const config = newest(pair.serverLink.sent, FrameType.CONFIG);
  const told = new DataView(config.buffer).getFloat32(fieldOffset(FrameType.CONFIG, 'speed'), true);
  assert.equal(told, Math.fround(LOWERED_mps));
});

test('two frames of a poll cannot hide the end of a session from the tick: BYE and HELLO, HELLO and HELLO', () => {
  for (const first of ['BYE', 'HELLO']) {
    const { pair, hello } = interrupted();
    if (first === 'BYE') {
      pair.robot.sendBye(pair.robotLink);
      pair.robotRuns = false;
      pair.run(0);
    } else {
      pair.robotRuns = false;
      pair.serverLink.deliver(hello, 400);
    }
    const again = changed(hello, (view) => {
      view.setUint32(4, view.getUint32(4, true) + 1, true);
    });
    pair.serverLink.deliver(again, 500);
    pair.tick();
    assert.equal(pair.server.phase, Phase.OFFLINE, first);
    pair.tick();
    assert.equal(pair.server.phase, Phase.CONNECTING, `${first}: and is taken in the next`);
  }
});

test('a robot that says HELLO again with the nonce that it has ends the session, too; one that is late does not', () => {
  for (const [ahead, phase] of [
    [1, Phase.OFFLINE],
    [-3, Phase.SYNCED],
  ] as const) {
    const { pair, hello } = interrupted();
    const known = changed(hello, (view) => {
      view.setUint32(4, (view.getUint32(4, true) - 1 + ahead) >>> 0, true);
      setNonce(view, NONCE, nonceOf(newest(pair.robotLink.sent, HELLO)));
    });
    pair.robotRuns = false;
    pair.serverLink.deliver(known, 0);
    pair.tick();
    assert.equal(pair.server.phase, phase);
    // with a known nonce it is accepted again
    if (phase !== Phase.OFFLINE) continue;
    pair.serverLink.deliver(
      changed(known, (view) => view.setUint32(4, view.getUint32(4, true) + 1, true)),
      0,
    );
    pair.tick();
    assert.equal(pair.server.phase, Phase.CONNECTING);
  }
});

test('a HELLO that is lost in the handshake is said again and gets through, from either end', () => {
  for (const lost of [0, 1, 2, 3, 4]) {
    for (const end of ['serverLink', 'robotLink'] as const) {
      const pair = new Pair();
      let seen = 0;
      pair[end].drops = (frame) => frame[1] < FrameType.SYNC && seen++ <= lost;
      pair.run(2500);
      assert.equal(pair.server.phase, Phase.SYNCED, `${end}, the first ${lost + 1} lost`);
      assert.equal(pair.robot.phase, Phase.SYNCED);
    }
  }
});

test('55: nonce 0 is refused with a sentence, and no robot gets the limits of another', () => {
  const { pair, hello } = interrupted();
  pair.robotRuns = false;
  pair.serverLink.connected = false;
  pair.tick();
  pair.serverLink.connected = true;
  pair.tick();
  const configs = pair.serverLink.sent.filter((frame) => frame[1] === FrameType.CONFIG).length;
  const server = nonceOf(newest(pair.serverLink.sent, HELLO));
  pair.serverLink.deliver(
    changed(hello, (view) => {
      setNonce(view, NONCE, [0, 0]);
      setNonce(view, PEER_NONCE, server);
    }),
    0,
  );
  pair.tick();
  assert.equal(pair.server.phase, Phase.OFFLINE);
  assert.equal(pair.server.rejectCode, RejectCode.nonce);
  assert.equal(pair.server.rejectText, 'HELLO nonce 0: any other is allowed');
  const after = pair.serverLink.sent.filter((frame) => frame[1] === FrameType.CONFIG).length;
  assert.equal(after, configs, 'no CONFIG');
  // a robot with limits of its own, after one that was refused in the middle of its handshake
  pair.robot = Pair.makeRobot({ limits: { ...LIMITS, speed_mps: 0.03 } });
  pair.robotRuns = true;
  pair.run(900);
  assert.equal(pair.server.phase, Phase.SYNCED);
  assert.ok(Math.abs(pair.server.limits[0] - 0.03) < 1e-8);
});

test('55: a HELLO in flight stops the arm; the handshake and a new ARM come before any motion', (t) => {
  const rig = new VirtualRig();
  const { session, robot } = rig;
  assert.ok(session !== null && robot !== null);
  const sent: Uint8Array[] = [];
  const send = rig.ends[0].send.bind(rig.ends[0]);
  rig.ends[0].send = (frame, length): boolean => {
    sent.push(frame.slice(0, length));
    return send(frame, length);
  };
  rig.activate();
  rig.run(200, () => rig.input(0.5, 1));
  assert.equal(rig.state, 'ACTIVE_FREE');
  const frame = new SetpointFrame();
  const serverNonce = nonceOf(newest(sent, HELLO));
  const handshakes = session.counts[SessionCount.HANDSHAKES];
  // the robot's own HELLO, with another nonce, the server's nonce, the next sequence number and a lower speed
  const hello = new Uint8Array(HEADER_BYTES + 112 + CRC_BYTES);
  const own = rig.ends[1];
  const grab = own.send.bind(own);
  own.send = (bytes, length): boolean => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    const template = newest(sent, HELLO);
    hello.set(template);
    const made = changed(hello, (v) => {
      v.setUint8(HEADER_BYTES, 1);
      v.setUint32(4, view.getUint32(4, true) + 1, true);
      setNonce(v, NONCE, [77, 78]);
      setNonce(v, PEER_NONCE, serverNonce);
      v.setUint32(fieldOffset(HELLO, 'periodMin'), 500, true);
      v.setUint32(fieldOffset(HELLO, 'periodMax'), 10_000, true);
      v.setFloat32(SPEED, LOWERED_mps, true);
    });
    own.send = grab;
    return grab(made, made.length);
  };
  const before = sent.length;
  const position = rig.robot!.tool.position;
  const flown = rig.transitions.length;
  const told = rig.timing.executed;
  rig.run(3, () => rig.input(0.5, 1));
  const stop = rig.transitions[flown];
  assert.deepEqual([stop.from, stop.to, stop.cause], ['ACTIVE_FREE', 'OFFLINE', 'LINK_LOST']);
  const ticks = stop.tick - told;
  // the robot brakes from 10 mm/s within its time to live; then nothing moves, whatever the stick
  // position
  rig.run(100, () => rig.input(0.5, 1));
  const place = [...position];
  rig.run(3000, () => rig.input(0.5, 1));
  assert.deepEqual([...position], place);
  assert.ok(session.counts[SessionCount.HANDSHAKES] > handshakes, 'a new handshake');
  const after = sent.slice(before);
  assert.ok(after.some((bytes) => bytes[1] === FrameType.CONFIG));
  assert.ok(!after.some((bytes) => bytes[1] === FrameType.ARM), 'no ARM by itself');
  for (const bytes of after.slice(1)) {
    if (bytes[1] !== FrameType.SETPOINT) continue;
    assert.equal(decodeSetpoint(bytes, bytes.length, frame), 0);
    assert.notEqual(frame.mode, TRACK);
  }
  assert.match(rig.state, /^MONITOR|FAULT/);
  t.diagnostic(
    `acceptance 55: a HELLO in flight: LINK_LOST ${ticks} ticks after it was sent, CONFIG anew, 0 mm without ARM`,
  );
});
