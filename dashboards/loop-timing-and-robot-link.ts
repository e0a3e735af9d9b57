/** Dashboard "Loop timing and robot link": is the loop on time, and can it trust the robot link? */
/* eslint-disable @typescript-eslint/no-deprecated -- file provisioning reads the classic format */
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';

import { curves, density, number, states } from './panels.ts';
import { buckets, inRange, perMinute, perSecond, quantile, value } from './queries.ts';

const quantiles = (metric: Parameters<typeof quantile>[1]): [string, string][] => [
  [quantile(0.5, metric), 'p50'],
  [quantile(0.99, metric), 'p99'],
  [quantile(0.999, metric), 'p99.9'],
];

function overview(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Now'))
    .withPanel(
      number(
        { title: 'Ticks', description: 'Executed ticks a second; 1000 at 1 ms.', unit: 'hertz' },
        [perSecond('berth_loop_ticks_total'), 'ticks'],
        ['red', [950, 'yellow'], [995, 'green']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Worst wake-up, 10 s',
          description: 'Largest lateness of the last 10 s: a histogram hides the worst tick.',
          unit: 's',
        },
        [value('berth_loop_wake_lateness_max_seconds'), 'lateness'],
        ['green', [0.0005, 'yellow'], [0.025, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Spare time of a tick',
          description: 'Time left at the end of the newest tick; negative is an overrun.',
          unit: 's',
        },
        [value('berth_loop_frame_margin_seconds'), 'margin'],
        ['red', [0, 'yellow'], [0.0003, 'green']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Slipped periods',
          description: 'Periods dropped by the slip policy in the shown time.',
          unit: 'short',
        },
        [inRange('berth_loop_slipped_ticks_total'), 'slipped'],
        ['green', [1, 'yellow'], [1000, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Robot link',
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
          title: 'Faults and holds',
          description: 'Faults and holds raised in the shown time.',
          unit: 'short',
        },
        [inRange('berth_faults_total'), 'raised'],
        ['green', [1, 'red']],
      ),
    );
}

function loopTiming(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Loop timing'))
    .withPanel(
      curves(
        {
          title: 'Wake lateness',
          description: 'Release of a tick to the wake-up of the loop.',
          unit: 's',
        },
        [
          ...quantiles('berth_loop_wake_lateness_seconds'),
          [value('berth_loop_wake_lateness_max_seconds'), 'max of 10 s'],
        ],
        'log',
      ),
    )
    .withPanel(
      density(
        {
          title: 'Wake lateness, all ticks',
          description: 'Ticks in each latency bucket.',
          unit: 's',
        },
        [buckets('berth_loop_wake_lateness_seconds'), '{{le}}'],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Stages of a tick, p99',
          description: 'Receive, operator, step, safety, transmit, record.',
          unit: 's',
        },
        [[quantile(0.99, 'berth_loop_stage_duration_seconds', 'stage'), '{{stage}}']],
        'log',
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Overruns by cause',
          description: 'Ticks a minute that missed their period. An alert fires above 20.',
          unit: 'cpm',
        },
        [
          [perMinute('berth_loop_overruns_total'), '{{cause}}'],
          [perMinute('berth_loop_slipped_ticks_total'), 'slipped periods'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Model time per second',
          description:
            'Model time stepped and time frozen for want of a fresh STATE; together with slips they make 1.',
          unit: 's',
        },
        [
          [perSecond('berth_sim_time_seconds_total'), 'stepped'],
          [perSecond('berth_sim_frozen_seconds_total'), 'frozen'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Contact sub-steps out of bound',
          description: 'Steps a minute in which the budget bounded the number of sub-steps.',
          unit: 'cpm',
        },
        [[perMinute('berth_loop_substep_bound_total'), 'bounded steps']],
      ),
    );
}

function robotLink(page: DashboardBuilder): void {
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
          description: 'Set-point sent to the STATE that echoes it.',
          unit: 's',
        },
        [[value('berth_loop_delay_seconds'), '{{part}}']],
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
          title: 'Serial resynchronisations and refused connections',
          description: 'Events a minute.',
          unit: 'cpm',
        },
        [
          [perMinute('berth_serial_resyncs_total'), 'resynchronised'],
          [perMinute('berth_robot_rejects_total'), 'refused: {{reason}}'],
        ],
      ),
    );
}

function contactAndSafety(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Contact, operator, safety'))
    .withPanel(
      states({ title: 'Safety state', description: 'The state the loop is in.', unit: 'short' }, [
        value('berth_safety_state'),
        '{{state}}',
      ]),
    )
    .withPanel(
      curves(
        {
          title: 'Faults and holds by code',
          description: 'Raised a minute; zero series are quiet codes.',
          unit: 'cpm',
        },
        [[`${perMinute('berth_faults_total')} > 0`, '{{code}}']],
      ),
    )
    .withPanel(
      curves(
        { title: 'Force on the tool', description: 'Newest tick at each scrape.', unit: 'forceN' },
        [[value('berth_contact_force_newtons'), '{{axis}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Peak force of a contact',
          description: 'Peak normal force of finished contacts.',
          unit: 'forceN',
        },
        [
          [quantile(0.5, 'berth_contact_peak_force_newtons'), 'median'],
          [quantile(0.99, 'berth_contact_peak_force_newtons'), 'p99'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Operator input',
          description: 'Age of the newest input; above 100 ms the loop holds.',
          unit: 's',
        },
        [[value('berth_operator_input_age_seconds'), 'age']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Clamped set-points',
          description: 'Set-points a minute that a limit changed.',
          unit: 'cpm',
        },
        [[perMinute('berth_limit_clamps_total'), '{{kind}}']],
      ),
    );
}

/** The dashboard as Grafana reads it. */
export function loopTimingAndRobotLink(): Dashboard {
  const page = new DashboardBuilder('Loop timing and robot link')
    .uid('berth-loop-timing')
    .description('Is the loop on time, and can it trust the robot link?')
    .tags(['berth'])
    .timezone('browser')
    .time({ from: 'now-5m', to: 'now' })
    .refresh('5s')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(
      new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    );
  overview(page);
  loopTiming(page);
  robotLink(page);
  contactAndSafety(page);
  return page.build();
}
