/** One client of the operator socket. */
import type { Role } from '../../hil/contract/roles.ts';
import { InputGate } from './input-gate.ts';
import type { SocketSender } from '../access/socket.ts';
import type { TokenBucket } from '../access/token-bucket.ts';

export class OperatorSession {
  readonly session: number;
  readonly role: Role;
  readonly sender: SocketSender;
  readonly bucket: TokenBucket;
  readonly gate = new InputGate();
  /** Until then its hello must come: time of this thread without its standstills, s. */
  readonly helloDue_s: number;
  greeted = false;
  /** When the client was last informed that an input was refused, s. */
  rejectReported_s = -Infinity;

  constructor(
    session: number,
    role: Role,
    sender: SocketSender,
    bucket: TokenBucket,
    helloDue_s: number,
  ) {
    this.helloDue_s = helloDue_s;
    this.session = session;
    this.role = role;
    this.sender = sender;
    this.bucket = bucket;
  }

  /** Name in the audit log. */
  get actor(): string {
    return `${this.role}#${this.session}`;
  }
}
