/**
 * Messages of `berth.operator.v1` and `berth.telemetry.v1` as a client sees them: the types of the schemas of
 * server/contract/client-messages.ts (from the client) and server/contract/server-messages.ts (to it); a test compares them. SI units, base frame.
 */

export type Gear = 'vernier' | 'coarse';
export type Frame = 'base' | 'tool' | 'camera';
export type Role = 'viewer' | 'operator' | 'supervisor';
export type Numbers = readonly number[];

/** Newest hand-controller reading; sent 100 times a second, whether it changed or not. */
export interface HandInput {
  /** Calibrated axes −1 … 1: translation x, y, z, rotation x, y, z of the chosen frame. */
  readonly axes: Numbers;
  readonly deadman: boolean;
  readonly gear: Gear;
  readonly frame: Frame;
  /** Orientation of the camera in the base frame (x, y, z, w), with frame `camera` only. */
  readonly camera?: Numbers;
}

/** Force and moment accommodation as it is set. Axes: force x, y, z, moment x, y, z. */
export interface Accommodation {
  readonly axes: readonly boolean[];
  /** What the tool is to exert on its surroundings, N and N m. */
  readonly set_point: Numbers;
  readonly force_deadband_N: number;
  readonly moment_deadband_Nm: number;
  readonly force_gain_Ns_per_m: number;
  readonly moment_gain_Nms_per_rad: number;
}

export type HandModeName = 'rate' | 'position' | 'joint';

/** What the hand controllers do to the arm. */
export interface HandMode {
  readonly mode: HandModeName;
  /** Of mode `joint`: place in the joints of `GET /api/robot`, and the axis that turns it, place in the axes of the input; else null. */
  readonly joint: number | null;
  readonly axis: number | null;
}

/** Quality of a value, EPICS style; `disconnected` is said by the link, not by the value. */
export type ValueQuality = 'good' | 'held' | 'extrapolated' | 'stale' | 'invalid';

export interface Pose {
  readonly position_m: Numbers;
  readonly orientation: Numbers;
  readonly twist: Numbers;
}

export interface LinkStatus {
  readonly up: boolean;
  readonly quality: string;
  readonly success_ratio: number;
  readonly lost_in_row: number;
  readonly state_age_s: number | null;
  readonly state_quality: ValueQuality;
  readonly rtt_s: number | null;
  readonly clock_offset_s: number | null;
  readonly loop_delay_ticks: number;
  readonly robot_safety: number;
  readonly robot_fault: number;
  /** The robot is the one that the service started itself. */
  readonly robot_emulated: boolean;
}

export interface TimingStatus {
  readonly period: number;
  readonly lateness_s: number;
  readonly margin_s: number;
  /** Stages of the tick in their order. */
  readonly stage_rx_s: number;
  readonly stage_operator_s: number;
  readonly stage_safety_s: number;
  readonly stage_compensate_s: number;
  readonly stage_step_s: number;
  readonly stage_guard_s: number;
  readonly stage_tx_s: number;
  readonly stage_record_s: number;
  readonly slipped_total: number;
  readonly miss_cause: string | null;
  readonly substeps: number;
}

export interface ContactStatus {
  readonly active: number;
  readonly count: number;
  readonly pairs: number;
  readonly penetration_m: number;
  readonly penetration_rate_mps: number;
  readonly normal_force_N: number;
  readonly friction_force_N: number;
  readonly stick: number;
  readonly dwell: number;
}

export interface WrenchStatus {
  readonly setpoint: Numbers;
  readonly measured: Numbers;
  readonly model: Numbers;
}

export interface OperatorStatus {
  readonly authority: number;
  readonly deadman: boolean;
  readonly input_age_s: number | null;
  /** Shaped command: m/s and rad/s, base frame. */
  readonly command: Numbers;
}

