/**
 * Independent of hil and src: one touch of a simulated arm whose robot follows with a lag, and nothing else is late. In each period the
 * arm takes a force, the robot follows what it was sent:
 *
 *   e'' + 2 w e' + w² e = 0,  e = p − (x + t v)        within the period, from the set-point x, v of the period before (docs/emulator.md)
 *
 * Forces are sampled once a period, and the two ports are booked as the audit of the loop books them.
 */

/** A touch at `speed_mps`, along one axis, positive into the wall. */
export interface Touch {
  readonly mass_kg: number;
  /** M v' = … + d (v_cmd − v); 0: a free mass. */
  readonly damping_Ns_per_m: number;
  readonly speed_mps: number;
  /** The stick is drawn back so long after the touch, s; a free mass leaves by itself. */
  readonly press_s: number;
  /** Of the force, N. */
  readonly deadband_N: number;
  /** Contact force, N, at depth, m, its rate, m/s, and that at which the contact began. */
  readonly law: (depth: number, rate: number, impact: number) => number;
  /** The arm feels what is measured, or, as the model's compensation has it, that and the difference that the law makes of the two poses. */
  readonly compensated: boolean;
  /** Natural frequency of the robot's critically damped tracking. */
  readonly response_Hz: number;
}

/** What came of it. */
export interface Touched {
  /** Taken from the arm, and what the hardware got more than it gave, J. */
  readonly in_J: number;
  readonly created_J: number;
  readonly restitution: number;
}

/** Clear of the wall, m. */
const CLEAR_M = 5e-4;
const MOST_PERIODS = 20_000;
/** Into which a period is divided. */
const PHASES = 20;

/** Least and most of a figure over where in a period of `h`, s, the touch may fall. */
export function spread(one: Touch, h: number, figure: (of: Touched) => number): [number, number] {
  const all = Array.from({ length: PHASES }, (_, i) => figure(touch(one, h, i / PHASES)));
  return [Math.min(...all), Math.max(...all)];
}

/** Fly it with the period `h`, s, and the touch by `phase` of a period later. */
function touch(one: Touch, h: number, phase: number): Touched {
  const w = 2 * Math.PI * one.response_Hz;
  const fade = Math.exp(-w * h);
  let command = one.speed_mps;
  let x = -CLEAR_M - phase * h * one.speed_mps;
  let v = one.speed_mps;
  let sentX = x - h * v;
  let sentV = v;
  let p = x;
  let q = v;
  let measured = 0;
  let armImpact = 0;
  let robotImpact = 0;
  let in_J = 0;
  let created_J = 0;
  let since_s = NaN;
  for (let n = 0; n < MOST_PERIODS; n++) {
    if (x > 0 && Number.isNaN(since_s)) since_s = 0;
    let f = measured;
    if (one.compensated) {
      // both contacts have one impact, the faster, while both touch
      const shared = x > 0 && p > 0 ? Math.max(armImpact, robotImpact) : 0;
      f += one.law(x, v, shared || armImpact) - one.law(p, q, shared || robotImpact);
      if (f < 0) f = 0;
    }
    const push = Math.max(0, f - one.deadband_N);
    const drive = one.damping_Ns_per_m * (command - v);
    const next = v + (h * (drive - push)) / one.mass_kg;
    const given_J = 0.5 * h * f * (v + next);
    if (given_J > 0) in_J += given_J;
    const before = p;
    const apart = x <= 0;
    v = next;
    x += h * v;
    if (apart && x > 0) armImpact = v;
    const e = p - sentX;
    const rate = q - sentV;
    p = sentX + h * sentV + fade * ((1 + w * h) * e + h * rate);
    q = sentV + fade * (-w * w * h * e + (1 - w * h) * rate);
    sentX = x;
    sentV = v;
    if (before <= 0 && p > 0) robotImpact = q;
    const g = one.law(p, q, robotImpact);
    created_J += 0.5 * (measured + g) * (p - before) - given_J;
    measured = g;
    if (Number.isNaN(since_s)) continue;
    since_s += h;
    if (since_s > one.press_s) command = -one.speed_mps;
    if (x < -CLEAR_M) return { in_J, created_J, restitution: -v / one.speed_mps };
  }
  throw new Error('It does not come off the wall');
}
