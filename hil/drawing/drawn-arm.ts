/** Links of the simulated arm for a page: with the drawing of its robot, at the start of the scenario. */
import type { Robot } from '../../config/compile-robot.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';
import type { TreeModel } from '../../src/model/tree-model.ts';
import { turnZTo } from '../../src/shapes/placement.ts';
import { type DrawnBody, type DrawnCell, placed, type Vector } from './drawn-shapes.ts';

/** Thickness of a link without a drawing, relative to its length, and largest thickness, m. */
const SLENDERNESS = 0.06;
const THICKEST_M = 0.18;

/**
 * Links, then the tips of flexible links, in the order of `sceneBodies`. Links of a robot without
 * any drawing, or without its robot, are rods.
 * @param tree tree of the arm: the links of the robot, by name, and its load
 * @param first index of the first link in the scene
 */
export function drawnArm(tree: TreeModel, robot: Robot | null, first: number): DrawnBody[] {
  const { positions, rates } = treeFreedoms(tree);
  const state = new Tree(tree, new Float64Array(positions + rates));
  const drawing = new Map(robot?.model.links.map(({ name }, i) => [name, robot.drawing[i]]));
  const none = robot === null || robot.drawing.every((cells) => cells.length === 0);
  const beams = tree.links.flatMap((link, i) => (link.beam === undefined ? [] : [i]));
  const body = (name: string, pose: Float64Array): DrawnBody => ({
    name,
    motion: 'link',
    role: 'arm',
    position_m: Array.from(pose.subarray(0, 3)),
    orientation: Array.from(pose.subarray(3, 7)),
    cells: [],
  });
  const links = tree.links.map((link, i): DrawnBody => {
    const cells = drawing.get(link.name) ?? [];
    return {
      ...body(`arm/${link.name}`, state.linkState(i)),
      cells: none ? rods(tree, i) : cells.map((cell) => ({ name: cell.name, ...placed(cell) })),
      ...(link.beam === undefined
        ? {}
        : {
            bends: {
              length_m: link.beam.length,
              end: first + tree.links.length + beams.indexOf(i),
            },
          }),
    };
  });
  const ends = beams.map((i) => body(`arm/${tree.links[i].name}/end`, state.linkEndState(i)));
  return [...links, ...ends];
}

/** A link as rods from its joint to its children. */
function rods(tree: TreeModel, index: number): DrawnCell[] {
  const link = tree.links[index];
  const root: Vector = [link.beam?.length ?? 0, 0, 0];
  const hanging = [
    ...tree.links.filter(({ parent }) => parent === index),
    ...tree.frames.filter((frame) => frame.link === index),
  ].map(({ position }) => position.map((value, a) => value + root[a]));
  const ends = hanging.length > 0 ? hanging : [root];
  return ends.flatMap((end, k) => rod(`${link.name} ${k + 1}`, end));
}

/** A cylinder from the origin to `end`; nothing for an end at the origin. */
function rod(name: string, end: Vector): DrawnCell[] {
  const [x, y, z] = end;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length < 1e-3) return [];
  const radius = Math.min(THICKEST_M, SLENDERNESS * length);
  return [
    {
      name,
      shape: { kind: 'cylinder', radius_m: radius, length_m: length },
      position_m: [x / 2, y / 2, z / 2],
      orientation: turnZTo([x / length, y / length, z / length]),
    },
  ];
}