/** What the delay of the loop does to a contact, and what is done about it. Null: not known. */
export interface LoopEnergyStatus {
  readonly delay: {
    readonly known: boolean;
    readonly total_s: number | null;
    readonly wire_s: number | null;
    readonly robot_s: number | null;
    readonly measurement_s: number | null;
  };
  readonly prediction: {
    readonly contact_stiffness_N_per_m: number | null;
    readonly effective_mass_kg: number | null;
    readonly critical_delay_s: number | null;
    /** Critical delay over measured delay, without compensation. */
    readonly stability_margin: number | null;
    /** Without compensation, and as the loop is set. */
    readonly restitution: number | null;
    readonly restitution_active: number | null;
    readonly stiffness_limit_N_per_m: number | null;
    /** As the loop is set: what the permit is judged by. */
    readonly stability_margin_active: number | null;
  };
  /** `none` (no contact is predicted), `valid`, `acknowledged` or `needed`. */
  readonly permit: string;
  readonly compensation: string;
  readonly guard: boolean;
  readonly removal: boolean;
  readonly position_lead: boolean;
  /** Present or last contact; energy that the loop itself created. */
  readonly audit: {
    readonly in_J: number;
    readonly out_J: number;
    readonly created_J: number;
    readonly created_total_J: number;
    readonly restitution_sim: number | null;
    readonly restitution_hw: number | null;
  };
  readonly passivity: {
    readonly observer_J: number;
    readonly removed_J: number;
    readonly active: boolean;
    readonly tank_J: number;
  };
  /** Of the guard on the arm, and what the compensation adds to the felt wrench, N and N m. */
  readonly guard_wrench: Numbers;
  readonly compensation_wrench: Numbers;
}

/** What a contact must keep for the arm to be moved without an acknowledgement, and in one contact without a hold. */
export interface EnergyLimits {
  /** ARM waits for the acknowledgement; else the permit only tells. */
  readonly permit_required: boolean;
  /** Largest predicted restitution, least stability margin, and K_a k T of the accommodation that the permit is given for. */
  readonly restitution: number;
  readonly stability_margin: number;
  readonly accommodation_number: number;
  /** One contact holds the arm when it creates more than this share of what it took and more than the floor, or more than `hold_J`. */
  readonly hold_ratio: number;
  readonly hold_floor_J: number;
  readonly hold_J: number;
}

/** Ticks since the start in which the passivity guard acted, and in which it could not take all that it had to. */
export interface GuardTicks {
  readonly active: number;
  readonly clamped: number;
}

/** One alarm after ISA-18.2: it is active or has returned to normal, acknowledged or not; it leaves the list when both. */
export interface Alarm {
  readonly id: number;
  /** FAULT_CODES name, or a name of the server's own. */
  readonly code: string;
  readonly severity: 'warning' | 'critical';
  readonly message: string;
  readonly active: boolean;
  readonly acknowledged: boolean;
  /** Times it was raised since it was last acknowledged. */
  readonly count: number;
  /** Model-independent time of the loop when it was raised last, s. */
  readonly time_s: number;
  readonly tick: number;
  /** File with the 1,000 ticks before it, once it is written. */
  readonly freeze?: string;
}

export interface AuthorityStatus {
  readonly holder: number;
  readonly asking: number;
  readonly clients: number;
}

export interface RecordingStatus {
  /** `off`, `armed` (waits for a fault), `recording`, `fault` (writes what surrounds one) or `failed`. */
  readonly state: string;
  readonly file: string;
  readonly bytes: number;
  readonly dropped: number;
  /** About how long a flight is kept before its oldest file goes, s; 0 when none is recorded. */
  readonly keeps_s: number;
  /** Newest files with the 1,000 ticks before a fault, oldest first. */
  readonly freezes: readonly FreezeStatus[];
}

/** A file with what came before the faults of one tick. */
export interface FreezeStatus {
  /** Names of FAULT_CODES. */
  readonly codes: readonly string[];
  readonly tick: number;
  readonly file: string;
}

