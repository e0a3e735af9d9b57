/**
 * What the dashboards share: data source, service and links at the top, marks of what happened, one time range, one crosshair.
 */
/* oxlint-disable typescript/no-deprecated -- file provisioning reads the classic format */
import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';

import { DATASOURCE } from './panels.ts';
import { grew, value } from './queries.ts';

/** The console of the chosen service: its label is the address that Prometheus scrapes. */
const CONSOLE = 'http://${instance}/';

/** Something that adds a row of panels. */
export type Row = (page: DashboardBuilder) => void;

/** A dashboard: its file and address, its title, the question that it answers, and its rows. */
export interface Page {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly question: string;
  readonly rows: readonly Row[];
}

/** A mark in every panel, where something happened. */
const mark = (name: string, color: string, title: string, expr: string): AnnotationQueryBuilder =>
  new AnnotationQueryBuilder()
    .name(name)
    .datasource(DATASOURCE)
    .enable(true)
    .iconColor(color)
    .expr(expr)
    .step('1s')
    .titleFormat(title)
    .tagKeys('instance');

const MARKS: readonly AnnotationQueryBuilder[] = [
  mark('Faults and holds', 'red', '{{code}}', grew('berth_faults_total', 'code')),
  mark('Transitions', 'blue', 'to {{to}}', grew('berth_safety_transitions_total', 'to')),
  mark(
    'Loads',
    'purple',
    '{{scenario}}, {{mode}}',
    `(${grew('berth_scenario_loads_total')}) * on (instance) group_left (scenario, mode) ${value('berth_scenario_info')}`,
  ),
];

const link = (title: string, url: string, tooltip: string): DashboardLinkBuilder =>
  new DashboardLinkBuilder(title)
    .type(DashboardLinkType.Link)
    .icon('external link')
    .targetBlank(true)
    .url(url)
    .tooltip(tooltip);

/** The page as Grafana reads it. */
export function buildPage({ uid, title, question, rows }: Page): Dashboard {
  const page = new DashboardBuilder(title)
    .uid(uid)
    .description(question)
    .tags(['berth'])
    .timezone('browser')
    .time({ from: 'now-5m', to: 'now' })
    .refresh('5s')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(
      new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    )
    .withVariable(
      // one at a time: links lead to its console
      new QueryVariableBuilder('instance')
        .label('Service')
        .datasource(DATASOURCE)
        .query('label_values(berth_build_info, instance)')
        .refresh(VariableRefresh.OnTimeRangeChanged),
    )
    .annotations(MARKS.slice())
    .link(link('Console', CONSOLE, 'Operator console of the service'))
    .link(link('Faults', `${CONSOLE}#/alarms`, 'Alarms of the service, and what to do'))
    .link(
      new DashboardLinkBuilder('Berth')
        .type(DashboardLinkType.Dashboards)
        .tags(['berth'])
        .includeVars(true)
        .keepTime(true),
    );
  for (const row of rows) row(page);
  return page.build();
}
