/**
 * Drawing of a bent link: it follows the cubic between the frames at its two ends, whose poses are
 * in the feed. It is exact for a uniform beam loaded at its tip. In the lowest mode of vibration
 * its error is at most 1.2 % of the deflection of the tip. Deflections are drawn at their true
 * size.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';

const X = new Vector3(1, 0, 0);

/** A beam along +x of the frame at its root, from the origin to (length, 0, 0). */
export class BentBeam {
  readonly #length: number;
  /** Frame at the tip, in the frame at the root. */
  readonly #tip = new Vector3();
  readonly #turn = new Quaternion();
  readonly #slope = new Vector3();
  readonly #point = new Vector3();
  readonly #across = new Vector3();
  readonly #along = new Vector3();
  readonly #lean = new Quaternion();
  readonly #inverse = new Matrix4();
  readonly #frame = new Matrix4();
  readonly #scale = new Vector3();

  constructor(length_m: number) {
    this.#length = length_m;
    this.#tip.set(length_m, 0, 0);
    this.#slope.copy(X);
  }

  /** Sets the poses of both ends, in one frame. */
  setEnds(root: Vector3, rootTurn: Quaternion, tip: Vector3, tipTurn: Quaternion): void {
    const one = this.#scale.set(1, 1, 1);
    this.#inverse.compose(root, rootTurn, one).invert();
    this.#frame.compose(tip, tipTurn, one).premultiply(this.#inverse);
    this.#frame.decompose(this.#tip, this.#turn, this.#scale);
    this.#slope.copy(X).applyQuaternion(this.#turn);
  }

  /** bent := points of the bent beam for those of the straight one, as x, y, z, … in the frame at the root. */
  bend(straight: ArrayLike<number>, bent: { [index: number]: number; length: number }): void {
    for (let i = 0; i + 2 < straight.length; i += 3) {
      this.#place(straight[i], straight[i + 1], straight[i + 2]);
      bent[i] = this.#point.x;
      bent[i + 1] = this.#point.y;
      bent[i + 2] = this.#point.z;
    }
  }

  /** Computes one point; before the root and beyond the tip the drawing is straight. */
  #place(x: number, y: number, z: number): void {
    const length = this.#length;
    const point = this.#point;
    if (x <= 0) {
      point.set(x, y, z);
      return;
    }
    if (x >= length) {
      point
        .set(x - length, y, z)
        .applyQuaternion(this.#turn)
        .add(this.#tip);
      return;
    }
    const s = x / length;
    const s2 = s * s;
    const s3 = s2 * s;
    // Hermite: from the origin along x to the tip along its slope, each with a tangent of the
    // length of the beam
    const leave = length * (s3 - 2 * s2 + s);
    const arrive = length * (s3 - s2);
    const there = 3 * s2 - 2 * s3;
    point.set(leave, 0, 0).addScaledVector(this.#tip, there).addScaledVector(this.#slope, arrive);
    const along = this.#along.set(3 * s2 - 4 * s + 1, 0, 0);
    along.addScaledVector(this.#tip, (6 * s - 6 * s2) / length);
    along.addScaledVector(this.#slope, 3 * s2 - 2 * s).normalize();
    this.#lean.setFromUnitVectors(X, along);
    point.add(this.#across.set(0, y, z).applyQuaternion(this.#lean));
  }
}
