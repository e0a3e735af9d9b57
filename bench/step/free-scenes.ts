/** The scenes that Berth and its peers run: one free body over fixed ground. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { CellModel, Triple } from '../../src/index.ts';
import { boxInertia, cell, type Point } from '../../test/fixtures/volumetric-models.ts';
import { berthCells } from '../peers/berth-cells.ts';
import { berthPoints } from '../peers/berth-points.ts';
import type { Engine, Scene } from '../peers/engine.ts';
import { cutPayload, cutTrayCells, SIZE, STIFFNESS } from '../volumetric-scenes.ts';

/** Step of every scene, s. */
export const STEP = 1e-3;

/** What the body does while it is timed: bounces, lies at rest, or slides under a push. */
export type Doing = 'bounces' | 'rests' | 'slides';

/** A scene, and Berth as it runs it. */
export interface FreeScene {
  readonly scene: Scene;
  readonly doing: Doing;
  readonly berth: Engine;
  /** Direction of the push of a body that slides. */
  readonly along?: Triple;
  /** Peers run the same scene under this name: it differs in Berth alone. */
  readonly peersAs?: string;
}

const still = {
  step: STEP,
  orientation: [0, 0, 0, 1],
  velocity: [0, 0, 0],
  spin: [0, 0, 0],
  restitution: 0,
} as const;

const moments = (mass: number, size: Point): Triple => {
  const [xx, yy, zz] = boxInertia(mass, size);
  return [xx, yy, zz];
};

/** 1 kg, radius 0.1 m, dropped 0.5 m. It rests after 2.87 s. */
export const BALL: Scene = {
  ...still,
  gravity: [0, 0, -9.81],
  mass: 1,
  moments: [4e-3, 4e-3, 4e-3],
  cells: [cell('ball', { kind: 'sphere', radius: 0.1 })],
  ground: 'plane',
  position: [0, 0, 0.6],
  friction: 0,
  stiction: 0,
  restitution: 0.8,
};

const BOX: Point = [0.2, 0.2, 0.1];

/** 1 kg, let go 1 mm above the plane. */
export const BOX_LEVEL: Scene = {
  ...still,
  gravity: [0, 0, -9.81],
  mass: 1,
  moments: moments(1, BOX),
  cells: [cell('box', { kind: 'box', size: BOX })],
  ground: 'plane',
  position: [0, 0, BOX[2] / 2 + 1e-3],
  friction: 0.5,
  stiction: 0.5,
};

/** Gravity turned by 10 degrees: the box has to stay, tan 10° = 0.176. */
export const BOX_SLOPE: Scene = {
  ...BOX_LEVEL,
  gravity: [9.81 * Math.sin(Math.PI / 18), 0, -9.81 * Math.cos(Math.PI / 18)],
};

const payload = 2;

function pairs(count: number): Scene {
  return {
    ...still,
    gravity: [0, 0, -9.81],
    mass: payload,
    moments: moments(payload, SIZE),
    cells: cutPayload(count),
    ground: cutTrayCells(count),
    position: [0, 0, SIZE[2] / 2],
    friction: 0.3,
    stiction: 0.3,
  };
}

const drop = compileScenario(loadScenario('battery-box-drop'));

/** The battery box in its work-site, let go 1 mm over the floor. */
export const RECEPTACLE: Scene = {
  ...still,
  gravity: drop.gravity,
  mass: drop.bodies[0].mass,
  moments: [drop.bodies[0].inertia[0], drop.bodies[0].inertia[1], drop.bodies[0].inertia[2]],
  cells: drop.bodies[0].cells ?? [],
  ground: drop.bodies[1].cells ?? [],
  position: [-1e-3, 0, 0],
  friction: 0.3,
  stiction: 0.3,
};

/** The drop of the scenario: 0.35 m, turned and off the middle. */
export const RECEPTACLE_DROP: Scene = {
  ...RECEPTACLE,
  position: drop.bodies[0].position,
  orientation: drop.bodies[0].orientation,
};

