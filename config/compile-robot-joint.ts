/** Joints of a robot file: what the tree needs of them, and what controllers do. */
import { BerthError } from '../src/base/errors.ts';
import type {
  JointDriveModel,
  JointFrictionModel,
  TreeJointModel,
} from '../src/model/tree-model.ts';
import { compileOrientation } from './orientation.ts';
import type { RobotFileLink } from './robot-schema.ts';
import { unit } from './unit-vector.ts';

/** A joint that controllers may drive; rad or m, N m or N. */
export interface RobotJoint {
  readonly name: string;
  /** Index of its link in the tree. */
  readonly link: number;
  readonly kind: 'revolute' | 'prismatic';
  readonly home: number;
  /** Infinite without limits. */
  readonly lower: number;
  readonly upper: number;
  readonly rateLimit: number;
  readonly effortLimit: number;
  /** How it follows its set-point: natural frequency, rad/s, and part of critical damping. */
  readonly bandwidth: number;
  readonly dampingRatio: number;
}

type JointSource = RobotFileLink['joint'];
type AxisJoint = Extract<JointSource, { kind: 'revolute' | 'prismatic' }>;

/** Fields of revolute and prismatic joints under common names. */
interface AxisNumbers {
  readonly home: number;
  readonly rate: number;
  readonly lower: number | undefined;
  readonly upper: number | undefined;
  readonly rateLimit: number | undefined;
  readonly effortLimit: number | undefined;
  readonly drive: JointDriveModel | undefined;
  readonly friction: JointFrictionModel | undefined;
}

/** The joint of a link, at its home; `path` is its place in the file. */
export function compileRobotJoint(source: JointSource, path: string): TreeJointModel {
  switch (source.kind) {
    case 'fixed':
      return { kind: 'fixed' };
    case 'spherical':
      return {
        kind: 'spherical',
        orientation: compileOrientation(source.home_orientation, `${path}.home_orientation`),
        angularVelocity: source.angular_velocity_radps,
      };
    case 'free':
      return {
        kind: 'free',
        position: source.home_position_m,
        orientation: compileOrientation(source.home_orientation, `${path}.home_orientation`),
        velocity: source.velocity_mps,
        angularVelocity: source.angular_velocity_radps,
      };
    default: {
      const { home, rate, lower, upper, rateLimit, effortLimit, drive, friction } =
        numbersOf(source);
      checkLimits(source, path);
      return {
        kind: source.kind,
        axis: unit(source.axis, `${path}.axis`),
        position: home,
        rate,
        ...(lower === undefined ? {} : { lower }),
        ...(upper === undefined ? {} : { upper }),
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(effortLimit === undefined || drive !== undefined ? {} : { effortLimit }),
        ...(friction === undefined ? {} : { friction }),
        ...(drive === undefined ? {} : { drive }),
      };
    }
  }
}

/** What controllers may drive of a link: one joint or none. */
export function driven(source: RobotFileLink, link: number): RobotJoint[] {
  const { joint } = source;
  if (joint.kind !== 'revolute' && joint.kind !== 'prismatic') return [];
  const { home, lower, upper, rateLimit, effortLimit } = numbersOf(joint);
  return [
    {
      name: joint.name ?? source.name,
      link,
      kind: joint.kind,
      home,
      lower: lower ?? -Infinity,
      upper: upper ?? Infinity,
      rateLimit: rateLimit ?? Infinity,
      effortLimit: effortLimit ?? Infinity,
      bandwidth: joint.tracking.bandwidth_radps,
      dampingRatio: joint.tracking.damping_ratio,
    },
  ];
}

function numbersOf(source: AxisJoint): AxisNumbers {
  if (source.kind === 'revolute') {
    const drive = source.drive;
    const friction = source.friction;
    return {
      home: source.home_rad,
      rate: source.rate_radps,
      lower: source.lower_rad,
      upper: source.upper_rad,
      rateLimit: source.rate_limit_radps,
      effortLimit: source.effort_limit_Nm,
      drive: drive && {
        rotorInertia: drive.rotor_inertia_kg_m2,
        stiffness: drive.stiffness_Nm_per_rad ?? null,
        damping: drive.damping_Nms_per_rad,
        effortLimit: source.effort_limit_Nm ?? Infinity,
      },
      friction: friction && {
        stiction: friction.stiction_Nm,
        coulomb: friction.coulomb_Nm,
        bristleStiffness: friction.bristle_stiffness_Nm_per_rad,
        bristleDamping:
          friction.bristle_damping_Nms_per_rad ??
          leastDamping(friction.coulomb_Nm, friction.stribeck_speed_radps),
        viscous: friction.viscous_Nms_per_rad,
        stribeckSpeed: friction.stribeck_speed_radps,
        dwellTime: friction.dwell_s,
      },
    };
  }
  const drive = source.drive;
  const friction = source.friction;
  return {
    home: source.home_m,
    rate: source.rate_mps,
    lower: source.lower_m,
    upper: source.upper_m,
    rateLimit: source.rate_limit_mps,
    effortLimit: source.effort_limit_N,
    drive: drive && {
      rotorInertia: drive.rotor_mass_kg,
      stiffness: drive.stiffness_N_per_m ?? null,
      damping: drive.damping_Ns_per_m,
      effortLimit: source.effort_limit_N ?? Infinity,
    },
    friction: friction && {
      stiction: friction.stiction_N,
      coulomb: friction.coulomb_N,
      bristleStiffness: friction.bristle_stiffness_N_per_m,
      bristleDamping:
        friction.bristle_damping_Ns_per_m ??
        leastDamping(friction.coulomb_N, friction.stribeck_speed_mps),
      viscous: friction.viscous_Ns_per_m,
      stribeckSpeed: friction.stribeck_speed_mps,
      dwellTime: friction.dwell_s,
    },
  };
}

/** Range in order, home inside it, stiction not below the Coulomb level. */
function checkLimits(source: AxisJoint, path: string): void {
  const { home, lower = -Infinity, upper = Infinity, friction, drive } = numbersOf(source);
  const at = source.kind === 'revolute' ? 'rad' : 'm';
  const effort = source.kind === 'revolute' ? 'Nm' : 'N';
  const fail = (field: string, value: number, allowed: string): never => {
    throw new BerthError('BERTH_MISMATCH', `${path}.${field} is ${value}; allowed: ${allowed}`, {
      field: `${path}.${field}`,
    });
  };
  if (lower > upper) fail(`lower_${at}`, lower, `at most upper_${at}, which is ${upper}`);
  if (home < lower || home > upper) fail(`home_${at}`, home, `${lower} to ${upper}, its range`);
  if (friction !== undefined && friction.stiction < friction.coulomb) {
    const least = `at least the Coulomb level, ${friction.coulomb}`;
    fail(`friction.stiction_${effort}`, friction.stiction, least);
  }
  if (drive !== undefined && drive.stiffness === null && drive.damping > 0) {
    const field = source.kind === 'revolute' ? 'damping_Nms_per_rad' : 'damping_Ns_per_m';
    fail(
      `drive.${field}`,
      drive.damping,
      '0 for a drive without stiffness, as nothing twists in it',
    );
  }
}

/** Of the bristles, for the law to be passive (docs/theory/joint-friction.md); any will do where nothing slides. */
const leastDamping = (coulomb: number, stribeckSpeed: number): number =>
  coulomb > 0 ? coulomb / (2 * stribeckSpeed) : 1;
