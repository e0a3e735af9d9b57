/** Inputs over a bad network: late ones move nothing, whatever the client's clock (hil-anchors 9.4, 22 and 23). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { DelayedStation as Station, TIMEOUT_S } from './delayed-station.ts';

/** Milliseconds from the last input on its way to HOLD. */
function ticksToHold(station: Station): number {
  const { ticks, cause } = station.untilHold(300);
  assert.equal(cause, 'INPUT_STALE');
  return ticks;
}

test('22: a stall of 400 ms and its burst: what is late is discarded, and nothing moves', (t) => {
  for (const clock_s of [0, 600, -600]) {
    const station = new Station(clock_s);
    station.stick = 0.5;
    station.run(300);
    const moving = station.height;
    station.run(100);
    assert.notEqual(station.height, moving, 'it flies');
    assert.deepEqual(station.refused, []);
    station.accepted.length = 0;
    const end_s = station.now_s + 0.403;
    station.arrival = (sent_s) => Math.max(sent_s + 0.005, end_s);
    station.run(390);
    assert.equal(station.rig.state, 'HOLD');
    const height = station.height;
    station.run(1000);
    // 40 inputs came at once, sent 403, 393 … 13 ms before; nine of them less than 100 ms
    assert.equal(station.refused.length, 31);
    assert.ok(station.refused.every((reason) => reason === 'stale'));
    assert.ok(station.accepted.every((delay_s) => delay_s <= TIMEOUT_S));
    // the stick is still deflected and the deadman pressed: only a new press moves again
    assert.equal(station.height, height);
    assert.equal(station.rig.state, 'HOLD');
    [station.stick, station.deadman] = [0, false];
    station.run(100);
    station.deadman = true;
    station.run(100);
    station.stick = 0.5;
    station.run(200);
    assert.notEqual(station.height, height);
  }
  t.diagnostic('acceptance 22: 31 of 40 late inputs refused as stale, no motion until a new press');
});

test('23: with a clock that is ten minutes off an input that has stopped is stale after 100 ms all the same', (t) => {
  const times = [0, 600, -600].map((clock_s) => {
    const station = new Station(clock_s);
    station.stick = 0.5;
    station.run(200);
    station.sends = false;
    return ticksToHold(station);
  });
  assert.equal(new Set(times).size, 1);
  // the last input was sent 10 ms before and arrived 5 ms later
  assert.ok(times[0] > 90 && times[0] <= 101, `${times[0]} ms`);
  t.diagnostic(`acceptance 23: held ${times[0]} ms after the input stopped, whatever the clock`);
});

test('23: a clock that is set back ten minutes in flight makes inputs old, not young', () => {
  const station = new Station();
  station.stick = 0.5;
  station.run(200);
  station.clock = (server_s) => server_s - 600;
  assert.ok(ticksToHold(station) <= 101);
  assert.ok(station.refused.length > 20);
  // set forward: they look younger than they are, and the stall is still seen beside the newest
  const other = new Station();
  other.stick = 0.5;
  other.run(200);
  other.clock = (server_s) => server_s + 600;
  other.run(200);
  assert.deepEqual(other.refused, []);
  const end_s = other.now_s + 0.403;
  other.arrival = (sent_s) => Math.max(sent_s + 0.005, end_s);
  other.run(1000);
  assert.equal(other.refused.length, 31);
});

test('27: STOP from whomever is obeyed in the next tick', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.command(CommandKind.STOP, 1);
  rig.run(1);
  assert.equal(rig.state, 'STOPPING');
  t.diagnostic('acceptance 27: STOPPING in the next tick');
});
