/**
 * Every message × role × authority over the real socket: exactly the allowed cells pass the
 * permission check (hil-anchors 9.4, 46). The loop's answer to a permitted request (`wrong_state`,
 * `fault_latched`) does not depend on roles.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  CLIENT_MESSAGES,
  type ClientMessageType,
} from '../../../server/contract/client-messages.ts';
import { type Message, type Peer, Service } from '../../fixtures/service.ts';

type Role = 'operator' | 'supervisor';
type Authority = 'mine' | 'other' | 'none';

const always = (): boolean => true;
const holder = (_role: Role, authority: Authority): boolean => authority === 'mine';

/**
 * Content of a message, and its permitted roles. Every client sends `hello`; a viewer gets no
 * operator socket at all.
 */
const MATRIX: Readonly<
  Record<
    ClientMessageType,
    { fields?: object; allowed: (role: Role, authority: Authority) => boolean }
  >
> = {
  hello: { allowed: always },
  sync: { fields: { t: 0 }, allowed: always },
  'challenge.answer': { allowed: always },
  input: {
    fields: { axes: [0, 0, 0, 0, 0, 0], deadman: false, gear: 'vernier', frame: 'base', t: 0 },
    allowed: holder,
  },
  stop: { fields: { cat: 2 }, allowed: always },
  hold: { allowed: always },
  clear: { fields: { reason: 'tried' }, allowed: always },
  arm: { allowed: holder },
  resume: { allowed: holder },
  'fma.set': { fields: { axes: [true, true, true, true, true, true] }, allowed: holder },
  'hand_mode.set': { fields: { mode: 'rate' }, allowed: holder },
  'permit.acknowledge': { allowed: holder },
  'energy.set': { fields: { compensation: 'none' }, allowed: holder },
  tare: { allowed: (role, authority) => authority === 'mine' || role === 'supervisor' },
  'authority.request': { allowed: always },
  'authority.grant': { allowed: holder },
  'authority.deny': { allowed: holder },
  'authority.release': { allowed: holder },
  'alarm.ack': { allowed: always },
  // a name that there is not: the loop of this service goes on
  'scenario.load': { fields: { scenario: 'none of the list' }, allowed: holder },
};
/** Answers that deny permission, whatever the state of the loop. */
const DENIALS: readonly unknown[] = ['no_authority', 'nothing_asked'];

let service: Service;
before(async () => {
  service = await Service.start((settings) => {
    settings.operator.authority_lease_s = 60;
  });
});
after(() => service.close());

/** Send a message. @returns whether it got past the permission check */
async function permitted(peer: Peer, type: ClientMessageType, seq: number): Promise<boolean> {
  const fields = { ...MATRIX[type].fields };
  if (type === 'input') {
    const refused = peer.next(({ type: what }) => what === 'input.reject').then(() => false);
    refused.catch(() => undefined);
    peer.send({ type, seq, ...fields, challenge: peer.challenge });
    // answers come in order: the answer after the input shows that the input was not refused
    const answered = peer.next(({ type: what }) => what === 'sync').then(() => true);
    peer.send({ type: 'sync', id: 1, t: 0 });
    return Promise.race([refused, answered]);
  }
  if (type === 'challenge.answer') {
    const answered = peer.next(({ type: what }) => what === 'sync').then(() => true);
    peer.send({ type, challenge: peer.challenge });
    peer.send({ type: 'sync', id: 1, t: 0 });
    return answered;
  }
  const id = 100_000 + seq;
  const answer = peer.next((m) => m['id'] === id);
  peer.send({ type, id, ...fields });
  const { type: kind, code } = (await answer) as Message & { code?: string };
  return kind !== 'ack' || !DENIALS.includes(code);
}

test('46: every message, role and authority: exactly the allowed cells succeed', async (t) => {
  assert.deepEqual(Object.keys(MATRIX).sort(), Object.keys(CLIENT_MESSAGES).sort());
  let cells = 0;
  for (const role of ['operator', 'supervisor'] as const) {
    const other = await service.operator();
    const third = await service.operator();
    for (const authority of ['mine', 'other', 'none'] as const) {
      for (const type of Object.keys(MATRIX) as ClientMessageType[]) {
        // a fresh client for each cell, because the sequence of inputs and the limit of refusals
        // per second carry over
        const peer = await service.operator(role);
        const owner = authority === 'mine' ? peer : authority === 'other' ? other : null;
        if (owner !== null) {
          assert.equal((await owner.request('authority.request'))['code'], 'ok');
        }
        if (type === 'authority.grant' || type === 'authority.deny') {
          if (owner !== null)
            assert.equal((await third.request('authority.request'))['code'], 'asked');
        }
        const expected = MATRIX[type].allowed(role, authority);
        const what = `${type} by ${role}, authority ${authority}`;
        assert.equal(await permitted(peer, type, cells), expected, what);
        cells++;
        if (owner !== null) {
          await third.request('authority.request');
          await owner.request('authority.deny');
        }
        await peer.request('authority.release');
        peer.socket.close();
        await peer.closed;
        await other.request('authority.release');
        await third.request('authority.release');
        await other.request('authority.release');
      }
    }
    other.socket.close();
    third.socket.close();
  }
  assert.equal(cells, 2 * 3 * Object.keys(CLIENT_MESSAGES).length);
  t.diagnostic(`acceptance 46: ${cells} cells as allowed`);
});
