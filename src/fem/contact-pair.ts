/**
 * Contact of the nodes of one boundary with the segments of another, in the plane: Signorini and Coulomb by Lagrange multipliers,
 * `Kim 1999, 2.4, 2.5, 4.2.3, appendix C`.
 *
 * g_n = nᵀ(r_k − r_m) >= 0, n outward normal of the deformed target, r_m = β r_A + (1 − β) r_B       (2.59), (2.68)
 * stick: r_k = r_m with m a material point;  slide: g_n = 0 and λ_t = s μ_d |λ_n|;  release: nothing
 *
 * The multiplier λ acts on the target, −λ on the contactor: λ_n < 0 is pressure. A sliding node has the column
 * P_nᵀ − s μ_d P_tᵀ, s being the sign of the tangential multiplier that would have kept it.
 *
 * Target segments run counter-clockwise around the body, which lies on their left.
 */
import type { ConstraintRows } from './constraint-rows.ts';
import {
  type ContactFriction,
  type ContactNodes,
  RELEASE,
  SLIDE,
  STICK,
} from './contact-states.ts';
import { reviseChains } from './friction-chains.ts';
import type { PointSubsystem } from './subsystem.ts';

/** A boundary: the part's place in the list of parts, and nodes in their order along the boundary. */
export interface Boundary {
  readonly part: number;
  readonly body: PointSubsystem;
  readonly nodes: readonly number[];
  /** Whether the last node is followed by the first. */
  readonly closed?: boolean;
}

/** A node keeps its segment while β stays in [−WINDOW, 1 + WINDOW]. */
const WINDOW = 0.02;
/** Depth at which a node becomes active, over the length of the target's boundary. */
const TOUCH = 1e-12;
/** How often a node may be released and taken again in one step. */
const TRIES = 2;

/** Contact of two boundaries. */
export class ContactPair implements ContactNodes {
  readonly contactor: Boundary;
  readonly target: Boundary;
  readonly friction: ContactFriction;
  /** By node of the contactor: state, normal and tangential multiplier (N), gap (m). */
  readonly state: Uint8Array;
  readonly normalForce: Float64Array;
  readonly tangentForce: Float64Array;
  readonly gap: Float64Array;
  /** Outward normal of the target at each node, two numbers. */
  readonly normal: Float64Array;
  /** Whether a node's class is fixed for the rest of the step. */
  readonly latched: Uint8Array;
  /** Sign of the friction of a sliding node; 0 for none. */
  readonly sign: Float64Array;
  /** Length that a node stands for along the contactor's boundary: to the node after it, m. */
  readonly lengths: Float64Array;
  /** Work space for tractions: normal, tangential, diagonal. */
  readonly tractions: readonly Float64Array[];
  private readonly solved: Uint8Array;
  private readonly released: Uint8Array;
  private readonly returned: Uint8Array;
  private readonly segment: Int32Array;
  private readonly beta: Float64Array;
  private readonly anchorSegment: Int32Array;
  private readonly anchorBeta: Float64Array;
  private readonly corners: Float64Array;
  private readonly place = new Float64Array(2);
  private readonly found = new Float64Array(5);
  private readonly direction = new Float64Array(2);
  private readonly way = new Float64Array(2);
  private readonly spot = new Int32Array(1);
  private readonly spotBeta = new Float64Array(1);
  private readonly depth: number;

  constructor(contactor: Boundary, target: Boundary, friction: ContactFriction) {
    this.contactor = contactor;
    this.target = target;
    this.friction = friction;
    const n = contactor.nodes.length;
    this.state = new Uint8Array(n);
    this.normalForce = new Float64Array(n);
    this.tangentForce = new Float64Array(n);
    this.gap = new Float64Array(n);
    this.normal = new Float64Array(2 * n);
    this.latched = new Uint8Array(n);
    this.sign = new Float64Array(n);
    this.lengths = new Float64Array(n);
    this.tractions = Array.from({ length: 3 }, () => new Float64Array(n));
    this.solved = new Uint8Array(n);
    this.released = new Uint8Array(n);
    this.returned = new Uint8Array(n);
    this.segment = new Int32Array(n).fill(-1);
    this.beta = new Float64Array(n);
    this.anchorSegment = new Int32Array(n);
    this.anchorBeta = new Float64Array(n);
    this.corners = new Float64Array(2 * target.nodes.length);
    this.locateTarget();
    this.depth = TOUCH * this.perimeter();
    this.measureContactor();
  }

