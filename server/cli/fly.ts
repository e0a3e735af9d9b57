/**
 * `berth fly`: a scripted approach over the real operator socket. Waits until the loop is ready, presses the deadman, arms,
 * goes down in vernier gear until the accommodation settles on its plateau, stays, retreats and lets go.
 *
 * At rest on a surface the accommodation law gives |F| = gain × commanded speed + dead-band (Gonthier 2007, 1.2).
 */
import { parseArgs } from 'node:util';
import { BerthError } from '../../src/errors.ts';
import { OperatorClient, type Status } from './operator-client.ts';

export const usage = `Usage: berth fly [--url URL] [--key KEY] [--hold S] [--persist]

Flies the simulated arm down to contact, holds the plateau and retreats, speaking to a running
service as a hand controller would. Exit 1 when the plateau is not reached.

  --url URL   address of the service (default http://127.0.0.1:7410)
  --key KEY   operator key, when the service asks for one (default: BERTH_KEY)
  --hold S    seconds to stay at the plateau (default 5)
  --persist   after a hold or fault: recover, and fly again (demonstrations only)`;

/** The force counts as settled within this share of the plateau, for this long. */
const PLATEAU_SHARE = 0.1;
const SETTLE_S = 0.5;
const READY_TIMEOUT_S = 30;
const APPROACH_TIMEOUT_S = 30;
/** Slow enough for a neutral reading and a clear edge of the deadman at 100 Hz. */
const RELEASE_S = 0.3;
const RETREAT_S = 2;
/** Causes that only a person may undo. */
const BY_PERSON = ['OPERATOR_STOP', 'OPERATOR_HOLD', 'ROBOT_EMERGENCY_STOP'];
/** Recoveries of one flight with --persist. */
const RECOVERIES = 50;

const norm = (v: readonly number[]): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
const force_N = (status: Status): number => norm(status.tool_force_N ?? []);
const isActive = (status: Status): boolean => status.state.startsWith('ACTIVE');

class Flight {
  readonly #client: OperatorClient;
  readonly #signal: AbortSignal;
  readonly #expected_N: number | null;
  #plateauReached = false;

  constructor(client: OperatorClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
    const { tool, operator } = client.welcome;
    const speed_mps = operator.coarse_speed_mps * operator.vernier_ratio;
    this.#expected_N =
      tool === null ? null : tool.force_gain_Ns_per_m * speed_mps + tool.force_deadband_N;
    console.log(
      `fly: ${client.welcome.scenario}, ${client.welcome.mode} mode, approach at ` +
        `${(speed_mps * 1000).toFixed(2)} mm/s` +
        (this.#expected_N === null ? '' : `, plateau expected at ${this.#expected_N.toFixed(1)} N`),
    );
  }

  get plateauReached(): boolean {
    return this.#plateauReached;
  }

  /** Sticks centred, deadman released. */
  #letGo(): void {
    this.#client.axes.fill(0);
    this.#client.deadman = false;
    this.#client.sendInput();
  }

