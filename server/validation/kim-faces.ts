/**
 * The elastic faces of the scenarios `kim-space-impact`, `kim-antennas` and `kim-capture` as patch files: the six tips of the gripper against the
 * face of the payload, with the static compliances of both bodies, of the meshes of `fem-space-impact.ts`. Frame of a face: the joint of
 * the gripper, y along it. Nothing moves out of the plane, where the compliance is that along the normal.
 */
import { join } from 'node:path';
import type { PatchSource } from '../../config/patch-file.ts';
import { packageRoot } from '../../config/paths.ts';
import type { ReducedBody } from '../../src/fem/reduce-body.ts';
import { CIRCUMRADIUS, gripperMesh, MASSES, payloadMesh } from './fem-space-impact.ts';
import { type FaceData, makeFace, METAL } from './reduced-space-impact.ts';

/** Moduli of 6.3.3, so that contact lasts as long as the links swing. */
const SOFT: FaceData = {
  young: { gripper: 1e5, payload: 1e6 },
  payload: { mass: MASSES.payload, circumradius: CIRCUMRADIUS },
};

/** A patch file: where it is, what it is of, and its content. */
export interface FaceFile {
  readonly path: string;
  readonly source: PatchSource;
  readonly body: ReducedBody;
}

/** The patch files of the package that are made here. */
export function kimFaces(): FaceFile[] {
  return [faceFile('kim-space-impact', METAL), faceFile('kim-antennas', SOFT)];
}

function faceFile(name: string, data: FaceData): FaceFile {
  const { points, compliance } = makeFace(data).face;
  const count = points.length;
  const n = 3 * count;
  /** Of axes a and b at points p and q: x across the gripper, y along it, z as y. */
  const between = (p: number, a: number, q: number, b: number): number => {
    if ((a === 2) !== (b === 2)) return 0;
    const plane = (axis: number): number => (axis === 2 ? 1 : axis);
    const row = 2 * p + plane(a);
    const column = 2 * q + plane(b);
    return 0.5 * (compliance[2 * count * row + column] + compliance[2 * count * column + row]);
  };
  const { young, payload } = data;
  const meshes = [gripperMesh().mesh, payloadMesh(payload.circumradius).mesh];
  return {
    path: join(packageRoot(), 'config', 'scenarios', `${name}.patch`),
    source: {
      mesh: new TextEncoder().encode(JSON.stringify(meshes.map((mesh) => [...mesh.coordinates]))),
      asked: `tips of the gripper against the payload, ${young.gripper} and ${young.payload} N/m²`,
    },
    body: {
      points: points.flatMap(([x, y]) => [x, y, 0]),
      normals: points.flatMap(() => [0, 1, 0]),
      areas: points.map(() => 0),
      compliance: Array.from({ length: n * n }, (_, e) => {
        const [row, column] = [Math.floor(e / n), e % n];
        return between(Math.floor(row / 3), row % 3, Math.floor(column / 3), column % 3);
      }),
      modes: [],
      rigidMass: [],
    },
  };
}
