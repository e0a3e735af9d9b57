/**
 * Rests and the breakaways after them, out of the samples of slides, rests and slow pulls.
 *
 * A rest begins where a slide has slowed down to a tenth of its speed, and lasts to the breakaway. Until then the friction number follows the travel, φ = c + σ₀ u;
 * from then on it follows the limit μ_C + (μ_S − μ_C) s_dw, which goes on rising while the pull is slow beside the Stribeck speed. The breakaway is where both
 * meet: a parabola over the travel, as a slow bristle creeps, and one over time for the limit are fitted, and each place between two means is tried.
 *
 * The largest of n samples is above the limit by about σ √(2 ln n), with 1 N at 200 N by a fifth of a rise of 0.08. A mean over a window of the limit has no such bias.
 * It belongs to the middle of the window; what the limit bends within a window of a sixth of the dwell t is Δμ e^(−t/τ) (t/6τ)²/24, at most 0.06 % of Δμ.
 */
import { BerthError } from '../base/errors.ts';
import { binned, noiseBetweenSteps } from './bins.ts';

/** Samples in the order of time. */
export interface SlideData {
  /** s */
  readonly time: Float64Array;
  /** Speed along the motion, of either sign, m/s. */
  readonly slip: Float64Array;
  /** Normal force, N. */
  readonly force: Float64Array;
  /** Friction against a motion at positive speed, N. */
  readonly friction: Float64Array;
}

/** Windows of the limit after breakaways, in the order of time. */
export interface Breakaways {
  /** From the end of the slide to the middle of the window, s. */
  readonly dwell: Float64Array;
  /** Means, N. */
  readonly force: Float64Array;
  readonly friction: Float64Array;
  /** Samples of each window. */
  readonly samples: Float64Array;
  /** Rests after a slide, and those of them that end in a breakaway. */
  readonly rests: number;
  readonly broken: number;
  /** Rests after whose breakaway the friction falls: their pull was too fast, or the law is another. */
  readonly falling: number;
  /** Largest speed of a pull, m/s. */
  readonly pull: number;
}

const BIN_s = 0.01;
/** Part of the largest speed below which a slide has ended. */
const ENDED = 0.1;
/** That speed as a multiple of the noise of a mean, and least load. */
const LEAST_SIGNAL = 10;
/** Means of a slide and of a pull, and on either side of a breakaway. */
const LEAST_SLIDE = 5;
const LEAST_PULL = 12;
const LEAST_SIDE = 4;
/** Means about one that say how fast a pull is there. */
const ABOUT = 2;
/** Share of the rise over the travel that may be left after a breakaway. */
const LEFT = 0.5;
/** Deviations, and part of its number, by which friction has to be less to count as fallen. */
const FALLS = 8;
const FALLEN = 0.045;
/** Longest window as a part of the dwell. */
const WINDOW = 1 / 6;

const refused = (field: string, text: string): BerthError =>
  new BerthError('BERTH_MISMATCH', `${field}: ${text}`, { field });

