/**
 * Closest points of bodies of facets at the poses of a scene row, as lines for a picture (LaFarge & Lewis 1998, figures 1 and 4). They are a
 * function of the poses (docs/theory/faceted.md), so that the loop sends none and a recording has them as well.
 */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import {
  SCENE_BODIES,
  SCENE_POSE,
  sceneBodies,
  SceneColumn,
} from '../../hil/contract/scene-columns.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { PairFacets } from '../../src/contact/pair.ts';
import { pairDefinition } from '../../src/contact/registry.ts';
import { rotationOf } from '../../src/math/quaternion.ts';
import type { ContactModelSpec, SystemModel } from '../../src/model/model.ts';
import { FacetQuery } from '../../src/proximity/facet-query.ts';
import { DISTANCE, POINT_A, POINT_B } from '../../src/proximity/witness-slots.ts';
import { makeFacetTree } from '../../src/proximity/facet-tree.ts';
import { placedFacets } from '../../src/shapes/faceted-shapes.ts';
import type { NearPair, WitnessFrame } from '../client/messages.ts';
import { type Loaded, oncePerLoad } from './once-per-load.ts';

/** Lines of all contacts together: those of the nearest pairs of each. */
export const MOST_LINES = 240;
const ORIENTATION = 3; // behind the position of a pose

/** Rotation and origin of a body, world. */
class Placed {
  readonly rotation: Float64Array = new Float64Array(9);
  readonly origin: Float64Array = new Float64Array(3);

  take(row: Float64Array, body: number): void {
    const at = SceneColumn.POSES + SCENE_POSE * body;
    this.origin.set(row.subarray(at, at + 3));
    rotationOf(this.rotation, row, at + ORIENTATION);
  }

  /** A point of the body, world. */
  point(x: Float64Array, at: number): number[] {
    const { rotation: r, origin: o } = this;
    return [0, 1, 2].map(
      (a) => r[3 * a] * x[at] + r[3 * a + 1] * x[at + 1] + r[3 * a + 2] * x[at + 2] + o[a],
    );
  }
}

/** Two bodies of facets. */
class FacetsOfContact {
  readonly name: string;
  readonly bodyI: number;
  readonly bodyJ: number;
  readonly #i = new Placed();
  readonly #j = new Placed();
  readonly #query: FacetQuery;
  readonly #standoff: Float64Array;

  constructor({ name, pair }: ContactModelSpec, bodyI: number, bodyJ: number, facets: PairFacets) {
    this.name = name;
    this.bodyI = bodyI;
    this.bodyJ = bodyJ;
    const { kind } = pair;
    this.#query = new FacetQuery(
      makeFacetTree(placedFacets(facets.i, `${kind}.shapeI`)),
      makeFacetTree(placedFacets(facets.j, `${kind}.shapeJ`)),
      facets.room,
    );
    this.#standoff = Float64Array.of(facets.standoff);
  }

  /** Adds the lines of the nearest pairs; that of the nearest one where none is within the standoff. */
  read(row: Float64Array, most: number, lines: number[]): NearPair {
    const query = this.#query;
    this.#i.take(row, this.bodyI);
    this.#j.take(row, this.bodyJ);
    query.place(this.#i.rotation, this.#i.origin, this.#j.rotation, this.#j.origin);
    const pairs = query.collect(this.#standoff);
    const add = (a: Float64Array, b: Float64Array, atA: number, atB: number): void => {
      lines.push(...this.#j.point(a, atA), ...this.#j.point(b, atB)); // results are in the frame of j
    };
    if (pairs === 0) {
      query.findNearest();
      const { nearest } = query;
      add(nearest, nearest, POINT_A, POINT_B);
      return { contact: this.name, pairs, distinct: 0, least_distance_m: nearest[DISTANCE] };
    }
    const { distances, featuresA, featuresB } = query;
    const order = Array.from({ length: pairs }, (_, k) => k).sort(
      (k, l) => distances[k] - distances[l] || k - l,
    );
    for (const k of order.slice(0, most)) add(query.pointsA, query.pointsB, 3 * k, 3 * k);
    const distinct = new Set(order.map((k) => `${featuresA[k]} ${featuresB[k]}`)).size;
    return { contact: this.name, pairs, distinct, least_distance_m: distances[order[0]] };
  }
}

const NONE: WitnessFrame = { contacts: [], lines: [] };

/** The closest points of a model. It allocates and is no part of a loop. */
export class Witnesses {
  readonly #contacts: readonly FacetsOfContact[];
  #row = new Float64Array(0);
  #frame: WitnessFrame = NONE;

  /** @throws BerthError for surfaces that are not closed */
  constructor(model: SystemModel) {
    const bodies = sceneBodies(model).slice(0, SCENE_BODIES);
    this.#contacts = model.contacts.flatMap((spec) => {
      const facets = pairDefinition(spec.pair).facets?.(spec.pair);
      const [i, j] = [bodies.indexOf(spec.bodyI), bodies.indexOf(spec.bodyJ)];
      return facets === undefined || i < 0 || j < 0
        ? []
        : [new FacetsOfContact(spec, i, j, facets)];
    });
  }

  /** Whether no contact has bodies of facets. */
  get empty(): boolean {
    return this.#contacts.length === 0;
  }

  /** At the poses of a scene row; the same row again costs nothing. */
  read(row: Float64Array): WitnessFrame {
    const bodies = row[SceneColumn.BODIES];
    if (!this.#contacts.every(({ bodyI, bodyJ }) => bodyI < bodies && bodyJ < bodies)) return NONE;
    const poses = row.subarray(SceneColumn.POSES, SceneColumn.POSES + SCENE_POSE * bodies);
    if (poses.length === this.#row.length && poses.every((x, k) => x === this.#row[k]))
      return this.#frame;
    this.#row = poses.slice();
    const most = Math.floor(MOST_LINES / Math.max(1, this.#contacts.length));
    const lines: number[] = [];
    const contacts = this.#contacts.map((contact) => contact.read(row, most, lines));
    this.#frame = { contacts, lines };
    return this.#frame;
  }
}

/** Those of the loaded scenario; none where its file cannot be used any more. */
export const loadedWitnesses: (loaded: Loaded) => (row: Float64Array) => WitnessFrame = oncePerLoad(
  (scenario) => {
    try {
      const witnesses = new Witnesses(compileScenario(loadScenario(scenario)));
      return (row) => witnesses.read(row);
    } catch (error) {
      if (error instanceof BerthError) return () => NONE;
      throw error;
    }
  },
);