/** A bar of three boxes in a channel with a press fit of 0.02 mm a side, all of boxes: 12 pairs. */
function channel(): Scene {
  const fit = 2e-5;
  const length = 0.15;
  const ground = [-1, 1].flatMap((s): CellModel[] => [
    cell(`floor ${s}`, { kind: 'box', size: [0.2, length, 0.04] }, [0, (s * length) / 2, -0.02]),
    ...[-1, 1].map((side) =>
      cell(`wall ${s} ${side}`, { kind: 'box', size: [0.04, length, 0.1] }, [
        side * (0.07 - fit),
        (s * length) / 2,
        0.05,
      ]),
    ),
  ]);
  return {
    ...still,
    gravity: [0, 0, -9.81],
    mass: 3,
    moments: moments(3, [0.1, 0.24, 0.1]),
    cells: [-1, 0, 1].map((k) =>
      cell(`bar ${k}`, { kind: 'box', size: [0.1, 0.08, 0.1] }, [0, 0.08 * k, 0]),
    ),
    ground,
    position: [0, 0, 0.05],
    friction: 0.5,
    stiction: 0.5,
  };
}

/** A torus of 36 convex slices lies on a cone of 48 sides: radius 0.1 and 0.02 m, cone 0.15 m wide and 0.3 m high. */
function torusOnCone(): Scene {
  const SLICES = 36;
  const CORNERS = 16;
  const SIDES = 48;
  const [major, minor, wide, high] = [0.1, 0.02, 0.15, 0.3];
  const ring = (slice: number): Point[] => {
    const u = (2 * Math.PI * slice) / SLICES;
    return Array.from({ length: CORNERS }, (_, k): Point => {
      const w = (2 * Math.PI * k) / CORNERS;
      const r = major + minor * Math.cos(w);
      return [r * Math.cos(u), r * Math.sin(u), minor * Math.sin(w)];
    });
  };
  const base = Array.from({ length: SIDES }, (_, k): Point => {
    const u = (2 * Math.PI * k) / SIDES;
    return [wide * Math.cos(u), wide * Math.sin(u), 0];
  });
  const mesh = (name: string, vertices: Point[]): CellModel =>
    cell(name, { kind: 'mesh', vertices });
  const about = major * major + 0.75 * minor * minor;
  return {
    ...still,
    gravity: [0, 0, -9.81],
    mass: 1,
    moments: [
      0.5 * (major * major + 1.25 * minor * minor),
      0.5 * (major * major + 1.25 * minor * minor),
      about,
    ],
    cells: Array.from({ length: SLICES }, (_, k) =>
      mesh(`slice ${k}`, [...ring(k), ...ring(k + 1)]),
    ),
    ground: [mesh('cone', [...base, [0, 0, high]])],
    position: [0, 0, 0.145],
    friction: 0.3,
    stiction: 0.3,
  };
}

const points = berthPoints('Berth', 1e6);
const cells = berthCells('Berth', 8e6);
const tray = berthCells('Berth', STIFFNESS);
const X: Triple = [1, 0, 0];

/** Numbers of pairs of the growth. */
export const GROWTH = [1, 4, 12, 40, 100] as const;

/** All of them by name. */
export const FREE_SCENES: Readonly<Record<string, FreeScene>> = {
  ball: { scene: BALL, doing: 'bounces', berth: points },
  'box level': { scene: BOX_LEVEL, doing: 'rests', berth: points },
  'box slope': { scene: BOX_SLOPE, doing: 'rests', berth: points },
  'box stiff': {
    scene: BOX_LEVEL,
    doing: 'rests',
    berth: berthPoints('Berth', 1e8),
    peersAs: 'box level',
  },
  'pairs rest': { scene: pairs(40), doing: 'rests', berth: tray },
  'pairs slide': { scene: pairs(40), doing: 'slides', berth: tray, along: X },
  'receptacle rest': { scene: RECEPTACLE, doing: 'rests', berth: cells },
  'receptacle slide': { scene: RECEPTACLE, doing: 'slides', berth: cells, along: [0, 1, 0] },
  'receptacle 1e9': {
    scene: RECEPTACLE,
    doing: 'rests',
    berth: berthCells('Berth', 1e9),
    peersAs: 'receptacle rest',
  },
  channel: { scene: channel(), doing: 'rests', berth: cells },
  torus: { scene: torusOnCone(), doing: 'rests', berth: cells },
  ...Object.fromEntries(
    GROWTH.map((count) => [
      `free ${count}`,
      { scene: pairs(count), doing: 'rests', berth: tray } as const,
    ]),
  ),
};
