/** Lines of text to a file or to stdout. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { BerthError } from '../../src/base/errors.ts';

/** Lines kept before they are written. */
const BATCH = 500;

/** Lines to a file or to stdout, in batches. */
export class LineOutput {
  private readonly path: string | undefined;
  private readonly file: number | null;
  private lines: string[] = [];
  private broken = false;

  /** @param path file; undefined for stdout. @throws BerthError when it cannot be written */
  constructor(path: string | undefined) {
    this.path = path;
    this.file = path === undefined ? null : this.named(() => openSync(path, 'w'));
    if (this.file === null) {
      // a reader that has seen enough (`| head`) closes the pipe; that is no failure
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        this.broken = true;
      });
    }
  }

  /** One line more. */
  line(text: string): void {
    this.lines.push(text);
    if (this.lines.length >= BATCH) this.flush();
  }

  /** Writes what is kept, and closes the file. */
  async close(): Promise<void> {
    this.flush();
    if (this.file !== null) closeSync(this.file);
    else if (!this.broken) await new Promise((resolve) => process.stdout.write('', resolve));
  }

  /** @throws BerthError with the name of the file */
  private named<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw new BerthError(
        'BERTH_MISSING_FILE',
        `cannot write "${this.path ?? ''}": ${(error as Error).message}`,
        { field: '--output', cause: error },
      );
    }
  }

  /** @throws BerthError when the disk is full */
  private flush(): void {
    if (this.lines.length === 0) return;
    const text = `${this.lines.join('\n')}\n`;
    this.lines = [];
    const { file } = this;
    if (file !== null)
      this.named(() => writeFileSync(file, text)); // whole, or an error
    else if (!this.broken) process.stdout.write(text);
  }
}
