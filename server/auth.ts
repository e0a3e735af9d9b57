/** Who may come in: role keys, single-use tickets and the list of origins. */
import { randomBytes, timingSafeEqual, createHash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { usesTls } from '../hil/tls.ts';
import { checkAddresses, isLoopback } from './addresses.ts';
import { RequestError } from './errors.ts';

/** Roles, weakest first; a stronger role may do all that a weaker one may. */
export const ROLES = ['viewer', 'operator', 'supervisor'] as const;
export type Role = (typeof ROLES)[number];

/** Life of a ticket, s. */
export const TICKET_LIFE_S = 30;
/** Most tickets that may wait at once; the oldest goes when another is asked for. */
const TICKET_LIMIT = 1024;

/** Whether `role` may do what `needed` may. */
export function roleAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Equal, in a time that does not depend on where the two differ. */
function equalSecrets(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export class AccessControl {
  readonly #settings: Settings;
  readonly #tickets = new Map<string, { role: Role; expires_ms: number }>();
  readonly #now_ms: () => number;

  constructor(settings: Settings, now_ms: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now_ms = now_ms;
    checkAddresses(settings);
  }

  /** No keys and only this machine can reach us: nobody is asked for a key. */
  get keyless(): boolean {
    const { keys, host } = this.#settings.server;
    return Object.values(keys).length === 0 && isLoopback(host);
  }

  /** Role that an `Authorization: Bearer KEY` header gives. @throws 401 when it gives none. */
  roleOf(header: string | undefined): Role {
    if (this.keyless) return 'supervisor';
    const key = /^Bearer (.+)$/.exec(header ?? '')?.[1];
    if (key !== undefined) {
      let found: Role | null = null;
      for (const role of ROLES) {
        const expected = this.#settings.server.keys[role];
        if (expected !== undefined && equalSecrets(key, expected)) found = role;
      }
      if (found !== null) return found;
    }
    throw new RequestError(
      401,
      'BERTH_AUTH',
      'A role key is needed in the header "Authorization: Bearer KEY"; keys are set in server.keys.',
      'authorization',
    );
  }

  /** @throws 401 without a valid key, 403 when the key's role is too weak. */
  requireRole(header: string | undefined, needed: Role): Role {
    const role = this.roleOf(header);
    if (roleAtLeast(role, needed)) return role;
    throw new RequestError(
      403,
      'BERTH_ROLE',
      `The role ${role} may not do this; ${needed} or stronger may.`,
      'authorization',
    );
  }

  /** A fresh ticket for one socket. */
  issueTicket(role: Role): string {
    const now = this.#now_ms();
    for (const [ticket, { expires_ms }] of this.#tickets) {
      if (expires_ms > now && this.#tickets.size < TICKET_LIMIT) break; // oldest first
      this.#tickets.delete(ticket);
    }
    const ticket = randomBytes(24).toString('base64url');
    this.#tickets.set(ticket, { role, expires_ms: now + TICKET_LIFE_S * 1000 });
    return ticket;
  }

  /** Use a ticket up. @returns its role, or null when it is unknown, used or too old. */
  redeemTicket(ticket: string | null): Role | null {
    if (ticket === null) return null;
    const found = this.#tickets.get(ticket);
    if (found === undefined) return null;
    this.#tickets.delete(ticket);
    return found.expires_ms > this.#now_ms() ? found.role : null;
  }

  /** Whether pages of this origin may talk to us: the configured list, or our own address. */
  allowsOrigin(origin: string, port: number): boolean {
    const { origins, host, tls } = this.#settings.server;
    if (origins.includes(origin)) return true;
    const names = isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : [host];
    const [scheme, usual] = usesTls(tls) ? ['https', 443] : ['http', 80];
    const place = port === usual ? '' : `:${port}`;
    return names.some((name) => origin === `${scheme}://${name}${place}`);
  }
}
