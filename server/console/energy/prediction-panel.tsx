/** Effect of the delay on a contact: margin with its bands, predicted restitution, and the stiffness at the limit. */
import type { JSX } from 'preact';
import type { EnergyLimits, LoopEnergyStatus } from '../../client/messages.ts';
import { Panel } from '../shell/panel.tsx';
import { Duration, Value, Word } from '../shell/value.tsx';
import { fixed } from '../shell/words.ts';
import { stiffness } from '../timing/figures.ts';
import { status } from '../store.ts';
import { firstTouchWords } from './first-touch.ts';
import { PermitButton } from './permit-dialog.tsx';
import { type MarginBand, marginBand } from './permit.ts';
import { marginPlace } from './stack.ts';

const WIDTH = 720;
const HEIGHT = 46;
const BAR = 16;
const TICKS = [0.1, 1, 10, 100];

const BANDS: Readonly<Record<MarginBand, { readonly level: string; readonly words: string }>> = {
  unstable: { level: 'fault', words: '■ unstable' },
  narrow: { level: 'hold', words: '▲ below the limit' },
  wide: { level: 'ready', words: '● within the limit' },
};

function MarginScale({ margin, limit }: { margin: number | null; limit: number }): JSX.Element {
  const place = (value: number): number => marginPlace(value) * WIDTH;
  const bands: readonly (readonly [MarginBand, number, number])[] = [
    ['unstable', 0.1, 1],
    ['narrow', 1, Math.max(1, limit)],
    ['wide', Math.max(1, limit), 100],
  ];
  return (
    <svg class="margin-scale" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {bands.map(([band, from, to]) => (
        <rect
          key={band}
          class={`margin-${band}`}
          x={place(from)}
          width={Math.max(0, place(to) - place(from))}
          y={10}
          height={BAR}
        />
      ))}
      {[...TICKS, limit].map((tick) => (
        <g key={tick} class="margin-tick" data-limit={tick === limit}>
          <line x1={place(tick)} x2={place(tick)} y1={10} y2={30} />
          <text x={Math.min(WIDTH - 14, Math.max(12, place(tick)))} y={43}>
            {Number(tick.toPrecision(3))}
          </text>
        </g>
      ))}
      {margin === null ? null : (
        <polygon
          class="margin-mark"
          points={`${place(margin)},14 ${place(margin) - 8},1 ${place(margin) + 8},1`}
        />
      )}
    </svg>
  );
}

export interface PredictionPanelProps {
  readonly energy: LoopEnergyStatus | undefined;
  readonly limits: EnergyLimits | undefined;
}

export function PredictionPanel({ energy, limits }: PredictionPanelProps): JSX.Element {
  const prediction = energy?.prediction;
  const margin = prediction?.stability_margin_active ?? null;
  const limit = limits?.stability_margin ?? NaN;
  const band = margin === null ? null : BANDS[marginBand(margin, limit)];
  return (
    <Panel name="prediction" title="Prediction" aside={<PermitButton />}>
      <dl class="figures">
        <dt>stability margin as the loop is set</dt>
        <dd>
          <Value id="margin" value={margin} digits={2} label="Stability margin" />{' '}
          {band === null ? null : <span data-level={band.level}>{band.words}</span>}
        </dd>
      </dl>
      {Number.isFinite(limit) ? <MarginScale margin={margin} limit={limit} /> : null}
      <dl class="figures">
        <dt>margin without compensation</dt>
        <dd>
          <Value value={prediction?.stability_margin} digits={2} />
        </dd>
        <dt>critical delay</dt>
        <dd>
          <Duration seconds={prediction?.critical_delay_s} />
        </dd>
        <dt>restitution without compensation</dt>
        <dd>
          <Value id="predicted-none" value={prediction?.restitution} digits={3} />
        </dd>
        <dt>restitution as the loop is set</dt>
        <dd>
          <Value id="predicted-active" value={prediction?.restitution_active} digits={3} />
          <span class="detail">
            limit {limits === undefined ? '—' : fixed(limits.restitution, 2)}
          </span>
        </dd>
        <dt>stiffness of the contact</dt>
        <dd>
          <Word text={stiffness(prediction?.contact_stiffness_N_per_m)} />
        </dd>
        <dt>stiffest within the limit</dt>
        <dd>
          <Word text={stiffness(prediction?.stiffness_limit_N_per_m)} />
        </dd>
        <dt>effective mass along the contact</dt>
        <dd>
          <Value value={prediction?.effective_mass_kg} digits={1} unit="kg" />
        </dd>
        <dt>first touch along the command</dt>
        <dd>
          <Word text={firstTouchWords(status.value?.first_touch)} />
        </dd>
      </dl>
    </Panel>
  );
}
