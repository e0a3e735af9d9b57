/**
 * Writes the recording that later builds replay bit for bit (test/vectors/half-sphere-slides.mcap):
 * the half-sphere meets the plate, slides with friction and is lifted, with a noisy robot that
 * loses frames. Run it again only when the format of recordings or the results of a tick change;
 * the changelog then has a line about it.
 *
 * Usage: node --import tsx test/portable/store-recording-entry.ts FOLDER
 */
import { packageVersion } from '../../config/paths.ts';
import { systemDisk } from '../../hil/recording/disk.ts';
import { LogRing, type LogView } from '../../hil/memory/log-ring.ts';
import { Recorder } from '../../hil/recording/recorder.ts';
import { Retention } from '../../hil/recording/retention.ts';
import { LAYOUT_HASH } from '../../hil/protocol/layout.ts';
import { ControlWord } from '../../hil/memory/shared.ts';
import { VirtualRig } from '../fixtures/virtual-rig.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: store-recording-entry FOLDER');
const fail = (message: string): never => {
  throw new Error(message);
};

const rig = new VirtualRig({ log: 1 << 22, noise: 1 });
const recording = { ...rig.settings.recording, folder, mode: 'continuous' as const };
const recorder = new Recorder({
  settings: recording,
  retention: new Retention({ disk: systemDisk, settings: recording, onRemoved: fail }),
  facts: {
    settings: rig.settings,
    model: rig.system.model,
    scenario: 'half-sphere-on-plate',
    mode: 'virtual',
    version: packageVersion(),
    node: process.version,
    protocolHash: `0x${LAYOUT_HASH.toString(16).padStart(8, '0')}`,
    wallStart_ns: 1_800_000_000_000_000_000n,
    loopStart_us: 0,
  },
  disk: systemDisk,
  requestState: () => undefined,
  onWrite: () => undefined,
  onTrouble: fail,
});
const ring = new LogRing(rig.shared.log);
const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };

function drain(): void {
  while (ring.read(view)) recorder.take(view);
  recorder.poll(rig.clock.now_us());
}

function fly(ticks: number, axes: readonly number[]): void {
  rig.run(ticks, () => rig.inputAxes(axes, 1));
  drain();
}

// the way down is not recorded
rig.activate();
rig.run(250, () => rig.inputAxes([0, 0, -1, 0, 0, 0], 1));
ring.discard();
Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
fly(100, [0.3, 0.2, -0.6, 0.2, 0, 0.3]);
if (!(rig.tick.record.active > 0)) fail('not in contact');
rig.ends[1].faults.loss = 0.2;
fly(100, [-0.4, 0.1, -0.2, 0, 0.2, -0.3]);
rig.ends[1].faults.loss = 0;
fly(100, [0, 0, 1, 0, 0, 0]);
Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
fly(2, [0, 0, 1, 0, 0, 0]);
await recorder.close();
console.log(`${rig.tick.record.row[0]} state hash ${rig.system.hash()}`);
