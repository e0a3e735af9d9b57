/** A rig on the virtual clock whose records go to a real recorder, as the recorder worker gives them. */
import { RecorderWatch } from '../../hil/recording/recorder-watch.ts';
import { type Disk, systemDisk } from '../../hil/recording/disk.ts';
import { LogRing, type LogView } from '../../hil/recording/log-ring.ts';
import { Recorder } from '../../hil/recording/recorder.ts';
import { Retention } from '../../hil/recording/retention.ts';
import type { Settings } from '../../config/settings.ts';
import { ControlWord } from '../../hil/shared.ts';
import { type RigOptions, VirtualRig } from './virtual-rig.ts';

/** See above. */
export class RecordedRig extends VirtualRig {
  readonly recorder: Recorder;
  readonly troubles: string[] = [];
  readonly removed: string[] = [];
  /** Bytes written, and the time that chunks took until they were on the disk, s. */
  bytes = 0;
  readonly #ring: LogRing;
  readonly #view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
  readonly #watch: RecorderWatch;
  readonly #control: Int32Array;

  constructor(
    recording: Partial<Settings['recording']>,
    options: RigOptions = {},
    disk: Disk = systemDisk,
  ) {
    super({
      ...options,
      log: 1 << 22,
      settings: (settings) => Object.assign(settings.recording, recording),
    });
    this.#ring = new LogRing(this.shared.log);
    this.#control = new Int32Array(this.shared.control);
    this.#watch = new RecorderWatch(this.#control, this.settings);
    const settings = this.settings.recording;
    this.recorder = new Recorder({
      settings,
      facts: {
        settings: this.settings,
        model: this.system.model,
        scenario: 'half-sphere-on-plate',
        mode: 'virtual',
        version: '0.0.0',
        node: process.version,
        protocolHash: '0x0',
        wallStart_ns: 1_800_000_000_000_000_000n,
        loopStart_us: this.clock.now_us(),
      },
      disk,
      retention: new Retention({
        disk,
        settings,
        onRemoved: (name, _, reason) => this.removed.push(`${name} ${reason}`),
      }),
      wantState: () => void Atomics.store(this.#control, ControlWord.STATE_WANTED, 1),
      onWrite: (bytes) => (this.bytes += bytes),
      onTrouble: (message) => this.troubles.push(message),
    });
  }

  /** What the loop does before a tick with the sign of life of the recorder. */
  watch(): void {
    if (this.recorder.state !== 'failed') {
      Atomics.add(this.#control, ControlWord.RECORDER_BEAT, 1);
    }
    this.#watch.look(this.timing);
    this.tick.recorderLost = this.#watch.lost;
  }

  /** `count` ticks; every ten of them the recorder has its turn. */
  async fly(count: number, each: () => void): Promise<void> {
    for (let i = 0; i < count; i += 10) {
      this.run(10, () => {
        this.watch();
        each();
      });
      await this.drain();
    }
  }

  /** Give the recorder what the loop wrote, and the disk its turn. */
  async drain(): Promise<void> {
    while (this.#ring.read(this.#view)) this.recorder.take(this.#view);
    this.recorder.poll(this.clock.now_us());
    // virtual time must not run away from a real disk
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.recorder.queueRatio > 0.5);
  }
}
