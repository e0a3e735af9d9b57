/** Order of the alarms by urgency (ISA-18.2). */
import type { Alarm } from '../../client/messages.ts';

/** States of an alarm. The fourth state, returned and acknowledged, is normal: it leaves the list. */
export const ALARM_STATES = ['unacknowledged', 'acknowledged', 'returned'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

/** State of an alarm; null for one that is over. */
export function alarmState(alarm: Alarm): AlarmState | null {
  if (alarm.active) return alarm.acknowledged ? 'acknowledged' : 'unacknowledged';
  return alarm.acknowledged ? null : 'returned';
}

const severityRank = (alarm: Alarm): number => (alarm.severity === 'critical' ? 0 : 1);

/** Alarms of one state, critical ones first, the newest of them first. */
export interface AlarmGroup {
  readonly state: AlarmState;
  readonly alarms: readonly Alarm[];
}

/** Groups: active and new, active and acknowledged, over and not acknowledged; empty groups too. */
export function groupAlarms(alarms: readonly Alarm[]): AlarmGroup[] {
  return ALARM_STATES.map((state) => ({
    state,
    alarms: alarms
      .filter((alarm) => alarmState(alarm) === state)
      .sort((a, b) => severityRank(a) - severityRank(b) || b.time_s - a.time_s || b.id - a.id),
  }));
}
