/** Metric families that the server counts, declared like those of the loop (hil/contract/counters.ts). */
import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import { packageVersion } from '../../config/paths.ts';
import { type CounterFamily, counterSlot, layoutCounters } from '../../hil/contract/counters.ts';
import { ROLES } from '../../hil/contract/roles.ts';
import { SOCKET_PROTOCOLS } from '../contract/socket-paths.ts';

/** Version of the package. */
export const BERTH_VERSION = packageVersion();
/** Newest supported robot protocol. */
const ROBOT_PROTOCOL = 'HLP/1';

function scalingGovernor(): string {
  try {
    return readFileSync('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor', 'utf8').trim();
  } catch {
    return 'unknown'; // virtual machines have no scaling governor
  }
}

/** Reasons why a socket was refused before its upgrade or closed after it. */
export const SOCKET_REJECTS = [
  'path',
  'host',
  'origin',
  'ticket',
  'role',
  'protocol',
  'capacity',
  'bad_message',
  'too_big',
  'rate',
  'stale',
] as const;
export type SocketReject = (typeof SOCKET_REJECTS)[number];
/** Reasons why an operator input was not passed on. */
export const INPUT_REJECTS = [
  'authority',
  'stale',
  'sequence',
  'queue_full',
  'unmeasured',
] as const;
export type InputReject = (typeof INPUT_REJECTS)[number];
/** Reasons why a request was refused, or its connection closed. */
const HTTP_REJECTS = ['rate', 'places'] as const;
/** Reasons of a change of authority. */
export const AUTHORITY_REASONS = [
  'requested',
  'granted',
  'released',
  'lease_expired',
  'disconnected',
  'taken_over',
] as const;
export type AuthorityReason = (typeof AUTHORITY_REASONS)[number];
/** Foreign parts of a request. */
const FOREIGN = ['host', 'origin'] as const;
/** Reasons why a request lacked the right. */
const AUTH_FAILURES = ['missing', 'wrong', 'role'] as const;
/** Owners of a certificate. */
const LISTENERS = ['server', 'robot'] as const;

const each = (values: readonly string[]): readonly (readonly string[])[] => values.map((v) => [v]);
const governor = scalingGovernor();

