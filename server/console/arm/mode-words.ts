/** Words for the modes of the hand controllers. */
import { RANGE_s } from '../../../hil/contract/commands.ts';
import { COMMAND_AXES } from '../../client/devices/layout.ts';
import type {
  DescribedJoint,
  HandMode,
  HandModeName,
  RobotDescription,
  Welcome,
} from '../../client/messages.ts';

const DEGREES = 180 / Math.PI;

export const MODE_NAMES: Readonly<Record<HandModeName, string>> = {
  rate: 'Rate',
  position: 'Position',
  joint: 'Joint',
};

/** A mode in a few words. */
export function modeName(mode: HandMode, robot: RobotDescription | null): string {
  if (mode.mode !== 'joint' || mode.joint === null || mode.axis === null) {
    return MODE_NAMES[mode.mode].toLowerCase();
  }
  return `joint ${jointName(robot, mode.joint)} by ${COMMAND_AXES[mode.axis]}`;
}

export const jointName = (robot: RobotDescription | null, joint: number): string =>
  robot?.joints[joint]?.name ?? `number ${joint}`;

/** Joints of the single-joint mode, with their indices. */
export function drivenJoints(robot: RobotDescription | null): readonly [number, DescribedJoint][] {
  return (robot?.joints ?? []).flatMap((joint, place) =>
    joint.driven ? [[place, joint] as [number, DescribedJoint]] : [],
  );
}

const speed = ({ kind, rate_limit }: DescribedJoint): string => {
  if (rate_limit === null) return 'the speed of the tool in rate mode';
  const most =
    kind === 'revolute'
      ? `${(rate_limit * DEGREES).toFixed(2)} °/s`
      : `${(rate_limit * 1e3).toFixed(1)} mm/s`;
  return `${most}, or less where the tool would be faster than in rate mode`;
};

/** Effect of the axes, one sentence a line. */
export function axesWords(
  mode: HandMode,
  robot: RobotDescription | null,
  { coarse_speed_mps, coarse_angular_speed_radps, vernier_ratio }: Welcome['operator'],
): readonly string[] {
  const vernier = `vernier ${vernier_ratio} of that`;
  const linear = coarse_speed_mps * 1e3;
  const angular = coarse_angular_speed_radps * DEGREES;
  if (mode.mode === 'rate') {
    return [
      `X, Y, Z move the tool at up to ${linear.toFixed(1)} mm/s, RX, RY, RZ turn it at up to ${angular.toFixed(2)} °/s; ${vernier}.`,
      'A centred stick stops it.',
    ];
  }
  if (mode.mode === 'position') {
    return [
      `Full stick holds the tool ${(linear * RANGE_s).toFixed(0)} mm, or ${(angular * RANGE_s).toFixed(1)}°, from where the deadman was pressed; ${vernier}.`,
      'A centred stick takes it back there. To stay, release the deadman, centre, and press it again.',
    ];
  }
  const joint = robot?.joints[mode.joint ?? -1];
  return [
    `${COMMAND_AXES[mode.axis ?? 0]} turns ${jointName(robot, mode.joint ?? -1)}${joint === undefined ? '' : ` at up to ${speed(joint)}`}; ${vernier}. The other axes do nothing.`,
    'The other joints hold, and nothing accommodates: contact is stiff.',
  ];
}
