/** Keeps both sockets open, with growing pauses between attempts, and puts their messages into the store. */
import { effect } from '@preact/signals';
import { OperatorClient } from '../client/operator-client.ts';
import { retry } from '../client/retry.ts';
import { TelemetryClient } from '../client/telemetry-client.ts';
import type { Status } from '../client/messages.ts';
import { type CloseReason, ConnectError, type ConnectOptions } from '../client/wire.ts';
import {
  access,
  addNotice,
  alarms,
  authority,
  CLIENT_NAME,
  connection,
  feed,
  get,
  keyNeeded,
  loads,
  operator,
  ORIGIN,
  notification,
  notify,
  status,
} from './store.ts';
import { cause } from './shell/words.ts';

/** Interval at which a page without an operator socket fetches the status, ms. */
const POLL_MS = 500;
/** Pause after a connection that ended, ms, so that a refused one is not repeated at once. */
const AGAIN_MS = 500;

let attempt = new AbortController();

/** Connects; again after a change of key or role. */
export function connect(): void {
  attempt.abort();
  attempt = new AbortController();
  operator.value?.close();
  operator.value = null;
  keyNeeded.value = false;
  void keep(telemetrySession, attempt.signal);
  if (access.value.role !== 'viewer') void keep(operatorSession, attempt.signal);
}

/** Keeps one session open after the other. */
async function keep(
  session: (options: ConnectOptions, signal: AbortSignal) => Promise<CloseReason>,
  signal: AbortSignal,
): Promise<void> {
  const { key, role } = access.peek();
  const options = { url: ORIGIN, key, role, name: CLIENT_NAME };
  while (!signal.aborted) {
    const end = await retry(() => session(options, signal), signal, mayTryAgain);
    if (end === null) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/**
 * Whether a retry makes sense: not with a refused key. A weaker key may watch and stop, without the
 * operator socket.
 */
function mayTryAgain(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return true;
  if (error.status === 401) keyNeeded.value = true;
  return error.status !== 401 && error.status !== 403;
}

async function telemetrySession(
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<CloseReason> {
  const client = await TelemetryClient.connect({ ...options, role: 'viewer' });
  signal.addEventListener('abort', () => client.close());
  feed.attach(client);
  return new Promise((resolve) => client.on('close', resolve));
}

async function operatorSession(options: ConnectOptions, signal: AbortSignal): Promise<CloseReason> {
  const client = await OperatorClient.connect(options);
  if (signal.aborted) {
    client.close();
    return { code: 1000, text: '' };
  }
  operator.value = client;
  authority.value = client.authority;
  alarms.value = client.alarms ?? [];
  client.on('status', takeStatus);
  client.on('authority', (now) => (authority.value = now));
  client.on('alarms', (now) => (alarms.value = now));
  client.on('notice', addNotice);
  client.on('authority.request', ({ session }) =>
    notify(`Session ${session} asks for authority: grant or deny within 10 s.`, 'info'),
  );
  client.on('authority.deny', ({ message }) => notify(message));
  return new Promise((resolve) =>
    client.on('close', (reason) => {
      if (operator.peek() === client) operator.value = null;
      resolve(reason);
    }),
  );
}

/** Newest tick of the present load. */
let tick = 0;

/** A load begins the ticks anew, whatever the name of the scenario is. */
function isOtherLoad(before: Status | null, now: Status): boolean {
  if (before?.scenario !== now.scenario || before.mode !== now.mode) return true;
  return now.tick !== undefined && now.tick < tick;
}

function takeStatus(now: Status): void {
  if (isOtherLoad(status.peek(), now)) {
    loads.value++;
    tick = 0;
  }
  tick = now.tick ?? tick;
  status.value = now;
  feed.hardware = now.mode === 'hardware';
}

/** Fetches the status while there is no operator socket. */
async function poll(): Promise<void> {
  if (operator.peek() !== null || connection.peek() !== 'up') return;
  const answer = await get<Status>('/api/session').catch(() => null);
  if (answer === null || operator.peek() !== null) return;
  takeStatus(answer);
  authority.value = { ...authority.peek(), holder: answer.authority.holder };
}

setInterval(() => void poll(), POLL_MS);

/** Start of the message line for a new alarm. The line is cleared when the last alarm ends. */
const ALARM = 'Alarm: ';
let known = new Set<string>();
effect(() => {
  const active = alarms.value.filter((alarm) => alarm.active);
  const now = new Set(active.map(({ id, count }) => `${id}/${count}`));
  const fresh = active.filter(({ id, count }) => !known.has(`${id}/${count}`));
  const last = fresh.at(-1);
  if (last !== undefined) notify(`${ALARM}${cause(last.code, last.message)}`, 'fault');
  else if (now.size === 0 && notification.peek().text.startsWith(ALARM)) notify('', 'info');
  known = now;
});
