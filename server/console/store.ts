/**
 * State and actions of the console: signals that change at most ten times a second, and actions.
 * feed.ts has the 100 Hz feed; connect.ts maintains the connections.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { OperatorClient } from '../client/operator-client.ts';
import type {
  Accommodation,
  Ack,
  Alarm,
  AuthorityStatus,
  LoopNotice,
  Role,
  Status,
  Welcome,
} from '../client/messages.ts';
import { post } from '../client/wire.ts';
import type { Requests, RequestType } from '../client/messages.ts';
import { feedState } from './feed.ts';

export { feed, feedState, freshness } from './feed.ts';

const NOTICES = 200;

/** Origin of the service. */
export const ORIGIN = location.origin;
export const CLIENT_NAME = 'console';

/** Key and role of the connections; in the memory of this page only. */
export const access = signal<{ readonly key: string; readonly role: Role }>({
  key: '',
  role: 'operator',
});
/** The service requires a key. */
export const keyNeeded = signal(false);

/** Connected operator client; null for a viewer and while there is no connection. */
export const operator = signal<OperatorClient | null>(null);
export const welcome = computed<Welcome | null>(() => operator.value?.welcome ?? null);
/** Newest 10 Hz status; the last one received while there is no connection. */
export const status = signal<Status | null>(null);
/** Increased by each load of a scenario, of the same one too; 0 before the first status. */
export const loads = signal(0);
export const authority = signal<AuthorityStatus>({ holder: 0, asking: 0, clients: 0 });
export const alarms = signal<readonly Alarm[]>([]);
/** Number of this page's session, 0 without one. */
export const session = computed(() => welcome.value?.session ?? 0);
/** Whether this page may move the arm. */
export const holding = computed(
  () => session.value !== 0 && authority.value.holder === session.value,
);

/** Whether the displayed values are current. */
export const connection: ReadonlySignal<'connecting' | 'up' | 'lost'> = computed(() => {
  const now = feedState.value;
  if (now === 'none') return 'connecting';
  return now === 'silent' || now === 'standing' ? 'lost' : 'up';
});

/** Present state of the loop. `OFFLINE` is reported by the loop; null is unknown. */
export const loopState = computed(() =>
  connection.value === 'up' ? (status.value?.state ?? null) : null,
);

/** One line of the log, newest last. */
export interface Notice {
  readonly key: number;
  /** Time of receipt, ms of the Unix epoch. */
  readonly at_ms: number;
  readonly notice: LoopNotice;
}
export const notices = signal<readonly Notice[]>([]);
let nextNotice = 1;

export function addNotice(notice: LoopNotice): void {
  const entry = { key: nextNotice++, at_ms: Date.now(), notice };
  notices.value = [...notices.value.slice(1 - NOTICES), entry];
}

/** The line under the header, '' for none; screen readers announce it at once. */
export const notification = signal<{
  readonly text: string;
  readonly level: 'info' | 'warn' | 'fault';
}>({
  text: '',
  level: 'info',
});
export function notify(text: string, level: 'info' | 'warn' | 'fault' = 'warn'): void {
  notification.value = { text, level };
}

/** Response of the service to `GET path` within a time. @throws Error with the message of the service */
export async function get<T>(path: string, patience_ms = 3000): Promise<T> {
  const { key } = access.peek();
  const response = await fetch(path, {
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(patience_ms),
  });
  const answer = (await response.json()) as T & { readonly message?: string };
  if (!response.ok) throw new Error(answer.message ?? `${path} answered ${response.status}.`);
  return answer;
}

/** Sends a request over the socket; the message line shows a refusal. */
async function ask<Type extends RequestType>(
  title: string,
  type: Type,
  extra?: Requests[Type],
): Promise<Ack> {
  const client = operator.peek();
  const answer: Ack =
    client === null
      ? { id: 0, ok: false, code: 'closed', message: 'This page has no operator connection.' }
      : await client.request(type, extra);
  showAnswer(title, answer);
  return answer;
}

