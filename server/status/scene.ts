/**
 * Scene for `GET /api/scene`: the bodies of the loaded scenario with their cells. Bodies without
 * cells get the shapes of their geometric pairs.
 */
import { compileInsertion, type Insertion } from '../../config/compile-insertion.ts';
import { compileScenario } from '../../config/compile.ts';
import { loadRobot } from '../../config/robot.ts';
import { loadScenario, type Scenario } from '../../config/scenario.ts';
import { pairDefinition } from '../../src/contact/registry.ts';
import type { BodyModel, SystemModel } from '../../src/model/model.ts';
import { drawnArm } from './drawn-arm.ts';
import { type DrawnBody, type DrawnCell, placed, type Vector } from './drawn-shapes.ts';
import { type Loaded, oncePerLoad } from './once-per-load.ts';

/** Answer of `GET /api/scene`. */
export interface SceneDescription {
  readonly scenario: string;
  readonly title: string;
  readonly bodies: readonly DrawnBody[];
  /** Facts about the insertion; null for a scenario without one. */
  readonly insertion: InsertionFacts | null;
}

/** Pose of the seated payload, the direction of insertion there, and the distance from the mouth, m. */
export interface InsertionFacts {
  readonly seated_position_m: Vector;
  readonly seated_orientation: Vector;
  readonly direction: Vector;
  readonly depth_m: number;
}

const HERE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;

/** The scene of a scenario. @throws BerthError as `loadScenario` does */
export function sceneOf(name: string): SceneDescription {
  const scenario = loadScenario(name);
  return describe(scenario, compileScenario(scenario));
}

/** The scene of the loaded scenario. */
export const loadedScene: (loaded: Loaded) => SceneDescription = oncePerLoad(sceneOf);

function describe(scenario: Scenario, model: SystemModel): SceneDescription {
  const links = (model.trees ?? []).flatMap((tree) => tree.links);
  const arm = model.tool?.robot;
  const robot = scenario.tool?.robot;
  return {
    scenario: scenario.name,
    title: scenario.title,
    bodies: [
      ...model.bodies.map((body) => ({
        name: body.name,
        motion: body.motion,
        role: roleOf(body, model),
        position_m: body.position,
        orientation: body.orientation,
        cells: cellsOf(body, model),
      })),
      ...links.map((link) => ({
        name: link.name,
        motion: 'link',
        role: 'moving' as const,
        position_m: HERE.position,
        orientation: HERE.orientation,
        cells: cellsOf(link, model),
      })),
      ...(arm === undefined || robot === undefined
        ? []
        : drawnArm(arm.tree, loadRobot(robot.name), model.bodies.length + links.length)),
    ],
    insertion: insertionFacts(compileInsertion(scenario)),
  };
}

/** Facts about the insertion for clients; null for none. */
export function insertionFacts(insertion: Insertion | null): InsertionFacts | null {
  if (insertion === null) return null;
  return {
    seated_position_m: insertion.position,
    seated_orientation: insertion.orientation,
    direction: insertion.direction,
    depth_m: insertion.depth,
  };
}

function roleOf(body: BodyModel, model: SystemModel): DrawnBody['role'] {
  if (body.name === model.tool?.payload) return 'payload';
  if (body.name === model.tool?.arm) return 'arm';
  return body.motion === 'fixed' ? 'site' : 'moving';
}

function cellsOf(body: Pick<BodyModel, 'name' | 'cells'>, model: SystemModel): DrawnCell[] {
  const cells = body.cells ?? [];
  if (cells.length === 0) return pairCells(body.name, model);
  return cells.map((cell) => ({ name: cell.name, ...placed(cell) }));
}

/** Shapes of the pairs of a body; a shape of several pairs is drawn once. */
function pairCells(body: string, model: SystemModel): DrawnCell[] {
  const cells = model.contacts.flatMap(({ name, bodyI, bodyJ, pair }) => {
    const { i, j } = pairDefinition(pair).shapes(pair);
    const own = [...(bodyI === body ? i : []), ...(bodyJ === body ? j : [])];
    return own.map((cell) => ({ name, ...placed(cell) }));
  });
  const key = ({ shape, position_m, orientation }: DrawnCell): string =>
    JSON.stringify([shape, position_m, orientation]);
  return [...new Map(cells.map((cell) => [key(cell), cell])).values()];
}
