/**
 * An articulated tree as a mover of the contact system: joints are passive but for their springs and dampers, links are bodies that
 * contacts push.
 *
 * The smooth forces of a step are taken by the mid-point rule, linearly implicit in springs and dampers, as in `Tree.step`. Contacts push
 * at the poses of its start, and the positions follow with the rates that are left: docs/theory/trees.md, Contacts.
 */
import type { TreeModel } from '../../model/tree-model.ts';
import { TreeImpulses } from './tree-impulses.ts';
import { TreePart } from './tree-part.ts';
import { Tree } from './tree.ts';

/** One tree of a system. */
export class TreeMover {
  readonly name: string;
  readonly still: boolean = false;
  readonly led: boolean = false;
  readonly wholeSteps: boolean = true;
  readonly state: Float64Array;
  readonly velocities: Float64Array;
  readonly lag: Float64Array;
  readonly parts: readonly TreePart[];
  /** At the present state, which lies in the arena. */
  readonly tree: Tree;
  readonly impulses: TreeImpulses;
  /** The same tree in the middle of a step. */
  private readonly middle: Tree;
  /** Derivative of the state. */
  private readonly rate: Float64Array;
  private readonly accelerations: Float64Array;
  private readonly none: Float64Array;
  private readonly change: Float64Array;
  /** Rates at the start of a step. */
  private readonly oldRates: Float64Array;
  /** Rates that positions move with. */
  private readonly meanRates: Float64Array;
  /** Half the change of the rates by the smooth forces. */
  private readonly smoothHalf: Float64Array;
  private readonly half: Float64Array = new Float64Array(1);
  private readonly energy: Float64Array = new Float64Array(3);

  /**
   * @param state positions, then rates, in the arena
   * @param rate their derivative
   */
  constructor(
    model: TreeModel,
    gravity: readonly number[],
    state: Float64Array,
    rate: Float64Array,
  ) {
    this.name = model.name;
    this.state = state;
    this.tree = new Tree(model, state);
    this.middle = new Tree(model, new Float64Array(state.length));
    this.tree.gravity.set(gravity);
    this.middle.gravity.set(gravity);
    this.tree.fixBase();
    this.middle.fixBase();
    const parts: TreePart[] = [];
    this.impulses = new TreeImpulses(this.tree, parts);
    this.tree.links.forEach((link, i) => {
      parts.push(new TreePart(this.impulses, link, model.links[i].center));
    });
    this.parts = parts;
    const { n } = this.tree;
    this.velocities = this.tree.u;
    this.rate = rate;
    this.accelerations = rate.subarray(rate.length - n);
    this.none = new Float64Array(n);
    this.lag = new Float64Array(n);
    this.change = new Float64Array(n);
    this.oldRates = new Float64Array(n);
    this.meanRates = new Float64Array(n);
    this.smoothHalf = new Float64Array(n);
    this.refresh();
  }

  /** Whether an impulse came since the smooth forces of this step. */
  get pushed(): boolean {
    return this.impulses.pushed;
  }

  set pushed(pushed: boolean) {
    this.impulses.pushed = pushed;
  }

  /** Accelerations of the links from the last derivative. @alloc none */
  refreshAccelerations(): void {
    this.tree.refreshAccelerations(this.accelerations);
  }

  /** Poses and twists of links and parts from the state. @alloc none */
  refresh(): void {
    this.tree.refresh();
    for (let i = 0; i < this.parts.length; i++) this.parts[i].refresh();
  }

  /** Factors for a step of timing[0] from here. @alloc none */
  prepare(timing: Float64Array): void {
    this.tree.prepareStep(timing);
  }

  /** Nothing: gravity is part of the tree. @alloc none */
  addWeight(): void {}

