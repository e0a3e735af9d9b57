/** Reported safety of the robot in several STATE of one tick, or in a refused one: the worst counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { FrameType, STATE_BYTES } from '../../../hil/protocol/frames.ts';
import { crcOf, crcStart } from '../../../hil/protocol/crc.ts';
import { CRC_BYTES, fieldOffset, LAYOUT_HASH } from '../../../hil/protocol/layout.ts';
import { RobotSafety } from '../../../hil/contract/codes.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { Pair } from '../../fixtures/session-pair.ts';

const { NORMAL, PROTECTIVE, EMERGENCY, REDUCED } = RobotSafety;
const SAFETY = fieldOffset(FrameType.STATE, 'safety');
const FAULT = fieldOffset(FrameType.STATE, 'fault');

test('65: of all STATE of a tick the worst safety counts, and every fault bit; the next tick begins anew', () => {
  for (const [said, worst] of [
    [[EMERGENCY, NORMAL], EMERGENCY],
    [[PROTECTIVE, REDUCED], PROTECTIVE],
    [[PROTECTIVE, EMERGENCY, REDUCED], EMERGENCY],
    [[REDUCED, NORMAL], REDUCED],
    [[NORMAL, NORMAL], NORMAL],
  ] as const) {
    const pair = new Pair();
    pair.run(200);
    const { server, robot } = pair;
    pair.beforeState = (state) => {
      said.slice(0, -1).forEach((safety, i) => {
        state.safety = safety;
        state.fault = 2 ** i + 2 ** 31;
        robot.sendState(pair.robotLink, state);
      });
      state.safety = said[said.length - 1];
      state.fault = 2 ** 10;
    };
    pair.tick();
    assert.equal(server.words.safety, worst, said.join());
    const bits = said.slice(0, -1).reduce((sum, _, i) => sum + 2 ** i, 2 ** 10 + 2 ** 31);
    assert.equal(server.words.faultBits, bits);
    assert.equal(server.state.safety, said[said.length - 1], 'the newest gives the rest');
    pair.beforeState = (state) => {
      state.safety = NORMAL;
      state.fault = 0;
    };
    pair.tick();
    assert.deepEqual([server.words.safety, server.words.faultBits], [NORMAL, 0]);
    // without a frame the newest one holds
    pair.beforeState = (state) => (state.safety = PROTECTIVE);
    pair.tick();
    pair.robotRuns = false;
    pair.tick();
    assert.equal(server.words.safety, PROTECTIVE);
  }
});

/** A STATE with other words; `nan` takes the sense from its pose. */
function reworded(frame: Uint8Array, safety: number, fault: number, nan: boolean): Uint8Array {
  const copy = frame.slice();
  const view = new DataView(copy.buffer);
  view.setUint8(SAFETY, safety);
  view.setUint32(FAULT, fault, true);
  if (nan) view.setFloat64(fieldOffset(FrameType.STATE, 'position'), NaN, true);
  const body = STATE_BYTES - CRC_BYTES;
  view.setInt32(body, crcOf(copy, body, crcStart(LAYOUT_HASH)), true);
  return copy;
}

for (const nan of [false, true]) {
  const what = nan ? 'an emergency in a STATE without a sound pose' : 'an emergency of one frame';
  test(`65: ${what}, and a normal STATE in the same tick, lead to ESTOP in that tick`, (t) => {
    const rig = new VirtualRig();
    rig.activate();
    rig.run(20, () => rig.input(0, 1));
    const [server, robot] = rig.ends;
    // the STATE of one cycle stays on the line for a period, and comes together with the next
    robot.faults.cut = true;
    robot.capture = [];
    rig.run(1, () => rig.input(0, 1));
    robot.faults.cut = false;
    const kept = robot.capture.find((frame) => frame[1] === FrameType.STATE)!;
    robot.capture = null;
    rig.run(1, () => rig.input(0, 1));
    const before = rig.timing.executed;
    // it is older than the one on the line now, by its number; both are read in the next tick
    server.deliver(reworded(kept, EMERGENCY, 0x80000001, nan), -2000);
    rig.run(1, () => rig.input(0, 1));
    const last = rig.transitions.at(-1);
    assert.deepEqual([last?.to, last?.cause], ['ESTOP', 'ROBOT_EMERGENCY_STOP']);
    const row = new Float64Array(ROW_WIDTH);
    assert.ok(new TelemetryRing(rig.shared.telemetry, ROW_WIDTH).readNewest(row));
    assert.equal(row[Column.robot_safety], EMERGENCY);
    assert.equal(row[Column.robot_fault], 0x80000001);
    assert.ok(rig.session!.fresh, 'the normal one gave the motion');
    t.diagnostic(
      `acceptance 65: ${what}: ESTOP in tick ${(last?.tick ?? 0) - before} after it was on the line`,
    );
  });
}
