/** HMAC-SHA-256 against node:crypto over lengths of key and message, and against the vectors of RFC 4231. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { HmacSha256 } from '../../../hil/protocol/hmac-sha256.ts';
import { makeRandom } from '../../fixtures/session-pair.ts';

const hmac = new HmacSha256();

function code(key: Uint8Array, message: Uint8Array): string {
  hmac.setKey(key, key.length);
  hmac.compute(message, message.length);
  return Buffer.from(hmac.digest).toString('hex');
}

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

// RFC 4231, 4.2 to 4.8; test case 5 gives the first 128 bits only
const VECTORS: readonly (readonly [Uint8Array, Uint8Array, string])[] = [
  [
    hex('0b'.repeat(20)),
    ascii('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    ascii('Jefe'),
    ascii('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    hex('aa'.repeat(20)),
    hex('dd'.repeat(50)),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  [
    hex('0102030405060708090a0b0c0d0e0f10111213141516171819'),
    hex('cd'.repeat(50)),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [hex('0c'.repeat(20)), ascii('Test With Truncation'), 'a3b6167473100ee06e0c796c2955552b'],
  [
    hex('aa'.repeat(131)),
    ascii('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    hex('aa'.repeat(131)),
    ascii(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
];

test('the vectors of RFC 4231', () => {
  for (const [key, message, expected] of VECTORS) {
    assert.equal(code(key, message).slice(0, expected.length), expected);
  }
});

test('61: equal to node:crypto for keys of 0 to 200 bytes and messages of 0 to 512', () => {
  const random = makeRandom(4231);
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => 256 * random());
  let compared = 0;
  const compare = (key: Uint8Array, message: Uint8Array): void => {
    const expected = createHmac('sha256', key).update(message).digest('hex');
    assert.equal(code(key, message), expected, `key ${key.length}, message ${message.length}`);
    compared++;
  };
  // every boundary of a block, for the key and for the message
  for (let length = 0; length <= 200; length++) compare(bytes(length), bytes(132));
  for (let length = 0; length <= 512; length++) compare(bytes(32), bytes(length));
  for (let n = 0; n < 4000; n++) compare(bytes(200 * random()), bytes(512 * random()));
  assert.ok(compared > 4700);
});
