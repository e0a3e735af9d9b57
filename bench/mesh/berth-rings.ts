/** The ring in Berth: as facets, as samples against the field of the cone and the other way round, and as cells of a decomposition. */
import { contactKernels } from '../../config/contact-kernels.ts';
import {
  type BodyModel,
  CONTACT_READOUT,
  type ContactModelSpec,
  ContactReadout,
  makeSystem,
  type System,
  type SystemModel,
} from '../../src/index.ts';
import { makeField } from '../../src/proximity/make-field.ts';
import type { FacetedShape } from '../../src/shapes/faceted-shapes.ts';
import { surfaceSamples } from '../../src/shapes/surface-samples.ts';
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';
import { body, system } from '../../test/fixtures/models.ts';
import { cell } from '../../test/fixtures/volumetric-models.ts';
import { toolOf } from '../volumetric-scenes.ts';
import { ringPieces } from './ring-cells.ts';
import {
  CONE,
  coneCorners,
  coneMesh,
  DIVISIONS,
  GRAVITY,
  heightAt,
  MASS,
  MOMENTS,
  RING,
  ringMesh,
  type Running,
  type Size,
  SPIN,
  startHeight,
  STEP,
  STIFFNESS,
} from './ring-scene.ts';

const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
/**
 * Distance at which facets begin to push, m: that of the scenario, at all sizes. A depth of the whole standoff is the end of a pair of
 * facets, so that it has to be above the depth that the fall reaches (ring-scene.ts, `DROP`), whatever the size of the facets.
 */
const STANDOFF = 2e-3;
/** Area with the stiffness of a pair of facets, m². */
const AREA = 1e-6;
const MOST_PAIRS = 4096;
/** Node distance of a field, m, and samples of a surface. */
const CELL = 1e-3;
const SAMPLES = 8000;
const PATCHES = 64;