/** Finds them. @throws BerthError for data that never slide, never rest, or in which no pull breaks away */
export function findBreakaways({ time, slip, force, friction }: SlideData): Breakaways {
  const rows = time.length;
  const span = time[rows - 1] - time[0];
  const most = Math.max(1, Math.round(span / BIN_s));
  const columns = [time, slip, force, friction];
  const { count, size, means } = binned(columns, most);
  const [t, v, n, f] = means;
  // slides begin and end within a mean
  const sigma = columns.map((one) => noiseBetweenSteps(one) / Math.sqrt(size));
  const fastest = v.reduce((top, one, i) => (isLoaded(i) ? Math.max(top, Math.abs(one)) : top), 0);
  const slow = ENDED * fastest;
  if (!(slow > LEAST_SIGNAL * sigma[1])) {
    throw refused(
      'slip',
      `the contact never slid under load: its largest speed is ${fastest.toPrecision(3)} m/s, and the noise of a mean ${sigma[1].toPrecision(2)} m/s; allowed: a slide before each rest, at ${LEAST_SIGNAL / ENDED} times this noise or more`,
    );
  }
  const table: [number, number, number, number][] = [];
  let [rests, broken, falling, pull] = [0, 0, 0, 0];
  for (let i = LEAST_SLIDE; i < count; i++) {
    if (!isRest(i) || isRest(i - 1)) continue;
    let slid = 0;
    while (slid < LEAST_SLIDE && isSlide(i - 1 - slid)) slid++;
    let end = i;
    while (end < count && isRest(end)) end++;
    // a rest whose beginning the data do not hold
    if (slid < LEAST_SLIDE || t[i] - t[i - 1] > 3 * BIN_s) continue;
    rests++;
    const [before, after] = [Math.abs(v[i - 1]), Math.abs(v[i])];
    const part = (before - slow) / (before - after);
    const begin = t[i - 1] + part * (t[i] - t[i - 1]);
    const found = breakaway(i, end);
    if (found === null) continue;
    broken++;
    pull = Math.max(pull, found.speed);
    if (found.falls || windows(begin, found.from, found.to, found.side)) falling++;
  }
  if (rests === 0)
    throw refused(
      'slip',
      'no slide ends in a rest under load; allowed: slides, rests of different lengths, and a slow pull after each',
    );
  if (broken === 0)
    throw refused(
      'friction',
      `no pull breaks away after any of ${rests} rests; allowed: a slow pull after each, on until the friction number follows the travel no more`,
    );
  const [dwell, load, drag, samples] = [0, 1, 2, 3].map((c) =>
    Float64Array.from(table, (row) => row[c]),
  );
  return { dwell, force: load, friction: drag, samples, rests, broken, falling, pull };

  function isLoaded(i: number): boolean {
    return n[i] > LEAST_SIGNAL * sigma[2];
  }

  function isRest(i: number): boolean {
    return isLoaded(i) && Math.abs(v[i]) < slow;
  }

  function isSlide(i: number): boolean {
    return i >= 0 && isLoaded(i) && Math.abs(v[i]) >= slow;
  }

  /** Mean speed about i. */
  function speedAt(i: number, from: number, end: number): number {
    let [sum, of] = [0, 0];
    for (let k = Math.max(from, i - ABOUT); k <= Math.min(end - 1, i + ABOUT); k++) {
      sum += v[k];
      of++;
    }
    return sum / of;
  }

  /** The part of a pull on the limit; null where there is none. */
  function breakaway(
    first: number,
    last: number,
  ): { from: number; to: number; side: number; speed: number; falls: boolean } | null {
    // the slide that follows begins within the last means: the pull is as fast as its middle
    let to = last - ABOUT;
    let speed = 0;
    for (; to - first > LEAST_PULL; to--) {
      speed = speedAt(to - 1, first, to);
      const earlier = speedAt(to - 1 - LEAST_PULL / 2, first, to);
      if (Math.abs(speed) < 1.3 * Math.abs(earlier) && speed * earlier > 0) break;
    }
    const side = Math.sign(speed);
    const spread = sigma[1] / Math.sqrt(2 * ABOUT + 1);
    if (!(Math.abs(speed) > 3 * spread)) return null;
    let from = to - 1;
    while (from > first && side * speedAt(from - 1, first, to) > 0.5 * Math.abs(speed)) from--;
    if (to - from < LEAST_PULL) return null;
    const travel = new Float64Array(to - from);
    for (let k = 1; k < travel.length; k++)
      travel[k] =
        travel[k - 1] +
        0.5 * side * (v[from + k - 1] + v[from + k]) * (t[from + k] - t[from + k - 1]);
    const number = travel.map((_, k) => (side * f[from + k]) / n[from + k]);
    const place = t.slice(from, to);
    let [best, at] = [Infinity, -1];
    for (let k = LEAST_SIDE; k <= travel.length - LEAST_SIDE; k++) {
      const left = unexplained(travel, number, 0, k) + unexplained(place, number, k, travel.length);
      if (left < best) [best, at] = [left, k];
    }
    const rise = slope(travel, number, 0, at);
    if (!(rise > 0 && slope(travel, number, at, travel.length) < LEFT * rise)) return null;
    // how far the place may be from the truth: three deviations of where two lines meet
    const scatter = Math.sqrt(best / (travel.length - 6));
    const doubt = (3 * scatter) / (LEFT * rise * Math.abs(speed) * Math.sqrt(LEAST_SIDE));
    const guard = 1 + Math.ceil(doubt / BIN_s);
    if (from + at + guard >= to) return null;
    // where the lines of a ramp and of what follows meet they are as high, within some deviations of both
    const ahead = Math.min(travel.length, at + LEAST_PULL);
    const top = meanOf(number, 0, at) + rise * (travel[at] - meanOf(travel, 0, at));
    const deviation = scatter * Math.sqrt(6 / at + 1 / (ahead - at));
    const falls = isFallen(top, meanOf(number, at, ahead), deviation);
    return { from: from + at + guard, to, side, speed: Math.abs(speed), falls };
  }

  /** Windows of the limit from mean `from` on, each at most a part of the dwell long. @returns whether it falls: no window is taken from there on */
  function windows(begin: number, from: number, to: number, side: number): boolean {
    let before = 0;
    const ratio = (first: number, last: number): number =>
      (side * meanOf(f, first, last)) / meanOf(n, first, last);
    for (let i = from; i < to; ) {
      const reach = WINDOW * (t[i] - begin);
      let end = i + 1;
      while (end < to && t[end] - t[i] < reach) end++;
      // what is left at the end is no window of its own
      if (i > from && end === to && t[end - 1] - t[i] < 0.5 * reach) break;
      const of = end - i;
      const middle = i + Math.ceil(of / 2);
      const halves = [ratio(i, middle), middle < end ? ratio(middle, end) : ratio(i, end)];
      const deviation = (sigma[3] / n[i]) * Math.sqrt(4 / of);
      if (isFallen(before, halves[0], deviation) || isFallen(halves[0], halves[1], deviation))
        return true;
      before = halves[1];
      table.push([
        meanOf(t, i, end) - begin,
        meanOf(n, i, end),
        side * meanOf(f, i, end),
        of * size,
      ]);
      i = end;
    }
    return false;
  }
}

