/** Log-log histogram of the wake lateness, with a sentence and a table. */
import type { JSX } from 'preact';
import type { LatenessHistogram } from '../../client/messages.ts';
import { duration } from '../shell/words.ts';
import { count, roundDuration } from './figures.ts';
import { CHART, layOut } from './histogram-layout.ts';
import { bucketQuantile, offChartCount, totalCount } from './quantiles.ts';

/** Marked shares of the ticks. */
export const QUANTILES = [
  { name: 'p50', share: 0.5 },
  { name: 'p99', share: 0.99 },
  { name: 'p99.9', share: 0.999 },
] as const;

/** A decade: 100, 1 000, 10⁴. */
const power = (n: number): string =>
  n < 10_000 ? count(n) : `10${'⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Math.log10(n))}`;

/** Words for the ticks beyond the chart. */
export function offChartWords(histogram: LatenessHistogram): string {
  const edge = roundDuration(histogram.edges_s.at(-1) ?? 0);
  const off = offChartCount(histogram);
  const total = count(totalCount(histogram));
  if (off === 0) return `None of ${total} ticks was later than ${edge}: nothing is off the chart.`;
  const were = off === 1 ? 'was' : 'were';
  return `${count(off)} of ${total} ticks ${were} later than ${edge} and off the chart. The latest of the last 10 s was ${duration(histogram.maximum_s)} late.`;
}

function range({ from_s, to_s }: { from_s: number; to_s: number }): string {
  if (from_s === 0) return `up to ${roundDuration(to_s)}`;
  if (to_s === Infinity) return `over ${roundDuration(from_s)}`;
  return `${roundDuration(from_s)} to ${roundDuration(to_s)}`;
}

/** Chart, sentence and table. */
export function LatenessChart({
  histogram,
}: {
  readonly histogram: LatenessHistogram;
}): JSX.Element {
  const { bars, counts, times, placeOf } = layOut(histogram);
  const total = Math.max(1, totalCount(histogram));
  const bottom = CHART.height - CHART.bottom;
  const off = bars.at(-1)!;
  return (
    <div class="lateness">
      <svg
        class="histogram"
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        role="img"
        aria-label={`Histogram of the lateness of ${count(total)} ticks. ${offChartWords(histogram)}`}
      >
        {counts.map(({ y, count: n }) => (
          <g key={n}>
            <line class="grid" x1={CHART.left} x2={CHART.width - CHART.right} y1={y} y2={y} />
            <text class="tick end" x={CHART.left - 6} y={y + 4}>
              {power(n)}
            </text>
          </g>
        ))}
        {times.map(({ x, time_s }) => (
          <g key={time_s}>
            <line class="grid" x1={x} x2={x} y1={CHART.top} y2={bottom} />
            <text class="tick middle" x={x} y={bottom + 16}>
              {roundDuration(time_s)}
            </text>
          </g>
        ))}
        {bars.map((bar) =>
          bar.count === 0 ? null : (
            <rect
              key={bar.from_s}
              class={bar === off ? 'bar off' : 'bar'}
              x={bar.x + 1}
              width={Math.max(1, bar.width - 2)}
              y={bar.y}
              height={bar.height}
            />
          ),
        )}
        <line class="axis" x1={CHART.left} x2={CHART.width - CHART.right} y1={bottom} y2={bottom} />
        <text class="tick middle" x={off.x + off.width / 2} y={bottom + 16}>
          later
        </text>
        {off.count === 0 ? (
          <text class="tick middle" x={off.x + off.width / 2} y={bottom - 6}>
            none
          </text>
        ) : null}
        {QUANTILES.map(({ name, share }, index) => {
          const quantile = bucketQuantile(histogram, share);
          if (quantile === null) return null;
          const x =
            quantile.high_s > (histogram.edges_s.at(-1) ?? 0)
              ? off.x
              : placeOf(quantile.estimate_s);
          return (
            <g key={name} class={`mark mark-${index + 1}`}>
              <line x1={x} x2={x} y1={CHART.top} y2={bottom} />
              <text class="middle" x={Math.max(x, CHART.left + 14)} y={CHART.top - 8}>
                {name}
              </text>
            </g>
          );
        })}
        <text class="tick middle" x={(CHART.left + off.x) / 2} y={CHART.height - 4}>
          lateness of a tick (logarithmic); upwards: ticks (logarithmic)
        </text>
      </svg>
      <p>{offChartWords(histogram)}</p>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Lateness</th>
              <th scope="col" class="number">
                Ticks
              </th>
              <th scope="col" class="number">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.from_s}>
                <th scope="row">{range(bar)}</th>
                <td class="number">{count(bar.count)}</td>
                <td class="number">{((100 * bar.count) / total).toPrecision(2)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
