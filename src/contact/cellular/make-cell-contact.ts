/** Builds volumetric contacts from their description: kernels, pool, and the slices of the arena that they reserve first. */
import { BerthError } from '../../base/errors.ts';
import { cbrt } from '../../math/elementary/power.ts';
import type { ContactModelSpec } from '../../model/contact-spec.ts';
import type { Arena, ArenaPlan, Slice } from '../../math/arena.ts';
import type { OverlapKernel } from '../../overlap/kernel.ts';
import { makeKernel } from '../../overlap/make-kernel.ts';
import type { CellModel } from '../../shapes/cell-model.ts';
import type { VolumetricPairModel } from '../../model/contact-spec.ts';
import type { ContactBody } from '../contact-body.ts';
import { PIECE_READOUT } from '../contact-readout.ts';
import {
  type ContactSlices,
  makeContact,
  makeDetachedContact,
  planContactMemory,
  planContactStates,
} from '../make-contact.ts';
import { normalDefinition, pairDefinition } from '../registry.ts';
import { CellContact, CONTACT_MEMORY } from './cell-contact.ts';
import type { CellPlacements } from './cell-placements.ts';
import type { PoolSlot } from './pool-slot.ts';
import { type CellTable, SLOT_MEMORY, VolumetricPair } from './volumetric-pair.ts';

/** Pool of a description without a size. */
const DEFAULT_POOL = 256;

/** A contact of two bodies of cells. */
export interface VolumetricSpec extends ContactModelSpec {
  readonly pair: VolumetricPairModel;
}

/** Whether a contact is one of cells. */
export function isVolumetric(spec: ContactModelSpec): spec is VolumetricSpec {
  return pairDefinition(spec.pair).step === 'cells';
}

/** Number of sub-models of a contact: as many as cell pairs may touch at once. */
export function poolSize(spec: VolumetricSpec, cellsI: number, cellsJ: number): number {
  return Math.min(spec.pair.maximumPairs ?? DEFAULT_POOL, cellsI * cellsJ);
}

/** Slices of a volumetric contact. */
export interface CellContactSlices {
  readonly slots: readonly ContactSlices[];
  readonly memory: Slice;
}

function slotName(spec: VolumetricSpec, slot: number): string {
  return `${spec.name}#${slot}`;
}

/** Reserves the states of all sub-models, in the integrated part of the arena. */
export function planPoolStates(
  plan: ArenaPlan,
  spec: VolumetricSpec,
  size: number,
): readonly (readonly Slice[])[] {
  return Array.from({ length: size }, (_, slot) =>
    planContactStates(plan, spec, slotName(spec, slot)),
  );
}

/** Reserves what a volumetric contact keeps beside its states. */
export function planPoolMemory(
  plan: ArenaPlan,
  spec: VolumetricSpec,
  states: readonly (readonly Slice[])[],
): CellContactSlices {
  return {
    slots: states.map((slices, slot) =>
      planContactMemory(plan, spec, slices, slotName(spec, slot), PIECE_READOUT),
    ),
    memory: plan.add(`${spec.name}.cells`, SLOT_MEMORY * states.length + CONTACT_MEMORY),
  };
}

/** The size of voxels that a description asks for. @throws BerthError for a force without a stiffness to divide it by */
function voxelOptions(spec: VolumetricSpec): { readonly size?: number } {
  const { voxelSize, forceResolution } = spec.pair;
  if (voxelSize !== undefined) return { size: voxelSize };
  if (forceResolution === undefined) return {};
  const stiffness = normalDefinition(spec.normalLaw).stiffnessPerArea?.(spec.normalLaw);
  if (stiffness !== undefined) return { size: cbrt(forceResolution / stiffness) };
  const field = `contact ${spec.name}.pair.forceResolution`;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${field} beside a normal law of kind "volumetric", got "${spec.normalLaw.kind}"`,
    { field },
  );
}

/** One kernel for each pair of different shapes, shared by the pairs of cells that have them. */
function makeKernels(
  spec: VolumetricSpec,
  i: readonly CellModel[],
  j: readonly CellModel[],
): OverlapKernel[] {
  const made = new Map<string, OverlapKernel>();
  const { method = 'auto', relativeError } = spec.pair;
  const options = {
    ...(relativeError === undefined ? {} : { relativeError }),
    ...voxelOptions(spec),
  };
  const keysI = i.map((cell) => JSON.stringify(cell.shape));
  const keysJ = j.map((cell) => JSON.stringify(cell.shape));
  return i.flatMap((a, p) =>
    j.map((b, q) => {
      const key = `${keysI[p]}|${keysJ[q]}`;
      let kernel = made.get(key);
      if (kernel === undefined) {
        const field = `contact ${spec.name}.pair.method`;
        kernel = makeKernel(a.shape, b.shape, method, field, options);
        made.set(key, kernel);
      }
      return kernel;
    }),
  );
}

/** Builds the contact on its slices. */
export function makeCellContact(
  spec: VolumetricSpec,
  i: ContactBody,
  j: ContactBody,
  placementsI: CellPlacements,
  placementsJ: CellPlacements,
  arena: Arena,
  slices: CellContactSlices,
  ratesOf: (slice: Slice) => Float64Array,
): CellContact {
  const kernels = makeKernels(spec, placementsI.cells, placementsJ.cells);
  const tapeRoom = kernels.reduce((most, { tapeRoom: own = 0 }) => Math.max(most, own), 0);
  const table: CellTable = { i: placementsI, j: placementsJ, kernels, tapeRoom };
  const method = spec.pair.normal ?? 'vector-area';
  const memory = arena.view(slices.memory);
  const slots = slices.slots.map((slot, s): PoolSlot => {
    const own = new Float64Array(
      memory.buffer,
      memory.byteOffset + 8 * SLOT_MEMORY * s,
      SLOT_MEMORY,
    );
    const pair = new VolumetricPair(table, method, own, arena.columns);
    const name = slotName(spec, s);
    return { model: makeContact(spec, i, j, arena, slot, ratesOf, pair, name), pair };
  });
  const probePair = new VolumetricPair(table, method, new Float64Array(SLOT_MEMORY));
  const probe = { model: makeDetachedContact(spec, i, j, probePair), pair: probePair };
  const own = memory.byteOffset + 8 * SLOT_MEMORY * slots.length;
  return new CellContact(
    i,
    j,
    table,
    slots,
    probe,
    spec.pair.sharedImpactSpeed ?? true,
    new Float64Array(memory.buffer, own, CONTACT_MEMORY),
    arena.columns,
  );
}
