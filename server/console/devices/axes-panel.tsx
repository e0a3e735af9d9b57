/**
 * The hand controller, stage by stage: raw reading, calibrated axis (which is sent), and the result
 * of the loop's dead-band, gear and frame. The code of the loop computes it here, and it is
 * compared with the values of the loop.
 */
import type { JSX } from 'preact';
import { COMMAND_AXES } from '../../client/devices/layout.ts';
import type { Frame, Gear, Welcome } from '../../client/messages.ts';
import { applyDeadband, HandController } from '../../../src/control/hand-controller.ts';
import { ModeChoice } from '../arm/mode-choice.tsx';
import { useRobot } from '../arm/robot.ts';
import { cameraOrientation } from '../scene/camera-frame.ts';
import { Panel } from '../shell/panel.tsx';
import { fixed } from '../shell/words.ts';
import { holding, status, welcome } from '../store.ts';
import { AxisBar } from './axis-bar.tsx';
import { Choice } from './controls.tsx';
import { Deadman } from './deadman.tsx';
import { keysOfAxis } from './device-words.ts';
import { choose, devices, feed, frame, inUse, follow, model, setFrame, setGear } from './hand.ts';
import './devices.css';

const FRAMES: readonly { key: Frame; text: string; hint: string }[] = [
  { key: 'tool', text: 'End-effector', hint: 'Axes of the tool as it is turned now' },
  { key: 'base', text: 'Base', hint: 'Axes of the base' },
  { key: 'camera', text: 'Camera', hint: 'x right in the picture, y up in it, z towards you' },
];
const FRAME_NUMBERS: Readonly<Record<Frame, number>> = { base: 0, tool: 1, camera: 2 };

/** Selection of the device. */
function DeviceChoice(): JSX.Element {
  const list = devices.value;
  const lost = inUse.value === null;
  return (
    <span class="device-choice">
      <select
        id="device-choice"
        aria-label="Device"
        value={model.value}
        onChange={({ currentTarget }) => {
          const chosen = list.find((device) => device.model === currentTarget.value);
          if (chosen !== undefined) choose(chosen);
          currentTarget.blur(); // its keys control the arm again
        }}
      >
        {lost ? <option value={model.value}>not connected</option> : null}
        {list.map((device) => (
          <option key={device.model} value={device.model}>
            {device.name}
          </option>
        ))}
      </select>
      <a href="#/devices">Calibrate</a>
    </span>
  );
}

/** The loop's code, applied to the axes of this page. */
let shaper: { readonly of: Welcome; readonly controller: HandController } | null = null;

function shaperOf(greeting: Welcome | null): HandController | null {
  if (greeting === null) return null;
  if (shaper?.of !== greeting) {
    const { input_timeout_s, ...rest } = greeting.operator;
    const options = { ...rest, input_timeout_s, ramp_s: 0.05 };
    shaper = { of: greeting, controller: new HandController(options) };
  }
  return shaper.controller;
}

const TOOL = new Float64Array(4);

/** Twist that the loop would make from the axes with the deadman held. */
function asked(controller: HandController, frameNumber: number): number[] {
  controller.axes.set(feed.axes);
  controller.deadman = 1;
  controller.age_s = 0;
  controller.gear = feed.gear === 'coarse' ? 1 : 0;
  controller.frame = frameNumber;
  controller.camera.set(cameraOrientation());
  TOOL.set(status.value?.setpoint?.orientation ?? [0, 0, 0, 1]);
  controller.shape(0.01, TOOL, 0);
  return [...controller.twist];
}

/** Speed in mm/s or mrad/s. */
const speed = (twist: readonly number[] | undefined, i: number): string => {
  const value = twist?.[i];
  return value === undefined ? '—' : fixed(value * 1e3, 2);
};

/** Keys of a command axis, minus and plus. */
function Keys({ axis }: { readonly axis: number }): JSX.Element {
  const keys = keysOfAxis(feed.profile, axis);
  const now = feed.axes[axis] ?? 0;
  if (keys === null) return <>—</>;
  return (
    <>
      <kbd data-down={now < 0}>{keys[0]}</kbd> <kbd data-down={now > 0}>{keys[1]}</kbd>
    </>
  );
}

