/**
 * Measured over predicted restitution of the last contacts. On the diagonal the loop matches the
 * prediction; above 1 it creates energy.
 */
import type { JSX } from 'preact';
import { fixed } from '../shell/words.ts';
import type { ContactRecord } from './contact-book.ts';
import { restitutionRange } from './stack.ts';

const WIDTH = 460;
const HEIGHT = 190;
const LEFT = 40;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 32;

export function RestitutionPlot({
  records,
}: {
  readonly records: readonly ContactRecord[];
}): JSX.Element {
  const shown = records.flatMap(({ predicted_active: x, sim, hardware }) =>
    x === null ? [] : [{ x, sim, hardware }],
  );
  const values = shown.flatMap(({ x, sim, hardware }) => [x, sim ?? x, hardware ?? x]);
  const [low, high] = restitutionRange(values);
  const px = (v: number): number => LEFT + ((v - low) / (high - low)) * (WIDTH - LEFT - RIGHT);
  const py = (v: number): number =>
    HEIGHT - BOTTOM - ((v - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const ticks = [low, 1, high];
  return (
    <figure class="restitution">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Measured over predicted restitution of ${shown.length} contacts`}
      >
        {ticks.map((tick) => (
          <g key={tick} class="tick" data-one={tick === 1}>
            <line x1={px(tick)} x2={px(tick)} y1={TOP} y2={HEIGHT - BOTTOM} />
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={py(tick)} y2={py(tick)} />
            <text class="below" x={px(tick)} y={HEIGHT - BOTTOM + 13}>
              {fixed(tick, 1)}
            </text>
            <text class="beside" x={LEFT - 5} y={py(tick) + 4}>
              {fixed(tick, 1)}
            </text>
          </g>
        ))}
        <line class="diagonal" x1={px(low)} y1={py(low)} x2={px(high)} y2={py(high)} />
        {shown.map(({ x, sim, hardware }, index) => (
          <g key={index} class="contact" data-newest={index === 0}>
            {hardware === null ? null : (
              <rect x={px(x) - 3.5} y={py(hardware) - 3.5} width={7} height={7} />
            )}
            {sim === null ? null : <circle cx={px(x)} cy={py(sim)} r={3.5} />}
          </g>
        ))}
        <text class="below" x={(LEFT + WIDTH) / 2} y={HEIGHT - 4}>
          predicted, as the loop is set
        </text>
      </svg>
      <figcaption>
        <span>measured</span>
        <span>
          <span aria-hidden="true">●</span> simulation side
        </span>
        <span>
          <span aria-hidden="true">□</span> hardware side
        </span>
        <span>
          <span aria-hidden="true">╌</span> as predicted
        </span>
      </figcaption>
    </figure>
  );
}
