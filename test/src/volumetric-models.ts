/** Systems of bodies of cells that the tests of volumetric contact share. */
import type {
  BodyModel,
  CellModel,
  CellShape,
  ContactModelSpec,
  FrictionLawModel,
  IntegratorKind,
  RollingLawModel,
  SystemModel,
  VolumetricLawModel,
  VolumetricPairModel,
} from '../../src/index.ts';
import { makeSystem } from '../../src/index.ts';
import { body, system } from './models.ts';

export type Point = readonly [number, number, number];
export type Turn = readonly [number, number, number, number];

/** Volumetric stiffness of all models here, N/m³. */
export const STIFFNESS = 1e7;
export const GRAVITY = 9.81;

/** A cell with defaults. */
export function cell(
  name: string,
  shape: CellShape,
  position: Point = [0, 0, 0],
  orientation: Turn = [0, 0, 0, 1],
): CellModel {
  return { name, shape, position, orientation };
}

/** A box cut into nx × ny × nz equal cells. */
export function cutBox(size: Point, cuts: Point, at: Point = [0, 0, 0]): CellModel[] {
  const cells: CellModel[] = [];
  const piece = size.map((length, a) => length / cuts[a]);
  for (let x = 0; x < cuts[0]; x++) {
    for (let y = 0; y < cuts[1]; y++) {
      for (let z = 0; z < cuts[2]; z++) {
        const [px, py, pz] = [x, y, z].map(
          (index, a) => at[a] + (index + 0.5) * piece[a] - size[a] / 2,
        );
        cells.push(
          cell(`${x}-${y}-${z}`, { kind: 'box', size: [piece[0], piece[1], piece[2]] }, [
            px,
            py,
            pz,
          ]),
        );
      }
    }
  }
  return cells;
}

/** Inertia of a solid box. */
export function boxInertia(mass: number, [a, b, c]: Point): BodyModel['inertia'] {
  const k = mass / 12;
  return [k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b), 0, 0, 0];
}

/** Volumetric bristle friction with moderate values. */
export const BRISTLE: FrictionLawModel = {
  kind: 'volumetric-bristle',
  stiction: 0.15,
  coulomb: 0.12,
  bristleStiffness: 1e5,
  bristleDamping: 316.23,
  viscousDamping: 0,
  stribeckVelocity: 1e-2,
  dwellTime: 0.1,
  velocityTolerance: 1e-4,
  startsSticking: false,
};

/** What a scene may change. */
export interface SceneOptions {
  readonly pair?: Partial<VolumetricPairModel>;
  readonly normal?: Partial<VolumetricLawModel>;
  readonly friction?: FrictionLawModel;
  readonly rolling?: RollingLawModel;
  readonly integrator?: IntegratorKind;
  readonly step?: number;
  readonly gravity?: Point;
  readonly more?: Partial<SystemModel>;
}

/** A volumetric contact with defaults. */
export function touch(
  bodyI: string,
  bodyJ: string,
  { pair, normal, friction, rolling }: SceneOptions = {},
): ContactModelSpec {
  return {
    name: `${bodyI}-${bodyJ}`,
    bodyI,
    bodyJ,
    pair: { kind: 'volumetric', ...pair },
    normalLaw: {
      kind: 'volumetric',
      stiffness: STIFFNESS,
      restitution: 0.5,
      smallVelocity: 1e-3,
      relaxationTime: 0,
      ...normal,
    },
    frictionLaw: friction ?? BRISTLE,
    rollingLaw: rolling ?? { kind: 'volumetric' },
  };
}

/** Two bodies of cells that touch each other. */
export function scene(i: BodyModel, j: BodyModel, options: SceneOptions = {}): SystemModel {
  return system({
    gravity: options.gravity ?? [0, 0, -GRAVITY],
    bodies: [i, j],
    contacts: [touch(i.name, j.name, options)],
    integrator: options.integrator ?? 'implicit-contact',
    step: options.step ?? 1e-3,
    ...options.more,
  });
}

/** The half-space z <= 0 as a body. */
export function floor(): BodyModel {
  return body('floor', 'fixed', { cells: [cell('plane', { kind: 'half-space' })] });
}

/** A solid box of 500 kg/m³ in one cell, or in cut ones. */
export function box(
  size: Point,
  parts: Partial<BodyModel> = {},
  cuts: Point = [1, 1, 1],
): BodyModel {
  const mass = 500 * size[0] * size[1] * size[2];
  return body('box', 'dynamic', {
    mass,
    inertia: boxInertia(mass, size),
    cells: cutBox(size, cuts),
    ...parts,
  });
}

/** A box of four cells that slides over a tray of 3 × 3 slabs into a wall: for the allocation test. */
export function boxOnTray(): SystemModel {
  const tray = [
    ...cutBox([0.5, 0.5, 0.05], [3, 3, 1], [0, 0, -0.025]),
    cell('wall', { kind: 'box', size: [0.05, 0.5, 0.1] }, [0.275, 0, 0.05]),
  ];
  return scene(
    box([0.2, 0.2, 0.1], { position: [0.145, 0, 0.0501], velocity: [0.5, 0.2, 0] }, [2, 2, 1]),
    body('tray', 'fixed', { cells: tray }),
    { pair: { maximumPairs: 32 } },
  );
}

/** Force and moment on body i about its origin at the state of a model, N, N m, by the explicit reference. */
export function wrenchAt(model: SystemModel, instant = 1e-12): number[] {
  const run = makeSystem({ ...model, integrator: 'rk4', gravity: [0, 0, 0] });
  const failed = run.step(instant); // the read-out belongs to the state after the step
  if (failed !== 0) throw new Error('not finite');
  const motion = new Float64Array(13);
  const wrench = new Float64Array(6);
  run.readBody(0, motion, 0);
  run.contactWrench(0, motion[0], motion[1], motion[2], wrench, 0);
  return [...wrench];
}
