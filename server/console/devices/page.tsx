/**
 * Page Devices: selection of the hand controller, its calibration, and its assignment. Nothing
 * moves from this page.
 */
import type { JSX } from 'preact';
import { Panel } from '../shell/panel.tsx';
import { notify } from '../store.ts';
import { AssignmentPanel } from './assignment-panel.tsx';
import { CapturePanel } from './capture-panel.tsx';
import { choose, devices, inUse, model, spacemice } from './hand.ts';
import { keptProfile } from './profiles.ts';
import { TestPanel } from './test-panel.tsx';
import './devices.css';

const KINDS = {
  keyboard: 'keys of this page',
  gamepad: 'gamepad',
  joystick: 'joystick',
  spacemouse: 'SpaceMouse',
} as const;

async function connectSpaceMouse(): Promise<void> {
  const problem = await spacemice.ask().catch((error: unknown) => (error as Error).message);
  if (problem !== null) notify(problem);
}

function DeviceList(): JSX.Element {
  return (
    <table class="device-table">
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">Calibration</th>
          <th scope="col">Use</th>
        </tr>
      </thead>
      <tbody>
        {devices.value.map((device) => (
          <tr key={device.model}>
            <th scope="row">
              {device.name}
              <span class="device-kind"> {KINDS[device.kind]}</span>
            </th>
            <td>{keptProfile(device) === null ? 'as delivered' : 'your own'}</td>
            <td>
              <button
                type="button"
                aria-pressed={device === inUse.value}
                onClick={() => choose(device)}
              >
                {device === inUse.value ? 'in use' : 'Fly with this'}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DevicesPanel(): JSX.Element {
  const lost = inUse.value === null;
  return (
    <Panel name="devices" title="Hand controllers">
      <DeviceList />
      {lost ? (
        <p class="device-words" data-level="warn" role="status">
          The chosen device ({model.value}) is not connected: plug it in, press one of its buttons,
          or choose another.
        </p>
      ) : null}
      <p class="row">
        <button
          type="button"
          disabled={!spacemice.supported}
          onClick={() => void connectSpaceMouse()}
        >
          Connect a SpaceMouse …
        </button>
      </p>
      <ul class="device-words">
        <li>A gamepad or joystick shows up here after one of its buttons was pressed.</li>
        {spacemice.supported ? null : (
          <li>This browser has no WebHID here, which a SpaceMouse needs: take Chromium or Edge.</li>
        )}
        {isSecureContext ? null : (
          <li>
            Browsers give hand controllers to a page only over HTTPS or from this very computer:
            this page has the keyboard alone.
          </li>
        )}
        <li>
          Keyboard: A D, S W, F R move along x, y, z; arrow keys and Q E turn; hold left Shift as
          deadman; G changes the gear. The space bar is always STOP.
        </li>
      </ul>
    </Panel>
  );
}

export function DevicesPage(): JSX.Element {
  const device = inUse.value;
  return (
    <>
      <div class="devices-column">
        <DevicesPanel />
        {device === null ? null : <TestPanel device={device} />}
      </div>
      <div class="devices-column">
        {device === null ? null : (
          <>
            <CapturePanel key={device.model} device={device} />
            <AssignmentPanel device={device} />
          </>
        )}
      </div>
    </>
  );
}