const isFallen = (before: number, after: number, deviation: number): boolean =>
  before - after > Math.max(FALLS * deviation, FALLEN * before);

/** Mean of a part of a column. */
function meanOf(column: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += column[i];
  return sum / (to - from);
}

/** Slope of a line through a part of the data. */
function slope(x: Float64Array, y: Float64Array, from: number, to: number): number {
  const n = to - from;
  let [sx, sy, sxx, sxy] = [0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    sx += x[i];
    sy += y[i];
  }
  for (let i = from; i < to; i++) {
    const dx = x[i] - sx / n;
    sxx += dx * dx;
    sxy += dx * (y[i] - sy / n);
  }
  return sxx > 0 ? sxy / sxx : 0;
}

/** Sum of squares that a parabola leaves of a part of the data: Gram and Schmidt on the places. */
function unexplained(x: Float64Array, y: Float64Array, from: number, to: number): number {
  const n = to - from;
  let [mx, my] = [0, 0];
  for (let i = from; i < to; i++) {
    mx += x[i] / n;
    my += y[i] / n;
  }
  let [xx, xy, yy, cube] = [0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const [dx, dy] = [x[i] - mx, y[i] - my];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
    cube += dx * dx * dx;
  }
  let left = xx > 0 ? yy - (xy * xy) / xx : yy;
  if (!(xx > 0)) return left;
  let [qq, qy] = [0, 0];
  for (let i = from; i < to; i++) {
    const dx = x[i] - mx;
    const q = dx * dx - xx / n - (cube / xx) * dx;
    qq += q * q;
    qy += q * (y[i] - my);
  }
  if (qq > 0) left -= (qy * qy) / qq;
  return left;
}
