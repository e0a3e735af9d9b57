/** Access of clients: role keys and single-use tickets. */
import { randomBytes, timingSafeEqual, createHash } from 'node:crypto';
import type { Settings } from '../../config/settings.ts';
import { checkAddresses, isLoopback } from './addresses.ts';
import { BerthError } from '../../src/base/errors.ts';
import { type Role, roleAtLeast, ROLES } from '../../hil/contract/roles.ts';

/** Life of a ticket, s. */
export const TICKET_LIFE_S = 30;
/** Most tickets that may wait at once; the oldest is dropped when another is issued. */
const TICKET_LIMIT = 1024;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A key that was shown: a fingerprint that identifies it without being it, and its role; null when it has none. */
export interface ShownKey {
  readonly print: string;
  readonly role: Role | null;
}

/** Role of a request, and the key it came by. Of a key that is changed or withdrawn, sockets and tickets end. */
export interface Grant {
  readonly role: Role;
  readonly print: string;
}

const print = (digested: Buffer | undefined): string => digested?.toString('base64url') ?? '-';

const digests = (keys: Settings['server']['keys']): ReadonlyMap<Role, Buffer> =>
  new Map(ROLES.flatMap((role) => (keys[role] === undefined ? [] : [[role, digest(keys[role])]])));

export class AccessControl {
  readonly #settings: Settings;
  readonly #tickets = new Map<string, Grant & { readonly expires_ms: number }>();
  readonly #now_ms: () => number;
  /** SHA-256 of the key of each role. */
  #keys: ReadonlyMap<Role, Buffer>;

  constructor(settings: Settings, now_ms: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now_ms = now_ms;
    checkAddresses(settings);
    this.#keys = digests(settings.server.keys);
  }

  /** No keys and only this machine can reach the service: no request needs a key. */
  get keyless(): boolean {
    return this.#keys.size === 0 && isLoopback(this.#settings.server.host);
  }

  /** Other keys from now on. @returns roles whose key is another or gone */
  exchangeKeys(keys: Settings['server']['keys']): Role[] {
    const old = this.#keys;
    this.#keys = digests(keys);
    const changed = ROLES.filter((role) => print(old.get(role)) !== print(this.#keys.get(role)));
    for (const [ticket, grant] of this.#tickets) {
      if (!this.holds(grant)) this.#tickets.delete(ticket);
    }
    return changed;
  }

  /** Whether a grant still has the key that it was given for. */
  holds({ role, print: shown }: Grant): boolean {
    if (this.keyless) return true;
    return ROLES.some((one) => roleAtLeast(one, role) && print(this.#keys.get(one)) === shown);
  }

  /** The key of an `Authorization: Bearer KEY` header; null without one, and where none is needed. */
  shownKey(header: string | undefined): ShownKey | null {
    if (this.keyless) return null;
    const key = /^Bearer (.+)$/.exec(header ?? '')?.[1];
    if (key === undefined) return null;
    const shown = digest(key);
    let role: Role | null = null;
    for (const one of ROLES) {
      const expected = this.#keys.get(one);
      if (expected !== undefined && timingSafeEqual(shown, expected)) role = one;
    }
    return { print: print(shown), role };
  }

  /** Role that an `Authorization: Bearer KEY` header gives. @throws 401 when it gives none. */
  roleOf(header: string | undefined): Role {
    if (this.keyless) return 'supervisor';
    const role = this.shownKey(header)?.role;
    if (role !== undefined && role !== null) return role;
    throw new BerthError(
      'BERTH_AUTH',
      'A role key is needed in the header "Authorization: Bearer KEY"; keys are set in server.keys.',
      { field: 'authorization' },
    );
  }

  /** @throws 401 without a valid key, 403 when the key's role is too weak. */
  requireRole(header: string | undefined, needed: Role): Role {
    const role = this.roleOf(header);
    if (roleAtLeast(role, needed)) return role;
    throw new BerthError(
      'BERTH_ROLE',
      `The role ${role} may not do this; ${needed} or stronger may.`,
      { field: 'authorization' },
    );
  }

  /** A fresh ticket for one socket, as long as the key of the header lives. @throws 401 or 403 for more than the key grants */
  issueTicket(role: Role, header?: string): string {
    this.requireRole(header, role);
    const now = this.#now_ms();
    for (const [ticket, { expires_ms }] of this.#tickets) {
      if (expires_ms > now && this.#tickets.size < TICKET_LIMIT) break; // oldest first
      this.#tickets.delete(ticket);
    }
    const ticket = randomBytes(24).toString('base64url');
    const shown = this.shownKey(header)?.print ?? '';
    this.#tickets.set(ticket, { role, print: shown, expires_ms: now + TICKET_LIFE_S * 1000 });
    return ticket;
  }

  /** Use a ticket up. @returns what it grants, or null when it is unknown, used or too old. */
  redeemTicket(ticket: string | null): Grant | null {
    if (ticket === null) return null;
    const found = this.#tickets.get(ticket);
    if (found === undefined) return null;
    this.#tickets.delete(ticket);
    return found.expires_ms > this.#now_ms() ? found : null;
  }
}
