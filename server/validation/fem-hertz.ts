/** Static contacts against Hertz: a paraboloid on a half-space, and a disc of finite elements on a plane. */
import { assembleFem, type HeldComponent } from '../../src/fem/assembly.ts';
import { gridNode, planeGrid } from '../../src/fem/grid-meshes.ts';
import { loveDepth } from '../../src/fem/half-space.ts';
import { normalForces } from '../../src/fem/normal-contact.ts';
import { unitLoads } from '../../src/fem/reduction.ts';

/** Paraboloid: radius m, modulus Pa; side of an element m. */
const RADIUS = 0.05;
const MODULUS = 1e7;
const SIDE = 1e-3;

/** Force and largest pressure over Hertz, and the pressures. */
export interface HalfSpaceResult {
  readonly force: number;
  readonly pressure: number;
  /** Distance from the axis over the radius of Hertz, pressure over its largest. */
  readonly radii: number[];
  readonly pressures: number[];
}

/** A paraboloid pressed so deep that Hertz has a contact radius of `ratio` elements. */
export function pressHalfSpace(ratio: number): HalfSpaceResult {
  const radius = ratio * SIDE;
  const depth = radius ** 2 / RADIUS;
  const half = Math.ceil(1.3 * ratio) + 1;
  const across = 2 * half;
  // the axis goes through a corner of four elements
  const points = Array.from({ length: across * across }, (_, k) => [
    SIDE * ((k % across) - half + 0.5),
    SIDE * (Math.floor(k / across) - half + 0.5),
  ]);
  const n = points.length;
  const compliance = new Float64Array(n * n);
  for (const [i, [x, y]] of points.entries()) {
    for (const [j, [u, v]] of points.entries()) {
      compliance[n * i + j] = loveDepth(x - u, y - v, SIDE / 2, SIDE / 2, MODULUS);
    }
  }
  const gaps = Float64Array.from(points, ([x, y]) => (x * x + y * y) / (2 * RADIUS) - depth);
  const forces = normalForces(compliance, gaps) ?? new Float64Array(n).fill(NaN);
  const hertz = (4 / 3) * MODULUS * Math.sqrt(RADIUS) * depth ** 1.5;
  const largest = (1.5 * hertz) / (Math.PI * radius ** 2);
  const pressures = Array.from(forces, (force) => force / SIDE ** 2 / largest);
  return {
    force: forces.reduce((sum, force) => sum + force, 0) / hertz,
    pressure: Math.max(...pressures),
    radii: points.map(([x, y]) => Math.sqrt(x * x + y * y) / radius),
    pressures,
  };
}

/** What a pressed disc gives, over closed forms of a line contact. */
export interface DiscResult {
  /** Largest pressure over √(P E*⁄(π R)). */
  readonly pressure: number;
  /** Way of the centre line over P⁄(π E*) (2 ln(4 R/a) − 1), `Johnson 1985, 5.6`. */
  readonly approach: number;
}

/** A half disc of unit radius, plane strain, ν = 0.3, whose centre line is pressed down by `depth`; n × n elements on a quarter. */
export function pressDisc(n: number, depth: number): DiscResult {
  const mesh = planeGrid('quad4', n, n, (s, t) => {
    const u = s ** 2.2;
    const v = t ** 2.2 - 1;
    return [u * Math.sqrt(1 - (v * v) / 2), v * Math.sqrt(1 - (u * u) / 2)];
  });
  const held: HeldComponent[] = [];
  for (let k = 0; k <= n; k++) {
    held.push({ node: gridNode(n, 0, k), axis: 0 }, { node: gridNode(n, k, n), axis: 1 });
  }
  const poisson = 0.3;
  const matrices = assembleFem({
    mesh,
    material: { young: 1, poisson, density: 1 },
    state: 'plane-strain',
    held,
  });
  const face = Array.from({ length: n }, (_, i) => gridNode(n, i, 0));
  const { compliance } = unitLoads(
    matrices,
    face.map((node) => ({ node, axis: 1 })),
  );
  const gaps = Float64Array.from(face, (node) => mesh.coordinates[2 * node + 1] + 1 - depth);
  const forces = normalForces(compliance, gaps) ?? new Float64Array(n).fill(NaN);
  // a quarter carries half of the load
  const load = 2 * forces.reduce((sum, force) => sum + force, 0);
  const modulus = 1 / (1 - poisson * poisson);
  const width = Math.sqrt((4 * load) / (Math.PI * modulus));
  return {
    pressure:
      pressureAtAxis(mesh.coordinates, face, forces) / Math.sqrt((load * modulus) / Math.PI),
    approach: depth / ((load / (Math.PI * modulus)) * (2 * Math.log(4 / width) - 1)),
  };
}

/** Pressure at the first node of a face from nodal forces, consistent with linear shapes. */
function pressureAtAxis(x: Float64Array, face: readonly number[], forces: Float64Array): number {
  const count = forces.findLastIndex((force) => force > 0) + 1;
  const lengths = Array.from({ length: count - 1 }, (_, i) => {
    const [a, b] = [2 * face[i], 2 * face[i + 1]];
    return Math.sqrt((x[b] - x[a]) ** 2 + (x[b + 1] - x[a + 1]) ** 2);
  });
  // elimination from the edge of the contact to the axis
  let diagonal = 0;
  let value = 0;
  for (let i = count - 1; i >= 0; i--) {
    const outside = i < count - 1 ? lengths[i] : 0;
    const inside = i > 0 ? lengths[i - 1] : 0;
    const own = (outside + inside) / 3;
    const coupling = outside / 6;
    value = forces[i] - (i < count - 1 ? (coupling / diagonal) * value : 0);
    diagonal = own - (i < count - 1 ? (coupling * coupling) / diagonal : 0);
  }
  return value / diagonal;
}
