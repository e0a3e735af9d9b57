/** A rim or a corner near a torus: how the places of both wander, by differences and by `Tasora, 7` for edges and vertices. */
import { FreeformPair } from '../../src/contact/freeform/freeform-pair.ts';
import { GAP, KINEMATICS, NORMAL } from '../../src/contact/pair.ts';
import { advanceQuaternion, rotationOf } from '../../src/math/quaternion.ts';
import { Random } from '../../src/math/random.ts';
import type { SurfaceSide } from '../../src/model/contact-spec.ts';
import { EDGE } from '../../src/proximity/surface-body.ts';
import { pose, type Pose } from './freeform-equals.ts';

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
/** A side and the attitude in which its border is in front. */
interface Feature {
  readonly side: SurfaceSide;
  readonly tilt: readonly number[];
}
/** The rim of a pipe of 0.1 m, towards −x. */
export const RIM: Feature = {
  side: {
    kind: 'faces',
    faces: [{ shape: { kind: 'cylinder', radius: 0.1 }, trim: { u: [-3, 3], v: [0, 0.1] } }],
  },
  tilt: [0.1, -0.55, 0.05, 1],
};
/** The corner of a plate, towards −x. */
export const CORNER: Feature = {
  side: {
    kind: 'faces',
    faces: [{ shape: { kind: 'plane' }, trim: { u: [0, 0.1], v: [0, 0.1] } }],
  },
  tilt: [0.1, 0.2, 0.95, 0.2],
};

const dot = (a: readonly number[], b: readonly number[]): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Unit tangents along u and v at a place of the torus, with their curvatures. */
function onTorus(place: readonly number[]): readonly (readonly [number[], number])[] {
  const u = Math.atan2(place[1], place[0]);
  const v = Math.atan2(place[2], Math.hypot(place[0], place[1]) - MAJOR);
  return [
    [[-Math.sin(u), Math.cos(u), 0], Math.cos(v) / (MAJOR + MINOR * Math.cos(v))],
    [[-Math.sin(v) * Math.cos(u), -Math.sin(v) * Math.sin(u), Math.cos(v)], 1 / MINOR],
  ];
}

/** A feature 1 mm over the torus. */
export class FeatureWander {
  readonly #pair: FreeformPair;
  readonly #start: Float64Array;
  readonly #out: Float64Array = new Float64Array(KINEMATICS);
  readonly #random: Random = new Random(19);
  readonly #still: Pose = pose([0, 0, 0]);

  constructor({ side, tilt }: Feature) {
    this.#pair = new FreeformPair({ kind: 'freeform', surfacesI: side, surfacesJ: TORUS });
    this.#start = pose([MAJOR + MINOR + 0.15, 0, 0], tilt).state;
    for (let k = 0; k < 30; k++) {
      this.#measure(this.#start);
      for (let a = 0; a < 3; a++) {
        this.#start[a] -= (this.#out[GAP] - 1e-3) * this.#out[NORMAL + a];
      }
    }
  }

  #measure(state: Float64Array): { p: number[]; s: number[] } {
    const rotation = new Float64Array(9);
    rotationOf(rotation, state, 3);
    this.#pair.compute({ state, rotation }, this.#still, this.#out);
    const { i, j } = this.#pair.solver;
    return { p: [...i.out.slice(0, 3)], s: [...j.out.slice(0, 3)] };
  }

  /** Errors of the speeds of both places for a random motion, by central differences, m/s; `edge` is 0 of a vertex. */
  errors(h: number): { readonly edge: number; readonly face: number } {
    const draw = (): number => 2 * this.#random.uniform() - 1;
    const start = this.#start;
    const v = [draw(), draw(), draw()];
    const w = [draw(), draw(), draw()];
    const at = (t: number): { p: number[]; s: number[] } => {
      const state = start.slice();
      for (let a = 0; a < 3; a++) state[a] += t * v[a];
      advanceQuaternion(state, 3, start, 3, Float64Array.from(w), 0, Float64Array.of(t));
      return this.#measure(state);
    };
    const [before, after] = [at(-h), at(h)];
    const { p, s } = at(0);
    const { i } = this.#pair.solver;
    const gap = this.#out[GAP];
    const normal = [...this.#out.slice(NORMAL, NORMAL + 3)];
    const tangent = [...i.out.slice(3, 6)];
    const bend = [...i.out.slice(9, 12)];
    const rate = (a: number[], b: number[]): number[] => a.map((x, k) => (x - b[k]) / (2 * h));
    const lever = p.map((x, a) => x - start[a]);
    const carried = v.map((x, a) => x + cross(w, lever)[a]);
    // at a gap g the foot on the face moves as on the face offset by it: curvatures k/(1 + g k)
    const axes = onTorus(s);
    const turn = (x: readonly number[]): number[] =>
      [0, 1, 2].map((a) =>
        axes.reduce((sum, [e, k]) => sum + (k / (1 + gap * k)) * dot(x, e) * e[a], 0),
      );
    let edge = 0;
    if (i.kind === EDGE) {
      const speed = Math.hypot(...tangent);
      const tau = tangent.map((x) => x / speed);
      const kappa = dot(normal, bend) / speed ** 2;
      // m = (w1 − w2) × n1 with n1 = −n2
      const m = cross(
        w,
        normal.map((x) => -x),
      );
      const along = -(dot(tau, m) + dot(tau, turn(carried))) / (kappa + dot(tau, turn(tau)));
      const own = dot(tau, rate(after.p, before.p)) - dot(tau, carried);
      edge = Math.abs(own - along);
      for (let a = 0; a < 3; a++) carried[a] += along * tau[a];
    }
    // a2 = a1 + dV, seen from the face itself: over 1 + g k
    const onFace = rate(after.s, before.s);
    const face = axes.map(([e, k]) => Math.abs(dot(onFace, e) - dot(carried, e) / (1 + gap * k)));
    return { edge, face: Math.max(...face) };
  }
}
