/**
 * Poses, twists and columns of a tree from its coordinates: world axes, spatial vectors about the origin of the first link, so that a
 * tree far from the world's origin keeps its digits. `Featherstone 2008, 4 and 5`; beams `Kim 1999, (3.11)–(3.16)`.
 */
import { multiplyQuaternion, normalizeQuaternion } from '../../math/quaternion.ts';
import { TreeBase } from './tree-base.ts';
import { columnsOfLinks, layoutTree, type TreeLayout } from './tree-layout.ts';
import { FRAME_STATE, TreeLink, writeTwist } from './tree-link.ts';
import type { TreeFrameModel, TreeModel } from '../../model/tree-model.ts';

/** A named frame in motion. */
interface TreeFrame {
  readonly name: string;
  readonly link: TreeLink;
  readonly position: Float64Array;
  readonly quaternion: Float64Array;
  readonly state: Float64Array;
}

/** What moves. */
export class TreeKinematics {
  readonly layout: TreeLayout;
  readonly links: readonly TreeLink[];
  readonly frames: readonly TreeFrame[];
  readonly base: TreeBase;
  /** World motion of unit joint and modal rates, six numbers each. */
  readonly columns: Float64Array;
  /** Columns that move the end frame of each link. */
  readonly columnsOf: readonly Int32Array[];
  /** The point that spatial vectors are about. */
  readonly origin: Float64Array = new Float64Array(3);
  private readonly zero: Float64Array;
  /** Whether the base stands for good where it was at the last `refresh`. */
  private baseStands = false;
  /** Whether there are flexible links. */
  private readonly bends: boolean;

  constructor(model: TreeModel) {
    this.layout = layoutTree(model);
    this.base = new TreeBase(model.position, model.orientation);
    const links: TreeLink[] = [];
    model.links.forEach((link, i) => {
      const end = link.parent < 0 ? this.base : links[link.parent];
      links.push(new TreeLink(link, i, this.layout.links[i], end));
    });
    this.links = links;
    this.frames = model.frames.map((frame) => makeFrame(frame, links[frame.link]));
    this.columns = new Float64Array(6 * this.layout.moving);
    this.columnsOf = columnsOfLinks(model, this.layout);
    this.zero = new Float64Array(this.layout.rates);
    this.bends = links.some(({ beam }) => beam !== null);
  }

  /** The base stands for good where it was at the last `refresh`. */
  fixBase(): void {
    this.baseStands = true;
    for (const link of this.links) if (link.parent < 0) link.carried = false;
  }

  /** Everything from positions and rates. @alloc none */
  refresh(q: Float64Array, u: Float64Array): void {
    const { links, frames, base, columns, origin } = this;
    if (!this.baseStands) base.refresh();
    for (let i = 0; i < links.length; i++) {
      links[i].computePose(q);
      if (i === 0) {
        for (let a = 0; a < 3; a++) origin[a] = links[0].state[a];
        if (!this.baseStands) base.computeVelocity(origin);
      }
      links[i].computeColumns(columns, origin);
      links[i].computeMotion(columns, u, origin);
    }
    for (let f = 0; f < frames.length; f++) this.placeFrame(frames[f]);
  }

  /** Twists of the links from the rates; poses, columns and frames stay. @alloc none */
  refreshTwists(q: Float64Array, u: Float64Array): void {
    if (this.bends) {
      this.refresh(q, u);
      return;
    }
    const { links, columns, origin } = this;
    for (let i = 0; i < links.length; i++) links[i].computeTwist(columns, u, origin);
  }

  /** Spatial accelerations of all links for rates of change `acc`; gravity as an acceleration of the base against it. @alloc none */
  computeAccelerations(acc: Float64Array, gravity: Float64Array): void {
    this.base.computeAcceleration(this.origin, gravity);
    for (let i = 0; i < this.links.length; i++) {
      this.links[i].computeAcceleration(this.columns, acc);
    }
  }

  /** out (6 × rates, row by row) := Jacobian of a frame: velocity of its origin, angular velocity. @alloc none */
  frameJacobian(f: number, out: Float64Array): void {
    const { link, state } = this.frames[f];
    const n = this.layout.rates;
    const c = this.columns;
    const list = this.columnsOf[link.index];
    const x = state[0] - this.origin[0];
    const y = state[1] - this.origin[1];
    const z = state[2] - this.origin[2];
    for (let k = 0; k < 6 * n; k++) out[k] = 0;
    for (let j = 0; j < list.length; j++) {
      const k = list[j];
      const o = 6 * k;
      out[k] = c[o] + c[o + 4] * z - c[o + 5] * y;
      out[n + k] = c[o + 1] + c[o + 5] * x - c[o + 3] * z;
      out[2 * n + k] = c[o + 2] + c[o + 3] * y - c[o + 4] * x;
      out[3 * n + k] = c[o + 3];
      out[4 * n + k] = c[o + 4];
      out[5 * n + k] = c[o + 5];
    }
  }

  /** out (6) := acceleration of a frame when no rate changes: J̇ u, and what the base brings. @alloc none */
  frameBias(f: number, out: Float64Array): void {
    this.computeAccelerations(this.zero, this.zero);
    const { link, state } = this.frames[f];
    const a = link.endAcceleration;
    const x = state[0] - this.origin[0];
    const y = state[1] - this.origin[1];
    const z = state[2] - this.origin[2];
    out[0] = a[0] + a[4] * z - a[5] * y + state[11] * state[9] - state[12] * state[8];
    out[1] = a[1] + a[5] * x - a[3] * z + state[12] * state[7] - state[10] * state[9];
    out[2] = a[2] + a[3] * y - a[4] * x + state[10] * state[8] - state[11] * state[7];
    out[3] = a[3];
    out[4] = a[4];
    out[5] = a[5];
  }

  private placeFrame(frame: TreeFrame): void {
    const { state, position: p } = frame;
    const { endState: e, endRotation: r, endVelocity } = frame.link;
    for (let i = 0; i < 3; i++) {
      state[i] = e[i] + r[3 * i] * p[0] + r[3 * i + 1] * p[1] + r[3 * i + 2] * p[2];
    }
    multiplyQuaternion(state, 3, e, 3, frame.quaternion, 0);
    normalizeQuaternion(state, 3);
    writeTwist(state, endVelocity, this.origin);
  }
}

function makeFrame(model: TreeFrameModel, link: TreeLink): TreeFrame {
  const quaternion = Float64Array.from(model.orientation);
  normalizeQuaternion(quaternion, 0);
  return {
    name: model.name,
    link,
    position: Float64Array.from(model.position),
    quaternion,
    state: new Float64Array(FRAME_STATE),
  };
}