  /** Most rows that it can have. */
  get capacity(): number {
    return 2 * this.state.length;
  }

  /** Number of active nodes. */
  activeNodes(): number {
    let count = 0;
    for (const state of this.state) if (state !== RELEASE) count++;
    return count;
  }

  /** Begins a step: nodes that are open get the place beside them as the anchor that they have when they close. @alloc none */
  begin(): void {
    this.locateTarget();
    for (let k = 0; k < this.state.length; k++) {
      this.latched[k] = 0;
      this.sign[k] = 0;
      this.solved[k] = 0;
      this.released[k] = 0;
      this.returned[k] = 0;
      this.project(k);
      if (this.state[k] === RELEASE) this.moveAnchor(k);
      else if (this.friction.static > 0) this.state[k] = STICK;
    }
  }

  /** Measures the gaps of the present shape and takes the nodes that penetrate. Returns whether one was taken. @alloc none */
  search(): boolean {
    this.locateTarget();
    let taken = false;
    for (let k = 0; k < this.state.length; k++) {
      this.project(k);
      if (this.state[k] !== RELEASE || this.segment[k] < 0) continue;
      if (!(this.gap[k] < -this.depth) || this.released[k] >= TRIES) continue;
      // one that slid before in this step does not stick in it again
      const slides = this.friction.static === 0 || this.latched[k] === 1;
      this.state[k] = slides ? SLIDE : STICK;
      if (this.anchorSegment[k] < 0) this.moveAnchor(k);
      this.normalForce[k] = 0;
      this.tangentForce[k] = 0;
      this.solved[k] = 0;
      taken = true;
    }
    return taken;
  }

  /**
   * Decides who slides, and then who is released, after a solution. Returns whether a state changed. The trial in which all stick stops
   * a body that slides within a step; its forces tilt the body, so tension counts from the first round in which no node began to
   * slide. @alloc none
   */
  revise(): boolean {
    if (reviseChains(this)) return true;
    let changed = false;
    for (let k = 0; k < this.state.length; k++) {
      if (this.state[k] === RELEASE || this.solved[k] === 0 || !(this.normalForce[k] > 0)) continue;
      this.open(k);
      this.released[k]++;
      changed = true;
    }
    return changed;
  }

  /** Lets a node slide for the rest of the step, in the direction of the friction that held it. @alloc none */
  slide(k: number): void {
    this.state[k] = SLIDE;
    this.sign[k] = this.tangentForce[k] > 0 ? 1 : -1;
    this.latched[k] = 1;
  }

  /** Whether a node has been part of a solution in its present state. */
  isSolved(k: number): boolean {
    return this.solved[k] === 1;
  }

  /**
   * Friction takes power: a node on which it would give some sticks once more, and has no friction the second time. Returns whether a
   * state changed. @alloc none
   */
  checkPower(): boolean {
    let changed = false;
    for (let k = 0; k < this.state.length; k++) {
      if (this.state[k] !== SLIDE || this.sign[k] === 0) continue;
      this.choose(k, true);
      this.offset(k);
      const slip = this.normal[2 * k] * this.place[1] - this.normal[2 * k + 1] * this.place[0];
      if (slip * this.sign[k] >= 0) continue;
      if (this.returned[k] === 0) {
        this.state[k] = STICK;
        this.latched[k] = 0;
      } else {
        this.sign[k] = 0;
      }
      this.returned[k]++;
      this.solved[k] = 0;
      this.tangentForce[k] = 0;
      changed = true;
    }
    return changed;
  }

