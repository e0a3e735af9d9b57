/** Which inputs of one client may go to the loop: each once, in order, and none that took too long. */
import { Challenges } from './challenges.ts';
import { InputAge } from './input-age.ts';
import type { InputReject } from '../metrics/metrics-families.ts';
import type { InputMessage } from '../contract/client-messages.ts';
import { GEARS, HAND_FRAMES } from '../../src/control/hand-controller.ts';

export class InputGate {
  readonly challenges = new Challenges();
  readonly #age = new InputAge();
  /** Largest age that the newest input that was judged can have, s. */
  age_s = 0;
  #sequence = -1;

  /** Inputs are numbered anew. */
  restart(): void {
    this.#sequence = -1;
  }

  /** Judge one input received at `now_s`. @returns why it is refused, null when it may pass */
  judge(input: InputMessage, now_s: number, limit_s: number): InputReject | null {
    const ahead = (input.seq - this.#sequence) >>> 0;
    if (this.#sequence >= 0 && (ahead === 0 || ahead > 0x7fffffff)) return 'sequence';
    this.#sequence = input.seq;
    const claimed_s = this.#age.update(input.t, now_s);
    if (input.challenge === undefined) return 'unmeasured';
    this.age_s = Math.max(this.challenges.age_s(input.challenge, now_s), claimed_s);
    return this.age_s > limit_s ? 'stale' : null;
  }

  /** Arguments of CommandKind.INPUT for the input that has just passed. */
  arguments(input: InputMessage): number[] {
    return [
      ...input.axes,
      input.deadman ? 1 : 0,
      GEARS.indexOf(input.gear),
      HAND_FRAMES.indexOf(input.frame),
      input.seq,
      this.age_s,
      ...(input.camera ?? []),
    ];
  }
}
