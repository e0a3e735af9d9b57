/** Assignment of the axes of the device to command axes, and of buttons to deadman and gear. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { COMMAND_AXES, type HandDevice, LAYOUTS } from '../../client/devices/layout.ts';
import type { Assignment, DeviceProfile } from '../../client/devices/profile.ts';
import { Panel } from '../shell/panel.tsx';
import { Switch } from './controls.tsx';
import { feed, follow, onPoll, setProfile } from './hand.ts';

type Role = 'deadman' | 'gear';

interface PickProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onPick: (index: number) => void;
}

function Pick({ label, names, chosen, onPick }: PickProps): JSX.Element {
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => {
        onPick(Number(currentTarget.value));
        currentTarget.blur();
      }}
    >
      <option value={-1}>nothing</option>
      {names.map((name, i) => (
        <option key={name} value={i}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A button is selected in the list, or by pressing it. */
function ButtonRow({
  device,
  profile,
  role,
}: {
  readonly device: HandDevice;
  readonly profile: DeviceProfile;
  readonly role: Role;
}): JSX.Element {
  /** Buttons that were down at the last reading; null while none is being selected. */
  const learning = useSignal<boolean[] | null>(null);
  const before = learning.value;
  const waits = before !== null;
  // not after the drawing, so that a button pressed meanwhile counts, too
  useLayoutEffect(() => {
    if (before === null) return undefined;
    return onPoll(() => {
      const now = feed.reading?.buttons ?? [];
      const pressed = now.findIndex((isDown, i) => isDown && !before[i]);
      now.forEach((isDown, i) => (before[i] = isDown));
      if (pressed < 0 || feed.profile === null) return;
      learning.value = null;
      setProfile(device, { ...feed.profile, [role]: pressed });
    });
  }, [before, device, role, learning]);
  const title = role === 'deadman' ? 'Deadman' : 'Gear';
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>
        <Pick
          label={`${title} button`}
          names={LAYOUTS[device.kind].buttonNames}
          chosen={profile[role]}
          onPick={(index) => setProfile(device, { ...profile, [role]: index })}
        />
      </td>
      <td>
        <button
          type="button"
          aria-pressed={waits}
          onClick={() => (learning.value = waits ? null : [...(feed.reading?.buttons ?? [])])}
        >
          {waits ? 'press it now' : 'Press to pick'}
        </button>
      </td>
    </tr>
  );
}

export function AssignmentPanel({ device }: { readonly device: HandDevice }): JSX.Element {
  follow(); // a new profile is shown with the next reading
  const { profile } = feed;
  if (profile === null) return <></>;
  const assign = (i: number, change: Partial<Assignment>): void => {
    const assignments = profile.assignments.map((one, k) =>
      k === i ? { ...one, ...change } : one,
    );
    setProfile(device, { ...profile, assignments });
  };
  return (
    <Panel name="assignment" title="Assignment">
      <table class="device-table">
        <thead>
          <tr>
            <th scope="col">Command</th>
            <th scope="col">Moved by</th>
            <th scope="col">Inverted</th>
          </tr>
        </thead>
        <tbody>
          {COMMAND_AXES.map((name, i) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Pick
                  label={`${name} is moved by`}
                  names={LAYOUTS[device.kind].axisNames}
                  chosen={profile.assignments[i]?.source ?? -1}
                  onPick={(source) => assign(i, { source })}
                />
              </td>
              <td>
                <Switch
                  label={`${name} inverted`}
                  on={profile.assignments[i]?.inverted}
                  onToggle={() => assign(i, { inverted: !profile.assignments[i]?.inverted })}
                />
              </td>
            </tr>
          ))}
          <ButtonRow device={device} profile={profile} role="deadman" />
          <ButtonRow device={device} profile={profile} role="gear" />
        </tbody>
      </table>
    </Panel>
  );
}
