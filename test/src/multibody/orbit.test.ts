/** The orbiting world: relative orbits in closed form, libration, and an energy that stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OdeSolver, Random } from '../../../src/index.ts';
import { OrbitField } from '../../../src/multibody/tree/orbit-field.ts';
import type { OrbitModel, TreeModel } from '../../../src/model/tree-model.ts';
import {
  apply,
  cross,
  dot,
  type Matrix,
  rotation,
  transpose,
  turnedInertia,
  type Vector,
} from '../../fixtures/maximal-vectors.ts';
import { drawState, orientation, randomTree, triple } from '../../fixtures/random-tree.ts';
import { standaloneTree } from '../../fixtures/tree-samples.ts';

const N = 1.157e-3; // Kim 1999, 6.3.1, rad/s

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

/** One free body with its frame off its centre, moved by the field alone with the equations of Newton and Euler. */
class FreeBody {
  readonly solver: OdeSolver;
  readonly field: OrbitField;
  readonly link = {
    state: new Float64Array(13),
    rotation: new Float64Array(9),
    wrench: new Float64Array(6),
  };
  private readonly mass: number;
  private readonly center: Vector;
  private readonly inertia: Vector;

  constructor(
    orbit: OrbitModel,
    mass: number,
    center: [number, number, number],
    inertia: [number, number, number, number, number, number],
  ) {
    this.mass = mass;
    this.center = center;
    this.inertia = inertia;
    const model: TreeModel = {
      name: 'body',
      position: [0, 0, 0],
      orientation: [0, 0, 0, 1],
      links: [
        {
          name: 'body',
          parent: -1,
          position: [0, 0, 0],
          orientation: [0, 0, 0, 1],
          joint: { kind: 'fixed' },
          mass,
          center,
          inertia,
        },
      ],
      frames: [],
    };
    this.field = new OrbitField(orbit, model, [this.link]);
    // centre, quaternion, velocity of the centre, angular velocity
    this.solver = new OdeSolver(13, (_, y, rates) => this.computeRates(y, rates), {
      method: 'dormand-prince',
      relativeTolerance: 1e-12,
      absoluteTolerance: 1e-13,
    });
  }

  /** Kinetic and tidal energy in the turning world, J. */
  energy(): number {
    const y = this.solver.values;
    const r = this.place(y);
    const w = [y[10], y[11], y[12]];
    const v = [y[7], y[8], y[9]];
    const sum = Float64Array.of(0);
    this.field.addPotentialEnergy(sum);
    const turning = dot(w, apply(turnedInertia(r, this.inertia), w));
    return sum[0] + 0.5 * this.mass * dot(v, v) + 0.5 * turning;
  }

  private place(y: Float64Array): Matrix {
    const { state, rotation: out, wrench } = this.link;
    const r = rotation([...y.slice(3, 7)]);
    out.set(r.flat());
    const arm = apply(r, this.center);
    const w = [y[10], y[11], y[12]];
    const back = cross(w, arm);
    for (let a = 0; a < 3; a++) {
      state[a] = y[a] - arm[a];
      state[7 + a] = y[7 + a] - back[a];
      state[10 + a] = w[a];
    }
    wrench.fill(0);
    return r;
  }

  private computeRates(y: Float64Array, rates: Float64Array): void {
    const r = this.place(y);
    this.field.addWrenches();
    const f = this.link.wrench;
    const arm = apply(r, this.center);
    const w = [y[10], y[11], y[12]];
    const inertia = turnedInertia(r, this.inertia);
    const momentum = apply(inertia, w);
    const moment = cross(arm, [f[0], f[1], f[2]]).map(
      (m, a) => f[3 + a] - m - cross(w, momentum)[a],
    );
    const turned = apply(inverse(inertia), moment);
    const [x, yy, z, s] = y.slice(3, 7);
    rates.set([y[7], y[8], y[9]]);
    rates.set(
      [
        0.5 * (s * w[0] + w[1] * z - w[2] * yy),
        0.5 * (s * w[1] + w[2] * x - w[0] * z),
        0.5 * (s * w[2] + w[0] * yy - w[1] * x),
        -0.5 * (x * w[0] + yy * w[1] + z * w[2]),
      ],
      3,
    );
    rates.set([f[0] / this.mass, f[1] / this.mass, f[2] / this.mass, ...turned], 7);
  }
}

/** Of a symmetric matrix, by cofactors. */
function inverse(m: Matrix): Matrix {
  const columns = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
  const determinant = dot(m[0], columns[0]);
  return transpose(columns.map((c) => c.map((x) => x / determinant)));
}

test('a body at a distance moves on the relative orbits of Clohessy and Wiltshire', () => {
  // x = radial, y = along the track, z = normal; a round trip and a quarter
  const orbit: OrbitModel = { rate: N, radial: [1, 0, 0], normal: [0, 0, 1] };
  const body = new FreeBody(orbit, 120, [0, 0, 0], [40, 40, 40, 0, 0, 0]);
  const [x, y, z, u, v, w] = [12, -30, 5, 0.003, -0.02, 0.004];
  body.solver.reset(0, [x, y, z, 0, 0, 0, 1, u, v, w, 0, 0, 0]);
  for (const turn of [0.1, 0.5, 1, 1.25]) {
    const t = (turn * 2 * Math.PI) / N;
    assert.ok(body.solver.advance(t), 'integrated');
    const [s, c] = [Math.sin(N * t), Math.cos(N * t)];
    const want = [
      (4 - 3 * c) * x + (s / N) * u + (2 / N) * (1 - c) * v,
      6 * (s - N * t) * x + y - (2 / N) * (1 - c) * u + ((4 * s - 3 * N * t) / N) * v,
      z * c + (w / N) * s,
    ];
    // 1e-12 relative a step on distances up to 300 m
    want.forEach((value, a) => near(body.solver.values[a], value, 1e-8, `axis ${a} after ${turn}`));
  }
});

