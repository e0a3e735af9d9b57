/** Scenes of the volumetric benchmarks: a box payload cut into cells on a tray cut into cells, so that a wanted number of pairs touch. */
import { contactKernels } from '../config/contact-kernels.ts';
import {
  type BodyModel,
  type CellModel,
  makeSystem,
  type System,
  type SystemModel,
} from '../src/index.ts';
import type { ToolModel } from '../src/model/model.ts';
import { body } from '../test/fixtures/models.ts';
import { box, cell, cutBox, type Point, scene } from '../test/fixtures/volumetric-models.ts';

/** Edges of the payload, m. */
export const SIZE: Point = [0.2, 0.2, 0.1];
/** The tray reaches so far beyond the payload, and is so thick, m. */
const MARGIN = 0.05;
const FLOOR = 0.05;
/** Depth of the payload in the tray, m: that of its weight. */
const DEPTH = 1e-3;
/** N/m³: soft enough for one sub-step of 1 ms for a free box. */
export const STIFFNESS = 5e5;
export const STEP = 1e-3;

/** Cuts of the payload and of the tray under it, along x and y: (a + m)(b + n) pairs touch. */
export const CUTS: Readonly<Record<number, readonly [a: number, m: number, b: number, n: number]>> =
  {
    1: [1, 0, 1, 0],
    4: [1, 1, 1, 1],
    12: [2, 2, 2, 1],
    40: [4, 4, 3, 2],
    100: [5, 5, 5, 5],
  };

/** Edges of cells along an axis: lines of the tray under the payload, none of which lies under one of the payload's. */
function edges(length: number, lines: number): number[] {
  const inner = Array.from({ length: lines }, (_, k) => ((k + 0.4) / lines - 0.5) * length);
  return [-length / 2 - MARGIN, ...inner, length / 2 + MARGIN];
}

function tray(m: number, n: number): CellModel[] {
  const xs = edges(SIZE[0], m);
  const ys = edges(SIZE[1], n);
  return xs
    .slice(1)
    .flatMap((x, i) =>
      ys
        .slice(1)
        .map((y, j) =>
          cell(`floor-${i}-${j}`, { kind: 'box', size: [x - xs[i], y - ys[j], FLOOR] }, [
            (x + xs[i]) / 2,
            (y + ys[j]) / 2,
            -FLOOR / 2,
          ]),
        ),
    );
}

/** Cells of the tray, and of the payload, for `pairs` (a key of CUTS) in contact. */
export function cutTrayCells(pairs: number): CellModel[] {
  const [, m, , n] = CUTS[pairs];
  return tray(m, n);
}

export function cutPayload(pairs: number): CellModel[] {
  const [a, , b] = CUTS[pairs];
  return cutBox(SIZE, [a, b, 1]);
}

/** Walls beside the payload, of so many cells, 5 mm away and as high as it is: cells without contact. */
function walls(count: number): CellModel[] {
  const rows = Math.ceil(count / 2);
  const height = SIZE[2] / rows;
  return Array.from({ length: count }, (_, k) =>
    cell(`wall-${k}`, { kind: 'box', size: [0.02, SIZE[1], height] }, [
      (k % 2 === 0 ? 1 : -1) * (SIZE[0] / 2 + 0.015),
      0,
      (Math.floor(k / 2) + 0.5) * height,
    ]),
  );
}

/** A scene: the free box, or the prescribed payload of a tool, as the loop runs it. */
export type Motion = 'free' | 'virtual';

/** The tool of a bench in virtual mode: it carries this body. */
export const toolOf = (payload: string): ToolModel => ({
  payload,
  arm: 'arm',
  forceGain: 1e4,
  momentGain: 200,
  forceDeadband: 10,
  momentDeadband: 1,
  lag: 5e-3,
  maximumSpeed: 0.1,
  maximumAngularSpeed: 0.5,
});

function build(motion: Motion, cuts: Point, under: CellModel[], pool: number): SystemModel {
  const free = motion === 'free';
  const at: Point = [0, 0, SIZE[2] / 2 - DEPTH];
  const payload: BodyModel = {
    ...box(SIZE, { position: at, velocity: free ? [0.05, 0.02, 0] : [0, 0, 0] }, cuts),
    motion: free ? 'dynamic' : 'prescribed',
  };
  return scene(payload, body('tray', 'fixed', { cells: under }), {
    normal: { stiffness: STIFFNESS },
    pair: { maximumPairs: pool },
    step: STEP,
    more: free
      ? {}
      : {
          bodies: [
            payload,
            body('tray', 'fixed', { cells: under }),
            body('arm', 'accommodated', { position: at }),
          ],
          tool: toolOf(payload.name),
        },
  });
}

/** `pairs` (a key of CUTS) cell pairs in contact. */
export function cutTray(motion: Motion, pairs: number): SystemModel {
  const [a, m, b, n] = CUTS[pairs];
  return build(motion, [a, b, 1], tray(m, n), pairs + 4);
}

/** Four pairs in contact, `cells` cells in each body: layers of the payload, and walls. */
export function crowdedTray(motion: Motion, cells: number): SystemModel {
  return build(motion, [2, 2, cells / 4], [...tray(0, 0), ...walls(cells - 1)], 8);
}

/** Moves a scene: every tick a new pose, so that nothing computed at the last one is of use. */
export class Mover {
  readonly run: System;
  readonly #virtual: boolean;
  readonly #start: Float64Array;
  readonly #contact: Float64Array = new Float64Array(40);
  #tick = 0;

  constructor(model: SystemModel) {
    this.run = makeSystem(model, contactKernels());
    this.#virtual = this.run.tool !== null;
    this.#start = this.run.state.slice();
    if (this.run.tool !== null) {
      this.run.useSchedule = false;
      this.run.tool.mode = 1;
      this.run.readBody(0, this.run.tool.measuredMotion, 0);
    }
  }

  /** Before a step: the pose that is measured, or the box back where it slid from. @alloc none */
  prepare(): void {
    const n = this.#tick++;
    const { tool } = this.run;
    if (!this.#virtual || tool === null) {
      if (n % 100 === 0) this.run.restore(this.#start);
      return;
    }
    const m = tool.measuredMotion;
    const angle = (2 * Math.PI * n) / 500;
    const s = Math.sin(angle);
    const c = Math.cos(angle);
    m[0] = 1e-4 * c; // slides on a circle of 0.1 mm, rocks by 0.2 mrad, presses by 0.1 mm
    m[1] = 1e-4 * s;
    m[2] = SIZE[2] / 2 - DEPTH + 1e-4 * s;
    m[3] = 1e-4 * c;
    m[4] = 1e-4 * s;
    m[7] = -1.2e-3 * s;
    m[8] = 1.2e-3 * c;
    m[9] = 1.2e-3 * c;
    m[10] = -2.4e-3 * s;
    m[11] = 2.4e-3 * c;
  }

  step(): void {
    if (this.run.step(STEP) !== 0) throw new Error('a step was not finite');
  }

  /** Pairs in contact. */
  pairs(): number {
    this.run.readContact(0, this.#contact, 0);
    return this.#contact[30];
  }
}
