/** What the recorder needs of a disk. */
import { mkdir, open, rm } from 'node:fs/promises';

/** One file, written at places that the caller keeps count of. */
export interface DiskFile {
  /** Write all of `bytes` at `position`. @throws Error when the disk is full or broken */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Return when what was written would survive a loss of power. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** Where files are made. */
export interface Disk {
  /** Make a new file, and its folder; there must be none of that name. */
  create(folder: string, name: string): Promise<DiskFile>;
  remove(folder: string, name: string): Promise<void>;
}

/** The file system of the machine. */
export const systemDisk: Disk = {
  async create(folder, name) {
    await mkdir(folder, { recursive: true });
    const handle = await open(`${folder}/${name}`, 'wx');
    return {
      async write(bytes, position) {
        let done = 0;
        while (done < bytes.length) {
          const left = bytes.length - done;
          done += (await handle.write(bytes, done, left, position + done)).bytesWritten;
        }
      },
      sync: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    };
  },
  remove: (folder, name) => rm(`${folder}/${name}`, { force: true }),
};
