/**
 * A link of a tree as contacts, springs and rows see it: a body whose origin is the centre of mass of a rigid link, or the end frame of
 * a flexible one. It answers an impulse with the whole tree.
 */
import type { TreeImpulses } from './tree-impulses.ts';
import { FRAME_STATE, type TreeLink } from './tree-link.ts';

/** One link; vectors are in the world frame. */
export class TreePart {
  readonly name: string;
  readonly link: TreeLink;
  readonly dynamic: boolean = true;
  readonly yields: boolean = true;
  readonly assembly: TreeImpulses;
  /** Index of the link. */
  readonly place: number;
  /** p(3) q(4) v(3) w(3); follows from the state of the tree. */
  readonly state: Float64Array = new Float64Array(FRAME_STATE);
  readonly rotation: Float64Array;
  /** Force and moment about the origin, collected for one evaluation. */
  readonly wrench: Float64Array = new Float64Array(6);
  /** Of the origin, in the end frame of the link. */
  private readonly center: Float64Array;
  /** From the origin of the end frame, world. */
  private readonly lever: Float64Array = new Float64Array(3);

  constructor(assembly: TreeImpulses, link: TreeLink, center: readonly number[]) {
    this.name = link.name;
    this.link = link;
    this.assembly = assembly;
    this.place = link.index;
    this.rotation = link.endRotation;
    this.center = Float64Array.from(link.beam === null ? center : [0, 0, 0]);
  }

  /** Pose and twist from those of the link. @alloc none */
  refresh(): void {
    const x = this.state;
    const e = this.link.endState;
    const r = this.rotation;
    const c = this.center;
    const d = this.lever;
    d[0] = r[0] * c[0] + r[1] * c[1] + r[2] * c[2];
    d[1] = r[3] * c[0] + r[4] * c[1] + r[5] * c[2];
    d[2] = r[6] * c[0] + r[7] * c[1] + r[8] * c[2];
    x[0] = e[0] + d[0];
    x[1] = e[1] + d[1];
    x[2] = e[2] + d[2];
    x[3] = e[3];
    x[4] = e[4];
    x[5] = e[5];
    x[6] = e[6];
    this.refreshTwist();
  }

  /** Twist from that of the link. @alloc none */
  refreshTwist(): void {
    const x = this.state;
    const e = this.link.endState;
    const d = this.lever;
    x[7] = e[7] + e[11] * d[2] - e[12] * d[1];
    x[8] = e[8] + e[12] * d[0] - e[10] * d[2];
    x[9] = e[9] + e[10] * d[1] - e[11] * d[0];
    x[10] = e[10];
    x[11] = e[11];
    x[12] = e[12];
  }

  /** out[at..at+5] := acceleration of the origin and angular acceleration, from the spatial one of the link. @alloc none */
  writeAcceleration(out: Float64Array, at: number): void {
    const a = this.link.endAcceleration;
    const s = this.state;
    const o = this.assembly.origin;
    const x = s[0] - o[0];
    const y = s[1] - o[1];
    const z = s[2] - o[2];
    out[at] = a[0] + a[4] * z - a[5] * y + s[11] * s[9] - s[12] * s[8];
    out[at + 1] = a[1] + a[5] * x - a[3] * z + s[12] * s[7] - s[10] * s[9];
    out[at + 2] = a[2] + a[3] * y - a[4] * x + s[10] * s[8] - s[11] * s[7];
    for (let e = 3; e < 6; e++) out[at + e] = a[e];
  }

  /** Puts the wrench on its link. @alloc none */
  load(): void {
    const w = this.wrench;
    const d = this.lever;
    const out = this.link.endWrench;
    out[0] = w[0];
    out[1] = w[1];
    out[2] = w[2];
    out[3] = w[3] + d[1] * w[2] - d[2] * w[1];
    out[4] = w[4] + d[2] * w[0] - d[0] * w[2];
    out[5] = w[5] + d[0] * w[1] - d[1] * w[0];
  }

  /** Puts the wrench on a link that stands where this one does in its own tree. @alloc none */
  loadOnto(link: TreeLink): void {
    const r = link.endRotation;
    const c = this.center;
    const w = this.wrench;
    const out = link.endWrench;
    const x = r[0] * c[0] + r[1] * c[1] + r[2] * c[2];
    const y = r[3] * c[0] + r[4] * c[1] + r[5] * c[2];
    const z = r[6] * c[0] + r[7] * c[1] + r[8] * c[2];
    out[0] = w[0];
    out[1] = w[1];
    out[2] = w[2];
    out[3] = w[3] + y * w[2] - z * w[1];
    out[4] = w[4] + z * w[0] - x * w[2];
    out[5] = w[5] + x * w[1] - y * w[0];
  }

  /** Changes the rates of the tree by an impulse, N s, at the point origin + kinematics[arm..]. @alloc none */
  push(kinematics: Float64Array, arm: number, impulse: Float64Array): void {
    this.assembly.push(this, kinematics, arm, impulse);
  }

  /** Changes the rates of the tree by a moment impulse, N m s. @alloc none */
  turn(impulse: Float64Array): void {
    this.assembly.turn(this, impulse);
  }

  /** Adds d_a·K d_b at the point origin + kinematics[arm..]: tangential (11, 12, 22) and normal, 1/kg. @alloc none */
  addMobility(
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void {
    this.assembly.addMobility(this, kinematics, arm, basis, mobility);
  }

  /** See ContactBody. @alloc none */
  writeResponse(out: Float64Array, at: number, stride: number): void {
    this.assembly.writeResponse(this.place, this.place, out, at, stride);
  }

  /** Nothing: a link has no momentum apart from its tree. @alloc none */
  writeMomentum(): void {}

  /** Adds the angular velocity by unit moments, 1/(kg m²). @alloc none */
  addSpinMobility(spinMobility: Float64Array): void {
    this.assembly.addSpinMobility(this, spinMobility);
  }
}
