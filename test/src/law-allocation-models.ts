/**
 * A ball that slides, rolls and spins on a turning table, for every friction law with every rolling law that a point contact can have;
 * those that need a volume are measured with cells (volumetric-allocation-models.ts, cellular-allocation.test.ts).
 */
import {
  frictionDefinition,
  normalDefinition,
  rollingDefinition,
} from '../../src/contact/registry.ts';
import type { NormalLawModel, SystemModel } from '../../src/index.ts';
import { body, contact, system } from './models.ts';
import { FRICTION_SAMPLES, NORMAL_SAMPLES, ROLLING_SAMPLES } from './samples.ts';

/** At rest its damping rate is 140 1/s, which an explicit step of 0.2 ms resolves. */
const CALM: NormalLawModel = {
  kind: 'hysteretic',
  stiffness: 1e6,
  exponent: 1.5,
  restitution: 0.5,
  smallVelocity: 0.1,
  relaxationTime: 0,
};

function turningTable(parts: Parameters<typeof contact>[2], name: string): SystemModel {
  return system({
    name,
    gravity: [0, 0, -9.81],
    bodies: [
      body('ball', 'dynamic', {
        inertia: [0.004, 0.004, 0.004, 0, 0, 0],
        position: [0.2, 0, 0.0995],
        angularVelocity: [1, -2, 3],
      }),
      body('table', 'prescribed', { angularVelocity: [0, 0, 2] }),
    ],
    contacts: [contact('ball', 'table', parts)],
  });
}

/** One system for each friction law, rolling law and integrator, and for each normal law. */
export function balls(): SystemModel[] {
  const models: SystemModel[] = [];
  for (const frictionLaw of Object.values(FRICTION_SAMPLES).flat()) {
    if (frictionDefinition(frictionLaw).needs.includes('volume')) continue;
    for (const rollingLaw of Object.values(ROLLING_SAMPLES).flat()) {
      if (rollingDefinition(rollingLaw).needs.includes('volume')) continue;
      const name = `${frictionLaw.kind} + ${rollingLaw.kind}`;
      models.push(turningTable({ normalLaw: CALM, frictionLaw, rollingLaw }, name));
    }
  }
  for (const normalLaw of Object.values(NORMAL_SAMPLES).flat()) {
    if (normalDefinition(normalLaw).needs.includes('volume')) continue;
    models.push(turningTable({ normalLaw }, normalLaw.kind));
  }
  return models;
}
