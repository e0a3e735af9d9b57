/** The bodies of a contact on their way, from what the model says of their shapes. It allocates and is for construction. */
import type { ContactModelSpec } from '../../model/contact-spec.ts';
import { CellContact } from '../cellular/cell-contact.ts';
import { CellPlacements } from '../cellular/cell-placements.ts';
import type { ContactModel } from '../contact-model.ts';
import { FacetedContact } from '../faceted/faceted-contact.ts';
import { pairDefinition } from '../registry.ts';
import { MovingCells, MovingFacets, type MovingPair, MovingPoint } from './moving-pair.ts';
import { reachOf, widthOf } from './shape-size.ts';

/** The moving bodies of a contact that is declared as `spec`. */
export function makeMovingPair(
  spec: ContactModelSpec,
  contact: ContactModel | CellContact,
): MovingPair {
  if (contact instanceof CellContact) {
    const { i, j, kernels } = contact.table;
    const reaches = [reachOf(i.cells), reachOf(j.cells)] as const;
    const widths = widthOf(i.cells) + widthOf(j.cells);
    return new MovingCells(
      new CellPlacements(i.cells),
      new CellPlacements(j.cells),
      kernels,
      reaches,
      widths,
    );
  }
  if (contact instanceof FacetedContact) return new MovingFacets(contact.query, contact.standoff);
  const definition = pairDefinition(spec.pair);
  const extent = definition.extent?.(spec.pair);
  if (extent !== undefined)
    return new MovingPoint(definition.make(spec.pair), extent.reaches, extent.widths);
  const { i, j } = definition.shapes(spec.pair);
  const reachJ = definition.endless === true ? Infinity : reachOf(j);
  return new MovingPoint(definition.make(spec.pair), [reachOf(i), reachJ], widthOf(i) + widthOf(j));
}
