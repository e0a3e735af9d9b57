/**
 * Where the sections of half a ball in a plate with a hole change their form, as plate-panels.ts has it for the wall of a cone. The variable
 * is the angle χ from the base, z = z_c ± r sin χ. A face at ζ_f, d over the middle of the ball, cuts it in a circle of the radius
 * ϱ = √(r² − d²) about x_c = −s z_c:
 *
 *   its line is tangent to the rim         z = z_c + c d ∓ s ϱ at x = x_c ± ϱ                                         (1)
 *   its line is tangent to the ellipse     z = c ζ_f − s (m_0 ± R)                                                    (2)
 *   rim, line and ellipse meet             where the circles of ball and hole do, z = c ζ_f − s x                      (3)
 */
import { asin } from '../../math/elementary/inverse-circular.ts';
import { BORE, type BoreSection } from './bore-section.ts';
import { CUT, EVENT, EventList } from './plate-panels.ts';

/** Events of one half ball and one plate. Allocates in its constructor only. */
export class BallPanels extends EventList {
  readonly #cut: Float64Array;
  /** z of the middle, radius, and side: 1 above its base, −1 below. */
  readonly #ball: Float64Array;

  constructor(cut: Float64Array, center: number, radius: number, side: 1 | -1) {
    super();
    this.#cut = cut;
    this.#ball = Float64Array.of(center, radius, side);
  }

  find(bore: BoreSection): void {
    const { pose } = bore;
    const cut = this.#cut;
    const ball = this.#ball;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const radius = pose[BORE.radius];
    this.count[0] = 0;
    for (let side = CUT.low; side <= CUT.high; side++) {
      const height = cut[side];
      if (s === 0) {
        this.#put(height, EVENT.end);
        continue;
      }
      for (let sign = -1; sign <= 1; sign += 2) {
        const x = pose[BORE.along] + sign * radius;
        const u = c * x + s * height;
        const z = c * height - s * x;
        const off = z - ball[0];
        const v = pose[BORE.across];
        const inside = u * u + v * v + off * off < ball[1] * ball[1];
        this.#put(z, inside ? EVENT.end : EVENT.root);
      }
      this.#putCircle(bore, height);
    }
  }

  /** Events of the circle in which a face cuts the ball: (1), (3). */
  #putCircle(bore: BoreSection, height: number): void {
    const { pose } = bore;
    const ball = this.#ball;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const radius = pose[BORE.radius];
    const d = height - c * ball[0];
    const square = ball[1] * ball[1] - d * d;
    if (!(square > 0)) return;
    const wide = Math.sqrt(square);
    const x = -s * ball[0] - pose[BORE.along];
    const y = -pose[BORE.across];
    for (let sign = -1; sign <= 1; sign += 2) {
      const far = x + sign * wide;
      const outside = far * far + y * y > radius * radius;
      this.#put(ball[0] + c * d - sign * s * wide, outside ? EVENT.end : EVENT.root);
    }
    const distance = Math.sqrt(x * x + y * y);
    if (!(distance > 0)) return;
    // from the middle of the circle towards the hole, and across
    const along = (square - radius * radius + distance * distance) / (2 * distance);
    const across = square - along * along;
    if (!(across > 0)) return;
    const h = Math.sqrt(across);
    for (let sign = -1; sign <= 1; sign += 2) {
      const at = -s * ball[0] - (along * x + sign * h * y) / distance;
      this.#put(c * height - s * at, EVENT.kink);
    }
  }

  #put(z: number, kind: number): void {
    const ball = this.#ball;
    const sine = (ball[2] * (z - ball[0])) / ball[1];
    if (sine >= -1 && sine <= 1) this.append(asin(sine), kind);
  }
}
