/** Inputs over a bad network: late ones move nothing, whatever the client's clock says (hil-anchors 9.4, 22 and 23). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnIndex, ROW_WIDTH } from '../../hil/columns.ts';
import { CommandKind } from '../../hil/commands.ts';
import { TelemetryRing } from '../../hil/ring.ts';
import { ClockSync } from '../../server/client/clock-sync.ts';
import { InputAge } from '../../server/input-age.ts';
import { InputGate } from '../../server/input-gate.ts';
import type { InputMessage } from '../../server/operator-messages.ts';
import { VirtualRig } from '../support/virtual-rig.ts';

const TIMEOUT_S = 0.1;
const DOWN = columnIndex('setpoint_p_z_m');

/** A station that sends 100 inputs a second over a network with a delay to the whole loop on the virtual clock. */
class Station {
  readonly rig = new VirtualRig();
  readonly gate = new InputGate();
  readonly refused: string[] = [];
  readonly accepted: number[] = [];
  /** Client clock minus server clock, s. */
  clock_s: number;
  stick = 0;
  deadman = true;
  sends = true;
  /** Arrival, server clock, of what is sent at that time. */
  arrival: (sent_s: number) => number = (sent_s) => sent_s + 0.005;
  readonly #way: { arrives_s: number; input: InputMessage }[] = [];
  readonly #row = new Float64Array(ROW_WIDTH);
  #sequence = 1_000_000;

  constructor(clock_s = 0) {
    this.clock_s = clock_s;
    this.rig.activate();
  }

  get now_s(): number {
    return this.rig.clock.now_us() / 1e6;
  }

  /** Height of the set-point, m. */
  get height(): number {
    new TelemetryRing(this.rig.shared.telemetry, ROW_WIDTH).readNewest(this.#row);
    return this.#row[DOWN];
  }

  run(ticks: number): void {
    this.rig.run(ticks, (tick) => {
      const now = this.now_s;
      if (this.sends && tick % 10 === 0) {
        const input: InputMessage = {
          v: 1,
          type: 'input',
          axes: [0, 0, this.stick, 0, 0, 0],
          deadman: this.deadman,
          gear: 'coarse',
          frame: 'base',
          seq: this.#sequence++,
          t: now + this.clock_s,
        };
        this.#way.push({ arrives_s: this.arrival(now), input });
      }
      while (this.#way.length > 0 && this.#way[0].arrives_s <= now) this.#receive();
    });
  }

  #receive(): void {
    const { input } = this.#way.shift()!;
    const refusal = this.gate.judge(input, this.now_s, TIMEOUT_S);
    if (refusal !== null) this.refused.push(refusal);
    else {
      this.accepted.push(this.now_s + this.clock_s - input.t);
      this.rig.command(CommandKind.INPUT, ...this.gate.arguments(input));
    }
  }
}

/** Milliseconds from the last input on its way to HOLD. */
function ticksToHold(station: Station): number {
  const from = station.rig.transitions.length;
  const start = station.rig.timing.executed;
  station.run(300);
  const hold = station.rig.transitions.slice(from).find(({ to }) => to === 'HOLD');
  assert.equal(hold?.cause, 'INPUT_STALE');
  return hold.tick - start;
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
    const end_s = station.now_s + 0.4;
    station.arrival = (sent_s) => Math.max(sent_s + 0.005, end_s);
    station.run(390);
    assert.equal(station.rig.state, 'HOLD');
    const height = station.height;
    station.run(1000);
    // 40 inputs came at once, sent 400, 390 … 10 ms before; the usual delay of 5 ms is not counted
    assert.equal(station.refused.length, 30);
    assert.ok(station.refused.every((reason) => reason === 'stale'));
    assert.ok(station.accepted.every((delay_s) => delay_s <= TIMEOUT_S + 0.005 + 1e-9));
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
  t.diagnostic('acceptance 22: 30 of 40 late inputs refused as stale, no motion until a new press');
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
  station.clock_s = -600;
  assert.ok(ticksToHold(station) <= 101);
  assert.ok(station.refused.length > 20);
  // set forward: they look younger than they are, and the stall is still seen beside the newest
  const other = new Station();
  other.stick = 0.5;
  other.run(200);
  other.clock_s = 600;
  other.run(200);
  assert.deepEqual(other.refused, []);
  const end_s = other.now_s + 0.4;
  other.arrival = (sent_s) => Math.max(sent_s + 0.005, end_s);
  other.run(1000);
  assert.equal(other.refused.length, 30);
});

test('a delay that never changes is seen by the offset of the clocks, and a wrong offset cannot hide a stall', () => {
  for (const clock_s of [0, 600, -600]) {
    const age = new InputAge();
    const sync = new ClockSync();
    // 150 ms each way
    sync.add(clock_s, 0.15, 0.3 + clock_s);
    assert.equal(age.update(1 + clock_s, 1.15), 0);
    age.offset_s = sync.offset_s;
    assert.ok(Math.abs(age.update(2 + clock_s, 2.15) - 0.15) < 1e-9);
    // a client that says that its inputs come before they were sent
    age.offset_s = -clock_s + 3600;
    assert.ok(age.update(3 + clock_s, 3.15) < 1e-9);
    assert.ok(Math.abs(age.update(4 + clock_s, 4.55) - 0.4) < 1e-9);
  }
});

test('27: STOP from whomever is obeyed in the next tick', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.command(CommandKind.STOP, 1);
  rig.run(1);
  assert.equal(rig.state, 'STOPPING');
  t.diagnostic('acceptance 27: STOPPING in the next tick');
});
