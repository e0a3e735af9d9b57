/**
 * The spheres of `fem-sphere` by the method of elastic faces in the loop: a rigid mass whose contact nodes are points without mass on the static compliance
 * of the free half section, without any mode. Its loads are balanced by the inertia of the motion along the axis, and the mean of the displacements
 * is none.
 */
import { staticFactors } from '../../src/fem/statics.ts';
import { assembleFem } from '../../src/fem/assembly.ts';
import { hertzImpact, SPHERE_RADIUS, SPHERE_SPEED, sphereModel } from './fem-sphere.ts';
import { MasslessPoints, type PlaneFace } from './massless-points.ts';

const NONE = { static: 0, sliding: 0 };
const SPAN = 2.4;
/** Across the axis nothing loads the points: part of the largest compliance along it. */
const ACROSS = 1e-3;

/** What an impact gives. */
export interface ReducedSphere {
  readonly force: number;
  /** Of the centre of mass. */
  readonly displacement: number;
  readonly time: number;
  readonly rebound: number;
  readonly contacts: number;
  /** Change of the energy over the impact. */
  readonly energyChange: number;
}

/** The face of n + 1 points, and the mass of the mesh. */
function makeFace(young: number, n: number): { face: PlaneFace; mass: number } {
  const { model, nodes, axis } = sphereModel(young, n);
  const free = assembleFem(model);
  const top = axis[axis.length - 1];
  const supported = assembleFem({
    ...model,
    held: [...(model.held ?? []), { node: top, axis: 1 }],
  });
  const factors = staticFactors(supported);
  const motion = new Float64Array(free.size);
  const inertia = new Float64Array(free.size);
  for (const [component, at] of free.freedom.entries()) if (at >= 0) motion[at] = component % 2;
  free.mass.multiply(motion, inertia);
  const dot = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, x, i) => sum + x * b[i], 0);
  const mass = dot(motion, inertia);
  const at = nodes.map((node) => free.freedom[2 * node + 1]);
  const shapes = at.map((freedom) => {
    const load = inertia.map((value, e) => (e === freedom ? 1 : 0) - value / mass);
    const held = new Float64Array(supported.size);
    for (const [component, place] of supported.freedom.entries()) {
      if (place >= 0) held[place] = load[free.freedom[component]];
    }
    factors.solve(held);
    const shape = new Float64Array(free.size);
    for (const [component, place] of supported.freedom.entries()) {
      if (place >= 0) shape[free.freedom[component]] = held[place];
    }
    const mean = dot(inertia, shape) / mass;
    return shape.map((value, e) => value - motion[e] * mean);
  });
  const count = nodes.length;
  const along = (i: number, j: number): number => (shapes[i][at[j]] + shapes[j][at[i]]) / 2;
  const most = Math.max(...at.map((_, i) => along(i, i)));
  const { coordinates } = model.mesh;
  return {
    mass,
    face: {
      points: nodes.map((node) => [coordinates[2 * node], -coordinates[2 * node + 1]]),
      compliance: Float64Array.from({ length: 4 * count * count }, (_, e) => {
        const [i, j] = [Math.floor(e / (2 * count)), e % (2 * count)];
        if (i % 2 === 1 && j % 2 === 1) return along(i >> 1, j >> 1);
        return i === j ? ACROSS * most : 0;
      }),
    },
  };
}

/** The impact with n × 2 n elements in `steps` up to the largest compression by Hertz. */
export function runReducedSphere(young: number, n: number, steps: number): ReducedSphere {
  const { face, mass } = makeFace(young, n);
  const step = hertzImpact(young).time / steps;
  const rates = Float64Array.of(-SPHERE_SPEED);
  const rows = [Float64Array.of(0), Float64Array.of(1), Float64Array.of(0)];
  const system = new MasslessPoints(
    face,
    NONE,
    step,
    Float64Array.of(mass),
    Float64Array.of(0),
    rows,
    rates,
    SPHERE_RADIUS,
  );
  const initial = system.energyNow();
  let [place, force, displacement, time, contacts, was] = [0, 0, 0, 0, 0, 0];
  for (let s = 1; s <= SPAN * steps; s++) {
    const before = rates[0];
    system.step();
    place -= (step * (before + rates[0])) / 2;
    force = Math.max(force, system.forces[1]);
    if (place > displacement) [displacement, time] = [place, s * step];
    if (system.active > 0 && was === 0) contacts++;
    was = system.active;
  }
  return {
    force,
    displacement,
    time,
    rebound: rates[0],
    contacts,
    energyChange: system.energyNow() / initial - 1,
  };
}
