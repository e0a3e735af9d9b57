/**
 * A scene in a fresh process at 1 kHz, for `npm run bench:first-contact`: the wall time of each tick from the first contact on. While it
 * waits for the next tick it polls the clock, so that it sees the stalls that are the machine's own.
 */
import { berthCells } from './peers/berth-cells.ts';
import type { Running } from './peers/engine.ts';
import { BOX_LEVEL, FREE_SCENES, RECEPTACLE } from './step/free-scenes.ts';
import { cutTray, Mover } from './volumetric-scenes.ts';

/** What a process says, µs. */
export interface FirstContact {
  /** The first tick in contact, the worst of the nine after it, and the worst of all. */
  readonly first_us: number;
  readonly nine_us: number;
  readonly worst_us: number;
  /** Ticks over the limit, and stalls over it while the process only polled the clock. */
  readonly over: number;
  readonly stalls: number;
  /** Median of the last 500 ticks. */
  readonly steady_us: number;
}

/** Limit of a tick, µs. */
const LIMIT_US = Number(process.argv[3]);
const TICKS = 3000;
const LAST = 500;

/** A scene that begins without contact. */
interface Approach {
  step(): void;
  touches(): boolean;
}

const running = (run: Running): Approach => ({
  step: () => run.step(),
  touches: () => run.contacts() > 0,
});

/** A measured payload that hangs over the tray for 200 ticks. */
function virtual(): Approach {
  const mover = new Mover(cutTray('virtual', 40));
  let n = 0;
  return {
    step: () => {
      mover.prepare();
      if (n++ < 200) mover.run.tool!.measuredMotion[2] += 0.01;
      mover.step();
    },
    touches: () => mover.pairs() > 0,
  };
}

/** The box on feet, 20 mm over the plane. */
function box(): Approach {
  const run = FREE_SCENES['box level'].berth.make({ ...BOX_LEVEL, position: [0, 0, 0.07] });
  const state = new Float64Array(13);
  return {
    step: () => run.step(),
    touches: () => {
      run.read(state);
      return state[2] < 0.05;
    },
  };
}

const SCENES: Readonly<Record<string, () => Approach>> = {
  receptacle: () =>
    running(berthCells('Berth', 8e6).make({ ...RECEPTACLE, position: [-0.02, 0, 0] })),
  virtual,
  box,
};

const scene = SCENES[process.argv[2]]();
const times = new Float64Array(TICKS);
let stalls = 0;
let seen = 0;
let next = performance.now() + 5;
while (seen < TICKS) {
  for (let before = performance.now(); before < next; ) {
    const now = performance.now();
    if (now - before > LIMIT_US / 1000 && seen > 0) stalls++;
    before = now;
  }
  const start = performance.now();
  scene.step();
  const time = 1000 * (performance.now() - start);
  if (seen > 0 || scene.touches()) times[seen++] = time;
  next = Math.max(next + 1, performance.now());
}
const last = times.slice(TICKS - LAST).sort();
const found: FirstContact = {
  first_us: times[0],
  nine_us: Math.max(...times.subarray(1, 10)),
  worst_us: Math.max(...times),
  over: times.filter((time) => time > LIMIT_US).length,
  stalls,
  steady_us: last[LAST / 2],
};
console.log(JSON.stringify(found));
