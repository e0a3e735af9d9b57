/** A hand on the deadman of a service in this process: takes the arm, and takes it again after every hold and fault. */
import { CommandKind } from '../hil/commands.ts';
import type { Runtime } from '../hil/runtime-types.ts';
import { SafetyState } from '../hil/safety/codes.ts';

const HAND_OFF_MS = 400;
const CENTRED: readonly number[] = [0, 0, 0, 0, 0, 0];

/** Keeps the arm flying: authority, deadman, ARM, CLEAR. */
export class Hand {
  armed = 0;
  readonly #runtime: Runtime;
  readonly #axes: readonly number[];
  #sequence = 0;
  #offSince_ms = performance.now();
  #askedAt_ms = 0;

  constructor(runtime: Runtime, axes: readonly number[] = CENTRED) {
    this.#runtime = runtime;
    this.#axes = axes;
    runtime.post(CommandKind.AUTHORITY, 1);
  }

  /** Once per poll; `state` of the loop. */
  hold(state: number, flying: boolean): void {
    const now = performance.now();
    const runtime = this.#runtime;
    const startable = state === SafetyState.MONITOR_READY || state === SafetyState.HOLD;
    const busy = flying || state === SafetyState.ARMING;
    if (!busy && !startable) this.#offSince_ms = now;
    // let go for a while before every start: the deadman must be pressed anew
    const pressed = busy || (startable && now - this.#offSince_ms > HAND_OFF_MS);
    const deadman = pressed ? 1 : 0;
    const axes = flying ? this.#axes : CENTRED;
    runtime.post(CommandKind.INPUT, ...axes, deadman, 1, 0, ++this.#sequence, 0);
    if (flying || now - this.#askedAt_ms < 2 * HAND_OFF_MS) return;
    if (state === SafetyState.FAULT || state === SafetyState.ESTOP) {
      runtime.post(CommandKind.CLEAR);
      this.#askedAt_ms = now;
    } else if (startable && now - this.#offSince_ms > 1.5 * HAND_OFF_MS) {
      runtime.post(state === SafetyState.HOLD ? CommandKind.RESUME : CommandKind.ARM);
      this.#askedAt_ms = now;
      this.#offSince_ms = now; // refused: let go and press again
      this.armed++;
    }
  }
}
