/** Delay of the loop: its parts side by side against the critical delay, and over the last 10 s. */
import type { JSX } from 'preact';
import type { LoopEnergyStatus } from '../../client/messages.ts';
import { Panel } from '../shell/panel.tsx';
import { Duration } from '../shell/value.tsx';
import { Strip } from '../strips/strip.tsx';
import { delayNotes, stackOf } from './stack.ts';

const WIDTH = 720;
const HEIGHT = 22;

const PARTS = [
  { name: 'wire', words: 'wire', hint: 'both ways on the line, less one period' },
  { name: 'robot', words: 'robot', hint: 'set-point to motion' },
  { name: 'measurement', words: 'measurement', hint: 'force at the sensor to its use' },
] as const;

type Delay = LoopEnergyStatus['delay'];

/** The bar ends a tenth beyond the delay or the critical delay, whichever is longer. */
function DelayBar({ delay, critical_s }: { delay: Delay; critical_s: number | null }): JSX.Element {
  const parts = [delay.wire_s, delay.robot_s, delay.measurement_s];
  const { boxes, mark } = stackOf(parts, critical_s, WIDTH);
  return (
    <svg
      class="delay-bar"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {boxes.map(({ from, width }, index) => (
        <rect
          key={PARTS[index].name}
          class={`delay-${PARTS[index].name}`}
          x={from}
          width={width}
          height={HEIGHT}
        />
      ))}
      {mark === null ? null : (
        <line class="delay-critical" x1={mark} x2={mark} y1={0} y2={HEIGHT} />
      )}
    </svg>
  );
}

export function DelayPanel({
  energy,
}: {
  readonly energy: LoopEnergyStatus | undefined;
}): JSX.Element {
  const delay = energy?.delay;
  const critical_s = energy?.prediction.critical_delay_s ?? null;
  return (
    <Panel name="delay" title="Delay of the loop">
      {delay === undefined ? null : <DelayBar delay={delay} critical_s={critical_s} />}
      <table class="delay-parts">
        <tbody>
          {PARTS.map(({ name, words, hint }) => (
            <tr key={name}>
              <th scope="row">
                <svg class="stage-key" width="12" height="12" aria-hidden="true">
                  <rect class={`delay-${name}`} width="12" height="12" />
                </svg>
                {words}
                <span class="detail">{hint}</span>
              </th>
              <td class="number">
                <Duration seconds={delay?.[`${name}_s`]} label={`Delay: ${words}`} />
              </td>
            </tr>
          ))}
          <tr class="total">
            <th scope="row">
              total T
              <span class="detail">
                from the moment a pose is meant for to the use of its force
              </span>
            </th>
            <td class="number">
              <Duration id="delay-total" seconds={delay?.total_s} label="Delay of the loop" />
            </td>
          </tr>
        </tbody>
      </table>
      {delay?.known === false ? <p class="hint">The delay has not been measured yet.</p> : null}
      {delay === undefined
        ? null
        : delayNotes(delay).map((note) => (
            <p key={note} class="hint">
              {note}
            </p>
          ))}
      <Strip
        title="Delay"
        axis={{ unit: 'ms', factor: 1000, least: 2, signed: true }}
        lines={[
          { series: 'loop_delay_s', label: 'total' },
          { series: 'loop_delay_wire_s', label: 'wire' },
          { series: 'loop_delay_robot_s', label: 'robot' },
          { series: 'loop_delay_measurement_s', label: 'measurement' },
        ]}
      />
    </Panel>
  );
}
