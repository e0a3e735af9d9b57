/** Dashboard "Robot link": are the robot's data valid, and how late are they? */
/* oxlint-disable typescript/no-deprecated -- file provisioning reads the classic format */
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import type { Page } from './page.ts';
import { curves, limited, number } from './panels.ts';
import { inRange, perMinute, perSecond, quantiles, value } from './queries.ts';

function now(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Now'))
    .withPanel(
      number(
        {
          title: 'Fresh frames',
          description: 'Fresh STATE frames in the last 100 periods.',
          unit: 'percentunit',
        },
        [value('berth_robot_command_success_ratio'), 'success'],
        ['red', [0.9, 'orange'], [0.98, 'yellow'], [0.995, 'green']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Loop delay',
          description:
            'From the moment for which a pose was meant to the use of the force that belongs to it.',
          unit: 's',
        },
        [value('berth_loop_delay_seconds', 'part="total"'), 'delay'],
        ['green', [0.005, 'yellow'], [0.01, 'red']],
      ),
    )
    .withPanel(
      number(
        { title: 'Robot sockets', description: 'Robots connected by WebSocket.', unit: 'short' },
        [value('berth_robot_sessions'), 'open'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Lost frames',
          description: 'Frames missing by sequence number in the shown time.',
          unit: 'short',
        },
        [inRange('berth_robot_frames_lost_total'), 'lost'],
        ['green', [1, 'yellow'], [100, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Refused frames',
          description: 'Frames received and refused in the shown time.',
          unit: 'short',
        },
        [inRange('berth_robot_frame_errors_total'), 'refused'],
        ['green', [1, 'yellow'], [100, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Clock offset',
          description: 'Robot clock minus server clock; any value is fine, a jump is not.',
          unit: 's',
        },
        [value('berth_robot_clock_offset_seconds'), 'offset'],
        ['blue'],
      ),
    );
}

function frames(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Robot link'))
    .withPanel(
      curves(
        {
          title: 'STATE to SETPOINT',
          description: 'Arrival of a STATE frame to the SETPOINT that used it.',
          unit: 's',
        },
        quantiles('berth_robot_state_to_setpoint_seconds'),
        'log',
      ),
    )
    .withPanel(
      curves(
        { title: 'Round trip', description: 'Round-trip time of SYNC exchanges.', unit: 's' },
        quantiles('berth_robot_rtt_seconds'),
        'log',
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Age of the STATE used',
          description: 'Age of the newest STATE when the tick used it.',
          unit: 's',
        },
        quantiles('berth_robot_state_age_seconds'),
        'log',
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Loop delay',
          description: 'Total, and its parts: wire, response of the robot, age of the measurement.',
          unit: 's',
        },
        [[value('berth_loop_delay_seconds'), '{{part}}']],
      ),
    )
    .withPanel(
      limited(
        {
          title: 'Following error',
          description: 'Measured pose from the set-point that the robot applies, and its bound.',
          unit: 'lengthm',
        },
        [
          [value('berth_robot_following_error_meters'), 'error'],
          [value('berth_robot_following_limit_meters'), 'limit: HOLD'],
        ],
      ),
    )
    .withPanel(
      limited(
        {
          title: 'Following error, angle',
          description: 'The same as an angle.',
          unit: 'radian',
        },
        [
          [value('berth_robot_following_error_radians'), 'error'],
          [value('berth_robot_following_limit_radians'), 'limit: HOLD'],
        ],
      ),
    )
    .withPanel(
      limited(
        {
          title: 'Speed of the robot',
          description: 'Speed of the measured poses, and the limit in force.',
          unit: 'velocityms',
        },
        [
          [value('berth_robot_pose_speed_meters_per_second'), 'measured'],
          [value('berth_limit_in_force', 'limit="speed_mps"'), 'limit'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Faults of the robot',
          description: 'Bits that the robot tells, by cause.',
          unit: 'short',
        },
        [[value('berth_robot_fault'), '{{cause}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Frames',
          description: 'Frames a second by direction and type.',
          unit: 'hertz',
        },
        [[perSecond('berth_robot_frames_total'), '{{direction}} {{type}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Lost and refused frames',
          description:
            'Frames a minute lost by sequence number, refused, or not taken by the link.',
          unit: 'cpm',
        },
        [
          [perMinute('berth_robot_frames_lost_total'), 'lost {{direction}}'],
          [perMinute('berth_robot_frame_errors_total'), 'refused: {{reason}}'],
          [perMinute('berth_robot_send_failures_total'), 'not sent'],
          [perMinute('berth_robot_ring_dropped_total'), 'ring full {{direction}}'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Link quality',
          description: '0 poor, 1 fair, 2 good, 3 excellent; and periods in a row without a STATE.',
          unit: 'short',
        },
        [
          [value('berth_robot_link_up'), 'up'],
          [value('berth_robot_link_quality'), 'quality'],
          [value('berth_robot_consecutive_lost_frames'), 'lost in a row'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Robot clock offset',
          description: 'Robot clock minus server clock.',
          unit: 's',
        },
        [[value('berth_robot_clock_offset_seconds'), 'offset']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Serial line',
          description: 'Bytes a second; zero on a WebSocket link.',
          unit: 'Bps',
        },
        [[perSecond('berth_serial_bytes_total'), '{{direction}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Serial resynchronisations, clock steps and refused connections',
          description: 'Events a minute.',
          unit: 'cpm',
        },
        [
          [perMinute('berth_serial_resyncs_total'), 'resynchronised'],
          [perMinute('berth_robot_clock_steps_total'), 'robot clock stepped'],
          [perMinute('berth_robot_rejects_total'), 'refused: {{reason}}'],
          [perMinute('berth_robot_handshake_rejects_total'), 'handshake refused: {{reason}}'],
        ],
      ),
    );
}

/** Dashboard "Robot link". */
export const robotLink: Page = {
  file: 'robot-link.json',
  uid: 'berth-robot-link',
  title: 'Robot link',
  question: 'Can the loop trust what the robot says, and how late is it?',
  rows: [now, frames],
};
