/** The few kinds of panel that the dashboards use, with one look. */
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  BigValueColorMode,
  BigValueGraphMode,
  type DataSourceRef,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  ScaleDistribution,
  ScaleDistributionConfigBuilder,
  StackingConfigBuilder,
  StackingMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  DashboardLinkBuilder,
  DashboardLinkType,
  PanelBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import {
  type Dataquery,
  DataqueryBuilder,
  PromQueryFormat,
} from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';

/** Every panel queries the data source chosen at the top of the page. */
export const DATASOURCE: DataSourceRef = { type: 'prometheus', uid: '${datasource}' };

/** A PromQL expression and the legend of its series. */
export type Query = readonly [expr: string, legend: string];
/** What a panel shows, in one sentence, and its unit in Grafana's names. */
interface Frame {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
}
/** Values from which a colour holds; the first is the colour below all of them. */
export type Bands = readonly [base: string, ...(readonly [from: number, color: string])[]];

const target = ([expr, legend]: Query): Builder<Dataquery> =>
  new DataqueryBuilder().datasource(DATASOURCE).expr(expr).legendFormat(legend).range();

const thresholds = ([base, ...steps]: Bands): ThresholdsConfigBuilder =>
  new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([
      { value: null, color: base },
      ...steps.map(([from, color]) => ({ value: from, color })),
    ]);

/** One big number with a sparkline. */
export function number(frame: Frame, query: Query, bands: Bands): stat.PanelBuilder {
  return new stat.PanelBuilder()
    .title(frame.title)
    .description(frame.description)
    .unit(frame.unit)
    .datasource(DATASOURCE)
    .thresholds(thresholds(bands))
    .colorMode(BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.Area)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .noValue('no data')
    .height(4)
    .span(4)
    .withTarget(target(query));
}

/** Curves over time; `log` for latencies, which span four decades. */
export function curves(
  frame: Frame,
  queries: readonly Query[],
  scale: 'linear' | 'log' = 'linear',
): timeseries.PanelBuilder {
  return new timeseries.PanelBuilder()
    .title(frame.title)
    .description(frame.description)
    .unit(frame.unit)
    .datasource(DATASOURCE)
    .lineWidth(1)
    .fillOpacity(scale === 'log' ? 0 : 8)
    .showPoints(VisibilityMode.Never)
    .scaleDistribution(
      scale === 'log'
        ? new ScaleDistributionConfigBuilder().type(ScaleDistribution.Log).log(10)
        : new ScaleDistributionConfigBuilder().type(ScaleDistribution.Linear),
    )
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['lastNotNull', 'max']),
    )
    .height(8)
    .span(12)
    .targets(queries.map(target));
}

/** Parts of a whole, one on top of the other. */
export function stacked(frame: Frame, queries: readonly Query[]): timeseries.PanelBuilder {
  return curves(frame, queries)
    .fillOpacity(30)
    .stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'));
}

/** Curves before bands of colour that mark what is good. */
export function banded(
  frame: Frame,
  queries: readonly Query[],
  bands: Bands,
): timeseries.PanelBuilder {
  return curves(frame, queries)
    .fillOpacity(0)
    .thresholds(thresholds(bands))
    .thresholdsStyle(
      new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.DashedAndArea),
    );
}

/** Curves below lines at fixed values, from which an alert or a limit holds. */
export function lined(
  frame: Frame,
  queries: readonly Query[],
  lines: readonly (readonly [from: number, color: string])[],
  scale: 'linear' | 'log' = 'linear',
): timeseries.PanelBuilder {
  return curves(frame, queries, scale)
    .thresholds(thresholds(['transparent', ...lines]))
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
}

/** Legend of a series that is a limit: drawn as a dashed line. */
export const LIMIT_LEGEND = 'limit';

/** Curves with limits that are series themselves, as they are in force: those whose legend begins with `limit`. */
export function limited(frame: Frame, queries: readonly Query[]): timeseries.PanelBuilder {
  return curves(frame, queries).overrideByRegexp(`/^${LIMIT_LEGEND}/`, [
    { id: 'color', value: { mode: 'fixed', fixedColor: 'red' } },
    { id: 'custom.lineStyle', value: { fill: 'dash', dash: [10, 10] } },
    { id: 'custom.fillOpacity', value: 0 },
  ]);
}

/** Alerts of Prometheus that wait or fire: Grafana's own list, by the chosen data source. */
export function alertList(frame: Omit<Frame, 'unit'>): PanelBuilder {
  return new PanelBuilder()
    .type('alertlist')
    .title(frame.title)
    .description(frame.description)
    .datasource(DATASOURCE)
    .options({
      viewMode: 'list',
      groupMode: 'default',
      groupBy: [],
      maxItems: 30,
      sortOrder: 3,
      dashboardAlerts: false,
      alertName: 'Berth',
      alertInstanceLabelFilter: '{instance=~"$instance"}',
      datasource: '${datasource}',
      stateFilter: { firing: true, pending: true, noData: false, normal: false, error: true },
    })
    .height(8)
    .span(12);
}

/** Labels of series as rows, newest values only. */
export function labels(
  frame: Omit<Frame, 'unit'>,
  query: Query,
  hidden: readonly string[],
): table.PanelBuilder {
  return new table.PanelBuilder()
    .title(frame.title)
    .description(frame.description)
    .datasource(DATASOURCE)
    .transformations([
      { id: 'labelsToFields', options: { mode: 'columns' } },
      { id: 'merge', options: {} },
      {
        id: 'organize',
        options: { excludeByName: Object.fromEntries(hidden.map((name) => [name, true])) },
      },
    ])
    .height(4)
    .span(24)
    .withTarget(
      new DataqueryBuilder()
        .datasource(DATASOURCE)
        .expr(query[0])
        .legendFormat(query[1])
        .format(PromQueryFormat.Table)
        .instant(),
    );
}

/** A link of every point of a panel to a page of the console of its service. */
export function consoleLink(title: string, hash: string): DashboardLinkBuilder {
  return new DashboardLinkBuilder(title)
    .type(DashboardLinkType.Link)
    .targetBlank(true)
    .url(`http://\${__field.labels.instance}/${hash}`);
}

/** A histogram over time. */
export function density(frame: Frame, query: Query): heatmap.PanelBuilder {
  return new heatmap.PanelBuilder()
    .title(frame.title)
    .description(frame.description)
    .datasource(DATASOURCE)
    .yAxis(new heatmap.YAxisConfigBuilder().unit(frame.unit))
    .color(
      new heatmap.HeatmapColorOptionsBuilder()
        .mode(heatmap.HeatmapColorMode.Scheme)
        .scheme('Oranges')
        .scale(heatmap.HeatmapColorScale.Exponential)
        .exponent(0.3)
        .steps(64),
    )
    .height(8)
    .span(12)
    .withTarget(
      new DataqueryBuilder()
        .datasource(DATASOURCE)
        .expr(query[0])
        .legendFormat(query[1])
        .format(PromQueryFormat.Heatmap)
        .range(),
    );
}

/** Bars of state over time, one row a series that is 0 or 1. */
export function states(frame: Frame, query: Query): statetimeline.PanelBuilder {
  return new statetimeline.PanelBuilder()
    .title(frame.title)
    .description(frame.description)
    .unit(frame.unit)
    .datasource(DATASOURCE)
    .thresholds(thresholds(['transparent', [1, 'blue']]))
    .showValue(VisibilityMode.Never)
    .mergeValues(true)
    .rowHeight(0.85)
    .height(8)
    .span(12)
    .withTarget(target(query));
}
