/** Bodies and systems with defaults, of which cases are made. */
import type { BodyModel, SystemModel } from '../../src/model/model.ts';

/** A body at rest at the origin unless given otherwise. */
export function bodyModel(
  name: string,
  motion: BodyModel['motion'],
  changes: Partial<BodyModel> = {},
): BodyModel {
  return {
    name,
    motion,
    mass: 1,
    inertia: [1, 1, 1, 0, 0, 0],
    rotationLocked: false,
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
    ...changes,
  };
}

/** The half-space z <= 0 as a fixed body of one cell. */
export function planeModel(): BodyModel {
  return bodyModel('plane', 'fixed', {
    cells: [
      {
        name: 'plane',
        shape: { kind: 'half-space' },
        position: [0, 0, 0],
        orientation: [0, 0, 0, 1],
      },
    ],
  });
}

/** Inertia of a solid ball about its centre, 2/5 m R². */
export function ballInertia(mass: number, radius: number): BodyModel['inertia'] {
  const i = 0.4 * mass * radius * radius;
  return [i, i, i, 0, 0, 0];
}

/** A system of bodies and contacts alone. */
export function worldModel(
  parts: Pick<SystemModel, 'gravity' | 'bodies' | 'contacts' | 'integrator' | 'step'> &
    Partial<SystemModel>,
): SystemModel {
  return {
    name: 'validation',
    springs: [],
    tool: null,
    command: [],
    maximumSubsteps: 1000,
    duration: 1,
    ...parts,
  };
}

/** The same of constraints: steps of 1 ms by the implicit step, no gravity, unless given otherwise. */
export function mechanismModel(parts: Partial<SystemModel>): SystemModel {
  return worldModel({
    gravity: [0, 0, 0],
    bodies: [],
    contacts: [],
    integrator: 'implicit-contact',
    step: 1e-3,
    ...parts,
  });
}