/** Sends a command over the socket, or by HTTP without one. */
const command = <Type extends 'hold' | 'clear'>(
  title: string,
  type: Type,
  extra: Requests[Type],
): Promise<Ack> =>
  operator.peek() === null ? askHttp(title, type, extra) : ask(title, type, extra);

async function askHttp(
  title: string,
  name: 'hold' | 'clear' | 'stop',
  body: Record<string, unknown>,
): Promise<Ack> {
  const { key } = access.peek();
  const answer = await post({ url: ORIGIN, key, name: CLIENT_NAME }, `/api/session/${name}`, body)
    .then(() => ({ id: 0, ok: true, code: 'ok', message: '' }))
    .catch((error: unknown) => refusal(error));
  showAnswer(title, answer);
  return answer;
}

const refusal = (error: unknown): Ack => {
  const message = error instanceof Error ? error.message : String(error);
  return { id: 0, ok: false, code: 'refused', message };
};

function showAnswer(title: string, answer: Ack): void {
  if (answer.ok) notify('', 'info');
  else if (answer.code === 'asked') notify(answer.message, 'info');
  else notify(`${title}: ${answer.message}`);
}

/** Actions of the operator. Each resolves with the answer; the line under the header shows a refusal. */
export const actions = {
  requestAuthority: (takeOver = false): Promise<Ack> =>
    ask('Authority', 'authority.request', { take_over: takeOver }),
  grantAuthority: (): Promise<Ack> => ask('Grant', 'authority.grant'),
  denyAuthority: (): Promise<Ack> => ask('Deny', 'authority.deny'),
  releaseAuthority: (): Promise<Ack> => ask('Release', 'authority.release'),
  arm: (): Promise<Ack> => ask('ARM', 'arm'),
  hold: (): Promise<Ack> => command('HOLD', 'hold', {}),
  resume: (): Promise<Ack> => ask('RESUME', 'resume'),
  /** Clears; a latched fault needs a reason. */
  clear: (reason?: string): Promise<Ack> =>
    command('CLEAR', 'clear', reason === undefined ? {} : { reason }),
  /** Acknowledges one alarm, or all of them. */
  ackAlarm: (alarm?: number): Promise<Ack> =>
    ask('Acknowledge', 'alarm.ack', alarm === undefined ? {} : { alarm }),
  setAccommodation: (wish: Partial<Accommodation>): Promise<Ack> =>
    ask('Accommodation', 'fma.set', { ...wish }),
  setHandMode: (wish: Requests['hand_mode.set']): Promise<Ack> =>
    ask('Mode', 'hand_mode.set', { ...wish }),
  /** Loads a scenario; what is left out stays as it is. */
  loadScenario: (wish: Requests['scenario.load']): Promise<Ack> =>
    ask('Load', 'scenario.load', { ...wish }),
  tare: (): Promise<Ack> => ask('Tare', 'tare'),
  /** Acknowledges the predicted contact, or withdraws that. */
  acknowledgePermit: (): Promise<Ack> => ask('Permit', 'permit.acknowledge'),
  refusePermit: (): Promise<Ack> => ask('Permit', 'permit.acknowledge', { withdraw: true }),
  setEnergy: (wish: Requests['energy.set']): Promise<Ack> =>
    ask('Compensation', 'energy.set', { ...wish }),
  /** Stops over the socket and by HTTP at once; a second stop does no harm. */
  async stop(category: 0 | 1 | 2 = 1): Promise<Ack> {
    const client = operator.peek();
    const answer =
      client === null
        ? await askHttp('STOP', 'stop', { category })
        : await client.stop(category).catch((error: unknown) => refusal(error));
    if (answer.ok) notify('', 'info');
    else {
      notify(`STOP was not confirmed: ${answer.message} Use the robot’s emergency stop.`, 'fault');
    }
    return answer;
  },
} as const;
