/**
 * What both ends of a robot link do alike in a session: draining the link, taking HELLO and REJECT, leaving with BYE and starting
 * anew. `ServerSession` and `RobotSession` add what each end sends and receives.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import type { Link } from '../contract/link.ts';
import { Endpoint, FRAMES_PER_POLL, type Identity } from './endpoint.ts';
import { Phase } from '../contract/phase.ts';
import { FrameType } from './frames.ts';
import { MAX_FRAME } from './layout.ts';
import type { TaggedSession } from './nonce.ts';

/** Numbers of a session at either end, and what they begin with. */
export const SESSION_FIELDS = { phase: 0, fresh: false, lostInRow: 0, received: 0 } as const;

export abstract class Session {
  /** What the fields of the session lie in. */
  readonly cells: Float64Array;
  /** One of `Phase`. */
  declare phase: number;
  /** A new STATE was accepted in this poll; at the robot's end a new SETPOINT. */
  declare fresh: boolean;
  declare lostInRow: number;
  /** Frames and errors so far, by `SessionCount`. */
  readonly counts: Float64Array;
  /** Time of the present call in the clock of this end, µs: set by the caller before each. A cell, because a double argument may be boxed. */
  readonly now_us: Float64Array;
  protected readonly end: Endpoint;
  protected readonly period_us: number;
  protected readonly out: Uint8Array = new Uint8Array(MAX_FRAME);
  /** Cyclic frames accepted in this poll. */
  declare received: number;
  /** A session or a handshake came to its end in this poll: nothing more is read, so that the loop finds that there is none. */
  private ended = false;

  /** @param cells for SESSION_FIELDS, and behind them what the end itself declares */
  constructor(
    identity: Omit<Identity, 'periodMin_us' | 'periodMax_us'>,
    period_s: number,
    cells: Float64Array = new StateArena().fields(SESSION_FIELDS),
  ) {
    this.cells = cells;
    this.period_us = Math.round(period_s * 1e6);
    const periods = { periodMin_us: this.period_us, periodMax_us: this.period_us };
    this.end = new Endpoint({ ...identity, ...periods });
    this.counts = this.end.counts;
    this.now_us = this.end.now_us;
  }

  /** What a `TaggingLink` needs of a session. */
  get tags(): TaggedSession {
    return this.end;
  }

  /** Code of the last REJECT sent or received, in REJECT_CODES; 0 after a handshake that worked. */
  get rejectCode(): number {
    return this.end.rejectCode;
  }

  /** Its sentence. */
  get rejectText(): string {
    return this.end.rejectText;
  }

  /** End the session. */
  sendBye(link: Link): boolean {
    if (this.phase < Phase.CONNECTING) return false;
    this.end.begin(FrameType.BYE);
    const sent = this.end.send(link);
    this.leave();
    return sent;
  }

  /** Forget what belongs to the session that was. */
  protected abstract clear(): void;
  /** Judge a HELLO and answer it. */
  protected abstract takeHello(link: Link): void;
  /** Any other frame than HELLO and REJECT. */
  protected abstract takeFrame(type: number, link: Link): void;

  /** Take in what the link has: the first part of every poll. @alloc none */
  protected drain(link: Link): void {
    const { end } = this;
    this.fresh = false;
    this.received = 0;
    this.ended = false;
    if (!link.connected) {
      if (this.phase !== Phase.OFFLINE) this.reset();
      end.helloNow();
    }
    for (let i = 0; i < FRAMES_PER_POLL && !this.ended; i++) {
      const type = end.receive(link);
      if (type < 0) break;
      if (type === FrameType.HELLO) this.takeHello(link);
      else if (type === FrameType.REJECT) this.takeReject();
      else if (type > 0) this.takeFrame(type, link);
    }
  }

  private takeReject(): void {
    if (this.phase >= Phase.SYNCING) return;
    this.end.takeReject();
    this.refused();
  }

  /** The handshake came to nothing; the peer may try again as it is. */
  protected refused(): void {
    this.phase = Phase.OFFLINE;
    this.end.forget();
  }

  /** The session has ended in order: no haste with the next. */
  protected leave(): void {
    this.reset();
    this.end.helloLater();
  }

  /** Offline; the next session begins with a new nonce. */
  protected reset(hadSession: boolean = this.phase >= Phase.SYNCING): void {
    this.end.renew(hadSession);
    this.phase = Phase.OFFLINE;
    this.ended = true;
    this.clear();
  }

  /**
   * The peer sent HELLO in the middle of the session: it is over, and this end sends HELLO at once. The nonce it had may be the one
   * it has.
   */
  protected beginAnew(): void {
    this.reset(false);
    this.end.helloNow();
  }
}

defineFields(Session, SESSION_FIELDS);
