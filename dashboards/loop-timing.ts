/** Dashboard "Loop timing": is the loop on time, and if not, why? */
/* oxlint-disable typescript/no-deprecated -- file provisioning reads the classic format */
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import type { Page } from './page.ts';
import { curves, density, lined, number } from './panels.ts';
import {
  buckets,
  inRange,
  perMinute,
  perSecond,
  processMetric,
  processRate,
  quantile,
  quantiles,
  value,
} from './queries.ts';

function now(page: DashboardBuilder): void {
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
          title: 'Frozen model time',
          description: 'Part of the time in which the model stood still for want of a fresh STATE.',
          unit: 'percentunit',
        },
        [perSecond('berth_sim_frozen_seconds_total'), 'frozen'],
        ['green', [0.001, 'yellow'], [0.05, 'red']],
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

function timing(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Loop timing'))
    .withPanel(
      lined(
        {
          title: 'Wake lateness',
          description:
            'Release of a tick to the wake-up of the loop. Lines: p99.9 that an alert fires at, and the one tick that holds.',
          unit: 's',
        },
        [
          ...quantiles('berth_loop_wake_lateness_seconds'),
          [value('berth_loop_wake_lateness_max_seconds'), 'max of 10 s'],
        ],
        [
          [0.0005, 'orange'],
          [0.025, 'red'],
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
          description: 'Receive, operator, compensate, step, guard, safety, transmit, record.',
          unit: 's',
        },
        [[quantile(0.99, 'berth_loop_stage_duration_seconds', 'stage'), '{{stage}}']],
        'log',
      ),
    )
    .withPanel(
      lined(
        {
          title: 'Overruns by cause',
          description: 'Ticks a minute that missed their period. An alert fires above the line.',
          unit: 'cpm',
        },
        [
          [perMinute('berth_loop_overruns_total'), '{{cause}}'],
          [perMinute('berth_loop_slipped_ticks_total'), 'slipped periods'],
        ],
        [[20, 'red']],
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

function machine(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Server process'))
    .withPanel(
      curves(
        {
          title: 'Event loop of the main thread',
          description:
            'Lag of the thread that serves pages and sockets; the loop does not wait for it.',
          unit: 's',
        },
        [
          [processMetric('nodejs_eventloop_lag_p50_seconds'), 'p50'],
          [processMetric('nodejs_eventloop_lag_p99_seconds'), 'p99'],
        ],
        'log',
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Memory',
          description: 'Resident memory of the process and heap of the main thread.',
          unit: 'bytes',
        },
        [
          [processMetric('process_resident_memory_bytes'), 'resident'],
          [processMetric('nodejs_heap_size_used_bytes'), 'heap'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Processor',
          description: 'Cores in use by all threads of the server process.',
          unit: 'short',
        },
        [[processRate('process_cpu_seconds_total'), 'cores']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Recorder',
          description: 'Bytes a second written to recordings.',
          unit: 'Bps',
        },
        [[perSecond('berth_recorder_bytes_total'), 'written']],
      ),
    );
}

/** Dashboard "Loop timing". */
export const loopTiming: Page = {
  file: 'loop-timing.json',
  uid: 'berth-loop-timing',
  title: 'Loop timing',
  question: 'Is the loop on time, and if not, why?',
  rows: [now, timing, machine],
};
