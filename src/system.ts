/** A compiled contact system: constant model, one arena of state, one fixed step. */
import type { ToolPort } from './control/tool-port.ts';
import { BerthError } from './errors.ts';
import type { SystemModel } from './model.ts';

export { ToolPort } from './control/tool-port.ts';

/** Columns of `System.readContact`. */
export const CONTACT_READOUT = [
  'active',
  'penetration',
  'penetrationRate',
  'normalForce',
  'ft_x',
  'ft_y',
  'ft_z',
  'slip_x',
  'slip_y',
  'slip_z',
  'z_x',
  'z_y',
  'z_z',
  'dwell',
  'stick',
  'impactSpeed',
  'point_x',
  'point_y',
  'point_z',
  'normal_x',
  'normal_y',
  'normal_z',
] as const;

/** Columns of `System.readEnergy`, J. */
export const ENERGY_READOUT = [
  'kinetic',
  'potential',
  'elastic',
  'bristle',
  'dissipated',
  'externalWork',
  'balance',
] as const;

/** See docs: one fixed step of the whole system. */
export interface System {
  readonly model: SystemModel;
  readonly state: Float64Array;
  readonly bodyCount: number;
  readonly contactCount: number;
  readonly tool: ToolPort | null;
  useSchedule: boolean;
  readonly substeps: number;
  readonly substepBoundHit: boolean;
  readonly time: number;
  bodyIndex(name: string): number;
  contactIndex(name: string): number;
  readBody(i: number, out: Float64Array, at: number): void;
  setBodyMotion(i: number, motion: Float64Array, at: number): void;
  setExternalWrench(i: number, wrench: Float64Array, at: number): void;
  step(dt: number): number;
  readContact(k: number, out: Float64Array, at: number): void;
  contactWrench(
    body: number,
    px: number,
    py: number,
    pz: number,
    out: Float64Array,
    at: number,
  ): void;
  readEnergy(out: Float64Array, at: number): void;
  snapshot(into: Float64Array): void;
  restore(from: Float64Array): void;
  hash(): string;
}

/** Builds a system; throws BerthError for a model that cannot be run. */
export function makeSystem(model: SystemModel): System {
  throw new BerthError('BERTH_UNSUPPORTED', `The system "${model.name}" cannot be built yet`);
}
