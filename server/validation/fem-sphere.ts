/**
 * Two equal elastic spheres that meet, as one against a rigid plane, `Kim 1999, 6.2 and appendix D`: R = 5, ν = 0.3, ρ = 0.01, each at
 * speed 3; the source has no units. A half section of n × 2 n axisymmetric QUAD4, finer towards the contact.
 */
import { assembleFem, type FemModel } from '../../src/fem/assembly.ts';
import { ContactPair } from '../../src/fem/contact-pair.ts';
import { ContactStep } from '../../src/fem/contact-step.ts';
import { NodalBasis } from '../../src/fem/elastic-basis.ts';
import { FixedPoints } from '../../src/fem/fixed-points.ts';
import { gridNode, planeGrid } from '../../src/fem/grid-meshes.ts';
import { InertialBody } from '../../src/fem/inertial-body.ts';

export const SPHERE_RADIUS = 5;
const POISSON = 0.3;
const DENSITY = 0.01;
export const SPHERE_SPEED = 3;
/** Exponent of the grading. */
const GRADING = 1.6;
/** Steps up to the largest compression by Hertz; the run goes on for 2.4 times as long. */
const STEPS = 200;
const SPAN = 2.4;

/** Impact of the two spheres by Hertz, (D.4)–(D.12). */
export interface HertzImpact {
  readonly force: number;
  /** Half the approach of the two centres. */
  readonly displacement: number;
  readonly time: number;
  readonly radius: number;
  readonly pressure: number;
}

/** The closed form; t* is δ* over V, times √π Γ(7/5)/Γ(9/10) = 1.4716. */
export function hertzImpact(young: number): HertzImpact {
  const modulus = young / (2 * (1 - POISSON * POISSON));
  const mass = ((4 / 3) * Math.PI * SPHERE_RADIUS ** 3 * DENSITY) / 2;
  const radius = SPHERE_RADIUS / 2;
  const approach = 2 * SPHERE_SPEED;
  const depth = ((15 * mass * approach ** 2) / (16 * Math.sqrt(radius) * modulus)) ** 0.4;
  const force = (4 / 3) * Math.sqrt(radius) * modulus * depth ** 1.5;
  return {
    force,
    displacement: depth / 2,
    time: (1.4716376 * depth) / approach,
    radius: Math.sqrt(radius * depth),
    pressure: ((6 * force * modulus ** 2) / (Math.PI ** 3 * radius ** 2)) ** (1 / 3),
  };
}

/** What an impact gives. */
export interface SphereResult {
  /** Largest force of a mean over 11 steps; displacement of the centre of mass and time at the largest compression. */
  readonly force: number;
  readonly displacement: number;
  readonly time: number;
  readonly nodes: number;
  readonly contacts: number;
  /** Speed with which the sphere leaves, impulse over 2 m v of the mesh, largest change of the energy over that of the start. */
  readonly rebound: number;
  readonly impulse: number;
  readonly energyError: number;
  /** Over time: force and displacement. */
  readonly times: number[];
  readonly forces: number[];
  readonly displacements: number[];
  /** Pressure at the largest compression, over the radius. */
  readonly radii: number[];
  readonly pressures: number[];
}

/** The half section of n × 2 n elements, free along its axis; nodes of its lower edge from the axis outwards, and those of the axis from below. */
export function sphereModel(
  young: number,
  n: number,
): { model: FemModel; nodes: number[]; axis: number[] } {
  const mesh = planeGrid('axisymmetric-quad4', n, 2 * n, (s, t) => {
    const u = s ** GRADING;
    const v = 2 * t ** GRADING - 1;
    return [
      SPHERE_RADIUS * u * Math.sqrt(1 - (v * v) / 2),
      SPHERE_RADIUS * v * Math.sqrt(1 - (u * u) / 2),
    ];
  });
  const axis = Array.from({ length: 2 * n + 1 }, (_, j) => gridNode(n, 0, j));
  return {
    model: {
      mesh,
      material: { young, poisson: POISSON, density: DENSITY },
      state: 'axisymmetric',
      held: axis.map((node) => ({ node, axis: 0 })),
    },
    nodes: Array.from({ length: n + 1 }, (_, i) => gridNode(n, i, 0)),
    axis,
  };
}

