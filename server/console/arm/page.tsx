/** Arm: the simulated arm between command and set-point, joint by joint, and its compliance in contact. */
import type { JSX } from 'preact';
import type { JointsFrame, RobotDescription } from '../../client/messages.ts';
import { FmaPanel } from '../devices/fma-panel.tsx';
import { Panel } from '../shell/panel.tsx';
import { Value, Word } from '../shell/value.tsx';
import { norm } from '../shell/words.ts';
import { status } from '../store.ts';
import { Strip } from '../strips/strip.tsx';
import { FORCES } from '../strips/strips.tsx';
import { useTopic } from '../strips/use-feed.ts';
import './arm.css';
import { ARM_WORDS } from './joint-figures.ts';
import { JointsPanel } from './joints-panel.tsx';
import { ModePanel } from './mode-panel.tsx';
import { robotTrouble, useRobot } from './robot.ts';

const REFRESH_S = 0.2;
const DEGREES = 180 / Math.PI;

function ArmPanel({
  robot,
  frame,
}: {
  readonly robot: RobotDescription;
  readonly frame: JointsFrame | undefined;
}): JSX.Element {
  const reported = frame?.status ?? null;
  const words = reported === null ? undefined : ARM_WORDS[reported];
  const deflection = frame === undefined ? null : norm(frame.deflection_m) * 1000;
  return (
    <Panel name="arm" title={`Arm: ${robot.robot ?? 'none'}`}>
      <dl class="figures">
        <dt>it</dt>
        <dd>
          <Word
            id="arm-status"
            text={
              reported === null
                ? '—'
                : `${words?.good === true ? '●' : '▲'} ${words?.text ?? reported}`
            }
          />
        </dd>
        <dt>brakes</dt>
        <dd>
          <Word
            id="arm-brakes"
            text={frame === undefined ? '—' : frame.brake ? '■ hold' : '○ open'}
          />
        </dd>
        <dt>part of the command that it follows</dt>
        <dd>
          <Value
            value={frame === undefined ? null : frame.rate_scale * 100}
            unit="%"
            label="Part of the command"
          />
        </dd>
        <dt>condition of its pose</dt>
        <dd>
          <Value value={frame?.condition} digits={1} label="Condition number" />
        </dd>
        <dt>tip bent by</dt>
        <dd>
          <Value id="tip-deflection" value={deflection} digits={2} unit="mm" />
          <span class="detail">
            <Value
              value={frame === undefined ? null : frame.deflection_rad * DEGREES}
              digits={3}
              unit="°"
              label="Tip turned by"
            />
          </span>
        </dd>
      </dl>
    </Panel>
  );
}

export function ArmPage(): JSX.Element {
  const frame = useTopic('joints', REFRESH_S);
  const robot = useRobot();
  const set = status.value?.accommodation;
  return (
    <>
      <div class="column arm-wide">
        {robot === null ? (
          <Panel name="arm" title="Arm">
            <p class="hint">{robotTrouble.value === '' ? 'Loading.' : robotTrouble.value}</p>
          </Panel>
        ) : robot.robot === null ? (
          <Panel name="arm" title="Arm">
            <p id="no-arm">
              The arm of this scenario has no joints: its tool follows the accommodated twist by
              itself. Scenarios with a jointed arm name a robot, <code>tool.robot</code>.
            </p>
          </Panel>
        ) : (
          <>
            <div class="arm-top">
              <ArmPanel robot={robot} frame={frame} />
              <ModePanel robot={robot} />
            </div>
            <JointsPanel robot={robot} frame={frame} />
          </>
        )}
      </div>
      <div class="column">
        {robot?.robot === null ? <ModePanel robot={robot} /> : null}
        <FmaPanel />
      </div>
      <div class="column">
        <Panel name="felt" title="Felt force">
          <Strip
            title="Force of the contact"
            axis={{ unit: 'N', least: 2, signed: true }}
            lines={FORCES}
          />
          {set === undefined ? null : (
            <p class="hint">
              At rest the force is the dead-band plus gain times commanded speed:{' '}
              {set.force_deadband_N.toFixed(1)} N + {(set.force_gain_Ns_per_m / 1000).toFixed(1)} N
              per mm/s.
            </p>
          )}
        </Panel>
      </div>
    </>
  );
}
