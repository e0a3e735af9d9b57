/** The contact step by its kernels and by the reference modules, side by side, bit for bit. */
import assert from 'node:assert/strict';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { CONTACT_READOUT } from '../../../src/contact/contact-readout.ts';
import { makeSystem, type System, type SystemModel } from '../../../src/index.ts';
import { hasLoops } from '../../../src/system/contact-memory.ts';

export const kernels = contactKernels();

/** Bits of what a system shows after a step. */
function shown(run: System): string {
  const columns = new Float64Array(CONTACT_READOUT.length);
  const energy = new Float64Array(8);
  const words = [run.hash(), run.substeps, ...(run.solverCounts ?? [])].map(String);
  for (let k = 0; k < run.contactCount; k++) {
    run.readContact(k, columns, 0);
    words.push(columns.join());
  }
  run.readEnergy(energy, 0);
  return [...words, energy.join()].join(' ');
}

/** Steps both ways side by side. */
export function compare(model: SystemModel, steps: number, what: string, each = 1): System {
  assert.ok(kernels !== null, 'the kernels are built');
  assert.ok(hasLoops(model), `${what}: the kernels run it`);
  const reference = makeSystem(model);
  const run = makeSystem(model, kernels);
  for (let n = 0; n < steps; n++) {
    assert.equal(run.step(model.step), reference.step(model.step), `${what}: status of step ${n}`);
    if (n % each === 0) assert.equal(shown(run), shown(reference), `${what}: step ${n}`);
  }
  return run;
}