  /** Rates after timing[0] under the wrenches on the parts, which are taken off; poses stay, for the contacts. @alloc none */
  applyForces(timing: Float64Array): void {
    const { tree, middle, change, smoothHalf, oldRates, half, none } = this;
    const { q, u, n } = tree;
    const loaded = this.isLoaded() ? 1 : 0;
    if (loaded === 1) this.load();
    tree.computeHalfChange(q, u, none, timing, loaded, change);
    for (let k = 0; k < q.length; k++) middle.q[k] = q[k];
    for (let k = 0; k < n; k++) {
      oldRates[k] = u[k];
      middle.u[k] = u[k] + change[k];
    }
    half[0] = 0.5 * timing[0];
    middle.advancePositions(middle.u, half);
    middle.refresh();
    middle.prepareStep(timing);
    if (loaded === 1) this.loadMiddle();
    middle.computeHalfChange(q, u, none, timing, loaded, smoothHalf);
    for (let k = 0; k < n; k++) u[k] += 2 * smoothHalf[k];
    if (loaded === 1) this.unload();
    this.impulses.refreshTwists();
    this.impulses.pushed = false;
  }

  /** Changes the rates by timing[0] times the wrenches on the parts: explicit contact forces. @alloc none */
  applyWrenches(timing: Float64Array): void {
    if (!this.isLoaded()) return;
    this.load();
    this.tree.projectWrenches(this.change);
    this.impulses.addForces(this.change, timing);
  }

  /** Rates by time[0] times the accelerations under the wrenches on the parts. @alloc none */
  accelerate(time: Float64Array): void {
    this.computeDerivative();
    const { tree, accelerations } = this;
    for (let k = 0; k < tree.n; k++) tree.u[k] += time[0] * accelerations[k];
    this.impulses.refreshTwists();
  }

  /**
   * Positions after timing[0]: with the mean of the rates in the step when nothing pushed the tree. In contact the new rates count
   * fully, so that a tree at rest has rates of zero. `refresh` has to follow. @alloc none
   */
  advancePose(timing: Float64Array): void {
    const { tree, meanRates, smoothHalf, impulses, lag } = this;
    for (let k = 0; k < tree.n; k++) {
      meanRates[k] = tree.u[k] - (impulses.pushed ? lag[k] : smoothHalf[k]);
    }
    tree.advancePositions(meanRates, timing);
  }

  /** x' = f(x) from the wrenches on the parts. @alloc none */
  computeDerivative(): void {
    const loaded = this.isLoaded() ? 1 : 0;
    if (loaded === 1) this.load();
    this.tree.computeDerivative(this.none, this.rate, loaded);
  }

  /** Quaternions of the positions to unit length, and what follows from them. @alloc none */
  normalize(): void {
    if (!this.tree.hasOrientations) return;
    this.tree.normalize();
    this.refresh();
  }

  /** sum[0] += kinetic energy, sum[1] += potential energy in gravity, sum[2] += energy of springs, J. @alloc none */
  addEnergy(_gravity: Float64Array, sum: Float64Array): void {
    const e = this.energy;
    this.tree.computeEnergy(e);
    sum[0] += e[0];
    sum[1] += e[2];
    sum[2] += e[1];
  }

  /** sum[0] += what the dampers took in the step of timing[0] that `applyForces` began, J. @alloc none */
  addLoss(timing: Float64Array, sum: Float64Array): void {
    const { tree, oldRates, meanRates } = this;
    this.half[0] = 0;
    for (let k = 0; k < tree.n; k++) meanRates[k] = 0.5 * (oldRates[k] + tree.u[k]);
    tree.addDampingPower(meanRates, this.half);
    sum[0] += timing[0] * this.half[0];
  }

  /** sum[0] += power that the dampers take, W. @alloc none */
  addLossRate(sum: Float64Array): void {
    this.tree.addDampingPower(this.tree.u, sum);
  }

  /** Whether there is a wrench on a part. */
  private isLoaded(): boolean {
    for (let i = 0; i < this.parts.length; i++) {
      const { wrench } = this.parts[i];
      for (let e = 0; e < 6; e++) if (wrench[e] !== 0) return true;
    }
    return false;
  }

  private unload(): void {
    for (let i = 0; i < this.parts.length; i++) {
      const { wrench } = this.parts[i];
      for (let e = 0; e < 6; e++) wrench[e] = 0;
    }
  }

  private load(): void {
    for (let i = 0; i < this.parts.length; i++) this.parts[i].load();
  }

  private loadMiddle(): void {
    const { links } = this.middle;
    for (let i = 0; i < this.parts.length; i++) this.parts[i].loadOnto(links[i]);
  }
}
