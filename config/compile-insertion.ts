/** Insertion of a scenario: payload and place. Operators and displays use it; the contact model does not. */
import { BerthError } from '../src/base/errors.ts';
import type { Quadruple, Triple } from '../src/model/model.ts';
import { compileOrientation } from './orientation.ts';
import type { Scenario } from './scenario-schema.ts';
import { unit } from './unit-vector.ts';

/** The seat of the payload. */
export interface Insertion {
  /** Pose of the payload at full depth, world. */
  readonly position: Triple;
  readonly orientation: Quadruple;
  /** Unit vector into the seat, world. */
  readonly direction: Triple;
  /** Distance from the mouth to full depth, m, > 0. */
  readonly depth: number;
}

/** Compiles the insertion; null without one. @throws BerthError for a direction of length zero, or without a tool */
export function compileInsertion({ insertion, tool }: Scenario): Insertion | null {
  if (insertion === undefined) return null;
  if (tool === undefined) {
    throw new BerthError('BERTH_MISMATCH', 'insertion needs a tool: nobody carries the payload', {
      field: 'insertion',
    });
  }
  return {
    position: insertion.seated_position_m,
    orientation: compileOrientation(insertion.seated_orientation, 'insertion.seated_orientation'),
    direction: unit(insertion.direction, 'insertion.direction'),
    depth: insertion.depth_m,
  };
}
