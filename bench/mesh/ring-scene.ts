/**
 * The scene of the mesh benchmark: a ring of many triangles spins on a cone without friction, so that every step has another pose and other
 * triangles meet. The contact is inside of the hole of the ring: the hull of the mesh would be wrong. Sizes are those of the scenario
 * ring-on-cone.
 */
import { frustumSurface, torusSurface } from '../../src/shapes/faceted-shapes.ts';
import type { FacetedSurface } from '../../src/shapes/facets.ts';
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';
import { trianglesOf } from '../../test/fixtures/sampled-contact-models.ts';

export const STEP = 1e-3;
export const GRAVITY = 9.81;
/** Radius of the ring and of its tube; base, top, height and sides of the cone, m. */
export const RING = { radius: 0.05, tube: 0.018 } as const;
export const CONE = { radius: 0.045, top: 0.015, length: 0.18, around: 48 } as const;
export const MASS = 0.08;
/** Of a solid torus: m (4 R² + 5 r²)/8 across the axis, m (4 R² + 3 r²)/4 about it. */
const { radius: R, tube: r } = RING;
const ACROSS = (MASS * (4 * R * R + 5 * r * r)) / 8;
export const MOMENTS = [ACROSS, ACROSS, (MASS * (4 * R * R + 3 * r * r)) / 4] as const;
/**
 * Height of the ring at the start over that of touch, m. A foundation of stiffness k over the band of the tube, with the half width
 * √(2 r δ) and the length 2π ρ, ρ = R − r, has the force F = k 2π ρ (4/3) √(2 r) δ^(3/2) and the energy 2/5 F δ at a depth δ. The weight
 * does m g (DROP + δ/sin β) of work until then, with the half angle β of the cone: δ is 0.44 mm at the end of the fall without damping,
 * 0.15 mm at rest.
 */
const DROP = 2.5e-3;
/** Spin of the ring at the start, rad/s. */
export const SPIN = 3;
/** Steps in which it comes to rest on the cone. */
export const SETTLE = 500;
/** Stiffness of a foundation, N/m³: it carries the ring at a depth of about 0.15 mm. */
export const STIFFNESS = 5e7;

/** Trapezoids around and across the ring, for about so many triangles. */
export const DIVISIONS = {
  1000: [32, 16],
  10000: [100, 50],
  100000: [316, 158],
  1000000: [1000, 500],
} as const;
/** A size of the mesh. */
export type Size = keyof typeof DIVISIONS;
export const SIZES: readonly Size[] = [1000, 10000, 100000, 1000000];

/** Height at which a round ring has its tube at such a distance from a round cone, m: at 0 they touch. */
export function heightAt(distance: number): number {
  const slope = (CONE.radius - CONE.top) / CONE.length;
  return (
    ((RING.tube + distance) * Math.sqrt(1 + slope * slope) - RING.radius + CONE.radius) / slope
  );
}

/** Height over that of touch below which a ring has fallen through, m: twice as deep as the fall reaches, 2.7 mm of height. */
export const FALLEN = -5.4e-3;

/** Height at the start where contact begins at such a distance, m. */
export const startHeight = (distance = 0): number => heightAt(distance) + DROP;

function ringSurface(size: Size): FacetedSurface {
  const [around, across] = DIVISIONS[size];
  return torusSurface(RING.radius, RING.tube, around, across);
}

/** The ring as triangles. */
export function ringMesh(size: Size): TriangleMesh {
  const { vertices, polygons } = ringSurface(size);
  const triangles = new Uint32Array(6 * polygons.length);
  polygons.forEach(([a, b, c, d], k) => {
    triangles.set([a, b, c, a, c, d], 6 * k);
  });
  return { vertices: Float64Array.from(vertices), triangles };
}

const coneSurface = (): FacetedSurface =>
  frustumSurface(CONE.radius, CONE.top, CONE.length, CONE.around);

/** The cone as triangles, and its corners. */
export const coneMesh = (): TriangleMesh => trianglesOf(coneSurface());
export function coneCorners(): [number, number, number][] {
  const { vertices } = coneSurface();
  return Array.from({ length: vertices.length / 3 }, (_, k) => [
    vertices[3 * k],
    vertices[3 * k + 1],
    vertices[3 * k + 2],
  ]);
}

/** A ring that runs. */
export interface Running {
  /** How the contact is computed. */
  readonly words: string;
  step(): void;
  /** Height of the ring, m. */
  height(): number;
  /** What is in contact, in words. */
  contacts(): string;
  /** What of the contact was not computed, in words; empty where nothing is known of it. */
  missed(): string;
}
