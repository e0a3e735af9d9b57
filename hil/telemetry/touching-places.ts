/** Where the tool of a model touches in pieces: what the warm-up of the loop visits, so that the code of cells is compiled before it counts. */
import { isVolumetric } from '../../src/contact/cellular/make-cell-contact.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../src/system/system.ts';
import { LoopMode } from '../contract/codes.ts';

/** Places checked along the commanded way. */
const PLACES = 100;
/** A step there may need so many sub-steps: no place so deep that the warm-up would take long. */
const MOST_SUBSTEPS = 4;

/**
 * Positions along the commanded way where bodies of cells touch, those of most pairs first; none for a model without cells. What
 * cells run when they touch is most of what a tick runs, and the shadow has to have run it.
 */
export function touchingPlaces(model: SystemModel): (readonly number[])[] {
  const { tool, contacts } = model;
  if (tool === null || !contacts.some(isVolumetric)) return [];
  const system = makeSystem(model);
  const start = system.state.slice();
  const port = system.tool!;
  port.mode = LoopMode.VIRTUAL;
  system.useSchedule = false;
  const motion = port.measuredMotion;
  system.readBody(system.bodyIndex(tool.payload), motion, 0);
  const span_s = model.duration / PLACES;
  const row = new Float64Array(CONTACT_READOUT.length);
  const places: { readonly at: readonly number[]; readonly pairs: number }[] = [];
  for (let n = 0; n < PLACES; n++) {
    const piece = model.command.findLast(({ time }) => time <= n * span_s);
    for (let a = 0; a < 3; a++) motion[a] += span_s * (piece?.twist[a] ?? 0);
    system.restore(start);
    let failed = 0;
    for (let k = 0; k < 2; k++) failed += system.step(model.step);
    let pairs = 0;
    for (let k = 0; k < system.contactCount; k++) {
      system.readContact(k, row, 0);
      pairs += row[ContactReadout.pairs];
    }
    if (failed > 0 || pairs === 0 || system.substeps > MOST_SUBSTEPS) continue;
    places.push({ at: [motion[0], motion[1], motion[2]], pairs });
  }
  return places.sort((a, b) => b.pairs - a.pairs).map(({ at }) => at);
}
