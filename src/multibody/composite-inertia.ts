/**
 * Mass matrix of a chain by the composite-rigid-body method: everything outward of joint k is one rigid body; the momentum that a
 * unit rate of joint k gives it, seen at joint j <= k, is M_jk. `Featherstone 2008, 6.2`.
 */
import type { ChainSegment } from './chain-segment.ts';

/** Work space of one chain. */
export class CompositeInertia {
  private readonly segments: readonly ChainSegment[];
  /** Centre of mass and inertia about it of what lies outward, world. */
  private readonly center: Float64Array = new Float64Array(3);
  private readonly inertia: Float64Array = new Float64Array(9);
  /** [mass]: in a cell, so that it stays unboxed. */
  private readonly mass: Float64Array = new Float64Array(1);

  constructor(segments: readonly ChainSegment[]) {
    this.segments = segments;
  }

  /** Fills the symmetric n × n matrix, kg m², row by row. @alloc none */
  computeMassMatrix(out: Float64Array): void {
    const n = this.segments.length;
    const c = this.center;
    const m = this.inertia;
    this.mass[0] = 0;
    for (let i = 0; i < 3; i++) c[i] = 0;
    for (let i = 0; i < 9; i++) m[i] = 0;
    for (let k = n - 1; k >= 0; k--) {
      const segment = this.segments[k];
      if (segment.mass !== 0) this.add(segment);
      const a = segment.axis;
      const p = segment.joint;
      const mass = this.mass[0];
      // momentum by a unit rate: linear, and angular about the composite's centre
      const lx = mass * (a[1] * (c[2] - p[2]) - a[2] * (c[1] - p[1]));
      const ly = mass * (a[2] * (c[0] - p[0]) - a[0] * (c[2] - p[2]));
      const lz = mass * (a[0] * (c[1] - p[1]) - a[1] * (c[0] - p[0]));
      const hx = m[0] * a[0] + m[1] * a[1] + m[2] * a[2];
      const hy = m[3] * a[0] + m[4] * a[1] + m[5] * a[2];
      const hz = m[6] * a[0] + m[7] * a[1] + m[8] * a[2];
      for (let j = 0; j <= k; j++) {
        const b = this.segments[j].axis;
        const o = this.segments[j].joint;
        const rx = c[0] - o[0];
        const ry = c[1] - o[1];
        const rz = c[2] - o[2];
        const value =
          b[0] * (hx + ry * lz - rz * ly) +
          b[1] * (hy + rz * lx - rx * lz) +
          b[2] * (hz + rx * ly - ry * lx);
        out[n * k + j] = value;
        out[n * j + k] = value;
      }
    }
  }

  /** Joins a segment to the composite: parallel axes with the reduced mass. */
  private add(segment: ChainSegment): void {
    const c = this.center;
    const m = this.inertia;
    const x = segment.state;
    const before = this.mass[0];
    const mass = before + segment.mass;
    const reduced = (before * segment.mass) / mass;
    const part = segment.mass / mass;
    const dx = x[0] - c[0];
    const dy = x[1] - c[1];
    const dz = x[2] - c[2];
    const square = dx * dx + dy * dy + dz * dz;
    for (let i = 0; i < 9; i++) m[i] += segment.inertia[i];
    m[0] += reduced * (square - dx * dx);
    m[4] += reduced * (square - dy * dy);
    m[8] += reduced * (square - dz * dz);
    m[1] -= reduced * dx * dy;
    m[3] -= reduced * dx * dy;
    m[2] -= reduced * dx * dz;
    m[6] -= reduced * dx * dz;
    m[5] -= reduced * dy * dz;
    m[7] -= reduced * dy * dz;
    c[0] += part * dx;
    c[1] += part * dy;
    c[2] += part * dz;
    this.mass[0] = mass;
  }
}
