/**
 * What the robot reports of its own safety in a tick. Several STATE frames may come in one tick, and a later one must not hide what
 * an earlier one reported. The worst safety and every fault bit count until the tick is over. A frame whose motion is refused
 * counts too, for its checksum and its place in the session are right. A robot in trouble may well send a pose that is no number.
 *
 * FAULT comes once. One that stops counts until the robot is asked to clear it or the session ends, or it would be forgotten before ARM. One
 * that holds counts for its tick: how long it lasts is in the bits of STATE.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { fieldOffset, FrameType } from './layout.ts';
import { robotFaultBit, stopFaults } from '../contract/robot-faults.ts';
import type { FrameReader, StateFrame } from './frames.ts';

const SAFETY = fieldOffset(FrameType.STATE, 'safety');
const FAULT = fieldOffset(FrameType.STATE, 'fault');

/** How bad each `RobotSafety` is: normal, reduced, protective stop, emergency stop. */
const SEVERITY = Uint8Array.of(0, 2, 3, 1);

const Word = Object.freeze({
  WORST: 0,
  BITS: 1,
  FRAMES: 2,
  /** Of FAULT frames: of this tick, and those that stop until they are cleared. */
  TOLD: 3,
});
const { WORST, BITS, FRAMES, TOLD } = Word;

/** One of a session; `begin`, any number of `receive`, `settle` in each tick. */
export class RobotWords {
  readonly arena: StateArena;
  readonly #words: Float64Array;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.#words = arena.table(Word);
  }

  /** The worst `RobotSafety` of this tick, or of the newest STATE where none came. */
  get safety(): number {
    return this.#words[WORST];
  }

  /** Fault bits of all STATE and FAULT frames of this tick, or of the newest STATE where none came, and stops reported before. */
  get faultBits(): number {
    return (this.#words[BITS] | this.#words[TOLD]) >>> 0;
  }

  /** A tick begins. @alloc none */
  begin(): void {
    const words = this.#words;
    const stops = stopFaults(words[TOLD]);
    words.fill(0);
    words[TOLD] = stops;
  }

  /** The robot is asked to clear its faults, or its session is over: what FAULT frames reported is cleared. @alloc none */
  resetReported(): void {
    this.#words[TOLD] = 0;
  }

  /** A STATE of this session, in its place, that `reader` has taken. @alloc none */
  receive(reader: FrameReader): void {
    const safety = reader.u8(SAFETY);
    const words = this.#words;
    words[FRAMES]++;
    words[BITS] = (words[BITS] | reader.u32(FAULT)) >>> 0;
    if (safety < SEVERITY.length && SEVERITY[safety] > SEVERITY[words[WORST]]) {
      words[WORST] = safety;
    }
  }

  /** A FAULT of this session, by its code. @alloc none */
  receiveFault(code: number): void {
    this.#words[TOLD] = (this.#words[TOLD] | robotFaultBit(code)) >>> 0;
  }

  /** All frames of the tick have come. @alloc none */
  settle(newest: StateFrame): void {
    const words = this.#words;
    if (words[FRAMES] > 0) return;
    words[WORST] = newest.safety;
    words[BITS] = newest.fault;
  }
}