  async #pause(seconds: number): Promise<void> {
    await this.#client.waitFor(() => false, seconds, this.#signal);
  }

  /** Get to ACTIVE with the deadman pressed. @returns a reason when it did not work. */
  async #arm(): Promise<string | null> {
    const client = this.#client;
    this.#letGo();
    const authority = await client.request('authority.request');
    if (!authority.ok) return authority.message;
    await this.#pause(RELEASE_S);
    const held = client.status?.state === 'HOLD';
    if (!held) {
      const ready = (s: Status): boolean => s.state === 'MONITOR_READY' || s.state === 'FAULT';
      const status = await client.waitFor(ready, READY_TIMEOUT_S, this.#signal);
      if (status === null) {
        return `The loop did not become ready: ${client.status?.arm_blockers.join(' ') ?? ''}`;
      }
      if (status.state === 'FAULT') return `A fault is latched: ${status.faults.join(', ')}.`;
    }
    client.deadman = true;
    client.sendInput();
    await this.#pause(0.05);
    const answer = await client.request(held ? 'resume' : 'arm');
    if (!answer.ok) return answer.message;
    const active = await client.waitFor(isActive, 3, this.#signal);
    return active === null
      ? `Arming did not finish (${client.status?.state ?? 'no status'}).`
      : null;
  }

  /** Down until the force has settled. */
  async #approach(): Promise<string | null> {
    this.#client.axes[2] = -1;
    let settledSince_ms: number | null = null;
    let touched = false;
    const settled = await this.#client.waitFor(
      (status) => {
        if (!isActive(status)) return true;
        const force = force_N(status);
        if (!touched && status.state === 'ACTIVE_CONTACT') {
          touched = true;
          console.log(`fly: contact, ${force.toFixed(1)} N`);
        }
        const target = this.#expected_N ?? force;
        const near = force > 1 && Math.abs(force - target) <= PLATEAU_SHARE * target;
        if (!near) settledSince_ms = null;
        else settledSince_ms ??= performance.now();
        return settledSince_ms !== null && performance.now() - settledSince_ms >= SETTLE_S * 1000;
      },
      APPROACH_TIMEOUT_S,
      this.#signal,
    );
    if (settled === null) {
      return this.#client.closed
        ? 'The connection to the service is lost.'
        : 'The plateau was not reached in time.';
    }
    if (!isActive(settled)) return this.#describe(settled);
    const depth_um = (settled.contact?.penetration_m ?? 0) * 1e6;
    console.log(`fly: plateau, ${force_N(settled).toFixed(2)} N, ${depth_um.toFixed(2)} µm deep`);
    this.#plateauReached = true;
    return null;
  }

  #describe(status: Status): string {
    const causes = [...new Set([...status.faults, ...status.holds])].join(', ');
    return `The loop went to ${status.state}${causes === '' ? '' : ` (${causes})`}.`;
  }

  async #hold(seconds: number): Promise<string | null> {
    const left = await this.#client.waitFor((s) => !isActive(s), seconds, this.#signal);
    return left === null ? null : this.#describe(left);
  }

  /** One flight. @returns a reason when it was cut short. */
  async once(hold_s: number): Promise<string | null> {
    const armed = await this.#arm();
    if (armed !== null) return armed;
    console.log('fly: armed, going down');
    const cut = (await this.#approach()) ?? (await this.#hold(hold_s));
    if (cut !== null || this.#signal.aborted) return cut;
    console.log('fly: retreating');
    this.#client.axes[2] = 1;
    await this.#pause(RETREAT_S);
    return null;
  }

  /** Let go of everything; HOLD keeps the arm where it is. */
  async end(): Promise<void> {
    if (this.#client.closed) return;
    this.#letGo();
    await this.#client.request('hold');
    await this.#client.request('authority.release');
  }

  /**
   * After a hold or fault: let go, clear what is latched.
   * @returns false when a person stopped it: that is theirs to clear.
   */
  async recover(): Promise<boolean> {
    this.#letGo();
    await this.#pause(1);
    const { state, faults, holds } = this.#client.status ?? { state: '', faults: [], holds: [] };
    if ([...faults, ...holds].some((cause) => BY_PERSON.includes(cause))) return false;
    if (state === 'FAULT') await this.#client.request('clear');
    return state !== 'ESTOP';
  }
}

/** Run the command. */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:7410' },
      key: { type: 'string', default: process.env['BERTH_KEY'] ?? '' },
      hold: { type: 'string', default: '5' },
      persist: { type: 'boolean', default: false },
    },
  });
  const hold_s = Number(values.hold);
  if (!(hold_s >= 0 && hold_s < 1e6)) {
    throw new BerthError('BERTH_USAGE', `--hold must be 0 … 1000000 s, got "${values.hold}".`);
  }
  if (!URL.canParse(values.url)) {
    throw new BerthError('BERTH_USAGE', `--url must be an address, got "${values.url}".`);
  }
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Whoever read our lines may be gone before us.
  process.stdout.on('error', stop);
  try {
    const client = await OperatorClient.connect(values.url, values.key).catch((error: unknown) => {
      if (abort.signal.aborted) return null;
      throw error;
    });
    if (client === null) {
      console.log('fly: let go');
      return 1;
    }
    client.startInputs();
    const flight = new Flight(client, abort.signal);
    let reason = await flight.once(hold_s);
    for (let i = 0; values.persist && reason !== null && i < RECOVERIES; i++) {
      if (abort.signal.aborted || client.closed) break;
      console.log(`fly: ${reason} Recovering.`);
      if (!(await flight.recover())) {
        reason = 'Stopped by a person; not flown again.';
        break;
      }
      reason = await flight.once(hold_s);
    }
    await flight.end();
    client.close();
    if (abort.signal.aborted) console.log('fly: let go');
    else if (client.goneAway) console.log('fly: the service has ended');
    else if (reason !== null) console.error(`berth fly: ${reason}`);
    else console.log('fly: done');
    return flight.plateauReached ? 0 : 1;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
