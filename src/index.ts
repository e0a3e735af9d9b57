/** Public API of the contact-dynamics library. */
export { BERTH_ERROR_CODES, BerthError } from './errors.ts';
export type { BerthErrorCode, BerthErrorDetail } from './errors.ts';
export type * from './model.ts';
export { Random } from './math/random.ts';
export {
  dampingFactor,
  dampingFactorOf,
  huntCrossleyFactor,
  lankaraniNikraveshFactor,
} from './contact/normal/damping-factor.ts';
export type { DampingVariant } from './contact/normal/damping-factor.ts';
export { hertzSpherePlane, hertzSphereSphere } from './contact/normal/hertz.ts';
export { CONTACT_READOUT, ENERGY_READOUT, makeSystem, System, ToolPort } from './system.ts';
export { checkModel } from './check-model.ts';
