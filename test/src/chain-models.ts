/** A chain that touches a floor and, link against link, itself. */
import type { IntegratorKind, SystemModel } from '../../src/index.ts';
import { chain, rod } from './chains.ts';
import { body, contact, INCLINE_BRISTLE, system } from './models.ts';

/** Two rods whose tip slides without friction on a floor and off it within 0.5 s, when a stop on the upper rod catches the lower one. */
export function leaning(integrator: IntegratorKind): SystemModel {
  return system({
    integrator,
    gravity: [0, 0, -9.81],
    bodies: [
      body('floor', 'fixed', { position: [0, 0, -0.5 * Math.cos(0.4) - 0.25 * Math.cos(0.2)] }),
    ],
    chains: [chain([rod('upper', 0.5, 5, 0.4, 0), rod('lower', 0.25, 2, -0.6, 0, -0.25)])],
    contacts: [
      contact('lower', 'floor', {
        pair: {
          kind: 'sphere-plane',
          radius: 0.01,
          center: [0, 0, -0.125],
          normal: [0, 0, 1],
          offset: -0.01,
        },
      }),
      contact('lower', 'upper', {
        // a stop on the upper rod that faces −x and keeps the tip from sliding away
        pair: {
          kind: 'sphere-plane',
          radius: 0.02,
          center: [0, 0, -0.1],
          normal: [-1, 0, 0],
          offset: 0.107,
        },
        frictionLaw: INCLINE_BRISTLE,
      }),
    ],
  });
}
