/**
 * What bending takes from a beam that keeps its arc length: an axial position draws in by half the integral of the squared slope up
 * to there. That takes from the distance of the tip, from the first moment and, to second order, from the moments of inertia
 * across. docs/theory/trees.md. All zero for a beam without centrifugal stiffening.
 */
import type { BeamModes } from './beam-modes.ts';

/** Quadratic forms of one beam. */
export class BeamShortening {
  readonly active: boolean;
  /** Derivatives of what is lost of distance and first moment, and half that of the inertia, by the modal coordinates. */
  readonly distance: Float64Array;
  readonly moment: Float64Array;
  readonly inertia: Float64Array;
  /** What is lost of distance, m, first moment, kg m, inertia, kg m². */
  readonly lost: Float64Array = new Float64Array(3);
  /** Second rates of lost distance and first moment at constant modal rates. */
  readonly draw: Float64Array = new Float64Array(2);
  private readonly modes: BeamModes;
  /** Modes of the larger plane: the side of the square integrals. */
  private readonly side: number;
  private readonly ny: number;
  private readonly count: number;
  private readonly length: number;
  private readonly mass: Float64Array;
  private readonly products: Float64Array;

  constructor(
    modes: BeamModes,
    planes: readonly [number, number],
    beam: { readonly length: number; readonly centrifugalStiffening: boolean },
    mass: Float64Array,
  ) {
    this.active = beam.centrifugalStiffening;
    this.modes = modes;
    this.ny = planes[0];
    this.count = planes[0] + planes[1];
    this.side = Math.max(planes[0], planes[1]);
    this.length = beam.length;
    this.mass = mass;
    this.distance = new Float64Array(this.count);
    this.moment = new Float64Array(this.count);
    this.inertia = new Float64Array(this.count);
    this.products = new Float64Array(3 * this.count);
  }

  /** From the modal coordinates. @alloc none */
  computeLoss(b: Float64Array): void {
    if (!this.active) return;
    const { lost, count, products } = this;
    this.multiply(b);
    for (let i = 0; i < 3; i++) lost[i] = 0;
    for (let k = 0; k < count; k++) {
      this.distance[k] = products[k];
      this.moment[k] = products[count + k];
      this.inertia[k] = products[2 * count + k];
      lost[0] += 0.5 * b[k] * products[k];
      lost[1] += 0.5 * b[k] * products[count + k];
      lost[2] += b[k] * products[2 * count + k];
    }
  }

  /** From the modal rates. @alloc none */
  computeDraw(rate: Float64Array): void {
    if (!this.active) return;
    const { draw, count, products } = this;
    this.multiply(rate);
    draw[0] = 0;
    draw[1] = 0;
    for (let k = 0; k < count; k++) {
      draw[0] += rate[k] * products[k];
      draw[1] += rate[k] * products[count + k];
    }
  }

  /** products := the three square integrals times modal numbers, plane by plane. */
  private multiply(values: Float64Array): void {
    const { count, ny, side, modes, products } = this;
    const m = this.mass[0];
    for (let k = 0; k < count; k++) {
      const start = k < ny ? 0 : ny;
      const end = k < ny ? ny : count;
      let distance = 0.0;
      let moment = 0.0;
      let inertia = 0.0;
      for (let j = start; j < end; j++) {
        const e = side * (k - start) + j - start;
        distance += modes.shortening[e] * values[j];
        moment += modes.momentLoss[e] * values[j];
        inertia += modes.inertiaLoss[e] * values[j];
      }
      products[k] = distance / this.length;
      products[count + k] = (m / this.length) * moment;
      products[2 * count + k] = m * inertia;
    }
  }
}
