/** A worker that is stopped where it reads the word of the turn, beside a single loop that never stops. */
import { Turn } from '../../../hil/redundant/turn.ts';
import { drive } from './compare.ts';
import { RedundantRig } from './rig.ts';

/** Every so many ticks one is interrupted. */
export const EVERY = 11;

export class Killed extends Error {}

/** Have a worker call `then` at its n-th reading of the word of the turn. */
export function stopAtWord(rig: RedundantRig, worker: number, n: number, then: () => void): void {
  const turn = rig.turns[worker];
  const plain = new Turn(rig.memory!.turn);
  let left = n;
  Object.defineProperty(turn, 'word', {
    configurable: true,
    get: (): number => {
      if (left-- === 0) {
        Reflect.deleteProperty(turn, 'word');
        then();
      }
      return plain.word;
    },
  });
}

/** What tick `i` brings goes to both; the single loop has it at once. */
export function driveBoth(one: RedundantRig, other: RedundantRig, i: number): void {
  for (const rig of [one, other]) drive(rig, i);
  one.tick();
}
