/** Compiles a chain of a scenario file to its plain description. */
import type { ChainModel, JointModel, LinkModel, Sextuple, Triple } from '../src/model/model.ts';
import type { ScenarioChain } from './chain-schema.ts';
import { compileOrientation } from './orientation.ts';
import { unit } from './unit-vector.ts';

type LinkSource = ScenarioChain['links'][number];

/** Compiles one chain; `index` is its position in the file. */
export function compileChain(source: ScenarioChain, index: number): ChainModel {
  const path = `chains[${index}]`;
  return {
    name: source.name,
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${path}.orientation`),
    links: source.links.map((link, i) => compileLink(link, `${path}.links[${i}]`)),
  };
}

function compileLink(source: LinkSource, path: string): LinkModel {
  return {
    name: source.name,
    mass: source.mass_kg,
    inertia: linkInertia(source.mass_kg, source.inertia, `${path}.inertia`),
    joint: joint(source.joint, `${path}.joint`),
    jointInParent: source.joint_in_parent_m,
    jointInLink: source.joint_in_link_m,
    orientation: compileOrientation(source.orientation, `${path}.orientation`),
  };
}

function joint(source: LinkSource['joint'], path: string): JointModel {
  const axis = (v: Triple, name: string): Triple => unit(v, `${path}.${name}`);
  if (source.kind === 'revolute') {
    return {
      kind: 'revolute',
      axis: axis(source.axis, 'axis'),
      angle: source.angle_rad,
      rate: source.rate_radps,
    };
  }
  return {
    kind: 'universal',
    axes: [axis(source.axis_1, 'axis_1'), axis(source.axis_2, 'axis_2')],
    angles: [source.angle_1_rad, source.angle_2_rad],
    rates: [source.rate_1_radps, source.rate_2_radps],
  };
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
