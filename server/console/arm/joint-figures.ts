/**
 * Display figures of one joint: degrees or millimetres, parts of its limits, and its distance from
 * the end of its range.
 */
import type { DescribedJoint, JointsFrame } from '../../client/messages.ts';

/** Distance from a limit, relative to the range, at which a joint is marked. */
const NEAR = 0.05;
/** Part of the largest rate or torque at which a joint is marked. */
const MUCH = 0.9;
const DEGREES = 180 / Math.PI;

export interface JointFigures {
  readonly name: string;
  /** `°` or `mm`. */
  readonly unit: string;
  readonly position: number;
  readonly reference: number;
  /** Ends of the range in that unit; without a limit those of the drawing. */
  readonly lower: number;
  readonly upper: number;
  readonly limited: boolean;
  readonly rate: number;
  /** `N m` or `N`. */
  readonly effortUnit: string;
  readonly torque: number;
  /** Parts of the limits; null without one. */
  readonly rateShare: number | null;
  readonly torqueShare: number | null;
  /** Rotor relative to link in thousandths of the unit; null when rigid. */
  readonly gear: number | null;
  /** Deflection of the end of the link, mm; null for a rigid link. */
  readonly bending_mm: number | null;
  /** Warning about the joint; '' for none. */
  readonly warning: string;
}

const share = (value: number, limit: number | null): number | null =>
  limit === null || !(limit > 0) ? null : Math.abs(value) / limit;

/** Half-width of the drawing without a limit: half a turn, or a metre. */
const SPAN = { revolute: Math.PI, prismatic: 1 } as const;

/** @param at index of the joint in the frame @param flexible whether its link bends */
export function jointFigures(
  joint: DescribedJoint,
  frame: JointsFrame,
  at: number,
  flexible: boolean,
): JointFigures {
  const revolute = joint.kind === 'revolute';
  const factor = revolute ? DEGREES : 1000;
  const position = frame.position[at];
  const rate = frame.rate[at];
  const torque = frame.torque[at];
  const margin = frame.margin[at] ?? null;
  const span = SPAN[joint.kind];
  const limited = joint.lower !== null && joint.upper !== null;
  const lower = joint.lower ?? -span;
  const upper = joint.upper ?? span;
  const rateShare = share(rate, joint.rate_limit);
  const torqueShare = share(torque, joint.effort_limit);
  const warnings = [
    margin !== null && margin <= 0 ? 'at its limit' : '',
    margin !== null && margin > 0 && margin < NEAR * (upper - lower) ? 'near its limit' : '',
    rateShare !== null && rateShare > MUCH ? 'fast' : '',
    torqueShare !== null && torqueShare > MUCH ? 'at its torque' : '',
  ];
  return {
    name: joint.name,
    unit: revolute ? '°' : 'mm',
    position: position * factor,
    reference: frame.reference[at] * factor,
    lower: lower * factor,
    upper: upper * factor,
    limited,
    rate: rate * factor,
    effortUnit: revolute ? 'N m' : 'N',
    torque,
    rateShare,
    torqueShare,
    gear: joint.stiffness === null ? null : frame.deflection[at] * factor * 1000,
    bending_mm: flexible ? frame.bending_m[at] * 1000 : null,
    warning: warnings.filter((word) => word !== '').join(', '),
  };
}

/** Words and level for the status of the arm. */
export const ARM_WORDS: Readonly<
  Record<string, { readonly text: string; readonly good: boolean }>
> = {
  nominal: { text: 'follows', good: true },
  rate_limited: { text: 'slowed: a joint at its rate', good: false },
  near_joint_limit: { text: 'slowed: a joint near its limit', good: false },
  leaving_singularity: { text: 'slowed: leaves a singular pose', good: false },
  near_singularity: { text: 'slowed: near a singular pose', good: false },
  at_joint_limit: { text: 'stopped: a joint at its limit', good: false },
  at_singularity: { text: 'stopped: singular pose', good: false },
  effort_limited: { text: 'a joint at its torque', good: false },
  not_reached: { text: 'cannot reach the measured pose', good: false },
};
