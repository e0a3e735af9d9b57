/** Which systems the kernels of the contact step can run, and the memory that they take. */
import { isVolumetric } from '../contact/cellular/make-cell-contact.ts';
import {
  frictionDefinition,
  hasLoop,
  normalDefinition,
  pairDefinition,
  rollingDefinition,
  rollingOf,
  takesOnset,
} from '../contact/registry.ts';
import { MOST_PARTS, SIX } from '../integrate/newton-slots.ts';
import { KernelMemory } from '../math/kernel-memory.ts';
import { partModels, type SystemModel } from '../model/model.ts';
import type { CellModel, CellShape } from '../shapes/cell-model.ts';

/** Bytes of a double. */
const DOUBLE = 8;
/** Doubles that the columns and records of a contact and its laws take at most, and those of its cells with the longest tape. */
const OF_CONTACT = 400;
const OF_SLOT = 1100;
/** Doubles that those of a part and of a cell take. */
const OF_PART = 80;
const OF_CELL = 40;
/** Doubles that a clip takes beside its polytopes, and a corner of a polytope with its share of faces and of corners at work. */
const OF_CLIP = 24;
const OF_CORNER = 40;
const BOX_CORNERS = 8;

/** Whether every law has a loop, every body that touches is one of its own, and the step is the implicit one. */
export function hasLoops(model: SystemModel): boolean {
  const contacts = model.contacts.filter(({ normalLaw }) => normalLaw.kind !== 'observer');
  if (model.integrator !== 'implicit-contact' || contacts.length === 0) return false;
  const bodies = new Set(model.bodies.map(({ name }) => name));
  return contacts.every(
    (contact) =>
      bodies.has(contact.bodyI) &&
      bodies.has(contact.bodyJ) &&
      pairDefinition(contact.pair).step !== 'places' && // the force of many places is no loop
      !takesOnset(contact) &&
      hasLoop(normalDefinition(contact.normalLaw), contact.normalLaw) &&
      hasLoop(frictionDefinition(contact.frictionLaw), contact.frictionLaw) &&
      hasLoop(rollingDefinition(rollingOf(contact.rollingLaw)), rollingOf(contact.rollingLaw)),
  );
}

/** Memory for the contacts of a model, so many contact models in all, and an arena of so many doubles. What is not written takes no room. */
export function memoryFor(model: SystemModel, contacts: number, arena: number): KernelMemory {
  const n = SIX * Math.min(model.bodies.length, MOST_PARTS);
  const cells = new Map(partModels(model).map((part) => [part.name, part.cells ?? []]));
  let doubles =
    2 * arena + OF_CONTACT * contacts + OF_PART * model.bodies.length + 3 * n * n + 8 * n;
  for (const own of cells.values()) doubles += OF_CELL * own.length;
  for (const contact of model.contacts) {
    if (!isVolumetric(contact)) continue;
    doubles += OF_SLOT * contacts + clipDoubles(cells.get(contact.bodyI), cells.get(contact.bodyJ));
  }
  return new KernelMemory(DOUBLE * doubles);
}

/** Doubles of the clips of all pairs of cells. */
function clipDoubles(i: readonly CellModel[] = [], j: readonly CellModel[] = []): number {
  const sum = (cells: readonly CellModel[]): number =>
    cells.reduce((corners, { shape }) => corners + cornersOf(shape), 0);
  const pairs = i.length * j.length;
  return OF_CLIP * pairs + OF_CORNER * (sum(i) * j.length + sum(j) * i.length);
}

function cornersOf(shape: CellShape): number {
  return shape.kind === 'mesh' ? shape.vertices.length : BOX_CORNERS;
}
