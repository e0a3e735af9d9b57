/** The passivity guard: its actions, and its force on the arm apart from the contact force. */
import type { JSX } from 'preact';
import type { GuardTicks, LoopEnergyStatus } from '../../client/messages.ts';
import { Panel } from '../shell/panel.tsx';
import { Energy, Value, Word } from '../shell/value.tsx';
import { norm } from '../shell/words.ts';
import { Strip } from '../strips/strip.tsx';
import { FORCES } from '../strips/strips.tsx';
import { count } from '../timing/figures.ts';

export interface GuardPanelProps {
  readonly energy: LoopEnergyStatus | undefined;
  readonly ticks: GuardTicks | undefined;
}

export function GuardPanel({ energy, ticks }: GuardPanelProps): JSX.Element {
  const passivity = energy?.passivity;
  const word =
    energy === undefined
      ? '—'
      : !energy.guard
        ? '○ off'
        : passivity?.active === true
          ? '▲ acts'
          : '● watches';
  return (
    <Panel name="guard" title="Passivity guard">
      <dl class="figures">
        <dt>guard</dt>
        <dd>
          <Word id="guard" text={word} />
        </dd>
        <dt>ticks in which it acted</dt>
        <dd>
          <Word id="guard-ticks" text={ticks === undefined ? '—' : count(ticks.active)} />
          {ticks === undefined || ticks.clamped === 0 ? null : (
            <span class="detail">{count(ticks.clamped)} of them at its limit</span>
          )}
        </dd>
        <dt>energy taken away</dt>
        <dd>
          <Energy id="guard-removed" joules={passivity?.removed_J} />
        </dd>
        <dt>observer</dt>
        <dd>
          <Energy joules={passivity?.observer_J} />
        </dd>
        <dt>energy tank</dt>
        <dd>
          <Energy id="tank" joules={passivity?.tank_J} />
        </dd>
        <dt>force that the compensation adds</dt>
        <dd>
          <Value
            value={energy === undefined ? null : norm(energy.compensation_wrench)}
            digits={1}
            unit="N"
          />
        </dd>
      </dl>
      <Strip
        title="Force of the guard on the arm"
        axis={{ unit: 'N', least: 2, signed: true }}
        lines={[
          { series: 'guard_force_N', label: 'magnitude' },
          { series: 'guard_force_x_N', label: 'x' },
          { series: 'guard_force_y_N', label: 'y' },
          { series: 'guard_force_z_N', label: 'z' },
        ]}
      />
      <Strip
        title="Force of the contact"
        axis={{ unit: 'N', least: 2, signed: true }}
        lines={FORCES}
      />
    </Panel>
  );
}