test('without drift the relative orbit is an ellipse twice as long as it is wide', () => {
  const orbit: OrbitModel = { rate: N, radial: [0, 0, 1], normal: [0, 1, 0] };
  // track = normal × radial = x
  const body = new FreeBody(orbit, 3, [0, 0, 0], [1, 1, 1, 0, 0, 0]);
  const radius = 10;
  body.solver.reset(0, [0, 0, radius, 0, 0, 0, 1, -2 * N * radius, 0, 0, 0, 0, 0]);
  for (let k = 1; k <= 12; k++) {
    body.solver.advance((k * Math.PI) / 6 / N);
    const [along, , away] = body.solver.values;
    near((along / 2) ** 2 + away ** 2, radius ** 2, 1e-8, 'ellipse');
  }
  near(body.solver.values[0], 0, 1e-8, 'closed along the track');
  near(body.solver.values[2], radius, 1e-8, 'closed in height');
});

test('a dumbbell librates with √3 n in the plane of the orbit and 2 n out of it', () => {
  // long axis along the radius; the turning body is at rest in this world
  const orbit: OrbitModel = { rate: N, radial: [1, 0, 0], normal: [0, 0, 1] };
  for (const [axis, factor, name] of [
    [2, Math.sqrt(3), 'in the plane'],
    [1, 2, 'out of it'],
  ] as const) {
    const across = 2 * 50 * 5 ** 2;
    const body = new FreeBody(orbit, 100, [0, 0, 0], [across * 1e-6, across, across, 0, 0, 0]);
    const small = 1e-4;
    const start = [0, 0, 0, 0, 0, 0, Math.cos(small / 2), 0, 0, 0, 0, 0, 0];
    start[3 + axis] = Math.sin(small / 2);
    body.solver.reset(0, start);
    // at a third of the period it stands at cos(2π/3) = −1/2; the slight inertia along its axis changes the frequency by 1e-6
    const period = (2 * Math.PI) / (factor * N);
    body.solver.advance(period / 3);
    near(2 * body.solver.values[3 + axis], -0.5 * small, 4e-6 * small, `${name}, a third`);
    body.solver.advance(period);
    near(2 * body.solver.values[3 + axis], small, 4e-6 * small, `${name}, a period`);
  }
});

test('a tumbling body with its frame off its centre keeps the Jacobi integral', () => {
  const random = new Random(3);
  for (let repeat = 0; repeat < 5; repeat++) {
    const q = orientation(random);
    const r = rotation(q);
    const orbit: OrbitModel = {
      rate: 0.3, // fast: the field is then as large as the rates
      radial: [r[0][0], r[1][0], r[2][0]],
      normal: [r[0][2], r[1][2], r[2][2]],
    };
    const m = turnedInertia(rotation(orientation(random)), [2, 3, 4, 0, 0, 0]);
    const inertia = [m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]] as const;
    const body = new FreeBody(orbit, 2, triple(random), [...inertia]);
    const start = [...triple(random), ...orientation(random), ...triple(random), ...triple(random)];
    body.solver.reset(0, start);
    const before = body.energy();
    let size = 0;
    for (let t = 1; t <= 20; t++) {
      body.solver.advance(t);
      const y = body.solver.values;
      size = Math.max(size, dot([y[0], y[1], y[2]], [y[0], y[1], y[2]]));
      // 1e-12 a step of energies that grow with the square of the distance
      near(body.energy(), before, 1e-9 * (1 + size), `energy after ${t} s`);
    }
  }
});

test('a floating tree of hinged links keeps the Jacobi integral', () => {
  const random = new Random(7);
  const tree = standaloneTree(randomTree(random, { links: 4, floating: true }));
  drawState(random, tree.model, tree.q, tree.u);
  for (let k = 0; k < tree.n; k++) tree.u[k] /= 3;
  tree.refresh();
  const orbit: OrbitModel = { rate: 0.5, radial: [0, 0, 1], normal: [0, 1, 0] };
  const field = new OrbitField(orbit, tree.model, tree.links);
  const none = new Float64Array(tree.n);
  const energyOf = (): number => {
    const energy = new Float64Array(3);
    tree.computeEnergy(energy);
    field.addPotentialEnergy(energy);
    return energy[0];
  };
  const solver = new OdeSolver(
    tree.state.length,
    (_, y, rates) => {
      tree.state.set(y);
      tree.refresh();
      tree.clearWrenches();
      field.addWrenches();
      tree.computeDerivative(none, rates);
    },
    { method: 'dormand-prince', relativeTolerance: 1e-12, absoluteTolerance: 1e-12 },
  );
  solver.reset(0, tree.state);
  const energy = new Float64Array(3);
  tree.computeEnergy(energy);
  const before = energyOf();
  for (const t of [0.2, 0.5]) {
    assert.ok(solver.advance(t), 'integrated');
    tree.state.set(solver.values);
    tree.refresh();
    // tolerance 1e-12 a step, some hundred steps
    near(energyOf(), before, 1e-9 * energy[0], `energy after ${t} s`);
  }
});