/** 10 Hz status. Without a running loop only the head is there. */
export interface Status {
  readonly scenario: string;
  readonly mode: string;
  readonly robot_address: string;
  readonly running: boolean;
  readonly state: string;
  readonly faults: readonly string[];
  readonly holds: readonly string[];
  readonly arm_blockers: readonly string[];
  readonly authority: AuthorityStatus;
  readonly tick?: number;
  readonly time_s?: number;
  readonly sim_time_s?: number;
  readonly ctl_mode?: string;
  readonly frozen?: boolean;
  readonly setpoint?: Pose;
  readonly measured?: Pose;
  readonly link?: LinkStatus;
  readonly tool_force_N?: Numbers;
  readonly wrench?: WrenchStatus;
  readonly timing?: TimingStatus;
  readonly contact?: ContactStatus;
  readonly energy?: Readonly<Record<string, number>>;
  readonly loop_energy?: LoopEnergyStatus;
  readonly energy_limits?: EnergyLimits;
  /** Limits in force by name: those of the settings, or of the robot where it allows less. */
  readonly limits?: Readonly<Record<string, number>>;
  readonly guard_ticks?: GuardTicks;
  readonly operator?: OperatorStatus;
  readonly accommodation?: Accommodation;
  readonly hand_mode?: HandMode;
  readonly recording?: RecordingStatus;
  readonly fault_injection?: boolean;
  /** Kinds of fault that are injected now, when that is allowed. */
  readonly injected?: readonly string[];
  /** A recording is shown, not a running loop. */
  readonly replay?: boolean;
}

/** What the server says to a greeting. */
export interface Welcome {
  readonly id: number;
  readonly session: number;
  readonly role: Role;
  readonly server_time_s: number;
  /** First challenge of the server; the client answers it. */
  readonly challenge: number;
  readonly scenario: string;
  readonly mode: string;
  readonly rates: {
    readonly status_hz: number;
    readonly input_hz: number;
    readonly messages_per_s: number;
  };
  readonly operator: {
    readonly deadband: number;
    readonly coarse_speed_mps: number;
    readonly coarse_angular_speed_radps: number;
    readonly vernier_ratio: number;
    readonly input_timeout_s: number;
    readonly authority_lease_s: number;
  };
  readonly limits: Readonly<Record<string, number>>;
  /** An audit log is kept of what is asked for (`audit`). */
  readonly audit_log: boolean;
  /** What predicts the contact force; null when the scenario has no tool. */
  readonly tool: {
    readonly force_gain_Ns_per_m: number;
    readonly force_deadband_N: number;
    readonly maximum_speed_mps: number;
  } | null;
  /** Where the payload belongs; null when the scenario inserts nothing. */
  readonly insertion: {
    readonly seated_position_m: Numbers;
    readonly seated_orientation: Numbers;
    /** Way in, unit vector. */
    readonly direction: Numbers;
    readonly depth_m: number;
  } | null;
  readonly authority: AuthorityStatus;
  readonly alarms: readonly Alarm[];
  readonly accommodation: Accommodation | null;
}

/** Requests of an operator client and what they say. */
export interface Requests {
  readonly stop: { readonly cat: 0 | 1 | 2 };
  /** `take_over`: supervisors only, and only while nothing can move. */
  readonly 'authority.request': { readonly take_over?: boolean };
  readonly 'authority.grant': NoFields;
  readonly 'authority.deny': NoFields;
  readonly 'authority.release': NoFields;
  readonly arm: NoFields;
  readonly hold: NoFields;
  readonly resume: NoFields;
  /** `reason` must be there while a fault is latched: 1 to 200 characters, no control characters. */
  readonly clear: { readonly reason?: string };
  /** What is left out stays as it is. */
  readonly 'fma.set': Partial<Accommodation>;
  /** `joint` and `axis` with mode `joint` only. Not while the arm is flown. */
  readonly 'hand_mode.set': {
    readonly mode: HandModeName;
    readonly joint?: number;
    readonly axis?: number;
  };
  readonly tare: NoFields;
  /** The holder has seen the prediction and takes the contact as it is; `withdraw` takes that back. */
  readonly 'permit.acknowledge': { readonly withdraw?: boolean };
  /** What is left out stays as it is; not while the arm may move. */
  readonly 'energy.set': {
    readonly compensation?: 'none' | 'model' | 'lead' | 'damping';
    readonly guard?: boolean;
    readonly removal?: boolean;
    readonly position_lead?: boolean;
  };
  /** All alarms when left out. */
  readonly 'alarm.ack': { readonly alarm?: number };
}
export type NoFields = Readonly<Record<string, never>>;
export type RequestType = keyof Requests;

/** Answer to a request. */
export interface Ack {
  readonly id: number;
  readonly ok: boolean;
  readonly code: string;
  readonly message: string;
}

