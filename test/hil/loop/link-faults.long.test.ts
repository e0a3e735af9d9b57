/** Fault test 9 end to end on the virtual clock: loop, session, loopback, emulated robot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME_ERRORS } from '../../../hil/contract/counters.ts';
import { FrameType } from '../../../hil/protocol/frames.ts';
import { SessionCount } from '../../../hil/protocol/server-session.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('9: duplicates, STATE that come 1 to 50 frames late and the capture of a minute ago change nothing but the counters', (t) => {
  // a frame that comes late is one that did not come: the run without faults goes without the same ones
  const LATE_EVERY = 25;
  const MOST_LATE = 50;
  const MINUTE = 60_000;
  const run = (disturb: boolean): { rig: VirtualRig; extra: number } => {
    const rig = new VirtualRig();
    const [server, { faults }] = rig.ends;
    const first: Uint8Array[] = [];
    const sent: Uint8Array[] = [];
    let extra = 0;
    const again = (frame: Uint8Array, delay_us: number): void => {
      if (!disturb) return;
      server.deliver(frame, delay_us);
      extra++;
    };
    const fly = (tick: number): void => rig.input(Math.cos((2 * Math.PI * tick) / 4000), 1);
    rig.ends[1].capture = first;
    rig.activate();
    rig.run(200, fly);
    rig.ends[1].capture = sent;
    for (let tick = 0; tick < LATE_EVERY * MOST_LATE; tick++) {
      faults.cut = tick % LATE_EVERY === 0;
      sent.length = 0;
      rig.run(1, () => fly(tick));
      // passed by so many of the frames that follow it
      const by = 1 + Math.floor(tick / LATE_EVERY);
      for (const frame of sent) {
        if (!faults.cut) again(frame, 0);
        else if (frame[1] === FrameType.STATE) again(frame, 1000 * by + 500);
      }
    }
    rig.ends[1].capture = null;
    rig.run(MINUTE, fly);
    const capture = first.filter((frame) => frame[1] !== FrameType.HELLO);
    assert.ok(capture.length > 1000, `${capture.length} frames`);
    capture.forEach((frame, i) => again(frame, 100 * i));
    rig.run(500, fly);
    return { rig, extra };
  };
  const refused = ({ session }: VirtualRig): Float64Array =>
    session!.counts.slice(SessionCount.ERRORS, SessionCount.LOST);
  const clean = run(false);
  const disturbed = run(true);
  assert.equal(disturbed.rig.system.hash(), clean.rig.system.hash());
  assert.deepEqual(disturbed.rig.tick.setpoint, clean.rig.tick.setpoint);
  assert.deepEqual(disturbed.rig.transitions, clean.rig.transitions);
  assert.equal(disturbed.rig.state, 'ACTIVE_FREE');
  // each of them once, as one out of order, and nothing else
  const counted = refused(disturbed.rig);
  const wanted = refused(clean.rig);
  wanted[FRAME_ERRORS.indexOf('sequence')] += disturbed.extra;
  assert.deepEqual(counted, wanted);
  t.diagnostic(
    `acceptance 9: ${disturbed.extra} frames refused and counted, the same state bit for bit`,
  );
});
