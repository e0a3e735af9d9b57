/** An elastic bar thrown end-on against a rigid wall: one wave there and back. */
import { assembleFem } from '../../../src/fem/assembly.ts';
import { ContactPair } from '../../../src/fem/contact-pair.ts';
import { ContactStep } from '../../../src/fem/contact-step.ts';
import { NodalBasis } from '../../../src/fem/elastic-basis.ts';
import { FixedPoints } from '../../../src/fem/fixed-points.ts';
import { gridNode, planeGrid } from '../../../src/fem/grid-meshes.ts';
import { InertialBody } from '../../../src/fem/inertial-body.ts';
import {
  atMost,
  closedForm,
  curve,
  type Curve,
  type Figure,
  type ValidationCase,
} from '../case.ts';
import { runReducedBar } from '../reduced-bar.ts';

/** Speed against the wall, in units of the speed of the wave. */
const SPEED = 0.01;
const END = 2.6;

interface BarResult {
  readonly duration: number;
  /** Over 2 m v. */
  readonly impulse: number;
  /** Mean over ρ c A v, and its deviation over the mean. */
  readonly force: number;
  readonly ripple: number;
  readonly contacts: number;
  readonly energyChange: number;
  readonly time: number[];
  readonly forces: number[];
}

/** Bars whose end is a point without mass: modes that move, and step in L/c. */
const BARS = [
  [20, 0.01],
  [20, 0.05],
  [40, 0.002],
  [40, 0.01],
  [40, 0.025],
] as const;

/** A bar of unit length, area, modulus and density, n elements, with steps of `ratio` times the time of the wave through an element. */
function runBar(n: number, ratio: number, project: boolean): BarResult {
  const mesh = planeGrid('quad4', n, 1, (u, v) => [u, v / n]);
  const matrices = assembleFem({
    mesh,
    material: { young: 1, poisson: 0, density: 1 },
    state: 'plane-stress',
    thickness: n,
    held: Array.from({ length: 2 * (n + 1) }, (_, node) => ({ node, axis: 1 })),
  });
  const bar = new InertialBody(new NodalBasis(matrices));
  bar.launch([-SPEED, 0]);
  const wall = new FixedPoints([0, -1, 0, 1]);
  const pair = new ContactPair(
    { part: 0, body: bar, nodes: [gridNode(n, 0, 0), gridNode(n, 0, 1)] },
    { part: 1, body: wall, nodes: [0, 1] },
    { static: 0, sliding: 0 },
  );
  const step = ratio / n;
  const system = new ContactStep([bar, wall], [pair], [], { step, project });
  const energy = new Float64Array(3);
  system.energies(energy);
  const initial = energy[0];
  const time: number[] = [];
  const forces: number[] = [];
  const held: number[] = [];
  let impulse = 0;
  let contacts = 0;
  let was = 0;
  for (let s = 1; s * step < END; s++) {
    system.advance();
    const force = -pair.normalForce[0] - pair.normalForce[1];
    const now = pair.activeNodes();
    if (now > 0 && was === 0) contacts++;
    if (now > 0) held.push(force);
    was = now;
    impulse += force * step;
    time.push(s * step);
    forces.push(force / SPEED);
  }
  system.energies(energy);
  const mean = held.reduce((sum, force) => sum + force, 0) / held.length;
  const square = held.reduce((sum, force) => sum + (force - mean) ** 2, 0) / held.length;
  return {
    duration: held.length * step,
    impulse: impulse / (2 * SPEED),
    force: mean / SPEED,
    ripple: Math.sqrt(square) / mean,
    contacts,
    energyChange: (energy[0] + energy[1]) / initial - 1,
    time,
    forces,
  };
}

export const femBarCase: ValidationCase = {
  name: 'fem-bar',
  title: 'An elastic bar against a rigid wall',
  source: 'Kim 1999, 4.2; closed form of the wave in a bar',
  description:
    'A bar of 50, 100 and 200 elements meets a wall end-on. Steps of a half, one and two times the time that a wave takes through an element, ' +
    'with rates projected on the contact. Then the bar of the loop: a rigid mass whose end is a point without mass, with modes and compliance in closed form.',
  equation:
    'ρ ü = E u″: the force is ρ c A v for 2 L/c, the impulse 2 m v, and the bar leaves with −v.',
  tolerances:
    'The first touch stops the mass of a node, at most a half and at least a third of an element: the energy falls by 1/(3 n) and the ' +
    'impulse by about the same; the front of the wave is two elements wide. Duration within 3 elements, force and impulse within 3 %. A point ' +
    'without mass: the same; its first and last steps, in part without contact, gain or lose up to 3 % in steps of 0.05 L/c; its force ripples by the cut of ' +
    'the series of modes.',
  run() {
    const figures: Figure[] = [];
    const curves: Curve[] = [];
    for (const ratio of [0.5, 1, 2]) {
      const result = runBar(100, ratio, true);
      const name = `100 elements, step ${ratio} h/c`;
      figures.push(
        closedForm(`${name}: duration`, 'L/c', result.duration, 2, 0.03),
        closedForm(`${name}: impulse`, '2 m v', result.impulse, 1, 0.03),
        closedForm(`${name}: mean force`, 'ρ c A v', result.force, 1, 0.03),
        closedForm(`${name}: number of contacts`, '1', result.contacts, 1, 0),
        atMost(`${name}: ripple of the force over its mean`, '1', result.ripple, 0.2),
        atMost(`${name}: gain of energy`, '1', result.energyChange, 0),
      );
      curves.push(curve(name, result.time, result.forces));
    }
    for (const n of [50, 100, 200]) {
      const loss = -runBar(n, 0.5, true).energyChange;
      figures.push(
        closedForm(
          `${n} elements: energy of the first touch, times 3 n`,
          '1',
          3 * n * loss,
          1,
          0.1,
        ),
      );
    }
    for (const [modes, step] of BARS) {
      const result = runReducedBar(modes, step, SPEED, END);
      const name = `point without mass, ${modes} modes, step ${step} L/c`;
      figures.push(
        closedForm(`${name}: duration`, 'L/c', result.duration, 2, 0.03),
        closedForm(`${name}: impulse`, '2 m v', result.impulse, 1, 0.03),
        closedForm(`${name}: mean force`, 'ρ c A v', result.force, 1, 0.03),
        closedForm(`${name}: number of contacts`, '1', result.contacts, 1, 0),
        atMost(`${name}: change of energy`, '1', result.energyError, 0.03),
      );
      if (modes === 40 && step < 0.1) curves.push(curve(name, result.time, result.forces));
    }
    curves.push({ name: 'closed form', x: [0, 2, 2, END], y: [1, 1, 0, 0], kind: 'bound' });
    return {
      figures,
      plots: [
        {
          title: 'Force on the wall',
          xLabel: 'time, L/c',
          yLabel: 'force, ρ c A v',
          curves,
        },
      ],
    };
  },
};