/** Families written by the main thread. */
export const SERVER_FAMILIES = [
  {
    name: 'berth_build_info',
    help: 'Always 1; what is running.',
    type: 'gauge',
    labels: ['version', 'protocol', 'node'],
    series: [[BERTH_VERSION, ROBOT_PROTOCOL, process.version]],
  },
  {
    name: 'berth_realtime_info',
    help: 'One for the scheduling policy of the loop thread.',
    type: 'gauge',
    labels: ['kernel', 'policy', 'governor'],
    series: ['fifo', 'other'].map((policy) => [release(), policy, governor]),
  },
  {
    name: 'berth_scenario_loads_total',
    help: 'Scenarios loaded since the service started.',
    type: 'counter',
    labels: [],
    series: [[]],
  },
  {
    name: 'berth_operator_clients',
    help: 'Clients on the operator socket.',
    type: 'gauge',
    labels: ['role'],
    series: each(ROLES.filter((role) => role !== 'viewer')),
  },
  {
    name: 'berth_authority_held',
    help: 'One while somebody may move the arm.',
    type: 'gauge',
    labels: [],
    series: [[]],
  },
  {
    name: 'berth_ws_sessions',
    help: 'Open sockets.',
    type: 'gauge',
    labels: ['protocol'],
    series: each(SOCKET_PROTOCOLS),
  },
  {
    name: 'berth_ws_buffered_bytes',
    help: 'Bytes waiting for slow clients.',
    type: 'gauge',
    labels: ['protocol'],
    series: each(SOCKET_PROTOCOLS),
  },
  {
    name: 'berth_ws_rejects_total',
    help: 'Sockets refused or closed for cause.',
    type: 'counter',
    labels: ['reason'],
    series: each(SOCKET_REJECTS),
  },
  {
    name: 'berth_ws_dropped_messages_total',
    help: 'Messages left out for slow clients.',
    type: 'counter',
    labels: ['protocol'],
    series: each(SOCKET_PROTOCOLS),
  },
  {
    name: 'berth_operator_input_rejects_total',
    help: 'Operator inputs not passed to the loop.',
    type: 'counter',
    labels: ['reason'],
    series: each(INPUT_REJECTS),
  },
  {
    name: 'berth_operator_round_trip_seconds',
    help: 'Shortest round trip to the holder of authority lately, by the clock of the server; 0 without one.',
    type: 'gauge',
    labels: [],
    series: [[]],
  },
  {
    name: 'berth_authority_changes_total',
    help: 'Changes of authority, by reason.',
    type: 'counter',
    labels: ['reason'],
    series: each(AUTHORITY_REASONS),
  },
  {
    name: 'berth_http_rejects_total',
    help: 'Requests refused for their rate, and connections that gave way to others.',
    type: 'counter',
    labels: ['reason'],
    series: each(HTTP_REJECTS),
  },
  {
    name: 'berth_audit_records_total',
    help: 'Records in the audit log since the service started.',
    type: 'counter',
    labels: [],
    series: [[]],
  },
  {
    name: 'berth_http_foreign_total',
    help: 'Requests refused because their Host is not served, or their page is foreign.',
    type: 'counter',
    labels: ['reason'],
    series: each(FOREIGN),
  },
  {
    name: 'berth_auth_failures_total',
    help: 'Requests without a key, with a wrong one, or with one whose role is too weak.',
    type: 'counter',
    labels: ['reason'],
    series: each(AUTH_FAILURES),
  },
  {
    name: 'berth_auth_delayed_total',
    help: 'Requests with a key whose answer was kept back, because wrong keys came before.',
    type: 'counter',
    labels: [],
    series: [[]],
  },
  {
    name: 'berth_tls_certificate_expiry_timestamp_seconds',
    help: 'End of validity of the certificate in use, seconds since 1970; 0 without TLS.',
    type: 'gauge',
    labels: ['listener'],
    series: each(LISTENERS),
  },
  {
    name: 'berth_tls_reload_failures_total',
    help: 'Certificates that could not be taken into use; the old one stays.',
    type: 'counter',
    labels: ['listener'],
    series: each(LISTENERS),
  },
] as const satisfies readonly CounterFamily[];

const layout = layoutCounters(SERVER_FAMILIES);
type ShortName<T> = T extends `berth_${infer Name}` ? Name : never;
export type ServerMetric = ShortName<(typeof SERVER_FAMILIES)[number]['name']>;

/** The server's counters. */
export class ServerCounters {
  readonly values: Float64Array = new Float64Array(layout.length);
  readonly #slots = new Map<string, number>();

  constructor() {
    this.set('build_info', 1, BERTH_VERSION, ROBOT_PROTOCOL, process.version);
    this.setRealtime(false);
  }

  #slot(name: ServerMetric, labels: string[]): number {
    const key = [name, ...labels].join('\n');
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = counterSlot(layout, SERVER_FAMILIES, name, ...labels);
      this.#slots.set(key, slot);
    }
    return slot;
  }

  add(name: ServerMetric, amount: number, ...labels: string[]): void {
    this.values[this.#slot(name, labels)] += amount;
  }

  set(name: ServerMetric, value: number, ...labels: string[]): void {
    this.values[this.#slot(name, labels)] = value;
  }

  get(name: ServerMetric, ...labels: string[]): number {
    return this.values[this.#slot(name, labels)];
  }

  /** Whether the loop thread obtained a real-time class. */
  setRealtime(obtained: boolean): void {
    this.set('realtime_info', obtained ? 1 : 0, release(), 'fifo', governor);
    this.set('realtime_info', obtained ? 0 : 1, release(), 'other', governor);
  }
}