const FOUNDATION = {
  kind: 'volumetric',
  stiffness: STIFFNESS,
  restitution: 0.3,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;
const SMOOTH = { kind: 'none' } as const;

function make(
  words: string,
  unit: string,
  contact: Omit<ContactModelSpec, 'name'>,
  ring: Partial<BodyModel> = {},
  cone: Partial<BodyModel> = {},
  tool: SystemModel['tool'] = null,
): Running & { readonly system: System } {
  const model = system({
    gravity: [0, 0, -GRAVITY],
    integrator: 'implicit-contact',
    step: STEP,
    bodies: [
      body('ring', 'dynamic', {
        mass: MASS,
        inertia: [...MOMENTS, 0, 0, 0],
        position: [0, 0, startHeight()],
        angularVelocity: [0, 0, SPIN],
        ...ring,
      }),
      body('cone', 'fixed', cone),
      ...(tool === null ? [] : [body('arm', 'accommodated', { position: [0, 0, LOW] })]),
    ],
    tool,
    contacts: [{ name: 'ring-cone', ...contact }],
  });
  const made = makeSystem(model, contactKernels());
  const row = new Float64Array(CONTACT_READOUT.length);
  const state = new Float64Array(13);
  return {
    system: made,
    words,
    step: () => {
      if (made.step(STEP) !== 0) throw new Error('a step was not finite');
    },
    height: () => {
      made.readBody(0, state, 0);
      return state[2];
    },
    contacts: () => {
      made.readContact(0, row, 0);
      return `${row[ContactReadout.pairs]} ${unit}, ${made.substeps} sub-steps`;
    },
    missed: () => {
      const { exhaustedPairs: pairs, penetratedSteps: steps } = made;
      return [
        ...(pairs > 0 ? [`${pairs} pairs found no room`] : []),
        ...(steps > 0 ? [`the bodies were inside of each other in ${steps} steps`] : []),
      ].join(', ');
    },
  };
}

/** Pairs of facets, springs by area. */
export function facetedRing(size: Size): Running {
  const [around, across] = DIVISIONS[size];
  const ring: FacetedShape = {
    kind: 'torus',
    radius: RING.radius,
    tubeRadius: RING.tube,
    around,
    across,
  };
  const cone: FacetedShape = {
    kind: 'frustum',
    radius: CONE.radius,
    topRadius: CONE.top,
    length: CONE.length,
    around: CONE.around,
  };
  const standoff = STANDOFF;
  const words = `faceted, ${around * across} facets, area, standoff ${1e3 * standoff} mm`;
  const contact: Omit<ContactModelSpec, 'name'> = {
    bodyI: 'ring',
    bodyJ: 'cone',
    pair: {
      kind: 'faceted',
      shapeI: { shape: ring, ...AT },
      shapeJ: { shape: cone, ...AT },
      standoff,
      duplicates: 'area',
      referenceArea: AREA,
      maximumPairs: MOST_PAIRS,
    },
    normalLaw: {
      kind: 'restitution-slope',
      stiffness: STIFFNESS * AREA,
      exponent: 1,
      slope: 4,
    },
    frictionLaw: SMOOTH,
  };
  return make(words, 'pairs', contact, { position: [0, 0, startHeight(standoff)] });
}

function sampledPair(samples: TriangleMesh, field: TriangleMesh): ContactModelSpec['pair'] {
  return {
    kind: 'sampled',
    samples: surfaceSamples(samples, SAMPLES, PATCHES, 'samples'),
    field: { field: makeField(field, { cell: CELL, band: 4 * CELL, scale: 1 }, 'field'), ...AT },
  };
}

const SAMPLED = `sampled, ${SAMPLES} samples of the ring or more, field of the cone with cells of ${1e3 * CELL} mm`;

/** Samples of the ring in the field of the cone. */
const sampledContact = (size: Size): Omit<ContactModelSpec, 'name'> => ({
  bodyI: 'ring',
  bodyJ: 'cone',
  pair: sampledPair(ringMesh(size), coneMesh()),
  normalLaw: FOUNDATION,
  frictionLaw: SMOOTH,
});

export const sampledRing = (size: Size): Running => make(SAMPLED, 'patches', sampledContact(size));

/** The height of the ring in the loop, m: pressed by about 0.2 mm along the normal of the cone, up and down by 0.1 mm in half a second. */
const LOW = heightAt(-2e-4);
const SWING = 1e-4;
const PERIOD = 500;

/** The same as the loop runs it: the ring is the payload of a tool, and its motion is measured. */
export function loopRing(size: Size): Running {
  const ring = { position: [0, 0, LOW], motion: 'prescribed' } as const;
  const contact = sampledContact(size);
  const words = `${SAMPLED}; the ring is the payload of a tool, with a new measured pose every step`;
  const running = make(words, 'patches', contact, ring, {}, toolOf('ring'));
  const { system: made } = running;
  const port = made.tool!;
  made.useSchedule = false;
  port.mode = 1;
  made.readBody(0, port.measuredMotion, 0);
  let tick = 0;
  return {
    ...running,
    step: () => {
      const n = tick++;
      const m = port.measuredMotion;
      const phase = (2 * Math.PI * n) / PERIOD;
      const turn = 0.5 * SPIN * STEP * n;
      m[2] = LOW + SWING * Math.sin(phase);
      m[5] = Math.sin(turn);
      m[6] = Math.cos(turn);
      m[9] = ((SWING * 2 * Math.PI) / (PERIOD * STEP)) * Math.cos(phase);
      m[12] = SPIN;
      running.step();
    },
  };
}

/** Samples of the cone in the field of the ring. */
export function fieldRing(size: Size): Running {
  return make(
    `sampled, field of the ring with cells of ${1e3 * CELL} mm, ${SAMPLES} samples of the cone or more`,
    'patches',
    {
      bodyI: 'cone',
      bodyJ: 'ring',
      pair: sampledPair(coneMesh(), ringMesh(size)),
      normalLaw: FOUNDATION,
      frictionLaw: SMOOTH,
    },
  );
}

/** Cells of a decomposition: the overlap of each with the cone. */
export async function cellRing(size: Size): Promise<Running> {
  const pieces = await ringPieces(size);
  return make(
    `volumetric, ${pieces.length} cells`,
    'pairs of cells',
    {
      bodyI: 'ring',
      bodyJ: 'cone',
      pair: { kind: 'volumetric', maximumPairs: pieces.length },
      normalLaw: FOUNDATION,
      frictionLaw: SMOOTH,
    },
    { cells: pieces.map((vertices, k) => cell(`piece-${k}`, { kind: 'mesh', vertices })) },
    { cells: [cell('cone', { kind: 'mesh', vertices: coneCorners() })] },
  );
}
