/**
 * The mass of `fem-stick-slip` on one point of an elastic face: friction by the rule of the loop, whose stick needs no more than a stiff face. The spring
 * takes part in the mid-point rule,
 *
 * (m + k h²/4) v_m = m v + (h/2)(k (X_m − x) + f),  so that the point answers with A_tt = (h²/4)/(m + k h²/4)
 */
import { ElasticPatch, patchStateLength } from '../../src/contact/elastic/elastic-patch.ts';
import { makePatch } from '../../src/contact/elastic/patch-constants.ts';
import { SLIDE } from '../../src/contact/elastic/patch-problem.ts';
import { planePatch } from './massless-points.ts';

/** Compliance of the point in all directions, m/N: 1e-5 of that of the spring. */
const FACE = 1e-7;

/** What is pulled: kg, N/m, m/s, N on the floor, coefficients. */
export interface PulledData {
  readonly mass: number;
  readonly stiffness: number;
  readonly pull: number;
  readonly press: number;
  readonly static: number;
  readonly sliding: number;
}

/** Place and speed of the mass, and force of the spring, at the end of each step. */
export interface PulledRun {
  readonly place: number[];
  readonly speed: number[];
  readonly force: number[];
  /** Whether the point slid in the step. */
  readonly slides: boolean[];
}

/** Runs it in steps of h seconds. */
export function runPulledPoint(data: PulledData, h: number, end: number): PulledRun {
  const { mass, stiffness, pull, press } = data;
  const face = { points: [[0, 0]] as const, compliance: Float64Array.of(FACE, 0, 0, FACE) };
  const constants = makePatch(planePatch(face), h);
  const state = new Float64Array(patchStateLength(constants));
  const friction = { static: data.static, sliding: data.sliding };
  const patch = new ElasticPatch(constants, friction, state);
  const inertia = mass + (stiffness * h * h) / 4;
  const along = (h * h) / 4 / inertia;
  const across = (h * h) / 4 / mass;
  patch.problem.moves[0] = 1;
  patch.problem.mobility[0] = along;
  patch.problem.mobility[14] = across;
  const out: PulledRun = { place: [], speed: [], force: [], slides: [] };
  // the face bears the load from the start
  let [x, v, y, w] = [0, 0, -FACE * press, 0];
  for (let s = 1; s <= Math.round(end / h); s++) {
    const spring = stiffness * (pull * (s - 0.5) * h - x);
    const free = (mass * v + (h / 2) * spring) / inertia;
    const fall = w - ((h / 2) * press) / mass;
    patch.pose.set([x + (h / 2) * free, 0, y + (h / 2) * fall, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    patch.step();
    const middle = free + ((h / 2) * patch.wrench[0]) / inertia;
    const lift = fall + ((h / 2) * patch.wrench[2]) / mass;
    x += h * middle;
    v = 2 * middle - v;
    y += h * lift;
    w = 2 * lift - w;
    out.place.push(x);
    out.speed.push(v);
    out.force.push(stiffness * (pull * s * h - x));
    out.slides.push(patch.problem.states[0] === SLIDE);
  }
  return out;
}
