/** Designs of a study: n points of the unit cube of d dimensions, row by row, n × d. The same arguments give the same points. */
import { range } from '../base/parameter-checks.ts';
import { Random } from '../math/random.ts';
import { SobolDimension } from './sobol-sequence.ts';

/** Points of a design, n × d, row by row. */
export interface Design {
  readonly count: number;
  readonly dimensions: number;
  readonly points: Float64Array;
}

const whole = (field: string, value: number, least: number): void =>
  range(field, value, Number.isInteger(value) && value >= least, `to be a whole number ≥ ${least}`);

/** Every combination of levels: those of a dimension are even from 0 to 1, a single one is 1/2; the last dimension runs fastest. */
export function gridDesign(levels: readonly number[]): Design {
  levels.forEach((count, j) => whole(`levels[${j}]`, count, 1));
  const dimensions = levels.length;
  const count = levels.reduce((product, each) => product * each, 1);
  const points = new Float64Array(count * dimensions);
  for (let i = 0; i < count; i++) {
    for (let j = dimensions - 1, rest = i; j >= 0; j--) {
      const level = rest % levels[j];
      rest = (rest - level) / levels[j];
      points[dimensions * i + j] = levels[j] === 1 ? 0.5 : level / (levels[j] - 1);
    }
  }
  return { count, dimensions, points };
}

/** Independent uniform points. */
export function randomDesign(count: number, dimensions: number, seed: number): Design {
  whole('count', count, 1);
  const random = new Random(seed);
  return {
    count,
    dimensions,
    points: Float64Array.from({ length: count * dimensions }, () => random.uniform()),
  };
}

/** Latin hypercube (McKay, Beckman and Conover 1979): in each dimension one point in each of n equal intervals, anywhere in it. */
export function latinHypercube(count: number, dimensions: number, seed: number): Design {
  whole('count', count, 1);
  const random = new Random(seed);
  const points = new Float64Array(count * dimensions);
  for (let j = 0; j < dimensions; j++) {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const k = Math.floor(random.uniform() * (i + 1));
      [order[i], order[k]] = [order[k], order[i]];
    }
    order.forEach((place, i) => (points[dimensions * i + j] = (place + random.uniform()) / count));
  }
  return { count, dimensions, points };
}

/** The first n points of a scrambled sequence of Sobol'. Powers of two are balanced in every dimension. */
export function sobolDesign(count: number, dimensions: number, seed: number): Design {
  whole('count', count, 1);
  const columns = Array.from({ length: dimensions }, (_, j) => new SobolDimension(j, seed));
  const points = new Float64Array(count * dimensions);
  for (let i = 0; i < count; i++)
    columns.forEach((column, j) => (points[dimensions * i + j] = column.point(i)));
  return { count, dimensions, points };
}

/**
 * Trajectories of Morris (1991), Technometrics 33(2): from a random point of a grid of `levels` levels each dimension is moved once, in random
 * order, by Δ = levels / (2 (levels − 1)). Each trajectory has d + 1 points. @throws BerthError for an odd number of levels
 */
export function morrisDesign(
  trajectories: number,
  dimensions: number,
  levels: number,
  seed: number,
): Design {
  whole('trajectories', trajectories, 1);
  range(
    'levels',
    levels,
    Number.isInteger(levels) && levels >= 2 && levels % 2 === 0,
    'to be even and ≥ 2',
  );
  const random = new Random(seed);
  const half = levels / 2;
  const step = half / (levels - 1);
  const count = trajectories * (dimensions + 1);
  const points = new Float64Array(count * dimensions);
  for (let t = 0; t < trajectories; t++) {
    const start = t * (dimensions + 1) * dimensions;
    const up = Array.from({ length: dimensions }, () => random.uniform() < 0.5);
    for (let j = 0; j < dimensions; j++) {
      const low = Math.floor(random.uniform() * half) / (levels - 1);
      points[start + j] = up[j] ? low : low + step;
    }
    const order = Array.from({ length: dimensions }, (_, j) => j);
    for (let i = dimensions - 1; i > 0; i--) {
      const k = Math.floor(random.uniform() * (i + 1));
      [order[i], order[k]] = [order[k], order[i]];
    }
    order.forEach((moved, k) => {
      const from = start + k * dimensions;
      points.copyWithin(from + dimensions, from, from + dimensions);
      points[from + dimensions + moved] += up[moved] ? step : -step;
    });
  }
  return { count, dimensions, points };
}
