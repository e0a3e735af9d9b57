/** Joints of a URDF file in the terms of robot files. */
import type { RobotFileLink } from './robot-schema.ts';
import { shown, type XmlElement } from './urdf-xml.ts';
import { cos, sin } from '../src/math/elementary/circular.ts';

/** Where a joint, an inertia or a shape lies. */
export interface UrdfOrigin {
  readonly xyz: readonly [number, number, number];
  /** Unit quaternion (x, y, z, w). */
  readonly orientation: readonly [number, number, number, number];
}

/** One joint: the child link hangs on the parent link by it. */
export interface UrdfJoint {
  readonly element: XmlElement;
  readonly name: string;
  readonly parent: string;
  readonly child: string;
  readonly origin: UrdfOrigin;
  readonly joint: RobotFileLink['joint'];
}

const TYPES = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating'];
/** What friction without further numbers is taken to be: bristles bend so far, and the dwell and Stribeck scales. */
const BRISTLE_STROKE = 1e-4;
const BRISTLE_RELAXATION_S = 0.05; // the least for which the law is passive, stroke/(2 Stribeck speed)
const STRIBECK_SPEED = 1e-3;

/** Reads `<origin xyz rpy>` of an element; identity without one. */
export function urdfOrigin(element: XmlElement): UrdfOrigin {
  const origin = element.one('origin');
  if (origin === undefined) return { xyz: [0, 0, 0], orientation: [0, 0, 0, 1] };
  const xyz = origin.numbers('xyz', 3, [0, 0, 0]);
  const [roll, pitch, yaw] = origin.numbers('rpy', 3, [0, 0, 0]);
  return { xyz: [xyz[0], xyz[1], xyz[2]], orientation: fromRollPitchYaw(roll, pitch, yaw) };
}

/** Rotation about x, then y, then z, all fixed axes: Rz(yaw) Ry(pitch) Rx(roll). */
function fromRollPitchYaw(roll: number, pitch: number, yaw: number): UrdfOrigin['orientation'] {
  const [cr, sr] = [cos(roll / 2), sin(roll / 2)];
  const [cp, sp] = [cos(pitch / 2), sin(pitch / 2)];
  const [cy, sy] = [cos(yaw / 2), sin(yaw / 2)];
  return [
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
    cr * cp * cy + sr * sp * sy,
  ];
}

/** Reads a `<joint>`. @throws ConfigError naming the joint */
export function readUrdfJoint(element: XmlElement, source: string): UrdfJoint {
  const name = element.text('name');
  const of = `joint ${name}`;
  return {
    element,
    name,
    parent: element.needed('parent', of).text('link'),
    child: element.needed('child', of).text('link'),
    origin: urdfOrigin(element),
    joint: jointOf(element, name, source),
  };
}

function jointOf(element: XmlElement, name: string, source: string): RobotFileLink['joint'] {
  const type = element.text('type');
  if (type === 'planar') {
    throw element.fault(
      'BERTH_UNSUPPORTED',
      `joint ${name} is of type planar; allowed: two prismatic joints and a revolute one in its place`,
      'type',
    );
  }
  if (!TYPES.includes(type)) {
    throw element.fault(
      'BERTH_UNSUPPORTED',
      `joint ${name} is of type ${shown(type)}; allowed: ${TYPES.join(', ')}`,
      'type',
    );
  }
  const mimic = element.one('mimic');
  if (mimic !== undefined) {
    throw mimic.fault(
      'BERTH_UNSUPPORTED',
      `joint ${name} has <mimic>; allowed: joints that move by themselves, or type fixed`,
      'mimic',
    );
  }
  if (type === 'fixed') return { kind: 'fixed' };
  if (type === 'floating') {
    return {
      kind: 'free',
      home_position_m: [0, 0, 0],
      home_orientation: { kind: 'identity' },
      velocity_mps: [0, 0, 0],
      angular_velocity_radps: [0, 0, 0],
    };
  }
  const axis = axisOf(element, name);
  const { lower, upper, home, rate, effort } = limits(element, name, type);
  const friction = frictionOf(element, name);
  const tracking = { bandwidth_radps: 5, damping_ratio: 1 };
  if (type === 'prismatic') {
    return {
      kind: 'prismatic',
      name,
      axis,
      home_m: home,
      rate_mps: 0,
      ...(lower === null ? {} : { lower_m: lower }),
      ...(upper === null ? {} : { upper_m: upper }),
      ...(rate === null ? {} : { rate_limit_mps: rate }),
      ...(effort === null ? {} : { effort_limit_N: effort }),
      ...(friction === null
        ? {}
        : {
            friction: {
              stiction_N: friction.coulomb,
              coulomb_N: friction.coulomb,
              bristle_stiffness_N_per_m: friction.stiffness,
              bristle_damping_Ns_per_m: friction.damping,
              viscous_Ns_per_m: friction.viscous,
              stribeck_speed_mps: STRIBECK_SPEED,
              dwell_s: 1,
            },
          }),
      tracking,
      source,
    };
  }
  return {
    kind: 'revolute',
    name,
    axis,
    home_rad: home,
    rate_radps: 0,
    ...(lower === null ? {} : { lower_rad: lower }),
    ...(upper === null ? {} : { upper_rad: upper }),
    ...(rate === null ? {} : { rate_limit_radps: rate }),
    ...(effort === null ? {} : { effort_limit_Nm: effort }),
    ...(friction === null
      ? {}
      : {
          friction: {
            stiction_Nm: friction.coulomb,
            coulomb_Nm: friction.coulomb,
            bristle_stiffness_Nm_per_rad: friction.stiffness,
            bristle_damping_Nms_per_rad: friction.damping,
            viscous_Nms_per_rad: friction.viscous,
            stribeck_speed_radps: STRIBECK_SPEED,
            dwell_s: 1,
          },
        }),
    tracking,
    source,
  };
}

