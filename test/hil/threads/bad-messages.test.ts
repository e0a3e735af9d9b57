/** Messages of a robot that are no frames: counted, and no hindrance to what comes behind them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { FRAME_ERRORS } from '../../../hil/contract/counters.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { startUntimed, testSettings } from '../../fixtures/service.ts';

// three kinds of them fit the ring to the loop (256) at once: a loop that stands still for a while loses none
const BAD = 80;
const LENGTH_ERRORS = LoopSlot.robot_frame_errors_total + FRAME_ERRORS.indexOf('length');

for (const [protocol, messages] of [
  ['berth.robot.v1', [Buffer.alloc(0)]],
  ['berth.robot.v1.msgpack', [Buffer.alloc(0), Buffer.from([0xc1]), Buffer.from([0x80])]],
] as const) {
  test(`${protocol}: every message that is no frame is counted`, async () => {
    const runtime = await startUntimed(
      testSettings(({ robot }) => {
        robot.transport = 'websocket';
        robot.port = 0;
      }),
    );
    const counters = new Float64Array(runtime.shared.loopCounters);
    const socket = new WebSocket(runtime.robotAddress, protocol);
    try {
      await once(socket, 'open');
      const before = counters[LENGTH_ERRORS];
      for (let i = 0; i < BAD; i++) for (const message of messages) socket.send(message);
      const due = before + BAD * messages.length;
      for (let i = 0; i < 500 && counters[LENGTH_ERRORS] < due; i++) await wait(20);
      assert.equal(counters[LENGTH_ERRORS], due);
    } finally {
      socket.terminate();
      await runtime.close();
    }
  });
}
