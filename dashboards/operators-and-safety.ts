/** Dashboard "Operators and safety": who flies, what stopped, and why. */
/* oxlint-disable typescript/no-deprecated -- file provisioning reads the classic format */
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import type { Page } from './page.ts';
import { alertList, consoleLink, curves, labels, lined, number, states } from './panels.ts';
import { alerts, inRange, perMinute, perSecond, value } from './queries.ts';

function now(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Now'))
    .withPanel(
      number(
        { title: 'Authority', description: 'One while somebody may move the arm.', unit: 'short' },
        [value('berth_authority_held'), 'held'],
        ['blue'],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Age of the input',
          description: 'Newest hand-controller input; above 100 ms the loop holds.',
          unit: 's',
        },
        [value('berth_operator_input_age_seconds'), 'age'],
        ['green', [0.05, 'yellow'], [0.1, 'red']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Operators',
          description: 'Clients on the operator socket.',
          unit: 'short',
        },
        [`sum(${value('berth_operator_clients')})`, 'clients'],
        ['blue'],
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
    )
    .withPanel(
      number(
        {
          title: 'Injected faults',
          description: 'Faults injected on purpose in the shown time.',
          unit: 'short',
        },
        [`${inRange('berth_injected_faults_total')} or vector(0)`, 'injected'],
        ['green', [1, 'orange']],
      ),
    )
    .withPanel(
      number(
        {
          title: 'Refused sockets',
          description: 'Sockets refused or closed for cause in the shown time.',
          unit: 'short',
        },
        [inRange('berth_ws_rejects_total'), 'refused'],
        ['green', [1, 'yellow'], [100, 'red']],
      ),
    );
}

/** What is loaded, and what Prometheus warns of. */
function session(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Session and alerts'))
    .withPanel(
      labels(
        { title: 'Session', description: 'Scenario and mode that are loaded.' },
        [value('berth_scenario_info'), ''],
        ['Time', 'Value', '__name__', 'job'],
      ),
    )
    .withPanel(
      alertList({
        title: 'Alerts',
        description: 'Alerts of the rules that wait or fire.',
      }),
    )
    .withPanel(
      curves(
        {
          title: 'Alerts over time',
          description: 'One while an alert waits or fires, by name.',
          unit: 'short',
        },
        [[alerts(), '{{alertname}}, {{alertstate}}']],
      ),
    );
}

function safety(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Safety'))
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
      ).dataLinks([
        consoleLink('What it means, and what to do', '#/alarms?code=${__field.labels.code}'),
      ]),
    )
    .withPanel(
      curves(
        {
          title: 'Transitions',
          description: 'Transitions a minute by the state entered.',
          unit: 'cpm',
        },
        [[`${perMinute('berth_safety_transitions_total')} > 0`, '{{to}}']],
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

function operators(page: DashboardBuilder): void {
  page
    .withRow(new RowBuilder('Operators and viewers'))
    .withPanel(
      lined(
        {
          title: 'Operator input',
          description: 'Age of the newest input; above 100 ms, the line, the loop holds.',
          unit: 's',
        },
        [[value('berth_operator_input_age_seconds'), 'age']],
        [[0.1, 'red']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Inputs',
          description: 'Inputs a second applied by the loop, and those not passed on, by reason.',
          unit: 'hertz',
        },
        [
          [perSecond('berth_operator_inputs_total'), 'applied'],
          [perSecond('berth_operator_input_rejects_total'), 'refused: {{reason}}'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Changes of authority',
          description: 'Changes a minute, by reason.',
          unit: 'cpm',
        },
        [[perMinute('berth_authority_changes_total'), '{{reason}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Clients',
          description: 'Operators by role, and open sockets by protocol.',
          unit: 'short',
        },
        [
          [value('berth_operator_clients'), '{{role}}'],
          [value('berth_ws_sessions'), '{{protocol}} sockets'],
        ],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Slow clients',
          description: 'Messages a minute left out for clients that do not read.',
          unit: 'cpm',
        },
        [[perMinute('berth_ws_dropped_messages_total'), '{{protocol}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Bytes waiting',
          description: 'Bytes waiting for slow clients; a client is closed at 2 MiB.',
          unit: 'bytes',
        },
        [[value('berth_ws_buffered_bytes'), '{{protocol}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Refused and closed sockets',
          description: 'A minute, by reason.',
          unit: 'cpm',
        },
        [[perMinute('berth_ws_rejects_total'), '{{reason}}']],
      ),
    )
    .withPanel(
      curves(
        {
          title: 'Audit and recording',
          description:
            'Audit records a minute, records of the loop that the recorder lost, and old recordings that it removed.',
          unit: 'cpm',
        },
        [
          [perMinute('berth_audit_records_total'), 'audit'],
          [perMinute('berth_recorder_dropped_records_total'), 'lost records'],
          [perMinute('berth_recorder_removed_files_total'), 'removed files'],
        ],
      ),
    );
}

/** Dashboard "Operators and safety". */
export const operatorsAndSafety: Page = {
  file: 'operators-and-safety.json',
  uid: 'berth-operators-safety',
  title: 'Operators and safety',
  question: 'Who flies, what stopped, and why?',
  rows: [now, session, safety, operators],
};
