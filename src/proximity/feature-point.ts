/**
 * A point on a feature of a body, in the common frame of two bodies: place, derivatives and, on a face or its border, the outward normal.
 * Edges are straight in the plane of the parameters: C(t) = S(a + t (b − a)).
 */
import { addRotated3, rotate3 } from '../math/vec3.ts';
import {
  BY_U,
  BY_UU,
  BY_UV,
  BY_V,
  BY_VV,
  normalOf,
  SURFACE_SLOTS,
} from '../shapes/surfaces/surface.ts';
import { EDGE, FACE, type SurfaceBody, VERTEX } from './surface-body.ts';

/** One point. */
export class FeaturePoint {
  readonly body: SurfaceBody;
  /** Number of the feature. */
  readonly feature: Int32Array = new Int32Array(1);
  /** Its parameters: u and v of a face, t of an edge. */
  readonly q: Float64Array = new Float64Array(2);
  /** u and v on the face. */
  readonly uv: Float64Array = new Float64Array(2);
  /** Place and derivatives by the parameters of the feature: slots of a surface, u alone for an edge. */
  readonly out: Float64Array = new Float64Array(SURFACE_SLOTS);
  /** The same of the face that it belongs to. */
  readonly onFace: Float64Array = new Float64Array(SURFACE_SLOTS);
  /** Outward normal of that face. */
  readonly normal: Float64Array = new Float64Array(3);
  /** [1 where the face has that normal] */
  readonly regular: Uint8Array = new Uint8Array(1);
  /** [result of the last measure, of length 1 at most] */
  readonly slope: Float64Array = new Float64Array(1);
  private readonly way: Float64Array = new Float64Array(2);
  /** Frame of the body in the common one; null for the body whose frame it is. */
  private readonly rotation: Float64Array | null;
  private readonly offset: Float64Array;

  constructor(body: SurfaceBody, rotation: Float64Array | null, offset: Float64Array) {
    this.body = body;
    this.rotation = rotation;
    this.offset = offset;
  }

  /** VERTEX, EDGE or FACE. @alloc none */
  get kind(): number {
    return this.body.kindOf(this.feature[0]);
  }

  /** Edge of the feature, or that which begins at it. @alloc none */
  get edge(): number {
    const { body } = this;
    const e = this.feature[0] - body.faces.length;
    return e < body.edgeCount ? e : e - body.edgeCount;
  }

  /** Face of the feature, −1 of a ball. @alloc none */
  get face(): number {
    const { body } = this;
    if (body.faces.length === 0) return -1;
    return this.feature[0] < body.faces.length ? this.feature[0] : body.faceOfEdge[this.edge];
  }

  /** Writes uv, out, onFace and normal at the present parameters. @alloc none */
  evaluate(): void {
    const { body, out, onFace, uv, q } = this;
    const f = this.face;
    if (f < 0) {
      out.fill(0);
      out[0] = body.center[0];
      out[1] = body.center[1];
      out[2] = body.center[2];
      this.carry(out, 3);
      return;
    }
    const { kind } = this;
    if (kind === FACE) {
      uv[0] = q[0];
      uv[1] = q[1];
    } else {
      const e = 4 * this.edge;
      const t = kind === EDGE ? q[0] : 0;
      uv[0] = body.ends[e] + t * (body.ends[e + 2] - body.ends[e]);
      uv[1] = body.ends[e + 1] + t * (body.ends[e + 3] - body.ends[e + 1]);
    }
    const { surface } = body.faces[f];
    surface.evaluate(uv, onFace);
    this.carry(onFace, SURFACE_SLOTS);
    this.regular[0] = normalOf(this.normal, 0, onFace, surface.sign) ? 1 : 0;
    if (kind === VERTEX) {
      out.fill(0);
      for (let a = 0; a < 3; a++) out[a] = onFace[a];
      return;
    }
    if (kind === FACE) {
      for (let a = 0; a < SURFACE_SLOTS; a++) out[a] = onFace[a];
      return;
    }
    const e = 4 * this.edge;
    const du = body.ends[e + 2] - body.ends[e];
    const dv = body.ends[e + 3] - body.ends[e + 1];
    for (let a = 0; a < 3; a++) {
      out[a] = onFace[a];
      out[BY_U + a] = onFace[BY_U + a] * du + onFace[BY_V + a] * dv;
      out[BY_UU + a] =
        onFace[BY_UU + a] * du * du + 2 * onFace[BY_UV + a] * du * dv + onFace[BY_VV + a] * dv * dv;
    }
  }

  /** `slope` := the part along `vector` of the unit direction into the face beside edge e, at the point of onFace. @alloc none */
  measureInto(e: number, vector: Float64Array): void {
    const { ends } = this.body;
    this.way[0] = ends[4 * e + 1] - ends[4 * e + 3];
    this.way[1] = ends[4 * e + 2] - ends[4 * e];
    this.measureAlong(vector);
  }

  /** `slope` := the part along `vector` of the unit direction along edge e, forward or back. @alloc none */
  measureEdge(e: number, forward: boolean, vector: Float64Array): void {
    const { ends } = this.body;
    const sign = forward ? 1 : -1;
    this.way[0] = sign * (ends[4 * e + 2] - ends[4 * e]);
    this.way[1] = sign * (ends[4 * e + 3] - ends[4 * e + 1]);
    this.measureAlong(vector);
  }

  /** Of the direction `way` of u and v; 0 of one that has no length. */
  private measureAlong(vector: Float64Array): void {
    const s = this.onFace;
    const du = this.way[0];
    const dv = this.way[1];
    const x = s[BY_U] * du + s[BY_V] * dv;
    const y = s[BY_U + 1] * du + s[BY_V + 1] * dv;
    const z = s[BY_U + 2] * du + s[BY_V + 2] * dv;
    const length = Math.sqrt(x * x + y * y + z * z);
    this.slope[0] = length > 0 ? (x * vector[0] + y * vector[1] + z * vector[2]) / length : 0;
  }

  /** Turns vectors of the body into the common frame, and moves the first one, a point. */
  private carry(values: Float64Array, count: number): void {
    const { rotation, offset } = this;
    if (rotation === null) return;
    for (let a = 3; a < count; a += 3) rotate3(values, a, rotation, values, a);
    const x = this.normal; // free until the normal is written
    x[0] = offset[0];
    x[1] = offset[1];
    x[2] = offset[2];
    addRotated3(x, 0, rotation, values, 0);
    values[0] = x[0];
    values[1] = x[1];
    values[2] = x[2];
  }
}
