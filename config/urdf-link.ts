/** Links of a URDF file: mass properties in the axes of the link, and shapes to draw. */
import type { Triple } from '../src/model/model.ts';
import { rotateTensor } from '../src/math/mat3.ts';
import { rotationOf } from '../src/math/quaternion.ts';
import { inertiaFault } from './robot-checks.ts';
import type { RobotFileLink } from './robot-schema.ts';
import { readUrdfShapes } from './urdf-geometry.ts';
import { urdfOrigin } from './urdf-joint.ts';
import type { XmlElement } from './urdf-xml.ts';

type Rigid = Extract<RobotFileLink['body'], { kind: 'rigid' }>;

/** One link. */
export interface UrdfLink {
  readonly element: XmlElement;
  readonly name: string;
  /** Null for a link without mass. */
  readonly body: Rigid | null;
  readonly drawing: RobotFileLink['drawing'];
}

/** Reads a `<link>`; `file` is the URDF file, which mesh files are found from. @throws ConfigError naming the link */
export function readUrdfLink(element: XmlElement, file: string): UrdfLink {
  const name = element.text('name');
  return {
    element,
    name,
    body: bodyOf(element, name),
    drawing: readUrdfShapes(element, name, file),
  };
}

function bodyOf(element: XmlElement, name: string): Rigid | null {
  const inertial = element.one('inertial');
  if (inertial === undefined) return null;
  const mass = inertial.needed('mass', `link ${name}`);
  const mass_kg = mass.number('value');
  if (mass_kg < 0) {
    const message = `link ${name} has the mass ${mass_kg}; allowed: at least 0`;
    throw mass.fault('BERTH_PARAMETER_RANGE', message, 'mass');
  }
  const inertia = inertial.needed('inertia', `link ${name}`);
  const [xx, xy, xz, yy, yz, zz] = ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'].map((attribute) =>
    inertia.number(attribute),
  );
  const fault = inertiaFault([xx, yy, zz, xy, xz, yz]);
  if (fault !== null) {
    throw inertia.fault('BERTH_PARAMETER_RANGE', `link ${name}: its inertia ${fault}`, 'inertia');
  }
  if (mass_kg === 0) {
    if ([xx, xy, xz, yy, yz, zz].every((moment) => moment === 0)) return null;
    const message = `link ${name} has an inertia beside the mass 0; allowed: mass above 0, or no inertia`;
    throw mass.fault('BERTH_MISMATCH', message, 'mass');
  }
  const { xyz, orientation } = urdfOrigin(inertial);
  const rotation = new Float64Array(9);
  rotationOf(rotation, Float64Array.from(orientation), 0);
  const own = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
  const turned = new Float64Array(9);
  rotateTensor(turned, rotation, own);
  return {
    kind: 'rigid',
    mass_kg,
    center_m: [...xyz],
    inertia: {
      kind: 'tensor',
      moments_kg_m2: triple(turned[0], turned[4], turned[8]),
      products_kg_m2: triple(turned[1], turned[2], turned[5]),
    },
  };
}

const triple = (x: number, y: number, z: number): [...Triple] => [x, y, z];
