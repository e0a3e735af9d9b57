/**
 * Messages of `berth.operator.v1` and `berth.telemetry.v1` as a client sees them: the types of the schemas in
 * server/contract/client-messages.ts (from the client) and server/contract/server-messages.ts (to it), which say what each field
 * is. SI units, base frame.
 */
import type { Static } from 'typebox';
import type { ClientMessage, InputMessage } from '../contract/client-messages.ts';
import type { SERVER_SCHEMAS } from '../contract/server-messages.ts';

/** As a reader has it: nothing is written to, and a tuple is a list. */
type Read<T> = T extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Read<T[Key]> }
    : T;
type Said<Name extends keyof typeof SERVER_SCHEMAS> = Read<Static<(typeof SERVER_SCHEMAS)[Name]>>;
/** Fields of a message besides those that every message has. */
type Fields<Message> = {
  readonly [Key in keyof Message as Exclude<
    Key,
    'v' | 'type' | 'id' | 'seq' | 't' | 'challenge'
  >]: Read<Message[Key]>;
};

export type Numbers = readonly number[];

/** 10 Hz status. Without a running loop only the head is there. */
export type Status = Said<'Status'>;
/** What the server says to a greeting. */
export type Welcome = Said<'Welcome'>;
/** Answer to a request. */
export type Ack = Said<'Ack'>;
/** What the loop tells as it happens. */
export type LoopNotice = Said<'LoopNotice'>;
/** One alarm after ISA-18.2: it is active or has returned to normal, acknowledged or not; it leaves the list when both. */
export type Alarm = Said<'Alarm'>;
/** Topics of the telemetry socket and what they carry. */
export type Topics = Said<'Topics'>;
export type Topic = keyof Topics;
/** One message of the telemetry socket. */
export type Telemetry = Said<'Telemetry'>;

export type Role = Welcome['role'];
export type AuthorityStatus = Status['authority'];
export type Pose = NonNullable<Status['setpoint']>;
export type LinkStatus = NonNullable<Status['link']>;
/** Quality of a value, EPICS style; `disconnected` is said by the link, not by the value. */
export type ValueQuality = LinkStatus['state_quality'];
/** Stages of the tick in their order, and its lateness. */
export type TimingStatus = NonNullable<Status['timing']>;
export type ContactStatus = NonNullable<Status['contact']>;
export type WrenchStatus = NonNullable<Status['wrench']>;
export type OperatorStatus = NonNullable<Status['operator']>;
/** What the delay of the loop does to a contact, and what is done about it. Null: not known. */
export type LoopEnergyStatus = NonNullable<Status['loop_energy']>;
/** What a contact must keep for the arm to be moved without an acknowledgement, and in one contact without a hold. */
export type EnergyLimits = NonNullable<Status['energy_limits']>;
/** Ticks since the start in which the passivity guard acted, and in which it could not take all that it had to. */
export type GuardTicks = NonNullable<Status['guard_ticks']>;
/** Force and moment accommodation as it is set. Axes: force x, y, z, moment x, y, z. */
export type Accommodation = NonNullable<Status['accommodation']>;
/** What the hand controllers do to the arm. */
export type HandMode = NonNullable<Status['hand_mode']>;
export type HandModeName = HandMode['mode'];
export type RecordingStatus = NonNullable<Status['recording']>;
/** A file with what came before the faults of one tick. */
export type FreezeStatus = RecordingStatus['freezes'][number];

/** Newest hand-controller reading; sent 100 times a second, whether it changed or not. */
export type HandInput = Fields<InputMessage>;
export type Gear = HandInput['gear'];
export type Frame = HandInput['frame'];

type RequestMessage = Exclude<
  ClientMessage,
  { type: 'hello' | 'input' | 'sync' | 'challenge.answer' }
>;
export type RequestType = RequestMessage['type'];
export type NoFields = Readonly<Record<string, never>>;
/** Requests of an operator client and what they say; what is left out stays as it is. */
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
/** Joints of the simulated arm in the order of `GET /api/robot`; empty lists for an arm without joints. Revolute: rad, N m; prismatic: m, N. */
export type JointsFrame = Topics['joints'];

/** A joint; rad and N m, or m and N. Null: no limit. */
export interface DescribedJoint {
  readonly name: string;
  /** The link that it moves. */
  readonly link: string;
  readonly kind: 'revolute' | 'prismatic';
  readonly lower: number | null;
  readonly upper: number | null;
  readonly rate_limit: number | null;
  readonly effort_limit: number | null;
  /** Of gear and joint; null when rigid. */
  readonly stiffness: number | null;
  /** Moves the tool, and can be turned by itself; the others hold. */
  readonly driven: boolean;
}

/** A link: its pose is that of the body `arm/NAME` of `GET /api/scene`. */
interface DescribedLink {
  readonly name: string;
  readonly parent: string | null;
  readonly mass_kg: number;
  /** Of a flexible link, else null. */
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
