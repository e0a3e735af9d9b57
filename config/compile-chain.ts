/** From a chain as people write it to the plain description that the system is built from. */
import type { ChainModel, JointModel, LinkModel, Sextuple, Triple } from '../src/model.ts';
import type { ScenarioChain } from './chain-schema.ts';
import { compileOrientation } from './orientation.ts';
import { unit } from './unit-vector.ts';

type LinkSource = ScenarioChain['links'][number];

/** The plain description of one chain; `index` is its place in the file. */
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
    inertia: inertia(source.mass_kg, source.inertia, `${path}.inertia`),
    joint: joint(source.joint, `${path}.joint`),
    jointInParent: source.joint_in_parent_m,
    jointInLink: source.joint_in_link_m,
    orientation: compileOrientation(source.orientation, `${path}.orientation`),
  };
}

function joint(source: LinkSource['joint'], path: string): JointModel {
  const axis = (v: Triple, name: string): Triple => unit(v, `${path}.${name}`) as unknown as Triple;
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

function inertia(mass: number, source: LinkSource['inertia'], path: string): Sextuple {
  switch (source.kind) {
    case 'solid-sphere': {
      const moment = 0.4 * mass * source.radius_m * source.radius_m;
      return [moment, moment, moment, 0, 0, 0];
    }
    case 'slender-rod': {
      const [x, y, z] = unit(source.axis, `${path}.axis`);
      const m = (mass * source.length_m * source.length_m) / 12;
      return [
        m * (1 - x * x),
        m * (1 - y * y),
        m * (1 - z * z),
        -m * x * y,
        -m * x * z,
        -m * y * z,
      ];
    }
    case 'point':
      return [0, 0, 0, 0, 0, 0];
    case 'tensor':
      return [...source.moments_kg_m2, ...source.products_kg_m2] as unknown as Sextuple;
  }
}
