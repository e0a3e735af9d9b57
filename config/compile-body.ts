/** Compiles a body of a scenario file to its plain description. */
import { BerthError } from '../src/base/errors.ts';
import type { BodyModel, CellModel, Sextuple, Triple } from '../src/model/model.ts';
import { bodyMass, centeredCells } from '../src/overlap/body-mass.ts';
import { placementOf, toFrame } from '../src/shapes/placement.ts';
import { compileCells, mergedCells } from './compile-cells.ts';
import { compileOrientation } from './orientation.ts';
import type { ScenarioBody } from './scenario-schema.ts';

type DynamicSource = Extract<ScenarioBody, { kind: 'dynamic' }>;
type InertiaSource = NonNullable<DynamicSource['inertia']>;

/** Mass and centre of mass of a body. */
interface MassSource {
  readonly mass: number;
  readonly inertia: Sextuple;
  readonly position: Triple;
  readonly cells: readonly CellModel[];
}

/** Compiles one body; `index` is its position in the file. Files of cells have absolute paths. */
export function compileBody(source: ScenarioBody, index: number): BodyModel {
  const field = `bodies[${index}]`;
  const still = source.kind === 'fixed';
  const orientation = compileOrientation(source.orientation, `${field}.orientation`);
  const cells = compileCells(source.cells, `${field}.cells`, '');
  const body = {
    name: source.name,
    motion: source.kind,
    rotationLocked: source.kind === 'dynamic' && source.inertia?.kind === 'locked',
    orientation,
    velocity: still ? ([0, 0, 0] as const) : source.velocity_mps,
    angularVelocity: still ? ([0, 0, 0] as const) : source.angular_velocity_radps,
  };
  const own =
    source.kind === 'dynamic'
      ? massOf(source, cells, orientation, field)
      : {
          mass: 1,
          inertia: [1, 1, 1, 0, 0, 0] as const,
          position: source.position_m,
          cells,
        };
  const { mass, inertia, position } = own;
  const model: BodyModel = { ...body, mass, inertia, position };
  const merged = mergedCells(own.cells, source.merge_cells, field);
  return merged.length === 0 ? model : { ...model, cells: merged };
}

/** Given mass, or that of the cells, which then move so that the centre of mass is the origin. */
function massOf(
  source: DynamicSource,
  cells: readonly CellModel[],
  orientation: BodyModel['orientation'],
  field: string,
): MassSource {
  const { mass_kg: mass, inertia, density_kg_per_m3: density, position_m: position } = source;
  if (density === undefined && mass !== undefined && inertia !== undefined) {
    return { mass, inertia: inertiaOf(mass, inertia), position, cells };
  }
  if (density === undefined && (mass === undefined) !== (inertia === undefined)) {
    const [name, what] =
      mass === undefined ? ['mass_kg', 'a number in kg'] : ['inertia', 'a kind of inertia'];
    throw new BerthError(
      'BERTH_MISSING_FIELD',
      `${field}.${name} is missing; allowed: ${what}, or density_kg_per_m3 in place of mass and inertia`,
      { field: `${field}.${name}` },
    );
  }
  if (density === undefined || mass !== undefined || inertia !== undefined) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${field} to have either mass_kg and inertia, or density_kg_per_m3 and cells, got ${given(source)}`,
      { field },
    );
  }
  const own = bodyMass(cells, density, `${field}.cells`);
  return {
    mass: own.mass,
    inertia: own.inertia,
    position: toFrame(placementOf({ position, orientation }), own.center),
    cells: centeredCells(cells, own.center),
  };
}

function given(source: DynamicSource): string {
  const names = (['mass_kg', 'inertia', 'density_kg_per_m3'] as const).filter(
    (name) => source[name] !== undefined,
  );
  return names.length === 0 ? 'none of them' : names.join(' and ');
}

function inertiaOf(mass: number, source: InertiaSource): Sextuple {
  switch (source.kind) {
    case 'solid-sphere': {
      const moment = 0.4 * mass * source.radius_m * source.radius_m;
      return [moment, moment, moment, 0, 0, 0];
    }
    case 'tensor':
      return [...source.moments_kg_m2, ...source.products_kg_m2] as unknown as Sextuple;
    case 'locked':
      return [1, 1, 1, 0, 0, 0]; // never used: a locked body has no inverse inertia
  }
}
