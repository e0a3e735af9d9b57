/**
 * Faces, or a ball, of body i against those of body j: n = n_j, GAP = n·(P − S), POINT = (P + S)/2, at the place where they are nearest or
 * deepest. It is followed by Newton from the last pose; a search of all faces stands at the beginning and comes again when the bodies moved
 * by half of what another place is behind, and after 500 poses. What it keeps lies in the arena. docs/theory/freeform.md
 */
import {
  expect,
  list,
  oneOf,
  plain,
  positive,
  notNegative,
  finite,
} from '../../base/parameter-checks.ts';
import { BerthError } from '../../base/errors.ts';
import { addRotated3, rotate3, unrotate3 } from '../../math/vec3.ts';
import type { FreeformPairModel } from '../../model/contact-spec.ts';
import { FeaturePoint } from '../../proximity/feature-point.ts';
import { FeatureSolver, GAP_FOUND, NORMAL_FOUND } from '../../proximity/feature-solver.ts';
import { SurfaceBody } from '../../proximity/surface-body.ts';
import { StandIn } from '../../proximity/stand-in.ts';
import { RESERVE, SurfaceSearch } from '../../proximity/surface-search.ts';
import { makeSurfaceTree, type SurfaceTree } from '../../proximity/surface-tree.ts';
import { checkSurface } from '../../shapes/surfaces/check-surface.ts';
import { surfaceMesh } from '../../shapes/surfaces/surface-mesh.ts';
import type { SurfaceSide } from '../../shapes/surfaces/surface-spec.ts';
import { TOUCH_READOUT, TouchReadout } from '../../shapes/surfaces/touch-readout.ts';
import type { PosedBody } from '../contact-body.ts';
import type { NormalLaw } from '../normal/normal-law.ts';
import { type ContactPair, GAP, MOST_DEPTH, NORMAL, type PairDefinition, POINT } from '../pair.ts';
import { ball } from '../pairs/pair-shapes.ts';
import { OnsetRadius, OnsetRadiusLaw, type RadiusSource } from './onset-radius.ts';

/** Poses after which all faces are searched again, however little the bodies moved. */
const POSES = 500;

/** Slots of the memory. */
const FOLLOWED = 0; //  PLACE while a place is followed, STAND_IN where none was found
const FEATURES = 1; //  of i and of j
const PARAMETERS = 3; // of i and of j, two each
const LEFT = 7; //      poses until the next search
const SPARE = 8; //     motion since the search at which it comes again, m
const SEARCHED = 9; //  rotation (9) and place (3) of i in the frame of j at the search
const FACTOR = 21; //   √(R/R_0) of the onset
const SEARCHED_GAP = 22; // m
const LAST = 23; //    pose of the last place, as SEARCHED
const STAND_INS = 35; // poses whose place was not found
const MEMORY = 36;
/** What `FOLLOWED` says; 0 before the first pose. */
const PLACE = 1;
const STAND_IN = 2;
/** Part of the motion, and length, m, by which a gap may change more than bodies move, for rounding. */
const SLACK = 1e-9;

/** The pair of two sides. */
export class FreeformPair implements ContactPair, RadiusSource {
  usesFallback = false;
  /** Whether the present place was followed from the one before, without a search. */
  isFollowed = false;
  readonly solver: FeatureSolver;
  readonly search: SurfaceSearch;
  private readonly standIn: StandIn;
  /** [GAP_FOUND] of the solver's result. */
  private readonly gap: Float64Array;
  readonly factor: Float64Array;
  private readonly memory: Float64Array;
  /** Frame of i in that of j. */
  private readonly rotation: Float64Array = new Float64Array(9);
  private readonly offset: Float64Array = new Float64Array(3);
  private readonly point: Float64Array = new Float64Array(3);
  private readonly axis: Float64Array = new Float64Array(3);
  /** Axes of body j in the world, as of the last pose. */
  private readonly rotationJ: Float64Array = new Float64Array(9);
  /** [reach of body i from its origin, m; radius R_0 that the law was made with, m] */
  private readonly size: Float64Array;
  /** Whether the solver has the place of the pose that was computed last, and whether the present pose is that one. */
  private solved = false;
  private unmoved = false;
  /** [most that a point of i moved since the search, m] */
  private readonly motion: Float64Array = new Float64Array(1);
  private readonly onset: OnsetRadius = new OnsetRadius();