/** What the loop tells as it happens. */
export type LoopNotice =
  | {
      readonly name: 'transition';
      readonly tick: number;
      readonly time_s: number;
      readonly from: string;
      readonly to: string;
      readonly cause: string | null;
    }
  | {
      readonly name: 'injected';
      readonly tick: number;
      readonly time_s: number;
      /** Of `GET /api/faults`. */
      readonly kind: string;
      /** Began, or ended; what ends at once is told once. */
      readonly began: boolean;
      /** In the unit of the kind, when it began. */
      readonly amount?: number;
    }
  | { readonly name: 'link'; readonly tick: number; readonly time_s: number; readonly up: boolean }
  | {
      readonly name: 'contact';
      readonly tick: number;
      readonly time_s: number;
      readonly found: boolean;
      readonly speed_mps?: number;
      readonly peak_force_N?: number;
    };

/** Lateness of all ticks so far in the buckets of `berth_loop_wake_lateness_seconds`. */
export interface LatenessHistogram {
  readonly edges_s: Numbers;
  /** Ticks in each bucket, not cumulative; one more than edges: the last is off the chart. */
  readonly counts: Numbers;
  /** Largest of the last 10 s. */
  readonly maximum_s: number;
}

/** One missed period. */
export interface Overrun {
  readonly tick: number;
  readonly time_s: number;
  readonly cause: string;
  readonly lateness_s: number;
  readonly slipped: number;
}

/** Poses and contact points, in the order of the bodies of `GET /api/scene`. */
export interface SceneFrame {
  readonly sim_time_s: number;
  readonly touching: number;
  /** 7 numbers a body: position, orientation (x, y, z, w). */
  readonly poses: Numbers;
  /** 9 numbers a point: place, force on body i, normal. */
  readonly points: Numbers;
}

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

/** Joints of the simulated arm in the order of `GET /api/robot`; empty lists for an arm without joints. Revolute: rad, N m; prismatic: m, N. */
export interface JointsFrame {
  readonly sim_time_s: number;
  /** Word of ARM_STATUSES; null for an arm without joints. */
  readonly status: string | null;
  /** Of the scaled Jacobian; null when not finite. */
  readonly condition: number | null;
  readonly manipulability: number;
  /** Part of the reference twist that the joints follow. */
  readonly rate_scale: number;
  /** Of the flexible tip against the rigid arm, world. */
  readonly deflection_m: Numbers;
  readonly deflection_rad: number;
  /** Whether the brakes hold. */
  readonly brake: boolean;
  readonly position: Numbers;
  readonly rate: Numbers;
  /** Where the servos want the joints. */
  readonly reference: Numbers;
  readonly torque: Numbers;
  /** Rotor against link. */
  readonly deflection: Numbers;
  /** Way to the nearer limit; null without limits. */
  readonly margin: readonly (number | null)[];
  /** Deflection of the tip of the joint's link. */
  readonly bending_m: Numbers;
}

/** Topics of the telemetry socket and what they carry. */
export interface Topics {
  readonly state: Required<
    Pick<
      Status,
      | 'tick'
      | 'sim_time_s'
      | 'mode'
      | 'state'
      | 'faults'
      | 'holds'
      | 'ctl_mode'
      | 'frozen'
      | 'setpoint'
      | 'measured'
      | 'link'
    >
  >;
  readonly wrench: WrenchStatus;
  readonly timing: TimingStatus;
  readonly contact: ContactStatus;
  readonly energy: Readonly<Record<string, number>>;
  readonly loop_energy: LoopEnergyStatus;
  readonly operator: OperatorStatus;
  readonly scene: SceneFrame;
  readonly joints: JointsFrame;
  readonly lateness: LatenessHistogram;
  /** Newest last, at most 50. */
  readonly overruns: readonly Overrun[];
}
export type Topic = keyof Topics;

/** One message of the telemetry socket. */
export type Telemetry = { readonly [T in Topic]?: Topics[T] } & {
  readonly seq: number;
  /** Messages left out for this client so far. */
  readonly dropped: number;
  readonly peak: { readonly lateness_s: number; readonly normal_force_N: number };
};
