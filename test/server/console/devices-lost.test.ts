/**
 * Client side of fault test 24: a device that disconnects or is exchanged while deflected loses its
 * deadman and its axes in the very next message. It flies again only after it was centred, released
 * and pressed anew.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  GamepadReading,
  type GamepadState,
} from '../../../server/client/devices/gamepad-reading.ts';
import { HandFeed } from '../../../server/client/devices/hand-feed.ts';
import type { HandDevice, Reading } from '../../../server/client/devices/layout.ts';
import { defaultProfile } from '../../../server/client/devices/profile.ts';
import { HandStation, type MutableHand, restingHand } from '../../../server/client/hand-station.ts';

const POLL_MS = 10;
const STILL = [0, 0, 0, 0, 0, 0];

/** A standard pad whose state the test writes, as the browser would. */
class Pad implements HandDevice {
  readonly name = 'Test pad';
  readonly model = 'gamepad:1234:5678';
  readonly kind = 'gamepad';
  connected = true;
  readonly #reading = new GamepadReading('gamepad');
  stick = [0, 0, 0, 0];
  readonly held = new Set<number>();

  poll(): Reading | null {
    const buttons = Array.from({ length: 17 }, (_, i) => ({
      pressed: this.held.has(i),
      value: this.held.has(i) ? 1 : 0,
    }));
    const state: GamepadState = {
      id: '',
      index: 0,
      connected: true,
      mapping: 'standard',
      axes: this.stick,
      buttons,
    };
    return this.#reading.read(state);
  }
}

const DEADMAN = 4;
const GEAR = 5;

/** Feed and station as the page runs them, on a clock of the test. */
class Rig {
  readonly feed = new HandFeed();
  readonly station = new HandStation(0.05);
  readonly hand: MutableHand = restingHand();
  #now_ms = 0;

  /** One look and the message after it. */
  poll(): MutableHand {
    this.#now_ms += POLL_MS;
    const input = this.feed.poll(this.#now_ms);
    if (input === null) this.station.lose();
    else this.station.update(input, this.#now_ms / 1000);
    this.station.fill(this.hand, this.#now_ms / 1000);
    return this.hand;
  }
}

/** A rig that flies with its stick fully right. */
function flying(): { rig: Rig; pad: Pad } {
  const rig = new Rig();
  const pad = new Pad();
  rig.feed.use(pad, defaultProfile('gamepad'));
  rig.poll();
  pad.held.add(DEADMAN);
  pad.stick = [1, 0, 0, 0];
  assert.deepEqual([rig.poll().deadman, rig.hand.axes], [true, [1, 0, 0, 0, 0, 0]]);
  return { rig, pad };
}

describe('a device in use', () => {
  test('removed with its stick deflected: nothing is held in the next message', () => {
    const { rig, pad } = flying();
    pad.connected = false; // its state freezes as it was, and repeats for ever
    for (let i = 0; i < 100; i++) {
      assert.deepEqual([rig.poll().deadman, rig.hand.axes], [false, STILL]);
    }
    assert.equal(rig.station.trip, 'device');
  });

  test('back with stick and deadman as they were: it flies only when centred, released and pressed anew', () => {
    const { rig, pad } = flying();
    pad.connected = false;
    rig.poll();
    pad.connected = true;
    assert.equal(rig.poll().deadman, false);
    pad.held.delete(DEADMAN); // released, but not centred
    rig.poll();
    pad.held.add(DEADMAN);
    assert.equal(rig.poll().deadman, false);
    pad.stick = [0, 0, 0, 0]; // centred, but held
    assert.equal(rig.poll().deadman, false);
    pad.held.delete(DEADMAN);
    assert.equal(rig.poll().deadman, false);
    pad.held.add(DEADMAN);
    assert.equal(rig.poll().deadman, true);
  });

  test('silent: the same', () => {
    const { rig, pad } = flying();
    pad.poll = () => null;
    assert.deepEqual([rig.poll().deadman, rig.hand.axes], [false, STILL]);
  });

  test('the deadman of the page does not outlive the device', () => {
    const rig = new Rig();
    const pad = new Pad();
    rig.feed.use(pad, defaultProfile('gamepad'));
    rig.poll();
    rig.feed.heldOnPage = true;
    assert.equal(rig.poll().deadman, true);
    pad.connected = false;
    assert.equal(rig.poll().deadman, false);
    pad.connected = true;
    assert.equal(rig.poll().deadman, false);
  });

  test('the gear changes at a press, not for as long as it lasts, and not for one that was down before', () => {
    const rig = new Rig();
    const pad = new Pad();
    pad.held.add(GEAR);
    rig.feed.use(pad, defaultProfile('gamepad'));
    rig.poll();
    assert.equal(rig.poll().gear, 'vernier');
    pad.held.delete(GEAR);
    rig.poll();
    pad.held.add(GEAR);
    rig.poll();
    assert.equal(rig.poll().gear, 'coarse');
  });

  test('frame camera says where the camera is, and does not fly without one', () => {
    const { rig } = flying();
    rig.feed.frame = 'camera';
    assert.deepEqual([rig.poll().deadman, rig.hand.frame], [false, 'base']);
    rig.feed.camera = () => [0, 0, 0, 1];
    assert.deepEqual([rig.poll().deadman, rig.hand.frame], [true, 'camera']);
    assert.deepEqual(rig.hand.camera, [0, 0, 0, 1]);
  });
});
