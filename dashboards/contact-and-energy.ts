/** Dashboard "Contact and energy": what touches, how hard, and where the energy goes. */
/* oxlint-disable typescript/no-deprecated -- file provisioning reads the classic format */
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import type { Page } from './page.ts';
import { banded, curves, density, limited, lined, number, stacked } from './panels.ts';
import { buckets, inRange, mean, perMinute, perSecond, quantile, value } from './queries.ts';

function now(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Now'))
    .withPanel(
      number(
        { title: 'Contacts', description: 'Contacts active in the newest tick.', unit: 'short' },
        [value('berth_contact_active'), 'active'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Pairs of cells',
          description: 'Pairs that touch in the newest tick.',
          unit: 'short',
        },
        [value('berth_contact_pairs'), 'pairs'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Force on the tool',
          description: 'Length of the force vector at the newest scrape.',
          unit: 'forceN',
        },
        [`sqrt(sum by (instance) (${value('berth_contact_force_newtons')} ^ 2))`, 'force'],
        ['green', [200, 'yellow'], [350, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Depth',
          description: 'Depth of the first active contact.',
          unit: 'lengthm',
        },
        [value('berth_contact_penetration_meters'), 'depth'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        { title: 'Contacts begun', description: 'In the shown time.', unit: 'short' },
        [inRange('berth_contacts_total'), 'begun'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Pairs without a force',
          description: 'Touching pairs refused as maximum_pairs were in use, in the shown time.',
          unit: 'short',
        },
        [inRange('berth_loop_cell_pairs_refused_total'), 'refused'],
        ['green', [1, 'red']],
      ),
    );
}

/** What acts on the tool, between its limit in force and the same below zero. */
function onTool(
  panel: Parameters<typeof limited>[0],
  metric: Parameters<typeof value>[0],
  limit: string,
): ReturnType<typeof limited> {
  const inForce = value('berth_limit_in_force', `limit="${limit}"`);
  return limited(panel, [
    [value(metric), '{{axis}}'],
    [inForce, 'limit'],
    [`-${inForce}`, 'limit, below'],
  ]);
}

function contact(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Contact'))
    .withPanel(
      onTool(
        {
          title: 'Force on the tool',
          description:
            'Newest tick at each scrape, and the limit in force of the measured force, on both sides.',
          unit: 'forceN',
        },
        'berth_contact_force_newtons',
        'force_N',
      ),
    )
    .withPanel(
      onTool(
        {
          title: 'Moment on the tool',
          description:
            'Newest tick at each scrape, N m, and the limit in force of the measured moment, on both sides.',
          unit: 'short',
        },
        'berth_contact_moment_newton_meters',
        'moment_Nm',
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
      density(
        {
          title: 'Peak force, all contacts',
          description: 'Finished contacts in each bucket of peak normal force.',
          unit: 'forceN',
        },
        [buckets('berth_contact_peak_force_newtons'), '{{le}}'],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Contacts and pairs',
          description:
            'Active contacts, touching pairs of cells or distinct pairs of facets, and all pairs of facets within their standoff.',
          unit: 'short',
        },
        [
          [value('berth_contact_active'), 'contacts'],
          [value('berth_contact_pairs'), 'pairs'],
          [value('berth_contact_near_pairs'), 'near pairs of facets'],
          [value('berth_loop_substeps'), 'sub-steps'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Least distance',
          description: 'Of bodies of facets that make contact, newest tick; empty without them.',
          unit: 'lengthm',
        },
        [[value('berth_contact_least_distance_meters'), 'least distance']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Residuals of constraints',
          description: 'Largest of all rows in length, newest tick; empty without constraints.',
          unit: 'lengthm',
        },
        [[value('berth_constraint_drift_meters'), 'residual']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Least relative curvature',
          description:
            'Of surfaces that slide or touch in free form, times 10 mm; below 0.001 the place runs fast, below 0.000001 it is a line.',
          unit: 'none',
        },
        [[value('berth_touch_curvature_ratio'), 'curvature']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Contacts out of bounds',
          description:
            'A minute: steps with fewer sub-steps than asked for, islands of contacts swept, ticks with a contact outside of its model.',
          unit: 'cpm',
        },
        [
          [perMinute('berth_loop_substep_bound_total'), 'bounded steps'],
          [perMinute('berth_loop_islands_swept_total'), 'swept islands'],
          [perMinute('berth_contact_validity_ticks_total'), 'outside of the model'],
        ],
      ),
    );
}

/** The limits of margin and restitution are the defaults of `energy.margin_limit` and `energy.restitution_limit`. */
function loop(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Delay of the loop and what it does to a contact'))
    .withPanel(
      number(
        {
          title: 'Loop delay',
          description:
            'From the moment for which a pose was meant to the use of the force that belongs to it.',
          unit: 's',
        },
        [value('berth_loop_delay_seconds', 'part="total"'), 'delay'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Stability margin',
          description: 'Critical delay over measured delay. An alert fires below 2.',
          unit: 'short',
        },
        [value('berth_loop_stability_margin_ratio'), 'margin'],
        ['red', [1, 'orange'], [2, 'green']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Predicted restitution',
          description: 'As the loop is set; above 1 a contact leaves faster than it came.',
          unit: 'short',
        },
        [value('berth_loop_predicted_restitution_ratio', 'comp="active"'), 'restitution'],
        ['green', [1.0005, 'yellow'], [1.02, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Created energy',
          description: 'Energy that the loop itself created in the shown time.',
          unit: 'joule',
        },
        [inRange('berth_loop_energy_created_joules_total'), 'created'],
        ['green', [0.05, 'yellow'], [0.5, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Removed by the guard',
          description: 'Kinetic energy that the passivity guard took in the shown time.',
          unit: 'joule',
        },
        [inRange('berth_passivity_dissipated_joules_total'), 'removed'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Guard ticks',
          description: 'Ticks of the shown time in which the passivity guard acted.',
          unit: 'short',
        },
        [inRange('berth_passivity_active_ticks_total'), 'ticks'],
        ['blue'],
      ),
    )
    .withPanel(
      stacked(
        {
          title: 'Delay by part',
          description:
            'Wire, response of the robot, age of the measurement; a robot that extrapolates has a part below zero.',
          unit: 's',
        },
        [
          [value('berth_loop_delay_seconds', 'part="wire"'), 'wire'],
          [value('berth_loop_delay_seconds', 'part="robot"'), 'robot'],
          [value('berth_loop_delay_seconds', 'part="measurement"'), 'measurement'],
        ],
      ),
    )
    .withPanel(
      banded(
        {
          title: 'Margin',
          description: 'Critical delay over measured delay: below 1 a held contact grows.',
          unit: 'short',
        },
        [[value('berth_loop_stability_margin_ratio'), 'margin']],
        ['red', [1, 'orange'], [2, 'green']],
      ),
    )
    .withPanel(
      banded(
        {
          title: 'Restitution, predicted and measured',
          description:
            'Predicted without compensation and as the loop is set; mean of the contacts that ended, at both sides.',
          unit: 'short',
        },
        [
          [value('berth_loop_predicted_restitution_ratio'), 'predicted, {{comp}}'],
          [mean('berth_contact_restitution_ratio', 'side'), 'measured, {{side}}'],
        ],
        ['green', [1, 'yellow'], [1.02, 'red']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Stiffness limit',
          description:
            'Stiffest contact, N/m, that keeps the limit of restitution at the measured delay.',
          unit: 'short',
        },
        [[value('berth_loop_stiffness_limit_newtons_per_meter'), 'limit']],
        'log',
      ),
    )
    .withPanel(
      lined(
        {
          title: 'Energy that the loop creates',
          description:
            'Joules a minute, and what the guard has not taken; an alert fires above the line.',
          unit: 'joule',
        },
        [
          [perMinute('berth_loop_energy_created_joules_total'), 'created a minute'],
          [
            `${perMinute('berth_loop_energy_created_joules_total')} - ${perMinute('berth_passivity_dissipated_joules_total')}`,
            'not taken by the guard',
          ],
        ],
        [[0.05, 'red']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Energy created and removed',
          description: 'Since the loop started: created by the loop, taken by the guard.',
          unit: 'joule',
        },
        [
          [value('berth_loop_energy_created_joules_total'), 'created'],
          [value('berth_passivity_dissipated_joules_total'), 'removed'],
        ],
      ),
    )
    .withPanel(
      density(
        {
          title: 'Energy gain of a contact',
          description: 'Created over taken energy, finished contacts in each bucket.',
          unit: 'percentunit',
        },
        [buckets('berth_contact_energy_gain_ratio'), '{{le}}'],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Passivity guard',
          description: 'Ticks a second in which it acted, and in which it could not take all.',
          unit: 'hertz',
        },
        [
          [perSecond('berth_passivity_active_ticks_total'), 'acted'],
          [perSecond('berth_passivity_clamped_ticks_total'), 'not all taken'],
        ],
      ),
    );
}

function energy(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Energy of the model'))
    .withPanel(
      curves(
        {
          title: 'Stored energy',
          description:
            'Kinetic, potential and elastic energy; the elastic part includes the bristles.',
          unit: 'joule',
        },
        [
          [value('berth_model_energy_joules', 'part="kinetic"'), 'kinetic'],
          [value('berth_model_energy_joules', 'part="potential"'), 'potential'],
          [value('berth_model_energy_joules', 'part="elastic"'), 'elastic'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Work and losses',
          description: 'Work from outside and energy that contacts took, since the loop started.',
          unit: 'joule',
        },
        [
          [value('berth_model_energy_joules', 'part="external"'), 'from outside'],
          [value('berth_model_energy_joules', 'part="dissipated"'), 'dissipated'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Balance',
          description: 'What the ledger cannot explain: the error of the integration.',
          unit: 'joule',
        },
        [[value('berth_model_energy_joules', 'part="balance"'), 'unexplained']],
      ),
    );
}

/** Dashboard "Contact and energy". */
export const contactAndEnergy: Page = {
  file: 'contact-and-energy.json',
  uid: 'berth-contact-energy',
  title: 'Contact and energy',
  question: 'What touches, how hard, and where does the energy go?',
  rows: [now, contact, loop, energy],
};