/** The impact with n × 2 n elements. */
export function runSphere(young: number, n: number): SphereResult {
  const { model, nodes } = sphereModel(young, n);
  const { mesh } = model;
  const matrices = assembleFem(model);
  const basis = new NodalBasis(matrices);
  const sphere = new InertialBody(basis);
  sphere.launch([0, -SPHERE_SPEED]);
  const ground = new FixedPoints([
    2 * SPHERE_RADIUS,
    -SPHERE_RADIUS,
    -SPHERE_RADIUS,
    -SPHERE_RADIUS,
  ]);
  const pair = new ContactPair(
    { part: 0, body: sphere, nodes },
    { part: 1, body: ground, nodes: [0, 1] },
    { static: 0, sliding: 0 },
  );
  const hertz = hertzImpact(young);
  const step = hertz.time / STEPS;
  const system = new ContactStep([sphere, ground], [pair], [], {
    step,
    project: true,
  });
  const energy = new Float64Array(3);
  system.energies(energy);
  const initial = energy[0];
  const mean = (values: Float64Array): number => {
    let sum = 0;
    for (let e = 0; e < basis.size; e++) sum += basis.mean[basis.size + e] * values[e];
    return -sum / basis.totalMass;
  };
  const times: number[] = [];
  const forces: number[] = [];
  const displacements: number[] = [];
  let pressed = pair.normalForce.slice();
  let active = 0;
  let contacts = 0;
  let was = 0;
  let impulse = 0;
  let energyError = 0;
  for (let s = 1; s <= SPAN * STEPS; s++) {
    system.advance();
    const force = -pair.normalForce.reduce((sum, one) => sum + one, 0);
    impulse += force * step;
    times.push(s * step);
    forces.push(force);
    displacements.push(mean(sphere.q));
    const now = pair.activeNodes();
    if (now > 0 && was === 0) contacts++;
    was = now;
    if (s > 1 && displacements[s - 1] > displacements[s - 2]) {
      pressed = pair.normalForce.slice();
      active = now;
    }
    system.energies(energy);
    energyError = Math.max(energyError, Math.abs((energy[0] + energy[1]) / initial - 1));
  }
  const smooth = forces.map((_, i) => {
    const near = forces.slice(Math.max(0, i - 5), i + 6);
    return near.reduce((sum, force) => sum + force, 0) / near.length;
  });
  const at = displacements.indexOf(Math.max(...displacements));
  const radii = nodes.map((node) => mesh.coordinates[2 * node]);
  return {
    force: Math.max(...smooth),
    displacement: displacements[at],
    time: times[at],
    nodes: active,
    contacts,
    rebound: -mean(sphere.rate),
    impulse: impulse / (2 * basis.totalMass * SPHERE_SPEED),
    energyError,
    times,
    forces: smooth,
    displacements,
    radii: radii.slice(0, active),
    pressures: ringPressures(radii, pressed, active),
  };
}

/** Pressures p with ∫ N_a p 2π r dr = nodal force over the nodes in contact. */
function ringPressures(radii: number[], forces: Float64Array, count: number): number[] {
  const diagonal = new Array<number>(count).fill(0);
  const upper = new Array<number>(count).fill(0);
  for (let i = 0; i + 1 < count; i++) {
    const [a, b] = [radii[i], radii[i + 1]];
    const scale = (Math.PI * (b - a)) / 6;
    diagonal[i] += scale * (3 * a + b);
    diagonal[i + 1] += scale * (a + 3 * b);
    upper[i] += scale * (a + b);
  }
  const out = Array.from({ length: count }, (_, i) => -forces[i]);
  for (let i = 1; i < count; i++) {
    const factor = upper[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    out[i] -= factor * out[i - 1];
  }
  for (let i = count - 1; i >= 0; i--) {
    out[i] = (out[i] - (i + 1 < count ? upper[i] * out[i + 1] : 0)) / diagonal[i];
  }
  return out;
}
