/** What the recorder needs of a disk. */
import { chmod, mkdir, open, rm, statfs } from 'node:fs/promises';

/**
 * Recordings hold which operator flew what, and where: only owner and group may read them, whatever
 * the umask is.
 */
const FILE_MODE = 0o640;
const FOLDER_MODE = 0o750;

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
  /** Bytes that are free where a folder is; it is made when there is none. */
  free(folder: string): Promise<number>;
}

/** A folder that was there keeps its mode. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (made !== undefined) await chmod(folder, FOLDER_MODE);
}

/** The file system of the machine. */
export const systemDisk: Disk = {
  async create(folder, name) {
    await makeFolder(folder);
    const handle = await open(`${folder}/${name}`, 'wx', FILE_MODE);
    await handle.chmod(FILE_MODE).catch(() => undefined); // some mounted file systems have no modes
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
  async free(folder) {
    await makeFolder(folder);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};
