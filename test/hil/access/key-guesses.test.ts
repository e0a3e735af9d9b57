/** What wrong keys cost, by rule and on a clock of the test, and what keys may be at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyWeakness } from '../../../config/key-quality.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import {
  FREE_GUESSES,
  FREE_IN_ALL,
  KeyGuesses,
  LONGEST_DELAY_MS,
  PEERS_APART,
  WAITING_IN_ALL,
  WAITING_OF_PEER,
} from '../../../hil/access/key-guesses.ts';

const RIGHT = 'print of a right key';

test('60: a peer that guesses as fast as it can learns of less than one key a second', (t) => {
  const guesses = new KeyGuesses();
  const ends: number[] = [];
  let told = 0;
  let sent = 0;
  for (let now = 0; now < 600_000; now += 5) {
    for (let i = ends.length - 1; i >= 0; i--) {
      if (ends[i] > now) continue;
      ends.splice(i, 1);
      guesses.answered('10.0.0.1');
      told++;
    }
    for (let i = 0; i < 20; i++) {
      const wait = guesses.shown('10.0.0.1', `guess ${sent++}`, false, now);
      if (wait === 0) told++;
      else if (wait !== 'none') ends.push(now + wait);
    }
  }
  // four answers at a time, 5 s each, and a start that was cheaper
  const most = (WAITING_OF_PEER * 600_000) / LONGEST_DELAY_MS + FREE_GUESSES + 40;
  t.diagnostic(
    `acceptance 60: ${sent / 600} keys a second tried, ${(told / 600).toFixed(2)} a second answered`,
  );
  assert.ok(told < most, `${told} told, at most ${most}`);
});

test('60: the delay doubles to 5 s, and patience forgives', () => {
  const guesses = new KeyGuesses();
  const waits: unknown[] = [];
  for (let i = 0; i < 12; i++) {
    const wait = guesses.shown('a', `${i}`, false, 0);
    waits.push(wait);
    if (wait !== 0) guesses.answered('a');
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 5000, 5000]);
  assert.equal(guesses.shown('a', 'later', false, 5 * 60_000), 0);
});

test('60: a right key never waits for wrong ones from elsewhere, nor for those beside it when it came in before', () => {
  const guesses = new KeyGuesses();
  assert.equal(guesses.shown('desk', RIGHT, true, 0), 0);
  for (let i = 0; i < 1000; i++) {
    for (const peer of ['desk', `10.0.${i >> 8}.${i & 255}`]) {
      const wait = guesses.shown(peer, `${i}`, false, i);
      if (typeof wait === 'number' && wait > 0) guesses.answered(peer);
    }
  }
  assert.equal(guesses.shown('desk', RIGHT, true, 1000), 0, 'known there');
  assert.equal(guesses.shown('elsewhere', RIGHT, true, 1000), 0, 'a peer that has not guessed');
  assert.notEqual(
    guesses.shown('elsewhere', 'first guess', false, 1000),
    0,
    'a crowd is late from its first key on',
  );
  assert.notEqual(guesses.shown('10.0.0.1', RIGHT, true, 60_000), 'none');
  guesses.forget();
  assert.notEqual(guesses.shown('desk', RIGHT, true, 1000), 0, 'known no more');
  assert.ok(FREE_IN_ALL < 1000);
});

test('60: right or wrong look the same to a peer that guesses', () => {
  const guesses = new KeyGuesses();
  for (let i = 0; i < FREE_GUESSES; i++) guesses.shown('a', `${i}`, false, 0);
  const pair = [guesses.shown('a', 'wrong', false, 0), guesses.shown('a', RIGHT, true, 0)];
  assert.deepEqual(pair, [250, 250]);
  for (let i = 2; i < WAITING_OF_PEER; i++) guesses.shown('a', 'wrong', false, 0);
  assert.equal(guesses.shown('a', 'wrong', false, 0), 'none');
  assert.equal(guesses.shown('a', 'another right one', true, 0), 'none');
});

test('60: memory is bounded, whoever comes', () => {
  const guesses = new KeyGuesses();
  let waiting = 0;
  for (let i = 0; i < 20 * PEERS_APART; i++) {
    const wait = guesses.shown(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, `${i}`, false, 0);
    if (typeof wait === 'number' && wait > 0) waiting++;
  }
  assert.equal(waiting, WAITING_IN_ALL);
});

test('60: weak keys are refused at load, by setting and reason, without the key', () => {
  for (const [key, why] of [
    ['aaaaaaaa', /has 8 characters; allowed: at least 12/],
    ['x', /has 1 characters/],
    ['aaaaaaaaaaaaaaaa', /has only 1 different characters/],
    ['abababababab', /has only 2 different/],
    ['abcdefabcdef', /one piece again and again/],
    ['abcdefghijklmnop', /only counts up or down/],
    ['9876543210987', /only counts/],
  ] as const) {
    assert.match(keyWeakness(key) ?? '', why, key);
  }
  for (const key of ['kcFEf9uMF0aX', 'a-long-key-of-words', '8e6f1c0b7a52']) {
    assert.equal(keyWeakness(key), null, key);
  }
  const load =
    (...set: string[]) =>
    (): unknown =>
      loadSettings(undefined, set);
  const good = 'kcFEf9uMF0aXvKsT';
  assert.throws(load('server.keys={viewer: aaaaaaaaaaaa}'), {
    field: 'server.keys.viewer',
    message: /server\.keys\.viewer has only 1 different characters/,
  });
  assert.throws(load(`server.keys={viewer: ${good}, operator: ${good}}`), {
    field: 'server.keys.operator',
    message: /server\.keys\.operator is the key of server\.keys\.viewer too/,
  });
  assert.throws(load('robot.key=r'), {
    field: 'robot.key',
    message: /robot\.key has 1 characters/,
  });
  assert.throws(load(`server.keys={operator: ${good}}`, `robot.key=${good}`), {
    message: /robot\.key is the key of server\.keys\.operator too/,
  });
  for (const attempt of [load('robot.key=aaaaaaaa'), load('server.keys={viewer: abcdefabcdef}')]) {
    try {
      attempt();
    } catch (error) {
      assert.doesNotMatch((error as Error).message, /aaaaaaaa|abcdefabcdef/);
    }
  }
  assert.doesNotThrow(load(`server.keys={operator: ${good}}`, 'robot.key=J7wT2pHq9sVbXz4k'));
});