  constructor(model: FreeformPairModel, memory: Float64Array = new Float64Array(MEMORY)) {
    this.memory = memory;
    this.factor = memory.subarray(FACTOR, FACTOR + 1);
    const bodyI = new SurfaceBody(model.surfacesI);
    const bodyJ = new SurfaceBody(model.surfacesJ);
    const treeI = treeOf(model.surfacesI, bodyI);
    const treeJ = treeOf(model.surfacesJ, bodyJ);
    const i = new FeaturePoint(bodyI, this.rotation, this.offset);
    const j = new FeaturePoint(bodyJ, null, this.offset);
    this.solver = new FeatureSolver(i, j, scaleOf(treeI, treeJ));
    this.gap = this.solver.result.subarray(GAP_FOUND, GAP_FOUND + 1);
    this.search = new SurfaceSearch(this.solver, treeI, treeJ, this.rotation, this.offset);
    this.standIn = new StandIn(this.solver, treeI.coarse + treeJ.coarse);
    this.size = Float64Array.of(treeI.reach, nominalRadius(model));
  }

  /** @alloc none */
  compute(i: PosedBody, j: PosedBody, kinematics: Float64Array): void {
    const { solver, memory } = this;
    this.place(i, j);
    if (this.isSame()) {
      if (this.isHeld()) {
        this.usesFallback = false;
        this.write(j, kinematics);
        return;
      }
      this.load();
      this.usesFallback = memory[FOLLOWED] === STAND_IN;
      this.solved = !this.usesFallback;
      if (this.usesFallback) this.standIn.measure();
      else solver.refresh();
      this.write(j, kinematics);
      return;
    }
    const followed = memory[FOLLOWED] === PLACE && !this.isDue() && this.follow();
    const found = followed || this.search.find();
    this.isFollowed = followed;
    this.usesFallback = !found;
    this.solved = found;
    if (!found) this.measureStandIn();
    this.keep(found ? PLACE : STAND_IN);
    if (!found) memory[STAND_INS] += 1;
    memory[LEFT] -= 1;
    if (found && !followed) this.keepSearch();
    this.write(j, kinematics);
  }

  /** Poses since time zero whose place was not found. @alloc none */
  get standIns(): number {
    return this.memory[STAND_INS];
  }

  /** out[at] := the smaller sum of the curvatures of both sides at the place, 1/m; NaN on a border, and without a place. @alloc none */
  writeLeastCurvature(out: Float64Array, at: number): void {
    const { onset, solver } = this;
    out[at] = Number.NaN;
    if (this.memory[FOLLOWED] !== PLACE) return;
    onset.measureCurvatures(solver.i, solver.j, solver.result, NORMAL_FOUND);
    out[at] = onset.curvatures[0];
  }

  /** Columns of TOUCH_READOUT at the place. @alloc none */
  writeTouch(out: Float64Array, at: number): void {
    const { onset, solver, axis } = this;
    for (let c = 0; c < TOUCH_READOUT.length; c++) out[at + c] = 0;
    if (this.memory[FOLLOWED] !== PLACE) return;
    const found = this.search.counts[1];
    out[at] = found > 0 ? found : 1; // a restored place is held without a search
    onset.writeTouch(out, at, solver.i, solver.j, solver.result, NORMAL_FOUND);
    for (let a = 0; a < 3; a++) axis[a] = out[at + TouchReadout.axisX + a];
    rotate3(out, at + TouchReadout.axisX, this.rotationJ, axis, 0);
  }

  /** The place that was known last, or the nearest cells, where no place is found. */
  private measureStandIn(): void {
    const { solver, standIn } = this;
    if (this.memory[FOLLOWED] !== 0) {
      this.load();
      if (standIn.measure()) return;
    }
    if (this.search.placeNearest()) standIn.measure();
    else solver.result.fill(Number.NaN); // a pose of no numbers: the step fails
  }

  /** Place and pose into the memory. */
  private keep(kind: number): void {
    const { memory, rotation, offset } = this;
    const { i, j } = this.solver;
    memory[FOLLOWED] = kind;
    memory[FEATURES] = i.feature[0];
    memory[FEATURES + 1] = j.feature[0];
    for (let a = 0; a < 2; a++) {
      memory[PARAMETERS + a] = i.q[a];
      memory[PARAMETERS + 2 + a] = j.q[a];
    }
    for (let a = 0; a < 9; a++) memory[LAST + a] = rotation[a];
    for (let a = 0; a < 3; a++) memory[LAST + 9 + a] = offset[a];
  }

  /** Gap, reserve and pose of the search that has just been made. Code that runs once in 500 poses is not compiled, and a loop there would box each number. */
  private keepSearch(): void {
    const { memory, rotation, offset } = this;
    memory[LEFT] = POSES;
    memory.set(this.gap, SEARCHED_GAP);
    memory[SPARE] = 0.5 * this.search.bound[RESERVE];
    memory.set(rotation, SEARCHED);
    memory.set(offset, SEARCHED + 9);
  }

