/** Link: presence of the robot, quality of its line, its reports, and instructions for a connection. */
import type { ComponentChildren, JSX } from 'preact';
import { refusalWords } from '../alarms/log-lines.ts';
import { Panel } from '../shell/panel.tsx';
import { Duration, Value, Word } from '../shell/value.tsx';
import { fixed } from '../shell/words.ts';
import { status } from '../store.ts';
import { Strip } from '../strips/strip.tsx';
import { CopyButton } from './copy-button.tsx';
import './link.css';
import {
  agoWords,
  limitRows,
  robotFaultWords,
  robotSafetyWords,
  transportWords,
  whichWords,
} from './words.ts';

interface RowProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

const Row = ({ name, children }: RowProps): JSX.Element => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const percent = (share: number | undefined): number | undefined =>
  share === undefined ? undefined : share * 100;

/** Without a robot the loop repeats the last figures, or zeros; only current values are shown. */
function Line(): JSX.Element {
  const reported = status.value?.link;
  const up = reported?.up === true;
  const link = up ? reported : undefined;
  return (
    <Panel name="line" title="Robot link">
      <dl class="figures">
        <Row name="connection">
          <Word text={up ? '● up' : '○ down'} />
        </Row>
        <Row name="quality">
          <Word text={link?.quality ?? '—'} />
        </Row>
        <Row name="fresh states in the last 100 periods">
          <Value value={percent(link?.success_ratio)} digits={0} unit="%" />
        </Row>
        <Row name="lost in a row">
          <Value value={reported?.lost_in_row} />
        </Row>
        <Row name="age of the robot’s state">
          <Duration seconds={link?.state_age_s} quality={link?.state_quality ?? 'good'} />
        </Row>
        <Row name="round trip">
          <Duration seconds={link?.rtt_s} />
        </Row>
        <Row name="robot clock minus server clock">
          <Duration seconds={link?.clock_offset_s} />
        </Row>
        <Row name="set-point to the state that echoes it">
          <LoopDelay />
        </Row>
      </dl>
    </Panel>
  );
}

/** In ticks, and in time by the mean period since the start of the loop. */
function LoopDelay(): JSX.Element {
  const { link, timing, time_s } = status.value ?? {};
  const ticks = link?.loop_delay_ticks;
  if (link?.up !== true || ticks === undefined || !(ticks >= 0)) return <Word text="—" />;
  const period_s =
    timing === undefined || timing.period === 0 ? NaN : (time_s ?? NaN) / timing.period;
  const time = Number.isFinite(period_s) ? `, ${fixed(ticks * period_s * 1000, 1)} ms` : '';
  return <Word text={`${fixed(ticks, 0)} ticks${time}`} />;
}

function Robot(): JSX.Element {
  const reported = status.value?.link;
  const link = reported?.up === true ? reported : undefined;
  const faults = link === undefined ? [] : robotFaultWords(link.robot_fault);
  const quality = link?.state_quality ?? 'good';
  return (
    <Panel name="robot" title="What the robot says">
      <dl class="figures">
        <Row name="which">
          <Word text={link === undefined ? '—' : whichWords(link.robot_emulated)} />
        </Row>
        <Row name="device">
          <Word text={link?.robot?.device || '—'} />
        </Row>
        <Row name="firmware">
          <Word text={link?.robot?.firmware || '—'} />
        </Row>
        <Row name="safety">
          <Word
            text={link === undefined ? '—' : robotSafetyWords(link.robot_safety)}
            quality={quality}
          />
        </Row>
        <Row name="faults">
          <Word text={link === undefined ? '—' : faults.join('; ') || 'none'} quality={quality} />
        </Row>
      </dl>
    </Panel>
  );
}

/** The smaller of both ends' limits is in force. */
function Agreed(): JSX.Element {
  const agreed = status.value?.link?.robot;
  if (agreed === null || agreed === undefined) {
    return (
      <Panel name="agreed" title="Agreed with the robot">
        <p class="hint">Nothing: no robot is in session.</p>
      </Panel>
    );
  }
  return (
    <Panel name="agreed" title="Agreed with the robot">
      <dl class="figures">
        <Row name="cycle">
          <Duration seconds={agreed.period_s} />
        </Row>
        {limitRows(agreed.limits).map(([name, value, unit]) => (
          <Row key={name} name={`${name}, at most`}>
            <Word text={`${Number(value.toPrecision(3))} ${unit}`} />
          </Row>
        ))}
      </dl>
    </Panel>
  );
}

/** The newest robot that did not come into session, and what it has to change. */
function Refused(): JSX.Element {
  const last = status.value?.link?.last_reject;
  return (
    <Panel name="refused" title="Refused last">
      {last === null || last === undefined ? (
        <p class="hint">No robot since the service started.</p>
      ) : (
        <>
          <p class="refusal">{refusalWords(last)}</p>
          <dl class="figures">
            <Row name="reason">{last.reason}</Row>
            <Row name="firmware">{last.firmware || '—'}</Row>
            <Row name="when">{agoWords(last.age_s)}</Row>
            <Row name="times in a row">{last.count}</Row>
          </dl>
        </>
      )}
    </Panel>
  );
}

function Connect(): JSX.Element {
  const { robot_address: address = '', link, mode } = status.value ?? {};
  const transport = transportWords(address);
  const command = `npx berth emulate --ws ${address}`;
  return (
    <Panel name="connect" title={link?.up === true ? 'Connected over' : 'Connect a robot'}>
      <dl class="figures">
        <Row name="transport">{transport.name}</Row>
        <Row name="address">
          {address === '' ? '—' : <code>{address}</code>}
          {address === '' ? null : <CopyButton text={address} what="address" />}
        </Row>
        <Row name="mode">{mode ?? '—'}</Row>
      </dl>
      {link?.up === true || address === '' ? null : (
        <ol class="steps">
          <li>{transport.howTo}</li>
          {transport.kind === 'websocket' ? (
            <li>
              Or start the emulated one: <code class="command">{command}</code>{' '}
              <CopyButton text={command} what="command" />
            </li>
          ) : null}
          <li>
            The state becomes “monitor ready” when the link has been good for 1 s. Nothing moves on
            connection.
          </li>
        </ol>
      )}
      {address === '' && status.value !== null ? (
        <p class="hint">
          This service runs without a robot (robot.transport: none): the model flies by itself.
        </p>
      ) : null}
    </Panel>
  );
}

export function LinkPage(): JSX.Element {
  return (
    <>
      <div class="column">
        <Line />
        <Robot />
        <Agreed />
      </div>
      <div class="column">
        <Connect />
        <Refused />
        <Panel name="link-strips" title="Last 10 s">
          <Strip
            title="Age of the robot’s state"
            axis={{ unit: 'ms', factor: 1000, least: 5 }}
            lines={[{ series: 'state_age_s', label: 'newest tick' }]}
          />
          <Strip
            title="Round trip"
            axis={{ unit: 'ms', factor: 1000, least: 1 }}
            lines={[{ series: 'rtt_s', label: 'newest exchange' }]}
          />
        </Panel>
      </div>
    </>
  );
}