function Stages(): JSX.Element {
  follow();
  const greeting = welcome.value;
  const deadband = greeting?.operator.deadband ?? 0;
  const controller = shaperOf(greeting);
  // in rate mode only, the stick gives a twist of the tool
  const shaped = status.value?.hand_mode?.mode === 'rate' ? controller : null;
  const geared = shaped === null ? undefined : asked(shaped, 0);
  const wanted = shaped === null ? undefined : asked(shaped, FRAME_NUMBERS[frame.value]);
  const given = status.value?.operator?.command;
  const { reading, profile } = feed;
  const keyed = feed.device?.kind === 'keyboard';
  return (
    <table class="axes-table" id="axes" aria-label="Axes of the hand controller">
      <thead>
        <tr>
          <th scope="col">Axis</th>
          {keyed ? (
            <th scope="col" title="Keys that move it: minus, plus">
              Keys
            </th>
          ) : (
            <th scope="col">Raw</th>
          )}
          <th scope="col" title="Mark: calibrated, as it is sent. Bar: after the dead-band.">
            Calibrated
          </th>
          <th scope="col" title="Asked for with this gear, in the chosen frame">
            Gear
          </th>
          <th scope="col" title="Asked for, in the base frame">
            Base
          </th>
          <th scope="col" title="Commanded by the loop, in the base frame">
            Loop
          </th>
        </tr>
      </thead>
      <tbody>
        {COMMAND_AXES.map((name, i) => {
          const source = profile?.assignments[i]?.source ?? -1;
          const raw = reading !== null && source >= 0 ? reading.axes[source] : undefined;
          const digits = Math.abs(profile?.ranges[source]?.maximum ?? 1) > 10 ? 0 : 2;
          return (
            <tr key={name}>
              <th scope="row">
                {name} <span class="unit">{i < 3 ? 'mm/s' : 'mrad/s'}</span>
              </th>
              <td>{keyed ? <Keys axis={i} /> : raw === undefined ? '—' : fixed(raw, digits)}</td>
              <td class="axes-bar">
                <AxisBar
                  label={`${name} after calibration and dead-band`}
                  value={applyDeadband(feed.axes[i] ?? 0, deadband)}
                  mark={feed.axes[i] ?? 0}
                  zone={deadband}
                  missing={raw === undefined}
                />
              </td>
              <td>{speed(geared, i)}</td>
              <td>{speed(wanted, i)}</td>
              <td>{speed(given, i)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function GearChoice(): JSX.Element {
  follow(); // a button of the device changes it, too
  const greeting = welcome.value?.operator;
  const reach = (ratio: number): string =>
    greeting === undefined
      ? ''
      : `: full stick ${fixed(1e3 * ratio * greeting.coarse_speed_mps, 1)} mm/s, ${fixed(1e3 * ratio * greeting.coarse_angular_speed_radps, 1)} mrad/s`;
  const gears: readonly { key: Gear; text: string; hint: string }[] = [
    { key: 'vernier', text: 'Vernier', hint: `Fine${reach(greeting?.vernier_ratio ?? 1)}` },
    { key: 'coarse', text: 'Coarse', hint: `Fast${reach(1)}` },
  ];
  return <Choice label="Gear" options={gears} chosen={feed.gear} onChoose={setGear} />;
}

export function AxesPanel(): JSX.Element {
  const robot = useRobot();
  return (
    <Panel name="axes" title="Hand controller" aside={<DeviceChoice />}>
      <div class="hand" data-holder={holding.value}>
        <Deadman />
        <div class="hand-choices">
          <GearChoice />
          <Choice label="Frame" options={FRAMES} chosen={frame.value} onChoose={setFrame} />
        </div>
        {status.value?.hand_mode === undefined ? null : <ModeChoice robot={robot} />}
        <Stages />
      </div>
    </Panel>
  );
}
