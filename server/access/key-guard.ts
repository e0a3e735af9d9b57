/**
 * Wrong keys of the HTTP face: counted, written down and answered late (hil/access/key-guesses.ts). STOP and HOLD with a right key
 * take effect at once from any address. Only the answer to a peer that guesses is delayed, and is then the same for right keys and
 * wrong ones.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessControl } from './auth.ts';
import { BerthError } from '../../src/base/errors.ts';
import { describeError } from '../contract/errors.ts';
import { KeyGuesses } from '../../hil/access/key-guesses.ts';
import type { ServerCounters } from '../metrics/metrics-families.ts';
import type { Refusals } from './refusals.ts';

/** What makes the robot safe does not wait for its answer. */
const SAFE = new Set(['/api/session/stop', '/api/session/hold']);

const KEPT_BACK = new BerthError(
  'BERTH_GUESSES',
  'Too many wrong keys came from this address: whether this one is right is not told now. STOP and HOLD with a right key have been obeyed.',
  { field: 'authorization' },
);

export interface KeyGuardParts {
  readonly access: AccessControl;
  readonly counters: ServerCounters;
  readonly refusals: Refusals;
  /** The peer that a request comes from; one peer has one name. */
  readonly peerOf: (request: FastifyRequest) => string;
  /** A steady clock. */
  readonly now_ms: () => number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Guard all routes that are registered from now on. @returns the wrong and right keys of each peer */
export function guardKeys(app: FastifyInstance, parts: KeyGuardParts): KeyGuesses {
  const { access, counters, refusals, peerOf, now_ms } = parts;
  const guesses = new KeyGuesses();
  /** Answers that are kept back. */
  const late = new WeakMap<FastifyRequest, { readonly wait: number | 'none'; peer: string }>();

  const wait = async (request: FastifyRequest): Promise<void> => {
    const held = late.get(request);
    if (held === undefined || held.wait === 'none') return;
    late.delete(request);
    await pause(held.wait);
    guesses.answered(held.peer);
  };

  app.addHook('onRequest', async (request) => {
    const shown = access.shownKey(request.headers.authorization);
    if (shown === null) return;
    const right = shown.role !== null;
    if (!right) counters.add('auth_failures_total', 1, 'wrong');
    const peer = peerOf(request);
    const verdict = guesses.shown(peer, shown.print, right, now_ms());
    if (verdict === 0) return;
    counters.add('auth_delayed_total', 1);
    if (verdict === 'none' && !right) refuse(request, peer, 'BERTH_AUTH');
    const safe = SAFE.has(request.routeOptions.url ?? '');
    if (verdict === 'none' && !(safe && right)) throw KEPT_BACK;
    late.set(request, { wait: verdict, peer });
    if (!(safe && right)) await wait(request);
  });
  app.addHook('onSend', async (request, reply: FastifyReply, payload) => {
    if (late.get(request)?.wait !== 'none') {
      await wait(request);
      return payload;
    }
    const { status, body } = describeError(KEPT_BACK);
    void reply.code(status);
    return JSON.stringify(body);
  });
  app.addHook('onError', (request, _reply, error, next) => {
    const { code } = describeError(error).body;
    if (code === 'BERTH_AUTH' || code === 'BERTH_ROLE') {
      if (code === 'BERTH_ROLE') counters.add('auth_failures_total', 1, 'role');
      else if (access.shownKey(request.headers.authorization) === null) {
        counters.add('auth_failures_total', 1, 'missing');
      }
      note(request, peerOf(request), code);
    }
    next();
  });

  function note(request: FastifyRequest, peer: string, result: string): void {
    // it writes down itself what it refuses
    if (request.routeOptions.url !== '/api/tickets') refuse(request, peer, result);
  }

  function refuse({ method, routeOptions }: FastifyRequest, peer: string, result: string): void {
    const { url = 'unknown' } = routeOptions;
    const action = url === '/api/tickets' ? 'ticket' : `${method} ${url}`;
    refusals.refused(peer, { actor: 'http', action, result });
  }
  return guesses;
}