function axisOf(element: XmlElement, name: string): [number, number, number] {
  const child = element.one('axis');
  const [x, y, z] = child?.numbers('xyz', 3) ?? [1, 0, 0];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (child !== undefined && !(length > 0 && Number.isFinite(length))) {
    throw child.fault(
      'BERTH_PARAMETER_RANGE',
      `joint ${name} has the axis [${x}, ${y}, ${z}]; allowed: a direction of length above zero`,
      'axis',
    );
  }
  return [x, y, z];
}

interface Limits {
  readonly lower: number | null;
  readonly upper: number | null;
  /** Zero, or the end of the range that is nearest to it. */
  readonly home: number;
  readonly rate: number | null;
  readonly effort: number | null;
}

function limits(element: XmlElement, name: string, type: string): Limits {
  const child = element.one('limit');
  if (child === undefined) {
    if (type === 'continuous')
      return { lower: null, upper: null, home: 0, rate: null, effort: null };
    throw element.fault(
      'BERTH_MISSING_FIELD',
      `joint ${name} has no <limit>; a ${type} joint needs lower, upper, effort and velocity`,
      'limit',
    );
  }
  // files write zero for an unknown value
  const most = (attribute: string): number | null => {
    const value = child.number(attribute, 0);
    if (value >= 0) return value === 0 ? null : value;
    throw child.fault(
      'BERTH_PARAMETER_RANGE',
      `joint ${name} has the limit ${attribute} ${value}; allowed: above 0, or 0 for none`,
      attribute,
    );
  };
  const [rate, effort] = [most('velocity'), most('effort')];
  if (type === 'continuous') return { lower: null, upper: null, home: 0, rate, effort };
  const [lower, upper] = [child.number('lower', 0), child.number('upper', 0)];
  if (lower > upper) {
    throw child.fault(
      'BERTH_MISMATCH',
      `joint ${name} has the lower limit ${lower}; allowed: at most the upper one, ${upper}`,
      'lower',
    );
  }
  return { lower, upper, home: Math.min(Math.max(0, lower), upper), rate, effort };
}

interface Friction {
  readonly coulomb: number;
  readonly viscous: number;
  readonly stiffness: number;
  readonly damping: number;
}

function frictionOf(element: XmlElement, name: string): Friction | null {
  const child = element.one('dynamics');
  if (child === undefined) return null;
  const notNegative = (attribute: string): number => {
    const value = child.number(attribute, 0);
    if (value >= 0) return value;
    throw child.fault(
      'BERTH_PARAMETER_RANGE',
      `joint ${name} has the ${attribute} ${value}; allowed: at least 0`,
      attribute,
    );
  };
  const [coulomb, viscous] = [notNegative('friction'), notNegative('damping')];
  if (coulomb === 0 && viscous === 0) return null;
  // without a Coulomb level the bristles carry nothing, whatever their stiffness
  const stiffness = coulomb === 0 ? 1 : coulomb / BRISTLE_STROKE;
  return { coulomb, viscous, stiffness, damping: BRISTLE_RELAXATION_S * stiffness };
}
