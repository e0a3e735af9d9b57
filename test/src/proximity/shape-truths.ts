/**
 * What a convex shape is, written without the library: value of its support function, and how far a point lies outside. With
 * both, a signed distance can be proven: points of both shapes at that distance bound it from above, a slab between the
 * support values bounds it from below.
 */
import type { ConvexShapeModel } from '../../../src/shapes/shape-model.ts';

export type Vector = readonly [number, number, number];

/** Independent description of a shape. */
export interface Truth {
  readonly shape: ConvexShapeModel;
  readonly smoothing: number;
  /** Largest n·p over the shape for a unit n, m. */
  support(n: Vector): number;
  /** Distance of a point outside the shape from it, m; negative inside. Exact on and near the surface. */
  outside(p: Vector): number;
}

const { abs, hypot, max, min, sqrt } = Math;

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function ball(radius: number): Truth {
  return {
    shape: { kind: 'sphere', radius },
    smoothing: 0,
    support: () => radius,
    outside: (p) => hypot(...p) - radius,
  };
}

function ellipsoid(size: Vector): Truth {
  const half = size.map((x) => x / 2);
  return {
    shape: { kind: 'ellipsoid', size: [...size] },
    smoothing: 0,
    support: (n) => hypot(half[0] * n[0], half[1] * n[1], half[2] * n[2]),
    // first-order distance of the level set, exact on the surface
    outside: (p) => {
      const level = hypot(p[0] / half[0], p[1] / half[1], p[2] / half[2]);
      const slope = hypot(p[0] / half[0] ** 2, p[1] / half[1] ** 2, p[2] / half[2] ** 2) / level;
      return (level - 1) / slope;
    },
  };
}

/** Distance from a box of half sizes h, negative inside. */
function boxDistance(p: readonly number[], h: readonly number[]): number {
  const q = p.map((x, k) => abs(x) - h[k]);
  return hypot(...q.map((x) => max(x, 0))) + min(max(...q), 0);
}

function box(size: Vector, r: number): Truth {
  const half = size.map((x) => x / 2 - r);
  return {
    shape: { kind: 'box', size: [...size] },
    smoothing: r,
    support: (n) => half[0] * abs(n[0]) + half[1] * abs(n[1]) + half[2] * abs(n[2]) + r,
    outside: (p) => boxDistance(p, half) - r,
  };
}

function cylinder(radius: number, length: number, r: number): Truth {
  return {
    shape: { kind: 'cylinder', radius, length },
    smoothing: r,
    support: (n) => (radius - r) * hypot(n[0], n[1]) + (length / 2 - r) * abs(n[2]) + r,
    outside: (p) => boxDistance([hypot(p[0], p[1]), p[2]], [radius - r, length / 2 - r]) - r,
  };
}

/** Frustum as the hull of what a ball of radius r covers inside it: offsets of its three outlines. */
function frustum(radius: number, topRadius: number, length: number, r: number): Truth {
  // outline in (ρ, z): z >= 0, z <= length, side·(ρ, z) <= reach
  const side = [length, radius - topRadius].map((x) => x / hypot(length, radius - topRadius));
  const reach = side[0] * radius;
  const sideAt = (z: number): number => (reach - r - side[1] * z) / side[0];
  const low: readonly [number, number] = [sideAt(r), r];
  const apex = (reach - r) / side[1];
  const high: readonly [number, number] =
    apex < length - r ? [0, apex] : [sideAt(length - r), length - r];
  return {
    shape: { kind: 'frustum', radius, topRadius, length },
    smoothing: r,
    support: (n) => {
      const across = hypot(n[0], n[1]);
      return max(low[0] * across + low[1] * n[2], high[0] * across + high[1] * n[2]) + r;
    },
    outside: (p) => {
      const x = hypot(p[0], p[1]);
      const z = p[2];
      const inside = max(low[1] - z, z - high[1], side[0] * x + side[1] * z - (reach - r));
      if (inside <= 0) return inside - r;
      const segments = [
        [[0, low[1]], low],
        [low, high],
        [high, [0, high[1]]],
      ];
      return (
        min(
          ...segments.map(([a, b]) => {
            const e = [b[0] - a[0], b[1] - a[1]];
            const square = e[0] * e[0] + e[1] * e[1];
            const t =
              square === 0 ? 0 : min(1, max(0, ((x - a[0]) * e[0] + (z - a[1]) * e[1]) / square));
            return hypot(x - a[0] - t * e[0], z - a[1] - t * e[1]);
          }),
        ) - r
      );
    },
  };
}

function capsule(radius: number, length: number): Truth {
  return {
    shape: { kind: 'capsule', radius, length },
    smoothing: 0,
    support: (n) => (length / 2) * abs(n[2]) + radius,
    outside: (p) => hypot(p[0], p[1], max(abs(p[2]) - length / 2, 0)) - radius,
  };
}

function beam(length: number, width: number, thickness: number, r: number): Truth {
  return {
    shape: { kind: 'beam', length, width, thickness },
    smoothing: r,
    support: (n) =>
      (length / 2) * abs(n[0]) +
      (width / 2 - r) * hypot(n[0], n[1]) +
      (thickness / 2 - r) * abs(n[2]) +
      r,
    outside: (p) => {
      const flat = hypot(max(abs(p[0]) - length / 2, 0), p[1]) - (width / 2 - r);
      const high = abs(p[2]) - (thickness / 2 - r);
      return hypot(max(flat, 0), max(high, 0)) + min(max(flat, high), 0) - r;
    },
  };
}

/** Corner of a cube: a tetrahedron with a point inside. */
function tetrahedron(a: number): Truth {
  const vertices: Vector[] = [
    [0, 0, 0],
    [a, 0, 0],
    [0, a, 0],
    [0, 0, a],
  ];
  return {
    shape: { kind: 'mesh', vertices: [...vertices, [a / 10, a / 5, a / 10]] },
    smoothing: 0,
    support: (n) => max(...vertices.map((v) => dot(n, v))),
    outside: (p) => max(-p[0], -p[1], -p[2], (p[0] + p[1] + p[2] - a) / sqrt(3)),
  };
}

/** One of each shape, all of about 0.3 m. */
export const TRUTHS: Readonly<Record<string, Truth>> = {
  sphere: ball(0.1),
  ellipsoid: ellipsoid([0.3, 0.2, 0.1]),
  box: box([0.3, 0.2, 0.1], 1e-3),
  'sharp box': box([0.25, 0.15, 0.2], 0),
  cylinder: cylinder(0.1, 0.3, 1e-3),
  frustum: frustum(0.1, 0.05, 0.2, 1e-3),
  cone: frustum(0.1, 0, 0.2, 2e-3),
  capsule: capsule(0.05, 0.2),
  beam: beam(0.2, 0.1, 0.05, 1e-3),
  mesh: tetrahedron(0.25),
};
