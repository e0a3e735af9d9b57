/** Dashboard "Arm": what the joints of the simulated arm do, and how far they are from their limits. */
/* oxlint-disable typescript/no-deprecated -- file provisioning reads the classic format */
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import type { Page } from './page.ts';
import { curves, lined, number } from './panels.ts';
import { value } from './queries.ts';

function now(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Now'))
    .withPanel(
      number(
        {
          title: 'Nearest limit',
          description: 'Way of the joint that is nearest to the end of its range.',
          unit: 'radian',
        },
        [`min by (instance) (${value('berth_arm_joint_margin_radians')})`, 'margin'],
        ['red', [0.05, 'yellow'], [0.2, 'green']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Rate scale',
          description:
            'Part of the commanded twist that the joints follow; below 1 a joint is at its rate.',
          unit: 'percentunit',
        },
        [value('berth_arm_rate_scale_ratio'), 'scale'],
        ['red', [0.5, 'yellow'], [0.999, 'green']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Manipulability',
          description:
            'Product of the singular values of the scaled Jacobian; 0 at a singular pose.',
          unit: 'short',
        },
        [value('berth_arm_manipulability'), 'manipulability'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Deflection of the tip',
          description: 'Flexible tip against the rigid arm with the same rotors.',
          unit: 'lengthm',
        },
        [value('berth_arm_tip_deflection_meters'), 'deflection'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        { title: 'Brakes', description: 'One while the brakes hold.', unit: 'short' },
        [value('berth_arm_brake'), 'hold'],
        ['blue'],
      ),
    );
}

function joints(page: DashboardBuilder): void {
  const joint = '{{joint}}';
  page
    .withRow(new RowBuilder('Joints'))
    .withPanel(
      curves({ title: 'Angles', description: 'Angle of each joint.', unit: 'radian' }, [
        [value('berth_arm_joint_position_radians'), joint],
      ]),
    )
    .withPanel(
      curves({ title: 'Torques', description: 'Torque of each drive, N m.', unit: 'short' }, [
        [value('berth_arm_joint_torque_newton_meters'), joint],
      ]),
    )
    .withPanel(
      lined(
        {
          title: 'Way to the limits',
          description: 'Way of each joint to the nearer end of its range; 0, the line, is the end.',
          unit: 'radian',
        },
        [[value('berth_arm_joint_margin_radians'), joint]],
        [[0, 'red']],
      ),
    );
}

/** Dashboard "Arm". Without an arm in the scenario its panels are empty. */
export const arm: Page = {
  file: 'arm.json',
  uid: 'berth-arm',
  title: 'Arm',
  question: 'What does the simulated arm do, and how far is it from its limits?',
  rows: [now, joints],
};
