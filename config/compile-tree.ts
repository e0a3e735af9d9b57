/** Compiles a tree of a scenario file: a robot without motors, at its place, its joints at their starts. */
import { BerthError } from '../src/base/errors.ts';
import type { CellModel, Triple, TreeLinkModel, TreeModel } from '../src/model/model.ts';
import { compileOrientation } from './orientation.ts';
import { nearest } from './read.ts';
import { loadRobot } from './robot.ts';
import type { ScenarioTree } from './tree-schema.ts';

type Start = ScenarioTree['joints'][number];

/** Compiles one tree; `index` is its position in the file. Robot files have absolute paths. @throws BerthError */
export function compileTree(source: ScenarioTree, index: number): TreeModel {
  const path = `trees[${index}]`;
  const { model, drawing, joints } = loadRobot(source.robot);
  const links = model.links.map((link, i) => drawn(link, drawing[i]));
  for (const [k, start] of source.joints.entries()) {
    const field = `${path}.joints[${k}]`;
    const names = joints.map(({ name }) => name);
    const joint = joints.find(({ name }) => name === start.name);
    if (joint === undefined) {
      const near = nearest(start.name, names);
      const hint =
        near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${names.join(', ')}`;
      throw new BerthError(
        'BERTH_UNKNOWN_NAME',
        `${field}.name is "${start.name}", which is no joint of ${source.robot}; ${hint}`,
        { field: `${field}.name` },
      );
    }
    links[joint.link] = started(links[joint.link], start, field);
  }
  return {
    ...model,
    name: source.name,
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${path}.orientation`),
    links,
  };
}

function started(link: TreeLinkModel, start: Start, field: string): TreeLinkModel {
  const { joint } = link;
  if (joint.kind !== 'revolute' && joint.kind !== 'prismatic') return link;
  const turns = joint.kind === 'revolute';
  const wrong = turns
    ? (['position_m', 'rate_mps'] as const)
    : (['angle_rad', 'rate_radps'] as const);
  for (const name of wrong) {
    if (start[name] === undefined) continue;
    const allowed = turns ? 'angle_rad, rate_radps' : 'position_m, rate_mps';
    throw new BerthError(
      'BERTH_MISMATCH',
      `${field}.${name} is for another kind of joint: ${start.name} is ${joint.kind}; allowed: ${allowed}`,
      { field: `${field}.${name}` },
    );
  }
  const position = turns ? start.angle_rad : start.position_m;
  const rate = turns ? start.rate_radps : start.rate_mps;
  return {
    ...link,
    joint: { ...joint, position: position ?? joint.position, rate: rate ?? joint.rate },
  };
}

/** The drawing in the frame of the link as a body: its origin is the centre of mass, or the tip of a beam. */
function drawn(link: TreeLinkModel, cells: readonly CellModel[]): TreeLinkModel {
  if (cells.length === 0) return link;
  const [x, y, z] = link.beam === undefined ? link.center : [link.beam.length, 0, 0];
  const shifted = ([a, b, c]: Triple): Triple => [a - x, b - y, c - z];
  return { ...link, drawing: cells.map((cell) => ({ ...cell, position: shifted(cell.position) })) };
}
