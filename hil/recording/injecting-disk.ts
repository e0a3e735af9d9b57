/** A disk with faults injected on purpose: full, or slow. Stands between the recorder and the real disk. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Disk, DiskFile } from './disk.ts';

/** Disk that injects faults: no space, slow writes. */
export class InjectingDisk implements Disk {
  /** Nothing more can be written. */
  full = false;
  /** Bytes a second that it takes; 0 as many as it can. */
  slow_Bps = 0;
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  async create(folder: string, name: string): Promise<DiskFile> {
    this.#refuseFull();
    const file = await this.#disk.create(folder, name);
    return {
      write: async (bytes, position) => {
        this.#refuseFull();
        if (this.slow_Bps > 0) await wait((1000 * bytes.length) / this.slow_Bps);
        await file.write(bytes, position);
      },
      sync: () => file.sync(),
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
    };
  }

  remove(folder: string, name: string): Promise<void> {
    return this.#disk.remove(folder, name);
  }

  free(folder: string): Promise<number> {
    return this.#disk.free(folder);
  }

  #refuseFull(): void {
    if (this.full) throw new Error('ENOSPC: no space left on device (injected fault)');
  }
}
