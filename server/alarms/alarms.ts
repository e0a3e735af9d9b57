/**
 * Alarms after ISA-18.2: an alarm is active or has returned to normal, acknowledged or not, and leaves the list when it is
 * neither active nor unacknowledged. One alarm a code, so the list cannot grow. Pure of sockets and of the clock.
 */
import { FAULT_CODES } from '../../hil/contract/codes.ts';
import { TRANSITIONS } from '../../hil/safety/transitions.ts';
import type { Alarm } from '../client/messages.ts';
import { type AlarmCode, FAULT_WORDS } from '../contract/fault-words.ts';

/** Codes that stop, or end a run, and stay latched; the others only hold. */
const CRITICAL: ReadonlySet<string> = new Set<string>([
  ...TRANSITIONS.filter((row) => row.latch).map((row) => row.cause ?? ''),
  'LOOP_ENDED',
  'RECORDER_FAILED',
]);

/** An alarm and the file of what came before it are not further apart. */
const FREEZE_TICKS = 500;

/** Where the loop was when something happened. */
export interface LoopInstant {
  readonly tick: number;
  readonly time_s: number;
}

export class AlarmList {
  readonly #alarms = new Map<AlarmCode, Alarm>();
  readonly #changed: () => void;
  readonly #raised: (alarm: Alarm) => void;
  #nextId = 1;

  /** `changed` is called after every change of the list, `raised` with each alarm that was not active before. */
  constructor(changed: () => void, raised: (alarm: Alarm) => void = () => undefined) {
    this.#changed = changed;
    this.#raised = raised;
  }

  /** Oldest first. */
  get list(): readonly Alarm[] {
    return [...this.#alarms.values()];
  }

  #put(code: AlarmCode, alarm: Alarm): void {
    if (alarm.active || !alarm.acknowledged) this.#alarms.set(code, alarm);
    else this.#alarms.delete(code);
  }

  /** It happened, perhaps once more: an acknowledgement from before no longer counts. `detail`: a sentence of this time. */
  raise(code: AlarmCode, { tick, time_s }: LoopInstant, detail = ''): void {
    const before = this.#alarms.get(code);
    const message = detail === '' ? FAULT_WORDS[code] : `${FAULT_WORDS[code]} ${detail}`;
    // a row may have reported it before its event came
    if (before?.active === true && tick <= before.tick) {
      if (detail === '' || before.message === message) return;
      this.#alarms.set(code, { ...before, message });
      this.#changed();
      return;
    }
    const seen = before === undefined || before.acknowledged;
    const alarm: Alarm = {
      id: before?.id ?? this.#nextId++,
      code,
      severity: CRITICAL.has(code) ? 'critical' : 'warning',
      message,
      active: true,
      acknowledged: false,
      count: seen ? 1 : before.count + 1,
      time_s,
      tick,
    };
    this.#alarms.set(code, alarm);
    if (before?.active !== true) this.#raised(alarm);
    this.#changed();
  }

  /** Its cause is gone. */
  clear(code: AlarmCode): void {
    const alarm = this.#alarms.get(code);
    if (alarm?.active !== true) return;
    this.#put(code, { ...alarm, active: false });
    this.#changed();
  }

  /** It is so: raised unless it is active already. */
  hold(code: AlarmCode, instant: LoopInstant): void {
    if (this.#alarms.get(code)?.active !== true) this.raise(code, instant);
  }

  /**
   * The loop's faults and holds as they are after one tick. What is there is active, also without an event that it came. Alarms
   * of the loop that were raised in an earlier tick and are not there have returned to normal.
   */
  settle(present: readonly string[], instant: LoopInstant): void {
    for (const code of FAULT_CODES) {
      const alarm = this.#alarms.get(code);
      if (present.includes(code)) this.hold(code, instant);
      else if (alarm !== undefined && alarm.tick < instant.tick) this.clear(code);
    }
  }

  /** The ticks before it are in a file. */
  freeze(code: string, tick: number, file: string): void {
    const alarm = this.#alarms.get(code as AlarmCode);
    // of the same time: an older file does not concern an alarm that was raised anew
    if (alarm === undefined || alarm.freeze === file) return;
    if (Math.abs(alarm.tick - tick) > FREEZE_TICKS) return;
    this.#alarms.set(code as AlarmCode, { ...alarm, freeze: file });
    this.#changed();
  }

  /** Another loop runs: whatever the previous one raised has returned to normal. */
  restart(): void {
    for (const code of this.#alarms.keys()) this.clear(code);
  }

  /** An operator has acknowledged one alarm, or all of them. @returns those that had not been acknowledged before. */
  acknowledge(id?: number): readonly Alarm[] {
    const news = this.list.filter((a) => !a.acknowledged && (id === undefined || a.id === id));
    for (const alarm of news) {
      this.#put(alarm.code as AlarmCode, { ...alarm, acknowledged: true });
    }
    if (news.length > 0) this.#changed();
    return news;
  }

  /** Whether an alarm of that number is in the list. */
  has(id: number): boolean {
    return this.list.some((alarm) => alarm.id === id);
  }
}
