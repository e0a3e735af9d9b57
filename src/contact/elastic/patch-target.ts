/** What the points of an elastic face meet where it is no plane: heights over a shape, over the cells of a body or over a mesh, in the frame of body j. */
import { expect, finite, unit } from '../../base/parameter-checks.ts';
import { rotationOf } from '../../math/quaternion.ts';
import type { PatchTargetModel } from '../../model/contact-spec.ts';
import type { CellShape, Placed } from '../../shapes/cell-model.ts';
import { checkCells } from '../../shapes/check-cell.ts';
import { checkShape } from '../../shapes/check-shape.ts';
import { edgeUses, open } from '../../shapes/mesh-edges.ts';
import { meshVolume, movedMesh, type TriangleMesh } from '../../shapes/triangle-mesh.ts';
import { CellHeights } from './cell-heights.ts';
import { FaceHeights, faceTriangles, looksOneWay } from './face-heights.ts';
import { MeshHeights } from './mesh-heights.ts';
import { PlacedSolid, type Solid, solidOf } from './solid-heights.ts';

type Shape = Exclude<PatchTargetModel, { kind: 'cells' | 'surface' | 'face' }>;
type Surface = Extract<PatchTargetModel, { kind: 'surface' }>;

/** For set-up. */
export function makeTarget(model: PatchTargetModel): Solid {
  if (model.kind === 'cells') return new CellHeights(model.cells);
  if (model.kind === 'face') return new FaceHeights(model.patch);
  const { position, orientation = [0, 0, 0, 1] } = model;
  const own = model.kind === 'surface' ? new MeshHeights(model.mesh) : solidOf(model);
  return new PlacedSolid(own, { position, orientation });
}

/** @throws BerthError for a shape without extent, a surface without an inside, a body without cells, or a quaternion that is none */
export function checkTarget(target: PatchTargetModel, field: string): void {
  if (target.kind === 'cells') {
    expect(`${field}.cells`, target.cells, target.cells.length > 0, 'to have a cell at least');
    checkCells(target.cells, `${field}.cells`);
    return;
  }
  if (target.kind === 'face') {
    const { normals } = target.patch;
    expect(
      `${field}.patch.normals`,
      normals,
      looksOneWay(target.patch),
      'to lie within a right angle of their mean',
    );
    const spans = faceTriangles(target.patch).length > 0;
    expect(
      `${field}.patch.points`,
      target.patch.points,
      spans,
      'to be three at least that are not on one line',
    );
    return;
  }
  if (target.kind === 'surface') checkSurface(target.mesh, `${field}.mesh`);
  else checkShape(target, field);
  finite(`${field}.position`, target.position, 3);
  if (target.orientation === undefined) return;
  finite(`${field}.orientation`, target.orientation, 4);
  unit(`${field}.orientation`, target.orientation);
}

/** That of a file is closed when it is read. */
function checkSurface(mesh: TriangleMesh, field: string): void {
  const { vertices, triangles } = mesh;
  const whole = vertices.length % 3 === 0 && vertices.every((x) => Number.isFinite(x));
  expect(`${field}.vertices`, vertices, whole, 'to be three finite numbers each');
  const known = triangles.length % 3 === 0 && triangles.every((v) => 3 * v < vertices.length);
  expect(`${field}.triangles`, triangles, known, 'to be three indices of vertices each');
  const closed = open(edgeUses(mesh)).length === 0 && meshVolume(mesh) > 0;
  expect(
    `${field}.triangles`,
    triangles,
    closed,
    'to close a volume, counter-clockwise seen from outside',
  );
}

/** Its shapes in the frame of body j; none of a mesh. */
export function shapesOf(target: PatchTargetModel): readonly Placed<CellShape>[] {
  if (target.kind === 'cells') return target.cells;
  if (target.kind === 'surface' || target.kind === 'face') return [];
  const { position, orientation = [0, 0, 0, 1] } = target;
  return [{ shape: bare(target), position, orientation }];
}

/** Its triangles in the frame of body j. */
export function surfaceOf({ mesh, position, orientation = [0, 0, 0, 1] }: Surface): TriangleMesh {
  const rotation = new Float64Array(9);
  rotationOf(rotation, Float64Array.from(orientation), 0);
  return movedMesh(mesh, rotation, position);
}

/** The shape without its place. */
function bare(target: Shape): CellShape {
  const { position: _position, orientation: _orientation, ...shape } = target;
  return shape;
}
