/**
 * Interface of the volumetric benchmark to every engine: a free body of convex cells over a fixed
 * one, pushed by forces.
 */
import type { CellModel, Quadruple, Triple } from '../../src/index.ts';

/** A free body over fixed ground. Both are made of boxes, spheres and convex hulls whose orientation is that of the body. */
export interface CellScene {
  readonly step: number;
  readonly gravity: Triple;
  readonly mass: number;
  /** Principal moments about the body axes, kg m². */
  readonly moments: Triple;
  readonly cells: readonly CellModel[];
  readonly ground: readonly CellModel[];
  readonly position: Triple;
  readonly orientation: Quadruple;
  readonly velocity: Triple;
  readonly spin: Triple;
  /** Coefficient of sliding friction, and of friction after rest: an engine that has one takes the former. */
  readonly friction: number;
  readonly stiction: number;
}

/** A scene that runs. */
export interface RunningCells {
  /** Constant force through the centre of mass, N, and moment, N m, from the next step on. */
  push(force: Triple, moment: Triple): void;
  step(): void;
  /** Slots of engine.ts. */
  read(out: Float64Array): void;
  /** Points or pairs in contact. */
  contacts(): number;
  free(): void;
}

/** An engine. */
export interface CellEngine {
  readonly name: string;
  /** How contact is computed and set up. */
  readonly contact: string;
  /** What it counts as a contact. */
  readonly unit: string;
  make(scene: CellScene): RunningCells;
  /** Contact force and moment on the body at the start of the scene. Without it, the first step gives them. */
  wrench?(scene: CellScene): number[];
}
