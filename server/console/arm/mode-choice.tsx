/** Mode of the hand controllers and its selection. An option that would be refused stays and shows the reason. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { COMMAND_AXES } from '../../client/devices/layout.ts';
import type { HandModeName, RobotDescription } from '../../client/messages.ts';
import { whyNotHolder } from '../devices/deadman.tsx';
import { actions, connection, notify, status } from '../store.ts';
import { drivenJoints, MODE_NAMES } from './mode-words.ts';

const MODES = Object.keys(MODE_NAMES) as HandModeName[];
const HINTS: Readonly<Record<HandModeName, string>> = {
  rate: 'The stick is the speed of the tool',
  position: 'The stick is the way of the tool from where the deadman was pressed',
  joint: 'One axis of the stick is the rate of one joint; the others hold, nothing accommodates',
};

/** Joint and axis for single-joint mode; the first joint until one is selected. */
const wantedJoint = signal<number | null>(null);
const wantedAxis = signal(2);

/** Reason why the mode cannot be changed now; '' when it can. */
export function whyNotMode(): string {
  if (connection.value !== 'up') return 'There is no connection.';
  const reason = whyNotHolder();
  if (reason !== '') return reason;
  const state = status.value?.state ?? '';
  if (state === 'ARMING' || state.startsWith('ACTIVE')) {
    return 'The arm is flown: release the deadman to change the mode.';
  }
  return state === 'STOPPING' ? 'The arm comes to rest.' : '';
}

function choose(mode: HandModeName, joint: number, axis: number): void {
  const reason = whyNotMode();
  if (reason === '') void actions.setHandMode(mode === 'joint' ? { mode, joint, axis } : { mode });
  else notify(`Mode: ${reason}`, 'info');
}

interface PickProps {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly options: readonly (readonly [number, string])[];
  readonly onPick: (value: number) => void;
}

function Pick({ id, label, value, options, onPick }: PickProps): JSX.Element {
  return (
    <select
      id={id}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        onPick(Number(currentTarget.value));
        currentTarget.blur(); // its keys control the arm again
      }}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function ModeChoice({ robot }: { readonly robot: RobotDescription | null }): JSX.Element {
  const now = status.value?.hand_mode;
  const joints = drivenJoints(robot);
  const single = now?.mode === 'joint';
  const joint = (single ? now.joint : wantedJoint.value) ?? joints[0]?.[0] ?? 0;
  const axis = (single ? now.axis : null) ?? wantedAxis.value;
  const open = whyNotMode() === '';
  const pick = (nextJoint: number, nextAxis: number): void => {
    wantedJoint.value = nextJoint;
    wantedAxis.value = nextAxis;
    if (single) choose('joint', nextJoint, nextAxis);
  };
  return (
    <div class="mode-choice" role="group" aria-label="Mode of the hand controller">
      <span class="mode-label">Mode</span>
      <div class="choice-row">
        {MODES.map((mode) =>
          mode === 'joint' && joints.length === 0 ? null : (
            <button
              key={mode}
              id={`mode-${mode}`}
              type="button"
              aria-pressed={mode === now?.mode}
              aria-disabled={!open}
              title={open ? HINTS[mode] : `Not now: ${whyNotMode()}`}
              onClick={() => choose(mode, joint, axis)}
            >
              {MODE_NAMES[mode]}
            </button>
          ),
        )}
      </div>
      {joints.length === 0 ? null : (
        <span class="mode-joint">
          <Pick
            id="mode-which"
            label="Joint that is turned by itself"
            value={joint}
            options={joints.map(([place, { name }]) => [place, name])}
            onPick={(value) => pick(value, axis)}
          />
          <Pick
            id="mode-axis"
            label="Axis that turns it"
            value={axis}
            options={COMMAND_AXES.map((name, i) => [i, `by ${name}`])}
            onPick={(value) => pick(joint, value)}
          />
        </span>
      )}
    </div>
  );
}
