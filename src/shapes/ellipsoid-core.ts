/**
 * Core of an ellipsoid with the semi-axes a: s(d) = A² d / h − m d with A = diag(a), h = |A d|. A
 * ball of the smallest radius of curvature, min(a)²/max(a), rolls freely inside an ellipsoid. Up to
 * that margin m this is therefore the support point of a convex set, and the swept set is the
 * ellipsoid itself.
 */
import type { ConvexCore } from './convex-core.ts';

/** Margin relative to the smallest radius of curvature; the core stays smooth. */
const MARGIN = 0.5;

/** An ellipsoid as one smooth patch. */
export class EllipsoidCore implements ConvexCore {
  readonly margin: number;
  readonly center: Float64Array = new Float64Array(3);
  readonly reach: number;
  readonly solid = true;
  readonly curved = true;
  /** Squares of the semi-axes, m². */
  private readonly squares: Float64Array;

  constructor(size: readonly [number, number, number]) {
    const least = Math.min(...size) / 2;
    const most = Math.max(...size) / 2;
    this.margin = (MARGIN * least * least) / most;
    this.reach = most - this.margin;
    this.squares = Float64Array.from(size, (length) => (length * length) / 4);
  }

  support(direction: Float64Array, out: Float64Array): number {
    this.patchSupport(0, direction, out);
    return 0;
  }

  patchSupport(_patch: number, direction: Float64Array, out: Float64Array): void {
    const q = this.squares;
    const x = direction[0];
    const y = direction[1];
    const z = direction[2];
    const k = 1 / Math.sqrt(q[0] * x * x + q[1] * y * y + q[2] * z * z);
    const m = this.margin;
    out[0] = (k * q[0] - m) * x;
    out[1] = (k * q[1] - m) * y;
    out[2] = (k * q[2] - m) * z;
  }

  patchCurvature(_patch: number, direction: Float64Array, out: Float64Array): void {
    // (A² − A²d (A²d)ᵀ / h²) / h − m (1 − d dᵀ)
    const q = this.squares;
    const m = this.margin;
    const x = direction[0];
    const y = direction[1];
    const z = direction[2];
    const u = q[0] * x;
    const v = q[1] * y;
    const w = q[2] * z;
    const k = 1 / Math.sqrt(u * x + v * y + w * z);
    const k3 = k * k * k;
    out[0] = k * q[0] - k3 * u * u - m * (1 - x * x);
    out[1] = k * q[1] - k3 * v * v - m * (1 - y * y);
    out[2] = k * q[2] - k3 * w * w - m * (1 - z * z);
    out[3] = m * x * y - k3 * u * v;
    out[4] = m * x * z - k3 * u * w;
    out[5] = m * y * z - k3 * v * w;
  }
}
