/**
 * Runs what a tick calls too seldom for V8 to compile it in a warm-up of some seconds, on figures of its own: the clock filter (once
 * a second in a run), the prediction of contacts (every tenth tick, its search more seldom), windows of delays, and the sleep.
 */
import type { Settings } from '../../config/settings.ts';
import { Random } from '../../src/math/random.ts';
import { RootSlot } from '../energy/characteristic-roots.ts';
import {
  findCriticalDelay,
  findMargin,
  findStiffnessLimit,
  makePredictionCells,
  predictRestitution,
  PredictionSlot as P,
} from '../energy/prediction.ts';
import { TrimmedWindow } from '../energy/trimmed-window.ts';
import { RealClock } from '../os/clock.ts';
import { ClockSync } from '../protocol/clock-sync.ts';

const EXCHANGES = 20_000;
const PREDICTIONS = 1500;
const SAMPLES = 6000;
const WINDOW = 200;
/** Spin of the clock, s, and waits, µs: some that sleep and widen the spin, one longer than a sleep may be, then shorter and shorter polls, which narrow it. */
const SPIN_s = 30e-6;
const SLEEPS = 100;
const SLEEP_us = 60;
const POLLS = 1500;
const POLL_us = 44;
const SHORTEST_us = 20;
const LONG_us = 20_500;
const SEED = 1;

function warmClockFilter(): void {
  const now_us = new Float64Array(1);
  const filter = new ClockSync(now_us);
  for (let i = 1; i <= EXCHANGES; i++) {
    const t = i * 2000;
    now_us[0] = t;
    filter.sent();
    filter.exchange_us[0] = t;
    filter.exchange_us[1] = t + 150 + (i % 7);
    filter.exchange_us[2] = t + 160 + (i % 5);
    filter.exchange_us[3] = t + 310 + (i % 11);
    filter.add();
  }
}

/** Contacts of all kinds: stiff and soft, damped or not, early and late, with the force lead where it is set. */
function warmPrediction(random: Random, lead: boolean): void {
  const c = makePredictionCells();
  for (let i = 0; i < PREDICTIONS; i++) {
    c[P.MASS] = 1 + 500 * random.uniform();
    c[P.DAMPING] = i % 4 === 0 ? 0 : c[P.MASS] / (0.005 + 0.1 * random.uniform());
    c[P.STIFFNESS] = 1e4 + 3e6 * random.uniform();
    c[P.CONTACT_DAMPING] = i % 2 === 0 ? 0 : 2000 * random.uniform();
    c[P.DELAY] = i % 16 === 0 ? 0 : 0.02 * random.uniform();
    c[P.RESTITUTION_LIMIT] = 1.001 + 0.1 * random.uniform();
    c[RootSlot.LEAD] = lead && i % 2 === 1 ? 1 : 0;
    predictRestitution(c);
    findCriticalDelay(c);
    // the guess is the last limit: good for the same contact, bad for another
    if (i % 4 === 3) findStiffnessLimit(c);
    findStiffnessLimit(c);
    findMargin(c);
  }
}

function warmWindow(random: Random): void {
  const window = new TrimmedWindow(WINDOW);
  for (let i = 0; i < SAMPLES; i++) {
    window.sample[0] = 1e-3 * random.uniform();
    window.add();
    if (i % 4 === 0) window.average();
  }
}

function warmWaits(): void {
  const clock = new RealClock(new Int32Array(new SharedArrayBuffer(4)), SPIN_s);
  for (let i = 0; i < SLEEPS + POLLS; i++) {
    clock.sample();
    const part = (i - SLEEPS) / POLLS;
    const poll = POLL_us - part * (POLL_us - SHORTEST_us);
    const wait = i === 1 ? LONG_us : i < SLEEPS ? SLEEP_us : poll;
    clock.release_us = clock.time_us[0] + wait;
    clock.waitForRelease();
  }
}

/** Run it all: a quarter of a second. */
export function warmRare({ energy }: Settings): void {
  const random = new Random(SEED);
  warmClockFilter();
  warmPrediction(random, energy.compensation === 'lead');
  warmWindow(random);
  warmWaits();
}
