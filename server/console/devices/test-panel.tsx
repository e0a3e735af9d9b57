/** Test of the calibration: command axes, deadman and gear of the device. Nothing moves. */
import type { JSX } from 'preact';
import { COMMAND_AXES, type HandDevice } from '../../client/devices/layout.ts';
import { profileProblems } from '../../client/devices/profile.ts';
import { Panel } from '../shell/panel.tsx';
import { fixed } from '../shell/words.ts';
import { welcome } from '../store.ts';
import { AxisBar } from './axis-bar.tsx';
import { Lamp } from './controls.tsx';
import { feed, follow } from './hand.ts';

const MEANING = [
  'right',
  'away from you',
  'up',
  'turn about x',
  'turn about y',
  'turn about z',
] as const;

export function TestPanel({ device }: { readonly device: HandDevice }): JSX.Element {
  follow();
  const { reading, profile, axes } = feed;
  const pressed = (button: number | undefined): boolean =>
    button !== undefined && reading?.buttons[button] === true;
  const problems = profile === null ? [] : profileProblems(profile, device.kind);
  const zone = welcome.value?.operator.deadband ?? 0;
  return (
    <Panel name="device-test" title="Try it">
      <p class="device-lamps">
        <Lamp
          id="test-deadman"
          lit={pressed(profile?.deadman)}
          text={pressed(profile?.deadman) ? 'Deadman held' : 'Deadman released'}
        />
        <Lamp lit={pressed(profile?.gear)} text={`Gear button, now ${feed.gear}`} />
      </p>
      <table class="axes-table">
        <tbody>
          {COMMAND_AXES.map((name, i) => (
            <tr key={name}>
              <th scope="row">
                {name} <span class="device-kind">{MEANING[i]}</span>
              </th>
              <td class="axes-bar">
                <AxisBar
                  label={`${name} calibrated`}
                  value={axes[i] ?? 0}
                  zone={zone}
                  missing={reading === null}
                />
              </td>
              <td id={`test-${name}`}>{fixed(axes[i] ?? 0, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="device-words">
        {problems.map((problem) => (
          <li key={problem} data-level="warn">
            {problem}
          </li>
        ))}
        <li>Nothing moves from this page: only the fly page sends the deadman.</li>
      </ul>
    </Panel>
  );
}
