/** What the dashboards share: data source and links at the top, one time range, one crosshair. */
/* eslint-disable @typescript-eslint/no-deprecated -- file provisioning reads the classic format */
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';

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
    .link(
      new DashboardLinkBuilder('Berth')
        .type(DashboardLinkType.Dashboards)
        .tags(['berth'])
        .keepTime(true),
    );
  for (const row of rows) row(page);
  return page.build();
}
