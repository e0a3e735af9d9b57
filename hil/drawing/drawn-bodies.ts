/**
 * Bodies of a model as they are drawn, in the order of a scene row. Bodies without cells get the shapes of their geometric pairs and the
 * faces that slide; without any, rods between their locks.
 */
import type { Robot } from '../../config/compile-robot.ts';
import { pairDefinition } from '../../src/contact/registry.ts';
import type { BodyModel, PairModel, SystemModel } from '../../src/model/model.ts';
import type { PlacedFacets } from '../../src/shapes/faceted-shapes.ts';
import type { CellModel, CellShape, Placed } from '../../src/shapes/cell-model.ts';
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';
import { drawnArm } from './drawn-arm.ts';
import { drawnLocks } from './drawn-locks.ts';
import { drawnSliding } from './drawn-sliding.ts';
import { drawnFacets, drawnMesh } from './drawn-facets.ts';
import { type DrawnBody, type DrawnCell, placed } from './drawn-shapes.ts';

const HERE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;

/** @param robot drawing of the links of the arm; null: rods */
export function drawnBodies(model: SystemModel, robot: Robot | null): DrawnBody[] {
  const links = (model.trees ?? []).flatMap((tree) => tree.links);
  const arm = model.tool?.robot;
  return [
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
      cells:
        link.cells === undefined && link.drawing !== undefined
          ? link.drawing.map(drawnCell)
          : cellsOf(link, model),
    })),
    ...(arm === undefined ? [] : drawnArm(arm.tree, robot, model.bodies.length + links.length)),
  ];
}

function roleOf(body: BodyModel, model: SystemModel): DrawnBody['role'] {
  if (body.name === model.tool?.payload) return 'payload';
  if (body.name === model.tool?.arm) return 'arm';
  return body.motion === 'fixed' ? 'site' : 'moving';
}

function cellsOf(body: Pick<BodyModel, 'name' | 'cells'>, model: SystemModel): DrawnCell[] {
  const cells = body.cells ?? [];
  if (cells.length === 0) {
    const own = [...pairCells(body.name, model), ...drawnSliding(body.name, model)];
    return own.length > 0 ? own : drawnLocks(body.name, model);
  }
  return cells.map(drawnCell);
}

const drawnCell = (cell: CellModel): DrawnCell => ({ name: cell.name, ...placed(cell) });

/** Shapes of the pairs of a body; a shape of several pairs is drawn once. */
function pairCells(body: string, model: SystemModel): DrawnCell[] {
  const cells = model.contacts.flatMap(({ name, bodyI, bodyJ, pair }) => {
    const { i, j } = drawnPair(pair);
    const own = [...(bodyI === body ? i : []), ...(bodyJ === body ? j : [])];
    return own.map((cell) => ({ name, ...cell }));
  });
  const key = ({ shape, position_m, orientation }: DrawnCell): string =>
    JSON.stringify([shape, position_m, orientation]);
  return [...new Map(cells.map((cell) => [key(cell), cell])).values()];
}

type Cell = Omit<DrawnCell, 'name'>;

/** Shapes of a pair on body i and on body j; facets, or a surface, where a body has none. */
function drawnPair(pair: PairModel): { readonly i: readonly Cell[]; readonly j: readonly Cell[] } {
  const definition = pairDefinition(pair);
  const { i, j } = definition.shapes(pair);
  const facets = definition.facets?.(pair);
  const surfaces = definition.surfaces?.(pair) ?? {};
  const onto = (
    shapes: readonly Placed<CellShape>[],
    own: PlacedFacets | undefined,
    mesh: TriangleMesh | undefined,
  ): readonly Cell[] => {
    if (shapes.length > 0) return shapes.map(placed);
    if (own !== undefined) return [drawnFacets(own)];
    return mesh === undefined ? [] : [drawnMesh(mesh)];
  };
  return { i: onto(i, facets?.i, surfaces.i), j: onto(j, facets?.j, surfaces.j) };
}
