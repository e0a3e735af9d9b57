/** Where the tool of a model touches: what the warm-up of the loop visits, so that the code of contacts is compiled before it counts. */
import { CONTACT_READOUT, ContactReadout, type System } from '../../src/system/system.ts';
import { LoopMode } from '../contract/codes.ts';

/** Places checked along the commanded way. */
const PLACES = 100;
/** A step there may need so many sub-steps: no place so deep that the warm-up would take long. */
const MOST_SUBSTEPS = 4;
/** Halvings between the last free place and the first that touches. */
const HALVINGS = 12;

type Place = readonly [number, number, number];

/** Positions of the tool. */
export interface TouchingPlaces {
  /** Along the commanded way, where it touches, those of most pairs of cells first. */
  readonly places: readonly Place[];
  /** Where it is just about to touch first; null where it never does. */
  readonly onset: Place | null;
}

/** Where the tool begins, and the pairs that touch where it is put; −1 where a step fails or needs many sub-steps. */
function lookFrom(system: System): { start: Place; pairsAt: (at: Place) => number } {
  const { model } = system;
  const state = system.state.slice();
  const port = system.tool!;
  port.mode = LoopMode.VIRTUAL;
  system.useSchedule = false;
  const motion = port.measuredMotion;
  system.readBody(system.bodyIndex(model.tool!.payload), motion, 0);
  const row = new Float64Array(CONTACT_READOUT.length);
  const pairsAt = (at: Place): number => {
    motion.set(at);
    system.restore(state);
    system.placeTool();
    let failed = 0;
    for (let k = 0; k < 2; k++) failed += system.step(model.step);
    let pairs = 0;
    for (let k = 0; k < system.contactCount; k++) {
      system.readContact(k, row, 0);
      pairs += Math.max(row[ContactReadout.pairs], row[ContactReadout.active]);
    }
    return failed > 0 || system.substeps > MOST_SUBSTEPS ? -1 : pairs;
  };
  return { start: [motion[0], motion[1], motion[2]], pairsAt };
}

const middle = (a: Place, b: Place): Place => [
  (a[0] + b[0]) / 2,
  (a[1] + b[1]) / 2,
  (a[2] + b[2]) / 2,
];

/** What contacts run when they touch is most of what a tick runs, and the shadow has to have run it. None for a model without a tool. The system is of no other use then. */
export function touchingPlaces(system: System): TouchingPlaces {
  const { model } = system;
  if (model.tool === null) return { places: [], onset: null };
  const { start, pairsAt } = lookFrom(system);
  const span_s = model.duration / PLACES;
  const found: { readonly at: Place; readonly pairs: number }[] = [];
  let at = start;
  let free = start;
  let onset: Place | null = null;
  for (let n = 0; n < PLACES; n++) {
    const [x, y, z] = model.command.findLast(({ time }) => time <= n * span_s)?.twist ?? [0, 0, 0];
    at = [at[0] + span_s * x, at[1] + span_s * y, at[2] + span_s * z];
    const pairs = pairsAt(at);
    if (pairs > 0) found.push({ at, pairs });
    if (pairs === 0) free = at;
    else if (onset === null) {
      let touching = at;
      for (let k = 0; k < HALVINGS; k++) {
        const between = middle(free, touching);
        if (pairsAt(between) === 0) free = between;
        else touching = between;
      }
      onset = free;
    }
  }
  return { places: found.sort((a, b) => b.pairs - a.pairs).map((one) => one.at), onset };
}

/** Speeds of a tool that touches, m/s and rad/s: friction of what rests, creeps and slides are different branches. */
const SPEEDS = [0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2] as const;

/** Puts the n-th of many twists, from rest to 10 mm/s in all directions, into six numbers at `at`. */
export function slipTwist(n: number, into: Float64Array, at: number): void {
  const speed = SPEEDS[n % SPEEDS.length];
  // seven is no divisor of the nine speeds: every axis meets every speed with changing signs
  for (let a = 0; a < 6; a++) into[at + a] = speed * (((n + a) % 7) / 3 - 1);
}
