/**
 * Scene for `GET /api/scene`: the bodies of the loaded scenario with their cells. Bodies without
 * cells get the shapes of their geometric pairs.
 */
import { compileInsertion, type Insertion } from '../../config/compile-insertion.ts';
import { compileScenario } from '../../config/compile.ts';
import { loadRobot } from '../../config/robot.ts';
import { loadScenario, type Scenario } from '../../config/scenario.ts';
import { drawnBodies } from '../../hil/drawing/drawn-bodies.ts';
import { type DrawnTouch, drawnTouches } from '../../hil/drawing/drawn-touches.ts';
import type { DrawnBody, Vector } from '../../hil/drawing/drawn-shapes.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { type Loaded, oncePerLoad } from './once-per-load.ts';

/** Answer of `GET /api/scene`. */
export interface SceneDescription {
  readonly scenario: string;
  readonly title: string;
  readonly bodies: readonly DrawnBody[];
  /** Contacts, then constraints, as points of the topic `scene` number them. */
  readonly touches: readonly DrawnTouch[];
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

/** The scene of a scenario. @throws BerthError as `loadScenario` does */
export function sceneOf(name: string): SceneDescription {
  const scenario = loadScenario(name);
  return describe(scenario, compileScenario(scenario));
}

/** The scene of the loaded scenario. */
export const loadedScene: (loaded: Loaded) => SceneDescription = oncePerLoad(sceneOf);

function describe(scenario: Scenario, model: SystemModel): SceneDescription {
  const robot = scenario.tool?.robot;
  const bodies = drawnBodies(model, robot === undefined ? null : loadRobot(robot.name));
  return {
    scenario: scenario.name,
    title: scenario.title,
    bodies,
    touches: drawnTouches(model, bodies),
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