  /** Adds rows, gaps and multipliers of the active nodes; columns with or without the friction of those that slide. @alloc none */
  fill(rows: ConstraintRows, friction: boolean): void {
    const { normal, place, way } = this;
    for (let k = 0; k < this.state.length; k++) {
      if (this.state[k] === RELEASE) continue;
      const stick = this.state[k] === STICK;
      this.choose(k, stick);
      this.offset(k);
      way[0] = normal[2 * k];
      way[1] = normal[2 * k + 1];
      const row = this.addRow(rows, k);
      rows.gaps[row] = way[0] * place[0] + way[1] * place[1];
      rows.forces[row] = this.normalForce[k];
      rows.transpose(row);
      // t = n turned by a right angle
      way[0] = -normal[2 * k + 1];
      way[1] = normal[2 * k];
      if (stick) {
        const second = this.addRow(rows, k);
        rows.gaps[second] = way[0] * place[0] + way[1] * place[1];
        rows.forces[second] = this.tangentForce[k];
        rows.transpose(second);
      } else if (friction && this.sign[k] !== 0) {
        const part = -this.sign[k] * this.friction.sliding;
        way[0] *= part;
        way[1] *= part;
        this.addFriction(rows, row, k);
      }
    }
  }

  /** Takes the multipliers out of rows that `fill` made, from `row` on; returns the row after them. @alloc none */
  collect(rows: ConstraintRows, from: number): number {
    let row = from;
    for (let k = 0; k < this.state.length; k++) {
      if (this.state[k] === RELEASE) continue;
      this.normalForce[k] = rows.forces[row++];
      if (this.state[k] === STICK) this.tangentForce[k] = rows.forces[row++];
      else this.tangentForce[k] = -this.sign[k] * this.friction.sliding * this.normalForce[k];
      this.solved[k] = 1;
    }
    return row;
  }

  /** Ends a step: what slid has its anchor where it is now. @alloc none */
  finish(): void {
    this.locateTarget();
    for (let k = 0; k < this.state.length; k++) {
      this.project(k);
      if (this.state[k] === SLIDE) this.moveAnchor(k);
    }
  }

  private open(k: number): void {
    this.state[k] = RELEASE;
    this.normalForce[k] = 0;
    this.tangentForce[k] = 0;
  }

  private moveAnchor(k: number): void {
    this.anchorSegment[k] = this.segment[k];
    this.anchorBeta[k] = this.beta[k];
  }

  /** spot := segment and β of the anchor of a node, or of its projection. */
  private choose(k: number, anchor: boolean): void {
    this.spot[0] = anchor ? this.anchorSegment[k] : this.segment[k];
    this.spotBeta[0] = anchor ? this.anchorBeta[k] : this.beta[k];
  }

  /** A new row `way` · ∂(r_k − r_m)/∂q, m at `spot`. */
  private addRow(rows: ConstraintRows, k: number): number {
    const { contactor, target, direction, way } = this;
    const row = rows.add(contactor.part, target.part);
    rows.addPoint(row, contactor.part, contactor.body, contactor.nodes[k], way);
    this.weigh();
    rows.addPoint(row, target.part, target.body, target.nodes[this.spot[0]], direction);
    this.weighRest();
    rows.addPoint(row, target.part, target.body, target.nodes[this.next(this.spot[0])], direction);
    return row;
  }

  /** Adds `way` to the column of the normal row of a sliding node: its friction. */
  private addFriction(rows: ConstraintRows, row: number, k: number): void {
    const { contactor, target, direction, way } = this;
    const { body: a, part: i } = contactor;
    const { body: b, part: j } = target;
    a.addDirection(rows.columns[i], a.size * row, contactor.nodes[k], way);
    this.weigh();
    b.addDirection(rows.columns[j], b.size * row, target.nodes[this.spot[0]], direction);
    this.weighRest();
    b.addDirection(rows.columns[j], b.size * row, target.nodes[this.next(this.spot[0])], direction);
  }

  /** direction := −β way, and (β − 1) way. */
  private weigh(): void {
    this.direction[0] = -this.spotBeta[0] * this.way[0];
    this.direction[1] = -this.spotBeta[0] * this.way[1];
  }

  private weighRest(): void {
    this.direction[0] = (this.spotBeta[0] - 1) * this.way[0];
    this.direction[1] = (this.spotBeta[0] - 1) * this.way[1];
  }

