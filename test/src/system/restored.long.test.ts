/**
 * A system keeps nothing beside its state, in no scenario: one that is put back to each of 400 states of a run, having been at an older one and three
 * steps ahead, takes the next step as the run did, bit for bit. By the kernels, which fly it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { listScenarios, loadScenario } from '../../../config/scenario.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { keep, putBack } from '../../fixtures/put-back.ts';

const CHECKED = 400;
/** Most steps of a run: those with many facets or samples take long. */
const LONGEST = 40_000;

for (const { name } of listScenarios()) {
  test(`${name} goes on alike in a system that was elsewhere`, () => {
    const model = compileScenario(loadScenario(name));
    const [one, strayed] = [model, model].map((each) => makeSystem(each, contactKernels()));
    const steps = Math.min(LONGEST, Math.round(model.duration / model.step));
    const every = Math.max(1, Math.floor(steps / CHECKED));
    let older = keep(one);
    let next = older;
    for (let i = 0; i < steps; i++) {
      if (i % every === 0) {
        const start = keep(one);
        putBack(strayed, older);
        strayed.step(model.step);
        putBack(strayed, start);
        for (let n = 0; n < 3; n++) strayed.step(model.step);
        putBack(strayed, start);
        strayed.step(model.step);
        if (i % (7 * every) === 0) [older, next] = [next, start];
      }
      one.step(model.step);
      if (i % every === 0) assert.equal(strayed.hash(), one.hash(), `step ${i}`);
    }
  });
}
