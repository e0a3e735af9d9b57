/** The limits that both ends of the robot link negotiate, and their order. */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** Limits as they travel in HELLO and CONFIG; the same names as `settings.limits`. */
export interface RobotLimits {
  readonly speed_mps: number;
  readonly angular_speed_radps: number;
  readonly acceleration_mps2: number;
  readonly force_N: number;
  readonly moment_Nm: number;
  /** Half-size of the cube about the start of the scenario. */
  readonly workspace_m: number;
}

/** Order of the limits on the wire. */
export const LIMIT_FIELDS = [
  'speed_mps',
  'angular_speed_radps',
  'acceleration_mps2',
  'force_N',
  'moment_Nm',
  'workspace_m',
] as const;
/** Index of each of them. */
export const LimitField: NameIndices<typeof LIMIT_FIELDS> = indicesOf(LIMIT_FIELDS);
