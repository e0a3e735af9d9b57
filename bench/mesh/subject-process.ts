/** The other end of mesh-step-process.ts. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Size } from './ring-scene.ts';
import { type Answer, type SubjectName, whyNot } from './subjects.ts';

const ENTRY = fileURLToPath(
  new URL(`../mesh-step-process${extname(import.meta.url)}`, import.meta.url),
);
/** Of V8, MB: a mesh of a million triangles is built in JavaScript. */
const HEAP_MB = 6000;

/** A process that runs one subject. */
export class SubjectProcess {
  readonly name: SubjectName;
  readonly size: Size;
  /** Its first answer. */
  ready: (Answer & { readonly kind: 'ready' }) | null = null;
  /** Why there are no times. */
  missing: string;
  readonly times_us: number[] = [];
  readonly #child: ChildProcess | null;
  #said = '';

  private constructor(name: SubjectName, size: Size) {
    this.name = name;
    this.size = size;
    this.missing = whyNot(name, size);
    this.#child =
      this.missing === ''
        ? fork(ENTRY, [JSON.stringify([name, size])], {
            stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
            execArgv: [...process.execArgv, `--max-old-space-size=${HEAP_MB}`],
          })
        : null;
    this.#child?.stderr?.on('data', (bytes: Buffer) => {
      this.#said += bytes.toString();
    });
  }

  /** Starts the process and waits until it is warm; it ends at `most_s`. */
  static async start(name: SubjectName, size: Size, most_s: number): Promise<SubjectProcess> {
    const one = new SubjectProcess(name, size);
    if (one.#child === null) return one;
    const timer = setTimeout(() => {
      one.missing = `not ready after ${most_s} s`;
      one.#child?.kill('SIGKILL');
    }, 1e3 * most_s);
    const answer = await one.#answer();
    clearTimeout(timer);
    if (answer?.kind === 'ready') one.ready = answer;
    return one;
  }

  /** The next answer; null, with the reason, where the process ends before. */
  #answer(): Promise<Answer | null> {
    const child = this.#child!;
    return new Promise((resolve) => {
      const ended = (): void => {
        const line = this.#said.split('\n').find((each) => /Error|Aborted|fatal/i.test(each));
        if (this.missing === '') this.missing = `failed: ${(line ?? this.#said).slice(0, 100)}`;
        resolve(null);
      };
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message as Answer);
      });
    });
  }

  /** Some more steps. */
  async round(): Promise<void> {
    if (this.missing !== '') return;
    this.#child!.send('round');
    const answer = await this.#answer();
    if (answer?.kind === 'round') this.times_us.push(...answer.times_us);
  }

  end(): void {
    if (this.missing === '') this.#child?.send('end');
  }
}
