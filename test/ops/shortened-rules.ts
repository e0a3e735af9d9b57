/** The alert rules with less patience: every `for` and every range window shorter by one factor, thresholds as they are. */
import { parse, stringify } from 'yaml';

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function shorten(duration: string, factor: number): string {
  const [, amount, unit] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? [];
  const ms = Number(amount) * (MS[unit ?? ''] ?? NaN);
  if (!(ms > 0)) throw new Error(`not a duration of the rules: ${duration}`);
  return `${Math.round(ms / factor)}ms`;
}

/** Alert rules with shortened times. @returns the rules as YAML, and the names of the alerts */
export function shortenedRules(text: string, factor: number): { yaml: string; alerts: string[] } {
  const { groups } = parse(text) as {
    groups: { rules: { alert: string; expr: string; for?: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  for (const rule of rules) {
    rule.expr = rule.expr.replace(
      /\[([^\]]+)\]/g,
      (_, range: string) => `[${shorten(range, factor)}]`,
    );
    if (rule.for !== undefined) rule.for = shorten(rule.for, factor);
  }
  return { yaml: stringify({ groups }), alerts: rules.map(({ alert }) => alert) };
}