  /** What was found, in the world. */
  private write(j: PosedBody, kinematics: Float64Array): void {
    const { result, i: p, j: s } = this.solver;
    kinematics[GAP] = result[GAP_FOUND];
    rotate3(kinematics, NORMAL, j.rotation, result, NORMAL_FOUND);
    const shift = 0.5 * (s.body.radius[0] - p.body.radius[0]);
    for (let a = 0; a < 3; a++) {
      this.point[a] = 0.5 * (p.out[a] + s.out[a]) + shift * result[NORMAL_FOUND + a];
      kinematics[POINT + a] = j.state[a];
    }
    addRotated3(kinematics, POINT, j.rotation, this.point, 0);
  }

  freezeRadius(): void {
    const { onset, solver, memory, size } = this;
    onset.measure(solver.i, solver.j, solver.result, NORMAL_FOUND);
    const radius = onset.radius[0];
    memory[FACTOR] = radius > 0 ? Math.sqrt(radius / size[1]) : 1;
  }

  /** Pose of i in the frame of j. */
  private place(i: PosedBody, j: PosedBody): void {
    const { rotation, offset, point, rotationJ } = this;
    const a = i.rotation;
    const b = j.rotation;
    let unmoved = true;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const value = b[r] * a[c] + b[3 + r] * a[3 + c] + b[6 + r] * a[6 + c];
        if (value !== rotation[3 * r + c]) unmoved = false;
        rotation[3 * r + c] = value;
      }
      point[r] = i.state[r] - j.state[r];
    }
    for (let e = 0; e < 9; e++) rotationJ[e] = b[e];
    const x = offset[0];
    const y = offset[1];
    const z = offset[2];
    unrotate3(offset, 0, b, point, 0);
    this.unmoved = unmoved && offset[0] === x && offset[1] === y && offset[2] === z;
  }

  /** Whether another place may be the nearest by now. A point of i moves by |Δd| + ρ |ΔR|. */
  private isDue(): boolean {
    const { memory, rotation, offset } = this;
    if (!(memory[LEFT] > 0)) return true;
    let turned = 0;
    for (let a = 0; a < 9; a++) {
      const x = rotation[a] - memory[SEARCHED + a];
      turned += x * x;
    }
    let moved = 0;
    for (let a = 0; a < 3; a++) {
      const x = offset[a] - memory[SEARCHED + 9 + a];
      moved += x * x;
    }
    this.motion[0] = Math.sqrt(moved) + this.size[0] * Math.sqrt(turned);
    return this.motion[0] > memory[SPARE];
  }

  /** Whether the pose is that of the last place: what is measured twice, as after a state is restored, changes no memory. */
  private isSame(): boolean {
    const { memory, rotation, offset } = this;
    if (memory[FOLLOWED] === 0) return false;
    for (let a = 0; a < 9; a++) if (memory[LAST + a] !== rotation[a]) return false;
    for (let a = 0; a < 3; a++) if (memory[LAST + 9 + a] !== offset[a]) return false;
    return true;
  }

  /** Whether the solver stands at the place of the memory, in the pose that it has already measured: not after a state was restored. */
  private isHeld(): boolean {
    const { memory, solver } = this;
    const { i, j } = solver;
    return (
      this.solved &&
      this.unmoved &&
      memory[FOLLOWED] === PLACE &&
      memory[FEATURES] === i.feature[0] &&
      memory[FEATURES + 1] === j.feature[0] &&
      memory[PARAMETERS] === i.q[0] &&
      memory[PARAMETERS + 1] === i.q[1] &&
      memory[PARAMETERS + 2] === j.q[0] &&
      memory[PARAMETERS + 3] === j.q[1]
    );
  }

  /** The last place. */
  private load(): void {
    const { solver, memory } = this;
    const { i, j } = solver;
    i.feature[0] = memory[FEATURES];
    j.feature[0] = memory[FEATURES + 1];
    for (let a = 0; a < 2; a++) {
      i.q[a] = memory[PARAMETERS + a];
      j.q[a] = memory[PARAMETERS + 2 + a];
    }
  }

  /** Newton from the last place. */
  private follow(): boolean {
    const { solver, memory } = this;
    this.load();
    if (!solver.solve() || !solver.isNearest) return false;
    // the gap of one place changes by no more than the bodies move: what changed more is another place
    const change = Math.abs(solver.result[GAP_FOUND] - memory[SEARCHED_GAP]);
    return change <= this.motion[0] * (1 + SLACK) + SLACK;
  }
}

/** Length by which steps of Newton are judged: the size of the smaller body of faces. */
function scaleOf(treeI: SurfaceTree, treeJ: SurfaceTree): number {
  const sizes = [treeI.radii[0], treeJ.radii[0]].filter((size) => size > 0);
  return Math.min(...sizes);
}

