/** Turns at the robot port on a test clock: peers that hold connections open keep no robot out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  RobotTurns,
  SILENT_MS,
  type Turn,
  TURN_MS,
  WAITING_IN_ALL,
  WAITING_OF_PEER,
} from '../../../hil/access/robot-turns.ts';

/** The port: present turn and its start. */
class Port {
  readonly turns = new RobotTurns<string>();
  now_ms = 0;
  holder = '';
  turn: (Turn & { peer: string; greeted: boolean }) | null = null;
  readonly #peers = new Map<string, string>();
  readonly #speakers = new Set<string>();

  come(one: string, peer: string, speaks: boolean): boolean {
    this.#peers.set(one, peer);
    const { entered } = this.turns.enter(one, peer, this.now_ms);
    if (entered && speaks) {
      this.#speakers.add(one);
      this.turns.greeted(one);
    }
    this.#begin();
    return entered;
  }

  /** Advances by a millisecond. @returns the peer that lost its turn, '' for none */
  step(): string {
    this.now_ms++;
    if (this.turn === null || !this.turns.isOver(this.turn, this.now_ms)) return '';
    const loser = this.holder;
    this.turns.lost(this.turn.peer, this.now_ms);
    this.turn = null;
    this.#begin();
    return loser;
  }

  #begin(): void {
    if (this.turn !== null) return;
    const next = this.turns.next(this.now_ms);
    if (next === null) return;
    this.holder = next;
    const greeted = this.#speakers.has(next);
    this.turn = { since_ms: this.now_ms, peer: this.#peers.get(next)!, greeted };
  }
}

/** Holders that come again at once; @returns how long a robot that comes after waits for its turn, ms */
function wait(peer: string, speak: boolean): number {
  const port = new Port();
  let number = 0;
  const comeAgain = (): unknown => port.come(`holder ${number++}`, 'stranger', speak);
  for (let i = 0; i < 3; i++) comeAgain();
  for (let i = 0; i < 10_000; i++) if (port.step() !== '') comeAgain();
  assert.ok(port.come('robot', peer, true));
  const from = port.now_ms;
  while (port.holder !== 'robot') {
    if (port.step() !== '') comeAgain();
    assert.ok(port.now_ms - from < 60_000, 'never');
  }
  return port.now_ms - from;
}

test('72: silent holders that come again at once: a robot waits for half a second, from their address or another', () => {
  for (const peer of ['stranger', 'robot']) assert.ok(wait(peer, false) <= SILENT_MS, peer);
});

test('72: holders that say HELLO without the key: one turn from another address, one for each from theirs', () => {
  assert.ok(wait('robot', true) <= TURN_MS);
  assert.ok(wait('stranger', true) <= 3 * TURN_MS);
});

test('72: alone, a robot keeps its turn for as long as its handshake takes', () => {
  const port = new Port();
  port.come('robot', 'robot', false);
  for (let i = 0; i < 60_000; i++) assert.equal(port.step(), '');
  assert.equal(port.holder, 'robot');
});

test('72: the line is bounded: a crowd leaves room for another address, and the silent make room for all', () => {
  const port = new Port();
  const entered = Array.from({ length: 20 }, (_, i) => port.come(`a${i}`, 'crowd', true));
  assert.equal(entered.filter(Boolean).length, 1 + WAITING_OF_PEER);
  assert.equal(port.turns.waiting, WAITING_OF_PEER);
  for (let i = 0; i < 20; i++) port.come(`b${i}`, `peer ${i}`, true);
  assert.equal(port.turns.waiting, WAITING_IN_ALL);

  const silent = new Port();
  for (let i = 0; i < 20; i++) silent.come(`a${i}`, 'crowd', false);
  assert.equal(silent.come('robot', 'crowd', true), false, 'they have only just come');
  silent.now_ms += SILENT_MS;
  assert.equal(silent.come('robot', 'crowd', true), true);
  while (silent.holder !== 'robot') silent.step();
  assert.ok(silent.now_ms <= 2 * SILENT_MS + 1, String(silent.now_ms));
});

test('72: a session ends the line, and what its peer lost before is forgotten', () => {
  const turns = new RobotTurns<string>();
  turns.lost('robot', 0);
  turns.enter('x', 'x', 0);
  turns.enter('y', 'y', 0);
  assert.deepEqual(turns.settled('robot'), ['x', 'y']);
  assert.equal(turns.waiting, 0);
  turns.enter('robot', 'robot', 1);
  turns.enter('x', 'x', 1);
  turns.greeted('robot');
  turns.greeted('x');
  assert.equal(turns.next(1), 'robot');
});
