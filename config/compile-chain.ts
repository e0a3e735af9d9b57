/**
 * Compiles a chain of a scenario file to an articulated tree. In a scenario the frame of a link has
 * its origin at the centre of mass; in a tree it lies at the joint.
 */
import type {
  JointSpringModel,
  Sextuple,
  TreeJointModel,
  TreeLinkModel,
  TreeModel,
  Triple,
} from '../src/model/model.ts';
import type { ScenarioChain } from './chain-schema.ts';
import { compileCells, mergedCells } from './compile-cells.ts';
import { compileOrientation } from './orientation.ts';
import { unit } from './unit-vector.ts';

type LinkSource = ScenarioChain['links'][number];

/** Compiles one chain to its tree; `index` is its position in the file. */
export function compileChain(source: ScenarioChain, index: number): TreeModel {
  const path = `chains[${index}]`;
  return {
    name: source.name,
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${path}.orientation`),
    links: source.links.map((link, i) =>
      compileLink(
        link,
        i,
        source.links[i - 1]?.joint_in_link_m ?? [0, 0, 0],
        `${path}.links[${i}]`,
      ),
    ),
    frames: [],
  };
}

/** @param jointInParentLink the parent's own joint in its frame, where the frame of its tree link lies */
function compileLink(
  source: LinkSource,
  index: number,
  jointInParentLink: Triple,
  path: string,
): TreeLinkModel {
  const own = compileCells(source.cells, `${path}.cells`, '');
  const cells = mergedCells(own, source.merge_cells, path);
  return {
    name: source.name,
    parent: index - 1,
    position: minus(source.joint_in_parent_m, jointInParentLink),
    orientation: compileOrientation(source.orientation, `${path}.orientation`),
    joint: joint(source.joint, `${path}.joint`),
    mass: source.mass_kg,
    center: minus([0, 0, 0], source.joint_in_link_m),
    inertia: linkInertia(source.mass_kg, source.inertia, `${path}.inertia`),
    ...(cells.length === 0 ? {} : { cells }),
  };
}

const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

function joint(source: LinkSource['joint'], path: string): TreeJointModel {
  const axis = (v: Triple, name: string): Triple => unit(v, `${path}.${name}`);
  if (source.kind === 'revolute') {
    return {
      kind: 'revolute',
      axis: axis(source.axis, 'axis'),
      position: source.angle_rad,
      rate: source.rate_radps,
      ...spring(source.stiffness_Nm_per_rad, source.damping_Nm_s_per_rad, source.rest_rad),
    };
  }
  if (source.kind === 'prismatic') {
    return {
      kind: 'prismatic',
      axis: axis(source.axis, 'axis'),
      position: source.position_m,
      rate: source.rate_mps,
      ...spring(source.stiffness_N_per_m, source.damping_N_s_per_m, source.rest_m),
    };
  }
  const springs = [
    {
      stiffness: source.stiffness_1_Nm_per_rad,
      damping: source.damping_1_Nm_s_per_rad,
      rest: source.rest_1_rad,
    },
    {
      stiffness: source.stiffness_2_Nm_per_rad,
      damping: source.damping_2_Nm_s_per_rad,
      rest: source.rest_2_rad,
    },
  ] as const;
  const isElastic = springs.some((one) => one.stiffness > 0 || one.damping > 0);
  return {
    kind: 'universal',
    axes: [axis(source.axis_1, 'axis_1'), axis(source.axis_2, 'axis_2')],
    angles: [source.angle_1_rad, source.angle_2_rad],
    rates: [source.rate_1_radps, source.rate_2_radps],
    ...(isElastic ? { springs } : {}),
  };
}

function spring(
  stiffness: number,
  damping: number,
  rest: number,
): { readonly spring?: JointSpringModel } {
  return stiffness > 0 || damping > 0 ? { spring: { stiffness, damping, rest } } : {};
}

/** Inertia about the centre of mass (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), kg m²; `path` is its position in the file. */
export function linkInertia(mass: number, source: LinkSource['inertia'], path: string): Sextuple {
  switch (source.kind) {
    case 'solid-sphere': {
      const moment = 0.4 * mass * source.radius_m * source.radius_m;
      return [moment, moment, moment, 0, 0, 0];
    }
    case 'slender-rod': {
      const across = (mass * source.length_m * source.length_m) / 12;
      return aboutAxis(0, across, unit(source.axis, `${path}.axis`));
    }
    case 'solid-cylinder': {
      const { radius_m: r, length_m: l } = source;
      const across = (mass * (3 * r * r + l * l)) / 12;
      return aboutAxis(0.5 * mass * r * r, across, unit(source.axis, `${path}.axis`));
    }
    case 'solid-box': {
      const [a, b, c] = source.size_m.map((side) => side * side);
      const m = mass / 12;
      return [m * (b + c), m * (a + c), m * (a + b), 0, 0, 0];
    }
    case 'point':
      return [0, 0, 0, 0, 0, 0];
    case 'tensor':
      return [...source.moments_kg_m2, ...source.products_kg_m2] as unknown as Sextuple;
  }
}

/** Inertia of a body of revolution about a unit vector. */
function aboutAxis(along: number, across: number, [x, y, z]: readonly number[]): Sextuple {
  const d = along - across;
  return [
    across + d * x * x,
    across + d * y * y,
    across + d * z * z,
    d * x * y,
    d * x * z,
    d * y * z,
  ];
}
