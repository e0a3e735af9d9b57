/**
 * Sub-steps of an elastic face by itself within one step of its system. Of the bodies it sees the relative twist V of body i about its origin, the
 * same without the face V*, and the response S; axes, levers and A are those of the start of the step, so that A is factored once.
 *
 * In each of n sub-steps of h = H/n, with the place X of the points beyond the pose, V_0 = V and wrench w:
 *
 *   V_f = V + (V* − V_0)/n,  w = f(X + (h/4)(V_f − V)),  V ← V_f + h S w,  X ← X + h V
 *
 * That is the staggered step of elastic-patch.ts under a constant acceleration. The bodies get the impulse P = Σ h w; that they also stand at X in the
 * end takes Q = Σ h w (n − k)/n, k = 0 … n − 1: what of P acts through the step. Work: w against the mean of V before and after. @alloc none
 */
import type { ElasticPatch } from './elastic-patch.ts';
import { LIMITED, OPEN, UNSETTLED } from './patch-problem.ts';

/** Gap above which a point is sure to be open, m: far above the rounding of places of some metres. */
const CLEAR = 1e-12;

/** Runs the sub-steps of one face. All twists and wrenches in the axes of body i, about its origin. */
export class PatchSubsteps {
  /** V at the start and without the face: v(3) w(3). */
  readonly start: Float64Array = new Float64Array(6);
  readonly free: Float64Array = new Float64Array(6);
  /** S, 6 × 6. */
  readonly response: Float64Array = new Float64Array(36);
  /** P and Q, N s and N m s, and the wrench of the last sub-step. */
  readonly impulse: Float64Array = new Float64Array(6);
  readonly early: Float64Array = new Float64Array(6);
  readonly last: Float64Array = new Float64Array(6);
  /** [work of the face on the bodies, J; (sub-)steps that did not settle; that had too many points; with points that pushed] */
  readonly sums: Float64Array = new Float64Array(4);
  /** [energy of statics at the end, that of the modes, J] */
  readonly energies: Float64Array = new Float64Array(2);
  private readonly twist: Float64Array = new Float64Array(6);
  private readonly change: Float64Array = new Float64Array(6);
  private readonly place: Float64Array = new Float64Array(6);
  private readonly span: Float64Array = new Float64Array(1);

  /** n sub-steps of timing[0]/n; pose of the patch at the start of the step. Leaves the patch at the end. @alloc none */
  run(patch: ElasticPatch, timing: Float64Array, n: number): void {
    const { start, free, response, impulse, early, last, sums, twist, change, place, span } = this;
    const { problem, drift } = patch;
    const h = timing[0] / n;
    span[0] = h;
    patch.setStep(span);
    problem.moves[0] = 1;
    for (let a = 0; a < 36; a++) problem.mobility[a] = 0.25 * h * h * response[a];
    impulse.fill(0);
    early.fill(0);
    sums.fill(0);
    place.fill(0);
    for (let a = 0; a < 6; a++) change[a] = (free[a] - start[a]) / n;
    const first = this.countOpen(patch, n);
    for (let a = 0; a < 6; a++) {
      twist[a] = start[a] + first * change[a];
      place[a] = h * (first * start[a] + 0.5 * first * (first + 1) * change[a]);
    }
    for (let k = first; k < n; k++) {
      for (let a = 0; a < 6; a++) {
        drift[a] = place[a] + 0.25 * h * change[a];
      }
      problem.held = k > first && patch.isFlat;
      patch.solve();
      this.takeWrench(patch);
      for (let a = 0; a < 6; a++) {
        let answer = change[a];
        for (let b = 0; b < 6; b++) answer += h * response[6 * a + b] * last[b];
        sums[0] += h * last[a] * (twist[a] + 0.5 * answer);
        twist[a] += answer;
        place[a] += h * twist[a];
        impulse[a] += h * last[a];
        early[a] += (h * last[a] * (n - k)) / n;
      }
      patch.advance();
      sums[1] += problem.readout[UNSETTLED];
      sums[2] += problem.readout[LIMITED];
      if (problem.readout[0] > 0) sums[3]++;
    }
    problem.held = false;
    drift.fill(0);
    patch.energies(this.energies);
    // the force is half a sub-step older than the work that it did
    for (let a = 0; a < 6; a++) this.energies[0] -= 0.5 * h * last[a] * twist[a];
    if (!(this.energies[0] > 0)) this.energies[0] = 0;
  }

  /** Leading sub-steps in which no point touches, less one: they move the place and nothing else. None with modes, which swing. */
  private countOpen({ constants, pose, problem, isFlat }: ElasticPatch, n: number): number {
    const { start, change, span } = this;
    const h = span[0];
    const { points, count, modes } = constants;
    const { states } = problem;
    if (modes > 0 || !isFlat) return 0;
    for (let p = 0; p < count; p++) if (states[p] !== OPEN) return 0;
    let open = n;
    for (let p = 0; p < count && open > 0; p++) {
      let gap = pose[2];
      let rate = 0.0;
      let bend = 0.0;
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const c = (a + 2) % 3;
        const moment = points[3 * p + b] * pose[9 + c] - points[3 * p + c] * pose[9 + b];
        gap += pose[9 + a] * points[3 * p + a];
        rate += pose[9 + a] * start[a] + moment * start[3 + a];
        bend += pose[9 + a] * change[a] + moment * change[3 + a];
      }
      let k = 0;
      while (k < open && gap + h * (k * rate + (0.5 * k * (k + 1) + 0.25) * bend) > CLEAR) k++;
      open = k;
    }
    return open > 0 ? open - 1 : 0;
  }

  /** last := wrench of the patch. */
  private takeWrench({ pose, wrench }: ElasticPatch): void {
    for (let a = 0; a < 3; a++) {
      this.last[a] = pose[3 + a] * wrench[0] + pose[6 + a] * wrench[1] + pose[9 + a] * wrench[2];
      this.last[3 + a] =
        pose[3 + a] * wrench[3] + pose[6 + a] * wrench[4] + pose[9 + a] * wrench[5];
    }
  }
}
