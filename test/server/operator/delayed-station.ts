/** A station that sends 100 inputs a second over a network with delays both ways to the whole loop on the virtual clock. */
import { Column, ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { InputGate } from '../../../server/operator/input-gate.ts';
import type { InputMessage } from '../../../server/contract/client-messages.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** Limit of the age of an input, the default of the settings, s. */
export const TIMEOUT_S = 0.1;
/** The limit in ticks, and the one in which what is too old by then is seen. */
export const MOST_TICKS = TIMEOUT_S / 1e-3 + 1;
/** Rounding of times that are compared with it, s. */
export const ROUNDING_S = 1e-9;
/** A challenge and an input every so many ticks. */
const EVERY = 10;
const DOWN = Column.setpoint_p_z_m;

export class DelayedStation {
  readonly rig = new VirtualRig();
  readonly gate = new InputGate();
  readonly refused: string[] = [];
  /** Delays of what was accepted, s. */
  readonly accepted: number[] = [];
  /** Client clock by the server's, s. */
  clock: (server_s: number) => number;
  stick = 0;
  deadman = true;
  sends = true;
  /** Whether it quotes challenges; an older client does not. */
  quotes = true;
  /** Whether it goes on hearing new ones; otherwise it quotes the last for ever. */
  receives = true;
  /** Arrival at the server of what is sent at that time, and of a challenge at the client. */
  arrival: (sent_s: number) => number = (sent_s) => sent_s + 0.005;
  downlink_s = 0;
  readonly #way: { sent_s: number; arrives_s: number; input: InputMessage }[] = [];
  readonly #challenges: { arrives_s: number; nonce: number; answer: boolean }[] = [];
  readonly #answers: { arrives_s: number; nonce: number }[] = [];
  readonly #row = new Float64Array(ROW_WIDTH);
  #sequence = 1_000_000;
  #received = 0;

  constructor(offset_s = 0) {
    this.clock = (server_s) => server_s + offset_s;
    this.rig.activate();
  }

  get now_s(): number {
    return this.rig.clock.now_us() / 1e6;
  }

  /** Height of the set-point, m. */
  get height(): number {
    new TelemetryRing(this.rig.shared.telemetry, ROW_WIDTH).readNewest(this.#row);
    return this.#row[DOWN];
  }

  run(ticks: number): void {
    this.rig.run(ticks, (tick) => {
      const now = this.now_s;
      if (tick % EVERY === 0) this.#challenge(now, tick % 1000 === 0);
      while (this.#challenges.length > 0 && this.#challenges[0].arrives_s <= now)
        this.#receive(now);
      if (this.sends && tick % EVERY === 0) this.#send(now);
      while (this.#answers.length > 0 && this.#answers[0].arrives_s <= now) {
        this.gate.challenges.answer(this.#answers.shift()!.nonce, now);
      }
      while (this.#way.length > 0 && this.#way[0].arrives_s <= now) this.#deliver();
    });
  }

  /** Ticks from now to HOLD, and its cause. */
  untilHold(most: number): { ticks: number; cause: string | null } {
    const from = this.rig.transitions.length;
    const start = this.rig.timing.executed;
    this.run(most);
    const hold = this.rig.transitions.slice(from).find(({ to }) => to === 'HOLD');
    return { ticks: (hold?.tick ?? Infinity) - start, cause: hold?.cause ?? null };
  }

  #challenge(now: number, answer: boolean): void {
    const nonce = this.gate.challenges.issue(now);
    this.#challenges.push({ arrives_s: now + this.downlink_s, nonce, answer });
  }

  #receive(now: number): void {
    const { nonce, answer } = this.#challenges.shift()!;
    if (!this.quotes || !this.receives) return;
    this.#received = nonce;
    if (answer) this.#answers.push({ arrives_s: this.arrival(now), nonce });
  }

  #send(now: number): void {
    const input: InputMessage = {
      v: 1,
      type: 'input',
      axes: [0, 0, this.stick, 0, 0, 0],
      deadman: this.deadman,
      gear: 'coarse',
      frame: 'base',
      ...(this.quotes ? { challenge: this.#received } : {}),
      seq: this.#sequence++,
      t: this.clock(now),
    };
    this.#way.push({ sent_s: now, arrives_s: this.arrival(now), input });
  }

  #deliver(): void {
    const { sent_s, input } = this.#way.shift()!;
    const refusal = this.gate.judge(input, this.now_s, TIMEOUT_S);
    if (refusal !== null) this.refused.push(refusal);
    else {
      this.accepted.push(this.now_s - sent_s);
      this.rig.command(CommandKind.INPUT, ...this.gate.arguments(input));
    }
  }
}

/** Largest delay of what was accepted, s. */
export const oldest = (station: DelayedStation): number => Math.max(0, ...station.accepted);
