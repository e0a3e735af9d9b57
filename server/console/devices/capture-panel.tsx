/** Raw axes of the device, and the capture of their rest positions and ends. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Capture } from '../../client/devices/capture.ts';
import { type HandDevice, LAYOUTS } from '../../client/devices/layout.ts';
import { calibrate, type DeviceProfile, LEAST_REACH } from '../../client/devices/profile.ts';
import { Panel } from '../shell/panel.tsx';
import { fixed } from '../shell/words.ts';
import { AxisBar } from './axis-bar.tsx';
import { feed, follow, onPoll, setProfile } from './hand.ts';

export function CapturePanel({ device }: { readonly device: HandDevice }): JSX.Element {
  const capture = useSignal<Capture | null>(null);
  const words = useSignal('');
  const running = capture.value;

  useEffect(() => {
    if (running === null) return undefined;
    return onPoll((now_ms) => {
      if (feed.reading === null) return;
      const refused = running.add(feed.reading.axes, now_ms);
      if (refused !== null) words.value = refused;
      else if (running.step === 'ends') words.value = '';
    });
  }, [running, words]);

  follow();
  const { profile } = feed;
  const start = (): void => {
    if (profile === null) return;
    words.value = '';
    capture.value = new Capture(device.kind, profile);
  };
  const save = (): void => {
    if (profile === null || running === null) return;
    setProfile(device, { ...profile, ranges: running.ranges(profile) });
    capture.value = null;
  };
  return (
    <Panel name="capture" title={`Calibration: ${device.name}`}>
      <RawAxes device={device} profile={profile} capture={running} />
      {device.kind === 'keyboard' ? (
        <p class="device-words">Keys are up or down: there is nothing to capture.</p>
      ) : (
        <>
          <Instruction capture={running} words={words.value} />
          <p class="row">
            {running === null ? (
              <button type="button" onClick={start} disabled={feed.reading === null}>
                Calibrate
              </button>
            ) : (
              <>
                <button
                  type="button"
                  onClick={save}
                  disabled={running.step === 'rest' || running.refusals().length > 0}
                >
                  Save
                </button>
                <button type="button" onClick={() => (capture.value = null)}>
                  Cancel
                </button>
              </>
            )}
            <button type="button" onClick={() => setProfile(device, null)}>
              Reset
            </button>
          </p>
        </>
      )}
    </Panel>
  );
}

interface InstructionProps {
  readonly capture: Capture | null;
  readonly words: string;
}

function Instruction({ capture, words }: InstructionProps): JSX.Element {
  if (capture === null) {
    return (
      <p class="device-words" role="status">
        Two steps: leave it alone, then move everything to its ends.
      </p>
    );
  }
  const refusals = capture.step === 'rest' ? [] : capture.refusals();
  return (
    <div class="device-words" role="status">
      <p class="capture-step">
        {capture.step === 'rest'
          ? '1. Leave it alone.'
          : '2. Move everything that is assigned to all its ends, a few times.'}
      </p>
      {words === '' ? null : <p data-level="warn">{words}</p>}
      <ul>
        {refusals.map((refusal) => (
          <li key={refusal}>{refusal}</li>
        ))}
      </ul>
      {capture.step === 'ends' && refusals.length === 0 ? <p>All ends were seen: save.</p> : null}
    </div>
  );
}

interface RawAxesProps {
  readonly device: HandDevice;
  readonly profile: DeviceProfile | null;
  readonly capture: Capture | null;
}

function RawAxes({ device, profile, capture }: RawAxesProps): JSX.Element {
  const { axisNames, nominalReach } = LAYOUTS[device.kind];
  const { reading } = feed;
  const used = new Set(profile?.assignments.map(({ source }) => source));
  const digits = nominalReach > 10 ? 0 : 2;
  return (
    <table class="axes-table">
      <thead>
        <tr>
          <th scope="col">Axis of the device</th>
          <th scope="col" colSpan={2}>
            Raw
          </th>
          <th scope="col">Calibrated</th>
          <th scope="col">{capture?.step === 'ends' ? 'Ends' : 'Range'}</th>
        </tr>
      </thead>
      <tbody>
        {axisNames.map((name, i) => {
          const raw = reading?.axes[i] ?? 0;
          const range = profile?.ranges[i];
          return (
            <tr key={name} data-unused={!used.has(i)}>
              <th scope="row">{name}</th>
              <td>{reading === null ? '—' : fixed(raw, digits)}</td>
              <td class="axes-bar">
                <AxisBar
                  label={`${name}, raw`}
                  value={raw / nominalReach}
                  missing={reading === null}
                />
              </td>
              <td class="axes-bar">
                <AxisBar
                  label={`${name}, calibrated`}
                  value={range === undefined ? 0 : calibrate(raw, range)}
                  missing={reading === null}
                />
              </td>
              <td class="capture-range">
                {capture?.step === 'ends'
                  ? reachWords(capture.reach(i))
                  : range === undefined
                    ? '—'
                    : `${fixed(range.minimum, digits)} … ${fixed(range.maximum, digits)}`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const reachWords = (reach: number): string =>
  reach >= LEAST_REACH ? '✓ seen' : `${fixed(Math.max(0, Math.floor(reach * 100)), 0)} %`;
