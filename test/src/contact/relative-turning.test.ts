/** The relative angular velocity in the read-out of a contact: that of i over j at the end of the step, for every way to contact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { CONTACT_READOUT, ContactReadout } from '../../../src/contact/contact-readout.ts';
import { makeSystem, type SystemModel } from '../../../src/index.ts';
import { ringOnCone } from '../../fixtures/faceted-contact-models.ts';
import { body, contact, system } from '../../fixtures/models.ts';
import { boxOnTray } from '../../fixtures/volumetric-models.ts';

const rolling: SystemModel = system({
  gravity: [0, 0, -9.81],
  bodies: [
    body('ball', 'dynamic', {
      inertia: [4e-3, 4e-3, 4e-3, 0, 0, 0],
      position: [0.2, 0, 0.0999],
      velocity: [1, 0.5, 0],
    }),
    body('table', 'prescribed', { angularVelocity: [0, 0, 2] }),
  ],
  contacts: [
    contact('ball', 'table', {
      frictionLaw: {
        kind: 'regularized-coulomb',
        coulomb: 0.5,
        regularization: 'cubic',
        velocityTolerance: 1e-3,
      },
    }),
  ],
});

test('w_i − w_j, world, whatever touches; no state is added', () => {
  for (const model of [rolling, ringOnCone('coulomb', 'drop'), boxOnTray()]) {
    for (const kernels of [null, contactKernels()]) {
      const run = makeSystem(model, kernels);
      const row = new Float64Array(CONTACT_READOUT.length);
      const [i, j] = [new Float64Array(13), new Float64Array(13)];
      let most = 0;
      for (let n = 0; n < 100; n++) {
        assert.equal(run.step(model.step), 0);
        run.readContact(0, row, 0);
        run.readBody(0, i, 0);
        run.readBody(1, j, 0);
        for (let a = 0; a < 3; a++) {
          assert.equal(row[ContactReadout.turning_x + a], i[10 + a] - j[10 + a]);
          most = Math.max(most, Math.abs(row[ContactReadout.turning_x + a]));
        }
        for (let pair = 0; pair < run.pairCount(0); pair++) {
          run.readPair(0, pair, row, 0);
          assert.equal(row[ContactReadout.turning_x], i[10] - j[10]);
        }
      }
      assert.ok(most > 0.1, `${most} rad/s`);
    }
  }
});
