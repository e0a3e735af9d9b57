/** Every PromQL expression of a dashboard, and what it needs to be checked outside Grafana. */
/* oxlint-disable typescript/no-deprecated -- file provisioning reads the classic format */
import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';

/** An expression and the panel it stands in. */
export interface PanelExpression {
  readonly panel: string;
  readonly expr: string;
}

/** All expressions of a dashboard, those of collapsed rows included. */
export function expressionsOf(dashboard: Pick<Dashboard, 'panels'>): PanelExpression[] {
  const found: PanelExpression[] = [];
  for (const panel of dashboard.panels ?? []) {
    const inner = 'panels' in panel ? panel.panels : [panel];
    for (const { title, targets } of inner) {
      for (const target of (targets ?? []) as { expr?: string }[]) {
        if (target.expr !== undefined) found.push({ panel: title ?? '', expr: target.expr });
      }
    }
  }
  return found;
}

/** Expressions of the annotations of a dashboard: each has a series for some seconds after what it marks. */
export function annotationsOf({ annotations }: Pick<Dashboard, 'annotations'>): PanelExpression[] {
  return (annotations?.list ?? []).flatMap(({ name, expr }) =>
    expr === undefined ? [] : [{ panel: name, expr }],
  );
}

/** The expression with Grafana's own variables filled in, as Prometheus gets it. */
export function concrete(expr: string): string {
  return expr
    .replaceAll('$__rate_interval', '4s')
    .replaceAll('$__range', '5m')
    .replaceAll('$instance', '.+');
}

/** Metric names in an expression, with the suffixes of histogram series taken off. */
export function metricsIn(expr: string): string[] {
  const names = expr.match(/\b(?:berth|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}
