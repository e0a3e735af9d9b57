/** Borders of faces: the force over them (T24), and how the place of an edge and of a corner wanders on a curved face (T19). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FreeformPair } from '../../../src/contact/freeform/freeform-pair.ts';
import { GAP, KINEMATICS, NORMAL } from '../../../src/contact/pair.ts';
import { makeSystem } from '../../../src/index.ts';
import { advanceQuaternion, rotationOf } from '../../../src/math/quaternion.ts';
import { Random } from '../../../src/math/random.ts';
import type { SurfaceSide } from '../../../src/model/contact-spec.ts';
import { EDGE, FACE, VERTEX } from '../../../src/proximity/surface-body.ts';
import { offPlate } from '../../fixtures/freeform-models.ts';

/** 1e6 N/m^1.5: a force of the depth alone. Damping bends where the normal begins to turn. */
const LOSSLESS = {
  kind: 'hysteretic',
  stiffness: 1e6,
  exponent: 1.5,
  restitution: 1,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;

test('the force of a ball that slides over the border of a plate has no jump of 1e-9 of it (T24)', () => {
  const step = 1e-7;
  const model = offPlate({ integrator: 'rk4', step, contact: { normalLaw: LOSSLESS } });
  const [ball, ground] = model.bodies;
  const system = makeSystem({
    ...model,
    bodies: [{ ...ball, position: [1 - 1e-6, 0.1, ball.position[2]] }, ground],
  });
  const row = new Float64Array(40);
  const forces: number[] = [];
  for (let k = 0; k < 60; k++) {
    system.step(step); // 50 nm
    system.readContact(0, row, 0);
    forces.push(row[3]);
  }
  system.readBody(0, row, 0);
  assert.ok(row[0] > 1 + 1e-6);
  assert.ok(forces[0] > 5);
  // the depth of 0.46 mm ends as x²/(2 r) beyond the border: 4e-11 of the force by second differences
  for (let k = 1; k < 59; k++) {
    const bend = forces[k + 1] - 2 * forces[k] + forces[k - 1];
    assert.ok(Math.abs(bend) < 1e-9 * forces[k], `step ${k}: ${bend / forces[k]}`);
  }
});

const MAJOR = 0.3;
const MINOR = 0.15;
const TORUS: SurfaceSide = {
  kind: 'faces',
  faces: [
    {
      shape: { kind: 'torus', majorRadius: MAJOR, minorRadius: MINOR },
      trim: { u: [-1.2, 1.2], v: [-1.2, 1.2] },
    },
  ],
};
/** The rim of a pipe of 0.1 m, and the corner of a plate; both look along −x with the border in front. */
const RIM: SurfaceSide = {
  kind: 'faces',
  faces: [{ shape: { kind: 'cylinder', radius: 0.1 }, trim: { u: [-3, 3], v: [0, 0.1] } }],
};
const CORNER: SurfaceSide = {
  kind: 'faces',
  faces: [{ shape: { kind: 'plane' }, trim: { u: [0, 0.1], v: [0, 0.1] } }],
};

const dot = (a: readonly number[], b: readonly number[]): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Place on the torus, unit tangents along u and v, and their curvatures. */
function onTorus(place: readonly number[]): {
  readonly eu: number[];
  readonly ev: number[];
  readonly ku: number;
  readonly kv: number;
} {
  const u = Math.atan2(place[1], place[0]);
  const v = Math.atan2(place[2], Math.hypot(place[0], place[1]) - MAJOR);
  return {
    eu: [-Math.sin(u), Math.cos(u), 0],
    ev: [-Math.sin(v) * Math.cos(u), -Math.sin(v) * Math.sin(u), Math.cos(v)],
    ku: Math.cos(v) / (MAJOR + MINOR * Math.cos(v)),
    kv: 1 / MINOR,
  };
}

for (const [name, side, kind, tilt] of [
  ['rim of a pipe', RIM, EDGE, [0.1, -0.55, 0.05, 1]],
  ['corner of a plate', CORNER, VERTEX, [0.1, 0.2, 0.95, 0.2]],
] as const) {
  test(`the place of the ${name} wanders on a torus as the formulas of edge and vertex say (T19)`, () => {
    const random = new Random(19);
    const draw = (): number => 2 * random.uniform() - 1;
    const length = Math.hypot(...tilt);
    const start = new Float64Array(13);
    start.set(
      tilt.map((value) => value / length),
      3,
    );
    const rotation = new Float64Array(9);
    const still = new Float64Array(13);
    still[6] = 1;
    const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const pair = new FreeformPair({ kind: 'freeform', surfacesI: side, surfacesJ: TORUS });
    const { i, j } = pair.solver;
    const out = new Float64Array(KINEMATICS);
    const measure = (state: Float64Array): void => {
      rotationOf(rotation, state, 3);
      pair.compute({ state, rotation }, { state: still, rotation: identity }, out);
    };
    // to 1 mm over the torus
    start[0] = MAJOR + MINOR + 0.15;
    for (let k = 0; k < 30; k++) {
      measure(start);
      for (let a = 0; a < 3; a++) start[a] -= (out[GAP] - 1e-3) * out[NORMAL + a];
    }
    measure(start);
    assert.equal(i.kind, kind);
    assert.equal(j.kind, FACE);
    assert.ok(Math.abs(out[GAP] - 1e-3) < 1e-12);
    for (let n = 0; n < 20; n++) {
      const v = [draw(), draw(), draw()];
      const w = [draw(), draw(), draw()];
      const at = (t: number): { readonly p: number[]; readonly s: number[] } => {
        const state = start.slice();
        for (let a = 0; a < 3; a++) state[a] += t * v[a];
        advanceQuaternion(state, 3, start, 3, Float64Array.from(w), 0, Float64Array.of(t));
        measure(state);
        return { p: [...i.out.slice(0, 3)], s: [...j.out.slice(0, 3)] };
      };
      const h = 1e-4; // third derivatives of some 1/m²: h²/6 of them is below 1e-7
      const [before, after] = [at(-h), at(h)];
      const { p, s } = at(0);
      const normal = [...out.slice(NORMAL, NORMAL + 3)];
      const tangent = [...i.out.slice(3, 6)];
      const bend = [...i.out.slice(9, 12)];
      const rate = (a: number[], b: number[]): number[] => a.map((x, k) => (x - b[k]) / (2 * h));
      const onFace = rate(after.s, before.s);
      const lever = p.map((x, a) => x - start[a]);
      const carried = v.map((x, a) => x + cross(w, lever)[a]);
      // at a gap g the foot on the face moves as on the face offset by it: curvatures k/(1 + g k)
      const { eu, ev, ku, kv } = onTorus(s);
      const gap = out[GAP];
      const offset = (k: number): number => k / (1 + gap * k);
      const turn = (x: readonly number[]): number[] =>
        eu.map((e, a) => offset(ku) * dot(x, eu) * e + offset(kv) * dot(x, ev) * ev[a]);
      let along = 0;
      if (kind === EDGE) {
        const speed = Math.hypot(...tangent);
        const tau = tangent.map((x) => x / speed);
        const kappa = dot(normal, bend) / speed ** 2;
        // m = (w1 − w2) × n1 with n1 = −n2
        const m = cross(
          w,
          normal.map((x) => -x),
        );
        along = -(dot(tau, m) + dot(tau, turn(carried))) / (kappa + dot(tau, turn(tau)));
        for (let a = 0; a < 3; a++) carried[a] += along * tau[a];
        const own = dot(tau, rate(after.p, before.p)) - dot(tau, v) - dot(tau, cross(w, lever));
        assert.ok(Math.abs(own - along) < 1e-6, `edge ${own} ${along}`);
      }
      // a2 = a1 + dV, seen from the face itself: over 1 + g k
      for (const [e, k] of [
        [eu, ku],
        [ev, kv],
      ] as const) {
        const expected = dot(carried, e) / (1 + gap * k);
        assert.ok(Math.abs(dot(onFace, e) - expected) < 1e-6, `${dot(onFace, e)} ${expected}`);
      }
    }
  });
}
