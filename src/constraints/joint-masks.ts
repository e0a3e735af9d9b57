/** The rows of a lock that make each joint, in axes of the second marker. */
import type { LockModel } from '../model/constraint-spec.ts';

/** Rows of one joint. */
export type JointMask = Pick<LockModel, 'translation' | 'rotation' | 'square'>;

/** The joints. Revolute, cylindrical, prismatic and point on line are about or along z; point on plane keeps z = 0. */
export const JOINT_MASKS = {
  fixed: { translation: ['x', 'y', 'z'], rotation: ['x', 'y', 'z'] },
  revolute: { translation: ['x', 'y', 'z'], rotation: ['x', 'y'] },
  cylindrical: { translation: ['x', 'y'], rotation: ['x', 'y'] },
  prismatic: { translation: ['x', 'y'], rotation: ['x', 'y', 'z'] },
  spherical: { translation: ['x', 'y', 'z'], rotation: [] },
  'point-on-line': { translation: ['x', 'y'], rotation: [] },
  'point-on-plane': { translation: ['z'], rotation: [] },
  'parallel-axes': { translation: [], rotation: ['x', 'y'] },
  cardano: { translation: ['x', 'y', 'z'], rotation: [], square: true },
} as const satisfies Readonly<Record<string, JointMask>>;

/** A joint of the catalogue. */
export type JointKind = keyof typeof JOINT_MASKS;
