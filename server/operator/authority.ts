/**
 * Authority to move the arm: one holder at most. A lease that inputs renew, requests that the holder is asked about,
 * take-over by a supervisor. Pure of sockets and of the clock: the caller passes the time, so schedules can be tested
 * exactly.
 */
import type { AuthorityReason } from '../metrics/metrics-families.ts';
import type { Role } from '../../hil/contract/roles.ts';
import type { ArmMotion } from '../status/status.ts';

/** How long the holder may think about a request, s. */
export const ASK_TIMEOUT_S = 10;

export type RequestAnswer = 'granted' | 'asked' | 'busy' | 'holder';
export type GrantAnswer = 'ok' | 'nothing_asked' | 'deadman_pressed' | 'moving';
export type TakeOverAnswer = 'ok' | 'not_allowed' | 'wrong_state' | 'moving';

/** Events that the keeper reports to its owner. */
export interface AuthorityEvents {
  /** The holder changed (0: none). */
  changed(holder: number, reason: AuthorityReason): void;
  /** The holder is asked whether `session` may take over. */
  asked(holder: number, session: number): void;
  /** A request was turned down, by the holder or by time. */
  denied(session: number, message: string): void;
}

export class AuthorityKeeper {
  holder = 0;
  /** Session that waits for the holder's answer, 0 none. */
  asking = 0;
  #leaseEnd_s = 0;
  #askEnd_s = 0;
  readonly #lease_s: number;
  readonly #events: AuthorityEvents;

  constructor(lease_s: number, events: AuthorityEvents) {
    this.#lease_s = lease_s;
    this.#events = events;
  }

  #give(session: number, now_s: number, reason: AuthorityReason): void {
    if (this.asking === session || session === 0) this.asking = 0;
    this.holder = session;
    this.#leaseEnd_s = now_s + this.#lease_s;
    this.#events.changed(session, reason);
  }

  /** The place is free: a waiting session is next. The loop holds at once, whichever session follows. */
  #vacate(now_s: number, reason: AuthorityReason): void {
    const next = this.asking;
    this.#give(0, now_s, reason);
    if (next !== 0) this.#give(next, now_s, 'requested');
  }

  /** A session requests authority. */
  request(session: number, now_s: number): RequestAnswer {
    this.tick(now_s);
    if (this.holder === session) return 'holder';
    if (this.holder === 0) {
      this.#give(session, now_s, 'requested');
      return 'granted';
    }
    if (this.asking !== 0 && this.asking !== session) return 'busy';
    this.asking = session;
    this.#askEnd_s = now_s + ASK_TIMEOUT_S;
    this.#events.asked(this.holder, session);
    return 'asked';
  }

  /** The holder lets `asking` have it: only with the deadman released and the set-point at rest. */
  grant(session: number, now_s: number, arm: ArmMotion): GrantAnswer {
    this.tick(now_s);
    if (this.holder !== session || this.asking === 0) return 'nothing_asked';
    if (arm.deadman) return 'deadman_pressed';
    if (arm.moving) return 'moving';
    this.#give(this.asking, now_s, 'granted');
    return 'ok';
  }

  /** The holder keeps it. @returns false when there is nothing to deny or the session is not the holder. */
  deny(session: number): boolean {
    if (this.holder !== session || this.asking === 0) return false;
    const asked = this.asking;
    this.asking = 0;
    this.#events.denied(asked, 'The holder keeps authority.');
    return true;
  }

  release(session: number, now_s: number): boolean {
    if (this.holder !== session) return false;
    this.#vacate(now_s, 'released');
    return true;
  }

  /** A supervisor takes over, consent or not, where the arm is not engaged and its set-point rests. */
  takeOver(session: number, role: Role, now_s: number, arm: ArmMotion): TakeOverAnswer {
    if (role !== 'supervisor') return 'not_allowed';
    if (arm.engaged) return 'wrong_state';
    if (arm.moving) return 'moving';
    this.#give(session, now_s, 'taken_over');
    return 'ok';
  }

  /** An input of the holder arrived. @returns false when the session does not hold. */
  renew(session: number, now_s: number): boolean {
    this.tick(now_s);
    if (this.holder !== session) return false;
    this.#leaseEnd_s = now_s + this.#lease_s;
    return true;
  }

  disconnect(session: number, now_s: number): void {
    if (this.asking === session) this.asking = 0;
    if (this.holder === session) this.#vacate(now_s, 'disconnected');
  }

  /** Let leases and questions run out. */
  tick(now_s: number): void {
    if (this.asking !== 0 && now_s >= this.#askEnd_s) {
      const asked = this.asking;
      this.asking = 0;
      this.#events.denied(asked, `The holder did not answer in ${ASK_TIMEOUT_S} s.`);
    }
    if (this.holder !== 0 && now_s >= this.#leaseEnd_s) this.#vacate(now_s, 'lease_expired');
  }
}
