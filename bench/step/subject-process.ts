/** The other end of contact-step-process.ts: starts a process for an engine and a scene, and asks it for rounds. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Result } from './timed.ts';

/** What a process runs. */
export interface Subject {
  /** `Berth`, `yardstick`, or a peer by its name. */
  readonly engine: string;
  readonly scene: string;
  /** After other scenes in the same process. */
  readonly after: boolean;
  /** Whether to say what came out. */
  readonly result: boolean;
}

/** What a process says. */
export type Answer =
  | {
      readonly kind: 'ready';
      readonly absent: boolean;
      readonly name: string;
      readonly contact: string;
      readonly result: Result | null;
      /** About the time of a round. */
      readonly round_us: number;
    }
  | { readonly kind: 'round'; readonly each_us: number };

const ENTRY = fileURLToPath(
  new URL(`../contact-step-process${extname(import.meta.url)}`, import.meta.url),
);

/** A process that runs one engine with one scene. */
export class SubjectProcess {
  readonly subject: Subject;
  /** Its first answer. */
  ready!: Answer & { readonly kind: 'ready' };
  /** Why there are no times: absent, or it failed. */
  missing = '';
  readonly times_us: number[] = [];
  readonly #child: ChildProcess;

  private constructor(subject: Subject) {
    this.subject = subject;
    this.#child = fork(ENTRY, [JSON.stringify(subject)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
  }

  /** Starts the process and waits until its code is warm. */
  static async start(subject: Subject): Promise<SubjectProcess> {
    const one = new SubjectProcess(subject);
    let said = '';
    one.#child.stderr!.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    try {
      one.ready = (await one.#answer()) as typeof one.ready;
      if (one.ready.absent) one.missing = 'absent';
    } catch {
      const last = said.split('\n').find((line) => /Error|Aborted/.test(line));
      one.missing = `failed: ${last ?? said.slice(0, 80)}`;
      one.ready = {
        kind: 'ready',
        absent: true,
        name: subject.engine,
        contact: '',
        result: null,
        round_us: 0,
      };
    }
    return one;
  }

  #answer(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('the process ended'));
      this.#child.once('exit', ended);
      this.#child.once('message', (message) => {
        this.#child.off('exit', ended);
        resolve(message as Answer);
      });
    });
  }

  /** One more time of a step. */
  async round(): Promise<void> {
    if (this.missing !== '') return;
    this.#child.send('round');
    const answer = await this.#answer();
    if (answer.kind === 'round') this.times_us.push(answer.each_us);
  }

  end(): void {
    if (this.#child.connected && this.missing === '') this.#child.send('end');
    else this.#child.kill();
  }
}
