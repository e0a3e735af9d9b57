/**
 * Messages of `berth.operator.v1` and `berth.telemetry.v1` for clients: the types of the schemas in
 * server/contract/client-messages.ts (from the client) and server/contract/server-messages.ts (to
 * it), which describe each field. SI units, base frame.
 */
import type { Static } from 'typebox';
import type { ClientMessage, InputMessage } from '../contract/client-messages.ts';
import type { SERVER_SCHEMAS } from '../contract/server-messages.ts';

/** Read-only form of a type: a tuple becomes a list. */
type Read<T> = T extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Read<T[Key]> }
    : T;
type Said<Name extends keyof typeof SERVER_SCHEMAS> = Read<Static<(typeof SERVER_SCHEMAS)[Name]>>;
/** Fields of a message beside those of every message. */
type Fields<Message> = {
  readonly [Key in keyof Message as Exclude<
    Key,
    'v' | 'type' | 'id' | 'seq' | 't' | 'challenge'
  >]: Read<Message[Key]>;
};

export type Numbers = readonly number[];

/** Status at 10 Hz. Without a running loop it has the head only. */
export type Status = Said<'Status'>;
/** Response of the server to a greeting. */
export type Welcome = Said<'Welcome'>;
/** Answer to a request. */
export type Ack = Said<'Ack'>;
/** Notice of the loop about an event. */
export type LoopNotice = Said<'LoopNotice'>;
/**
 * One alarm after ISA-18.2: active or returned to normal, acknowledged or not. It leaves the list
 * when returned and acknowledged.
 */
export type Alarm = Said<'Alarm'>;
/** Topics of the telemetry socket and their content. */
export type Topics = Said<'Topics'>;
export type Topic = keyof Topics;
/** One message of the telemetry socket. */
export type Telemetry = Said<'Telemetry'>;

export type Role = Welcome['role'];
export type AuthorityStatus = Status['authority'];
export type Pose = NonNullable<Status['setpoint']>;
export type LinkStatus = NonNullable<Status['link']>;
/** Newest robot that did not come into session. */
export type RobotRefusal = NonNullable<LinkStatus['last_reject']>;
/** Quality of a value, EPICS style; `disconnected` is a state of the link, not of the value. */
export type ValueQuality = LinkStatus['state_quality'];
/** Stages of the tick in their order, and its lateness. */
export type FirstTouchStatus = NonNullable<Status['first_touch']>;
export type TimingStatus = NonNullable<Status['timing']>;
export type ContactStatus = NonNullable<Status['contact']>;
export type WrenchStatus = NonNullable<Status['wrench']>;
export type OperatorStatus = NonNullable<Status['operator']>;
/** Effect of the loop delay on a contact, and its compensation. Null: unknown. */
export type LoopEnergyStatus = NonNullable<Status['loop_energy']>;
/** Limits of a contact: for motion without an acknowledgement, and for one contact without a hold. */
export type EnergyLimits = NonNullable<Status['energy_limits']>;
/**
 * Ticks since the start in which the passivity guard acted, and in which it could not remove all
 * energy that it had to.
 */
export type GuardTicks = NonNullable<Status['guard_ticks']>;
/** Setting of force and moment accommodation. Axes: force x, y, z, moment x, y, z. */
export type Accommodation = NonNullable<Status['accommodation']>;
/** Mode of the hand controllers. */
export type HandMode = NonNullable<Status['hand_mode']>;
export type HandModeName = HandMode['mode'];
export type RecordingStatus = NonNullable<Status['recording']>;
/** A file with the ticks before the faults of one tick. */
export type FreezeStatus = RecordingStatus['freezes'][number];

/** Newest hand-controller reading; sent 100 times a second, changed or not. */
export type HandInput = Fields<InputMessage>;
export type Gear = HandInput['gear'];
export type Frame = HandInput['frame'];

type RequestMessage = Exclude<
  ClientMessage,
  { type: 'hello' | 'input' | 'sync' | 'challenge.answer' }
>;
export type RequestType = RequestMessage['type'];
export type NoFields = Readonly<Record<string, never>>;
/** Requests of an operator client and their content; omitted fields stay unchanged. */
export type Requests = {
  readonly [Type in RequestType]: keyof Fields<
    Extract<RequestMessage, { type: Type }>
  > extends never
    ? NoFields
    : Fields<Extract<RequestMessage, { type: Type }>>;
};

/** Lateness of all ticks so far in the buckets of `berth_loop_wake_lateness_seconds`. */
export type LatenessHistogram = Topics['lateness'];
/** One missed period. */
export type Overrun = Topics['overruns'][number];
/** Poses and contact points, in the order of the bodies of `GET /api/scene`. */
export type SceneFrame = Topics['scene'];
/** Closest points of bodies of facets. */
export type WitnessFrame = Topics['witnesses'];
export type NearPair = WitnessFrame['contacts'][number];
/** Joints of the simulated arm in the order of `GET /api/robot`; empty lists for an arm without joints. Revolute: rad, N m; prismatic: m, N. */
export type JointsFrame = Topics['joints'];

/** One of the answer of `GET /api/scenarios`. */
export interface ScenarioEntry {
  /** What a load asks for. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Folder of `scenario_folders`; '' for a scenario of Berth. */
  readonly folder: string;
  /** Modes that it can be loaded in. */
  readonly modes: ('simulation' | 'virtual' | 'hardware')[];
  /** Why it cannot be loaded; '' when it can. */
  readonly problem: string;
  readonly loaded: boolean;
}

/** A joint; rad and N m, or m and N. Null: no limit. */
export interface DescribedJoint {
  readonly name: string;
  /** The link that the joint moves. */
  readonly link: string;
  readonly kind: 'revolute' | 'prismatic';
  readonly lower: number | null;
  readonly upper: number | null;
  readonly rate_limit: number | null;
  readonly effort_limit: number | null;
  /** Stiffness of gear and joint; null when rigid. */
  readonly stiffness: number | null;
  /** Moves the tool, and can be selected in the single-joint mode; other joints hold. */
  readonly driven: boolean;
}

/** A link: its pose is that of the body `arm/NAME` of `GET /api/scene`. */
interface DescribedLink {
  readonly name: string;
  readonly parent: string | null;
  readonly mass_kg: number;
  /** Length of a flexible link, else null. */
  readonly length_m: number | null;
  readonly modes: number;
}

/** Answer of `GET /api/robot`. */
export interface RobotDescription {
  readonly scenario: string;
  /** Null: the arm of the scenario has no joints. */
  readonly robot: string | null;
  readonly statuses: readonly string[];
  readonly joints: readonly DescribedJoint[];
  readonly links: readonly DescribedLink[];
}
