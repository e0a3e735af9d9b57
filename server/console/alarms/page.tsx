/** Alarms in their order of urgency, and the event log below. */
import type { JSX } from 'preact';
import type { Alarm } from '../../client/messages.ts';
import { Panel } from '../shell/panel.tsx';
import { fixed } from '../shell/words.ts';
import { type AlarmCode, FAULT_WORDS } from '../../contract/fault-words.ts';
import { hashOptions } from '../router.ts';
import { actions, alarms, operator } from '../store.ts';
import { advice } from './advice.ts';
import './alarms.css';
import { EventLog } from './event-log.tsx';
import { alarmState, type AlarmState, groupAlarms } from './order.ts';

const HEADINGS: Readonly<Record<AlarmState, string>> = {
  unacknowledged: 'Active, not acknowledged',
  acknowledged: 'Active, acknowledged',
  returned: 'Returned to normal, not acknowledged',
};

/**
 * The shape gives the severity: filled is unacknowledged, outlined acknowledged, empty returned to
 * normal. Nothing flashes.
 */
function AlarmSymbol({ alarm }: { readonly alarm: Alarm }): JSX.Element {
  const critical = alarm.severity === 'critical';
  return (
    <svg class="alarm-symbol" data-state={alarmState(alarm)} viewBox="0 0 20 20" aria-hidden="true">
      <polygon points={critical ? '2,2 18,2 18,18 2,18' : '10,1 19,18 1,18'} />
      <text x="10" y={critical ? 14.5 : 16}>
        {alarm.active ? '!' : ''}
      </text>
    </svg>
  );
}

function AlarmItem({ alarm }: { readonly alarm: Alarm }): JSX.Element {
  const todo = advice(alarm.code);
  return (
    <li class="alarm" data-severity={alarm.severity}>
      <AlarmSymbol alarm={alarm} />
      <div class="alarm-body">
        <p class="alarm-head">
          <strong class="severity">{alarm.severity}</strong>
          <span class="alarm-message">{alarm.message}</span>
        </p>
        {todo === '' ? null : <p class="alarm-advice">{todo}</p>}
        <p class="detail">
          {alarm.code} · at {fixed(alarm.time_s, 3)} s of the loop, tick {alarm.tick}
          {alarm.count > 1 ? ` · ${alarm.count} times` : ''}
        </p>
      </div>
      {alarm.acknowledged ? null : (
        <button
          type="button"
          onClick={() => void actions.ackAlarm(alarm.id)}
          disabled={operator.value === null}
          aria-label={`Acknowledge: ${alarm.message}`}
        >
          Acknowledge
        </button>
      )}
    </li>
  );
}

function AlarmList(): JSX.Element {
  const groups = groupAlarms(alarms.value);
  const open = groups.flatMap(({ alarms }) => alarms).filter(({ acknowledged }) => !acknowledged);
  const all = (
    <button
      type="button"
      onClick={() => void actions.ackAlarm()}
      disabled={open.length === 0 || operator.value === null}
    >
      Acknowledge all
    </button>
  );
  return (
    <Panel name="alarms" title="Alarms" aside={all}>
      {operator.value === null ? (
        <p class="hint">
          This page has no operator connection: what is below may be old, and nothing can be
          acknowledged.
        </p>
      ) : null}
      <p class="alarm-summary" aria-live="polite">
        {summary(groups.map(({ state, alarms }) => [state, alarms.length]))}
      </p>
      {groups.map(({ state, alarms }) =>
        alarms.length === 0 ? null : (
          <section key={state} aria-label={HEADINGS[state]}>
            <h3>{HEADINGS[state]}</h3>
            <ul class="alarm-list">
              {alarms.map((alarm) => (
                <AlarmItem key={alarm.id} alarm={alarm} />
              ))}
            </ul>
          </section>
        ),
      )}
    </Panel>
  );
}

function summary(counts: readonly (readonly [AlarmState, number])[]): string {
  const present = counts.filter(([, count]) => count > 0);
  if (present.length === 0) return 'No alarms.';
  const words: Readonly<Record<AlarmState, string>> = {
    unacknowledged: 'active and not acknowledged',
    acknowledged: 'active and acknowledged',
    returned: 'returned and not acknowledged',
  };
  return `${present.map(([state, count]) => `${count} ${words[state]}`).join(', ')}.`;
}

/** The page of one fault, for a link from elsewhere: what its code means, and what to do. */
function AboutFault(): JSX.Element | null {
  const code = hashOptions.value.get('code') ?? '';
  const words = Object.hasOwn(FAULT_WORDS, code) ? FAULT_WORDS[code as AlarmCode] : undefined;
  if (words === undefined) return null;
  return (
    <Panel name="about-fault" title={code} aside={<a href="#/alarms">All alarms</a>}>
      <p>{words}</p>
      <p class="alarm-advice">{advice(code)}</p>
    </Panel>
  );
}

export function AlarmsPage(): JSX.Element {
  return (
    <>
      <AboutFault />
      <AlarmList />
      <EventLog />
    </>
  );
}