/** R_0: of a ball against a plane, or of a ball as large as the smaller body of faces. */
function nominalRadius({ surfacesI, surfacesJ, contactRadius }: FreeformPairModel): number {
  if (contactRadius !== undefined) return contactRadius;
  const balls = [surfacesI, surfacesJ].flatMap((side) =>
    side.kind === 'ball' && side.radius > 0 ? [side.radius] : [],
  );
  return balls.length > 0 ? balls[0] : scaleOf(treeOf(surfacesI), treeOf(surfacesJ));
}

/** Trees of sides: the pair, its radius, depth and extent need each of them, and one of many spans takes long. Nothing writes into them. */
const trees = new WeakMap<SurfaceSide, SurfaceTree>();

function treeOf(side: SurfaceSide, body?: SurfaceBody): SurfaceTree {
  const tree = trees.get(side) ?? makeSurfaceTree(side, body ?? new SurfaceBody(side));
  trees.set(side, tree);
  return tree;
}

function checkSide(side: SurfaceSide, field: string): void {
  plain(field, side);
  oneOf(`${field}.kind`, side.kind, ['ball', 'faces']);
  if (side.kind === 'ball') {
    finite(`${field}.center`, side.center, 3);
    notNegative(`${field}.radius`, side.radius);
    return;
  }
  list(`${field}.faces`, side.faces);
  expect(`${field}.faces`, side.faces, side.faces.length > 0, 'to have a face');
  side.faces.forEach((face, k) => {
    const name = `${field}.faces[${k}]`;
    checkSurface(face, name);
    const { range } = new SurfaceBody({ kind: 'faces', faces: [face] }).faces[0].region;
    for (const [axis, at] of [
      ['u', 0],
      ['v', 2],
    ] as const) {
      if (Number.isFinite(range[at]) && Number.isFinite(range[at + 1])) continue;
      throw new BerthError(
        'BERTH_PARAMETER_RANGE',
        `Expected ${name}.trim.${axis} to bound the face, got ${range[at]} to ${range[at + 1]}`,
        { field: `${name}.trim.${axis}` },
      );
    }
  });
}

export const FREEFORM: PairDefinition<FreeformPairModel> = {
  step: 'point',
  supplies: ['effective-radius'],
  memory: MEMORY,
  check(model, field) {
    checkSide(model.surfacesI, `${field}.surfacesI`);
    checkSide(model.surfacesJ, `${field}.surfacesJ`);
    if (model.contactRadius !== undefined) positive(`${field}.contactRadius`, model.contactRadius);
    if (model.surfacesI.kind === 'faces' || model.surfacesJ.kind === 'faces') return;
    expect(
      `${field}.surfacesJ.kind`,
      model.surfacesJ.kind,
      false,
      'to be faces where surfacesI is a ball',
    );
  },
  effectiveRadius: nominalRadius,
  // only a ball about the centre of mass is always pushed through it
  isEccentric: ({ surfacesI }) =>
    surfacesI.kind === 'faces' || surfacesI.center.some((value) => value !== 0),
  make: (model, memory) => new FreeformPair(model, memory),
  onset: {
    applies: (model) => model.contactRadius === undefined,
    law: (law: NormalLaw, pair: ContactPair): NormalLaw =>
      pair instanceof FreeformPair ? new OnsetRadiusLaw(law, pair) : law,
  },
  extent({ surfacesI, surfacesJ }) {
    const width = (side: SurfaceSide): number => (side.kind === 'ball' ? 2 * side.radius : 0);
    const reach = (side: SurfaceSide): number =>
      treeOf(side).reach + (side.kind === 'ball' ? side.radius : 0);
    return {
      reaches: [reach(surfacesI), reach(surfacesJ)],
      widths: width(surfacesI) + width(surfacesJ),
    };
  },
  mostDepth({ surfacesI, surfacesJ }) {
    const size = (side: SurfaceSide): number =>
      side.kind === 'ball' && side.radius > 0 ? side.radius : treeOf(side).radii[0];
    return 2 * MOST_DEPTH * Math.min(...[size(surfacesI), size(surfacesJ)].filter((x) => x > 0));
  },
  shapes: ({ surfacesI, surfacesJ }) => ({
    i:
      surfacesI.kind === 'ball' && surfacesI.radius > 0
        ? [ball(surfacesI.radius, surfacesI.center)]
        : [],
    j:
      surfacesJ.kind === 'ball' && surfacesJ.radius > 0
        ? [ball(surfacesJ.radius, surfacesJ.center)]
        : [],
  }),
  surfaces: ({ surfacesI, surfacesJ }) => ({
    ...(surfacesI.kind === 'faces' ? { i: surfaceMesh(surfacesI.faces) } : {}),
    ...(surfacesJ.kind === 'faces' ? { j: surfaceMesh(surfacesJ.faces) } : {}),
  }),
};
