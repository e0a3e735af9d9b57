/** Elastic bodies from files: a mesh with a material, or a superelement, held at one set of nodes and touched at another. */
import { basename } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { type ContactFace, contactFace } from '../src/fem/contact-face.ts';
import { contactPoints } from '../src/fem/contact-points.ts';
import {
  type ElasticStructure,
  meshStructure,
  superelementStructure,
} from '../src/fem/elastic-structure.ts';
import type { ElasticMaterial } from '../src/fem/elasticity.ts';
import type { HeldComponent } from '../src/fem/assembly.ts';
import { resolvedFrequency } from '../src/fem/mesh-range.ts';
import { type ReducedBody, reduceBody } from '../src/fem/reduce-body.ts';
import { bodySurface } from '../src/fem/surface-faces.ts';
import type { FacetedSurface } from '../src/shapes/facets.ts';
import { MOST_FEM_BYTES, parseFemMesh } from './fem-mesh-file.ts';
import { readInput } from './input-file.ts';
import { MeshLines } from './mesh-lines.ts';
import { isSuperelement, readSuperelement } from './superelement-file.ts';

/** How a file is taken. */
export interface ElasticRequest {
  /** Metres in one unit of the file. */
  readonly scale: number;
  /** Of a mesh; a superelement has its own. */
  readonly material: ElasticMaterial | null;
  readonly clamp: string;
  readonly contact: string;
  /** Outward normal of the contact face of a superelement. */
  readonly normal: readonly number[] | null;
}

/** An elastic body that can be reduced. */
export interface ElasticSource {
  readonly bytes: Uint8Array;
  /** Size in words. */
  readonly about: string;
  /** Reduces it; `modes` null for as many as are usual. @throws BerthError as `reduceBody` */
  reduce(points: number, modes: number | null, damping: number): ReducedBody;
}

/** Extents that a tool may have, m: outside of them the unit is wrong. */
const LEAST_EXTENT = 1e-3;
const MOST_EXTENT = 20;
const USUAL_MODES = 6;

/** Reads the file. @throws BerthError that names the option or the line at fault */
export function readElasticFile(path: string, request: ElasticRequest): ElasticSource {
  const bytes = readInput(path, 'FILE', MOST_FEM_BYTES);
  const text = bytes.toString('utf8');
  const part = isSuperelement(text)
    ? fromSuperelement(text, basename(path), request)
    : fromMesh(text, basename(path), request);
  const { structure, face, most, surface } = part;
  const drawn = surface === null ? {} : { surface };
  const about = `${structure.coordinates.length / 3} nodes, ${sizeOf(structure.coordinates)}`;
  return {
    bytes,
    about,
    reduce(points, modes, damping) {
      const usual = structure.mass === null ? 0 : Math.min(USUAL_MODES, structure.stiffness.size);
      const body = held(request.clamp, () =>
        reduceBody(structure, contactPoints(face, points), modes ?? usual, damping),
      );
      const high = body.modes.findIndex(({ frequency }) => frequency > most);
      if (high < 0) return { ...body, ...drawn };
      if (modes === null) return { ...body, ...drawn, modes: body.modes.slice(0, high) };
      const tone = (omega: number): number => Number((omega / (2 * Math.PI)).toPrecision(3));
      throw new BerthError(
        'BERTH_PARAMETER_RANGE',
        `--modes is ${modes}, but mode ${high + 1} at ${tone(body.modes[high].frequency)} Hz is above what the mesh shows; ` +
          `allowed: at most ${high} modes, those below ${tone(most)} Hz`,
        { field: '--modes' },
      );
    },
  };
}

interface Part {
  readonly structure: ElasticStructure;
  readonly face: ContactFace;
  /** Highest frequency that it shows, rad/s. */
  readonly most: number;
  /** What it is drawn as; null for matrices. */
  readonly surface: FacetedSurface | null;
}