  /** place := r_k − r_m, m at `spot`. */
  private offset(k: number): void {
    const { corners, place } = this;
    const segment = this.spot[0];
    const beta = this.spotBeta[0];
    const next = this.next(segment);
    this.contactor.body.position(this.contactor.nodes[k], place, 0);
    place[0] -= beta * corners[2 * segment] + (1 - beta) * corners[2 * next];
    place[1] -= beta * corners[2 * segment + 1] + (1 - beta) * corners[2 * next + 1];
  }

  private next(segment: number): number {
    return segment + 1 < this.target.nodes.length ? segment + 1 : 0;
  }

  private segmentCount(): number {
    return this.target.nodes.length - (this.target.closed === true ? 0 : 1);
  }

  private locateTarget(): void {
    const { target, corners } = this;
    for (let i = 0; i < target.nodes.length; i++)
      target.body.position(target.nodes[i], corners, 2 * i);
  }

  /** Segment, β, gap and normal of a node; the segment is −1 beside an open end of the target. */
  private project(k: number): void {
    const { found, place } = this;
    this.contactor.body.position(this.contactor.nodes[k], place, 0);
    const kept = this.segment[k];
    if (kept >= 0) {
      this.measure(kept);
      if (found[0] >= -WINDOW && found[0] <= 1 + WINDOW) {
        this.take(k, kept);
        return;
      }
    }
    const count = this.segmentCount();
    let best = -1;
    let nearest = Infinity;
    for (let s = 0; s < count; s++) {
      this.measure(s);
      if (found[2] < nearest) {
        nearest = found[2];
        best = s;
      }
    }
    this.measure(best);
    if (found[0] < 0 || found[0] > 1) {
      // β falls from 1 at the first corner to 0 at the second
      let other = found[0] > 1 ? best - 1 : best + 1;
      if (this.target.closed === true) other = (other + count) % count;
      if (other < 0 || other >= count) {
        this.segment[k] = -1;
        this.gap[k] = Infinity;
        return;
      }
      const gap = found[1];
      this.measure(other);
      if (found[1] > gap) best = other;
      else this.measure(best);
    }
    this.take(k, best);
  }

  /** found := β, g_n, squared distance, and normal of the node in `place` against a segment. */
  private measure(segment: number): void {
    const { corners, place, found } = this;
    const next = this.next(segment);
    const bx = corners[2 * next];
    const by = corners[2 * next + 1];
    const ex = corners[2 * segment] - bx;
    const ey = corners[2 * segment + 1] - by;
    const px = place[0] - bx;
    const py = place[1] - by;
    const square = ex * ex + ey * ey;
    const beta = (px * ex + py * ey) / square;
    const length = Math.sqrt(square);
    // the body lies on the left of the way from the first corner to the second
    const nx = -ey / length;
    const ny = ex / length;
    const clamped = Math.min(1, Math.max(0, beta));
    const dx = px - clamped * ex;
    const dy = py - clamped * ey;
    found[0] = beta;
    found[1] = nx * px + ny * py;
    found[2] = dx * dx + dy * dy;
    found[3] = nx;
    found[4] = ny;
  }

  private take(k: number, segment: number): void {
    const { found } = this;
    this.segment[k] = segment;
    this.beta[k] = found[0];
    this.gap[k] = found[1];
    this.normal[2 * k] = found[3];
    this.normal[2 * k + 1] = found[4];
  }

  private perimeter(): number {
    let sum = 0;
    for (let s = 0; s < this.segmentCount(); s++) {
      const next = this.next(s);
      const dx = this.corners[2 * next] - this.corners[2 * s];
      const dy = this.corners[2 * next + 1] - this.corners[2 * s + 1];
      sum += Math.sqrt(dx * dx + dy * dy);
    }
    return sum;
  }

  private measureContactor(): void {
    const { nodes, body } = this.contactor;
    const ends = new Float64Array(4);
    for (let k = 0; k + 1 < nodes.length; k++) {
      body.position(nodes[k], ends, 0);
      body.position(nodes[k + 1], ends, 2);
      const dx = ends[2] - ends[0];
      const dy = ends[3] - ends[1];
      this.lengths[k] = Math.sqrt(dx * dx + dy * dy);
    }
  }
}
