/** Keys of the fly page that do nothing are answered with what would help; keys that work are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo, keyName, type KeyFacts } from '../../../server/console/fly/key-answers.ts';

const FLYING: KeyFacts = {
  otherDevice: null,
  operates: true,
  holder: 2,
  holds: true,
  shift: true,
  trouble: '',
  state: 'ACTIVE_FREE',
};
const answer = (code: string, change: Partial<KeyFacts> = {}, key = code.slice(-1)): string =>
  answerTo(code, keyName(code, key), { ...FLYING, ...change });

test('keys that work get no answer', () => {
  for (const code of ['KeyW', 'KeyE', 'ArrowLeft', 'ShiftLeft', 'KeyG'])
    assert.equal(answer(code), '');
  assert.equal(answer('KeyW', { state: 'ARMING' }), '');
});

test('a key without authority names the button to press', () => {
  const nobody = { holds: false, holder: 0 };
  assert.equal(answer('KeyD', nobody), 'D moves nothing yet: press “Request authority” first.');
  assert.match(answer('ShiftLeft', nobody, 'Shift'), /^Shift moves nothing yet: press “Request/);
  assert.match(answer('KeyD', { holds: false, holder: 7 }), /session 7 has authority/);
  assert.match(answer('KeyD', { holds: false, operates: false }), /only look and stop/);
});

test('the wrong Shift, and no Shift', () => {
  assert.match(answer('ShiftRight', {}, 'Shift'), /hold the left Shift/);
  assert.match(
    answer('ArrowUp', { shift: false }, 'ArrowUp'),
    /^↑ .*only while the left Shift is held/,
  );
});

test('a key before the arm is armed, in a hold, in a fault', () => {
  assert.match(answer('KeyR', { state: 'MONITOR_READY' }), /press “Arm” first/);
  assert.match(answer('KeyR', { state: 'HOLD' }), /Press “Resume”/);
  assert.match(answer('KeyR', { state: 'FAULT' }), /Press “Clear” first/);
  assert.match(answer('KeyR', { state: 'OFFLINE' }), /list under State/);
  assert.match(answer('KeyR', { state: 'HOLD', trouble: 'Let go.' }), /Let go\.$/);
});

test('a letter that is no key of the arm is answered with those that are; others have their own use', () => {
  assert.match(answer('KeyK'), /^K does nothing here\. Keys of the arm: A D, S W, F R/);
  for (const code of ['Tab', 'Enter', 'Escape', 'F5', 'Minus'])
    assert.equal(answer(code, {}, code), '');
});

test('keys while another device is chosen', () => {
  assert.match(answer('KeyW', { otherDevice: 'Pad' }), /Pad is chosen as hand controller/);
  assert.equal(answer('KeyK', { otherDevice: 'Pad' }), '');
});
