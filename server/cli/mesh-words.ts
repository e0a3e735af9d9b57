/**
 * Which representation of a mesh fits the period of the loop, in words. What fits into 200 µs of a tick: about 50 pairs of cells, 400 pairs of
 * facets out of bodies of 2,000, 5,000 samples in range; a mesh that is cut into cells has at most 20,000 triangles. The longer the period, the
 * more of each.
 */
import { existsSync } from 'node:fs';
import { convexPieces, readMeshBytes } from '../../config/cell-file.ts';
import { closedMesh } from '../../config/closed-mesh.ts';
import { decompositionFile, readDecomposition } from '../../config/decomposition-file.ts';
import { fieldFile } from '../../config/field-file.ts';
import type { Scenario } from '../../config/scenario-schema.ts';
import { shownPath } from '../../config/scenario.ts';
import { meshSurface } from '../../src/shapes/merge-facets.ts';

/** How a scenario takes a mesh. */
type Use = 'volumetric' | 'faceted' | 'sampled' | 'convex';

/** Most of each at a period of 1 ms. */
const CELLS = 50;
const FACETS = 2_000;
/** Most triangles that `berth decompose` takes, at any period. */
const TRIANGLES = 20_000;

/** What `berth check` says of the meshes of a scenario. */
export interface MeshWords {
  /** A phrase for each mesh. */
  readonly facts: readonly string[];
  /** A sentence for each mesh that is taken in a way that does not fit the period, with the remedy. */
  readonly doubts: readonly string[];
}

/** The phrases of a scenario at a period. */
export function meshWords(scenario: Scenario, period_s: number): MeshWords {
  const facts: string[] = [];
  const doubts: string[] = [];
  for (const [file, uses] of meshUses(scenario)) {
    const about = measure(file);
    const fits = fitting(about, period_s);
    const shown = shownPath(file);
    const kinds = [...uses].join(', ');
    facts.push(`mesh ${shown}: ${about.words}; ${kinds} here; fits: ${fits.words.join(', ')}`);
    for (const use of uses) {
      const doubt = fits.doubts[use];
      if (doubt !== undefined) doubts.push(`${shown} is ${use} and ${doubt}`);
    }
  }
  return { facts, doubts };
}

/** Mesh files of a scenario, in the order of the file, and the kinds of pairs that take them. */
function meshUses(scenario: Scenario): Map<string, Set<Use>> {
  const uses = new Map<string, Set<Use>>();
  const add = (file: string | undefined, use: Use): void => {
    if (file === undefined) return;
    const known = uses.get(file);
    if (known === undefined) uses.set(file, new Set([use]));
    else known.add(use);
  };
  for (const { cells } of [...scenario.bodies, ...scenario.chains.flatMap(({ links }) => links)]) {
    for (const { file } of cells) add(file, 'volumetric');
  }
  for (const { pair } of scenario.contacts) {
    if (!('shape_i' in pair)) continue;
    const { kind } = pair;
    if ('field_j' in pair) add(pair.field_j.file, kind);
    const sides = 'shape_j' in pair ? [pair.shape_i, pair.shape_j] : [pair.shape_i];
    for (const side of sides) {
      const pieces = 'pieces' in side ? (side.pieces ?? []) : [];
      for (const { shape } of [side, ...pieces]) {
        if (shape?.kind === 'mesh') add(shape.file, kind);
      }
    }
  }
  return uses;
}

interface Measured {
  readonly words: string;
  readonly triangles: number;
  readonly facets: number;
  /** Convex cells, of the mesh or of the file beside it; null where it has to be cut first. */
  readonly cells: number | null;
  /** Whether there is a distance field beside it. */
  readonly field: boolean;
}

function measure(file: string): Measured {
  const bytes = readMeshBytes(file, shownPath(file), 'file');
  const closed = closedMesh(bytes, file, 'file');
  const triangles = closed.triangles.length / 3;
  const facets = meshSurface(closed).polygons.length;
  const convex = convexPieces(closed, 1);
  const cut = decompositionFile(file);
  const cells =
    convex?.length ??
    (existsSync(cut) ? readDecomposition(file, bytes, shownPath(file), 'file').length : null);
  const shape = convex === null ? 'bends inward' : convex.length === 1 ? 'convex' : 'convex pieces';
  const made = convex === null && cells !== null ? `, cut into ${cells} cells` : '';
  return {
    words: `${triangles} triangles, ${facets} facets, ${shape}${made}`,
    triangles,
    facets,
    cells,
    field: existsSync(fieldFile(file)),
  };
}

/** What fits, and what is wrong with what does not. */
function fitting(
  { triangles, facets, cells, field }: Measured,
  period_s: number,
): { readonly words: string[]; readonly doubts: Readonly<Partial<Record<Use, string>>> } {
  const room = period_s / 1e-3;
  const most = { cells: Math.floor(CELLS * room), facets: Math.floor(FACETS * room) };
  const words: string[] = [];
  const doubts: Partial<Record<Use, string>> = {};
  const simplify = (count: number): string => `berth simplify FILE --triangles ${count}`;
  const period = `${Number((1e3 * period_s).toPrecision(3))} ms`;
  if (cells === null) {
    words.push(
      triangles <= TRIANGLES
        ? 'volumetric after berth decompose'
        : `volumetric after ${simplify(TRIANGLES)} and berth decompose`,
    );
  } else if (cells <= most.cells) {
    words.push('volumetric');
  } else {
    const remedy = 'fewer cells by berth decompose --cells, or a sampled pair with berth field';
    doubts.volumetric = `has ${cells} cells; a period of ${period} holds about ${most.cells} pairs of cells: ${remedy}`;
    doubts.convex = doubts.volumetric;
  }
  if (facets <= most.facets) words.push('faceted');
  else {
    const remedy = `${simplify(most.facets)}, or a sampled pair with berth field`;
    doubts.faceted = `has ${facets} facets; a period of ${period} holds bodies of about ${most.facets}: ${remedy}`;
  }
  words.push(field ? 'sampled' : 'sampled after berth field');
  return { words, doubts };
}