function fromMesh(text: string, name: string, request: ElasticRequest): Part {
  const { scale, material, clamp, contact, normal } = request;
  if (material === null) {
    throw new BerthError('BERTH_USAGE', 'expected --material, or --young, --poisson, --density', {
      field: '--material',
    });
  }
  if (normal !== null) {
    throw new BerthError('BERTH_USAGE', '--normal is for superelements; a mesh has its own', {
      field: '--normal',
    });
  }
  const mesh = parseFemMesh(text, name, scale);
  checkUnit(mesh.coordinates, mesh.dimension);
  const members = memberSet(mesh.nodeSets, '--clamp', clamp);
  memberSet(mesh.nodeSets, '--contact', contact);
  const structure = meshStructure({ mesh, material, state: 'solid', held: components(members) });
  return {
    structure,
    face: contactFace(mesh, contact),
    most: resolvedFrequency(mesh, material),
    surface: bodySurface(mesh),
  };
}

function fromSuperelement(text: string, name: string, request: ElasticRequest): Part {
  const { scale, material, clamp, contact, normal } = request;
  if (material !== null) {
    throw new BerthError('BERTH_USAGE', '--material is for meshes; a superelement has its own', {
      field: '--material',
    });
  }
  if (normal === null) {
    throw new BerthError(
      'BERTH_USAGE',
      'expected --normal: the outward normal of the contact face, since a superelement has no surface',
      { field: '--normal' },
    );
  }
  const element = readSuperelement(new MeshLines(text, name), scale);
  checkUnit(element.coordinates, 3);
  const members = memberSet(element.nodeSets, '--clamp', clamp);
  const touching = memberSet(element.nodeSets, '--contact', contact);
  const structure = superelementStructure(element, components(members));
  return {
    structure,
    face: {
      nodes: touching,
      places: touching.flatMap((node) => [...element.coordinates.subarray(3 * node, 3 * node + 3)]),
      weights: touching.map(() => 0),
      vectors: touching.flatMap(() => normal),
    },
    most: Infinity,
    surface: null,
  };
}

/** Nodes of a set that is named by an option. */
function memberSet(
  sets: Readonly<Record<string, readonly number[]>>,
  option: string,
  name: string,
): readonly number[] {
  const found = Object.hasOwn(sets, name) ? sets[name] : [];
  if (found.length > 0) return found;
  const names = Object.keys(sets).join(', ');
  const what = Object.hasOwn(sets, name) ? 'has no nodes' : 'is no set of nodes of FILE';
  throw new BerthError(
    'BERTH_UNKNOWN_NAME',
    `${option} is "${name}", which ${what}; allowed: ${names || 'none, as FILE names no set'}`,
    { field: option },
  );
}

const components = (nodes: readonly number[]): HeldComponent[] =>
  nodes.flatMap((node) => [0, 1, 2].map((axis) => ({ node, axis })));

/** Says which option holds the body. */
function held<T>(clamp: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BerthError) || error.field !== 'held') throw error;
    throw new BerthError(error.code, `--clamp is "${clamp}": ${error.message}`, {
      field: '--clamp',
    });
  }
}

function extents(coordinates: Float64Array, dimension: number): number[] {
  return Array.from({ length: dimension }, (_, axis) => {
    let least = Infinity;
    let most = -Infinity;
    for (let c = axis; c < coordinates.length; c += dimension) {
      least = Math.min(least, coordinates[c]);
      most = Math.max(most, coordinates[c]);
    }
    return most - least;
  });
}

const millimetres = (metres: number): number => Number((1e3 * metres).toPrecision(3));

function sizeOf(coordinates: Float64Array): string {
  return `${extents(coordinates, 3).map(millimetres).join(' × ')} mm`;
}

function checkUnit(coordinates: Float64Array, dimension: number): void {
  const most = Math.max(...extents(coordinates, dimension));
  if (most >= LEAST_EXTENT && most <= MOST_EXTENT) return;
  throw new BerthError(
    'BERTH_UNIT',
    `--unit makes the body ${millimetres(most)} mm long; allowed: ${millimetres(LEAST_EXTENT)} to ${millimetres(MOST_EXTENT)} mm`,
    { field: '--unit' },
  );
}
