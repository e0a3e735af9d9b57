/**
 * Shapes of URDF links for drawing: those of `<visual>`, or of `<collision>` where there is none or
 * its mesh format is not supported. The drawing of a mesh is the convex hull of its farthest
 * corners.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BerthError } from '../src/base/errors.ts';
import { convexHull } from '../src/shapes/convex-hull.ts';
import { decodeMesh } from '../src/shapes/mesh-decode.ts';
import type { TriangleMesh } from '../src/shapes/triangle-mesh.ts';
import { readMeshBytes } from './cell-file.ts';
import type { ScenarioCell } from './cell-schema.ts';
import { urdfOrigin } from './urdf-joint.ts';
import { shown, type XmlElement } from './urdf-xml.ts';
import { cos, sin } from '../src/math/elementary/circular.ts';

type Shape = NonNullable<ScenarioCell['shape']>;
type Point = [number, number, number];

const KINDS = 'box, cylinder, sphere, mesh';
/** Directions in which the farthest corner of a mesh is kept: a sphere comes out within 2 % of its radius. */
const DIRECTIONS = 256;
/** Folders above the URDF file in which `package://` is looked for. */
const MOST_PARENTS = 6;

/** Shapes of a link in its frame. @throws ConfigError naming the link */
export function readUrdfShapes(link: XmlElement, name: string, file: string): ScenarioCell[] {
  const visuals = link.all('visual');
  const collisions = link.all('collision');
  const readable = visuals.length > 0 && visuals.every(isReadable);
  const chosen = readable || collisions.length === 0 ? visuals : collisions;
  return chosen.flatMap((element, i) => {
    const { xyz, orientation } = urdfOrigin(element);
    const geometry = element.needed('geometry', `link ${name}`);
    const shape = shapeOf(geometry, name, file);
    if (shape === null) return [];
    return [
      {
        name: element.attribute('name')?.trim() || `shape-${i + 1}`,
        shape,
        decompose: true,
        embedded: false,
        position_m: [...xyz],
        orientation: { kind: 'quaternion' as const, xyzw: [...orientation] },
      },
    ];
  });
}

function isReadable(visual: XmlElement): boolean {
  const file = visual.all('geometry')[0]?.all('mesh')[0]?.attribute('filename');
  return file === undefined || /[.](stl|obj|glb|gltf)$/i.test(file);
}

function shapeOf(geometry: XmlElement, name: string, file: string): Shape | null {
  const [element, second] = geometry.children;
  if (element === undefined || second !== undefined) {
    throw geometry.fault(
      'BERTH_MISMATCH',
      `link ${name} has a <geometry> with ${geometry.children.length} shapes; allowed: one of ${KINDS}`,
    );
  }
  const positive = (value: number, what: string): number => {
    if (value > 0) return value;
    const message = `link ${name} has the ${what} ${value} of a ${element.name}; allowed: above 0`;
    throw element.fault('BERTH_PARAMETER_RANGE', message, what);
  };
  switch (element.name) {
    case 'box': {
      const [x, y, z] = element.numbers('size', 3).map((side) => positive(side, 'size'));
      return { kind: 'box', size_m: [x, y, z] };
    }
    case 'cylinder':
      return {
        kind: 'cylinder',
        radius_m: positive(element.number('radius'), 'radius'),
        length_m: positive(element.number('length'), 'length'),
      };
    case 'sphere':
      return { kind: 'sphere', radius_m: positive(element.number('radius'), 'radius') };
    case 'mesh':
      return meshShape(element, name, file);
    default:
      throw element.fault(
        'BERTH_UNSUPPORTED',
        `link ${name} has the geometry ${shown(element.name)}; allowed: ${KINDS}`,
      );
  }
}

function meshShape(element: XmlElement, name: string, file: string): Shape | null {
  const given = element.text('filename');
  const scale = element.numbers('scale', 3, [1, 1, 1]);
  try {
    const bytes = readMeshBytes(meshPath(given, file), given, `link ${name}`);
    const vertices_m = farthestCorners(decodeMesh(bytes, given), scale);
    return vertices_m === null ? null : { kind: 'mesh', vertices_m };
  } catch (error) {
    if (error instanceof BerthError) throw element.relocate(error);
    throw error;
  }
}

/** Resolves a mesh file name of a URDF file; a name that is not found stays unchanged. */
function meshPath(given: string, file: string): string {
  if (given.startsWith('file://')) return URL.canParse(given) ? localFile(given) : given;
  const inPackage = /^package:\/\/([^/]+)\/(.+)$/.exec(given);
  if (inPackage === null) return isAbsolute(given) ? given : resolve(dirname(file), given);
  const [, name, path] = inPackage;
  let folder = dirname(resolve(file));
  for (let i = 0; i < MOST_PARENTS; i++) {
    for (const candidate of [join(folder, path), join(folder, name, path)]) {
      if (existsSync(candidate) && statSync(candidate).isFile()) return candidate;
    }
    folder = dirname(folder);
  }
  return join(dirname(file), path);
}

function localFile(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** Corners of a mesh that lie farthest in evenly spread directions, m; null for a flat mesh. */
function farthestCorners(mesh: TriangleMesh, scale: readonly number[]): Point[] | null {
  const { vertices } = mesh;
  const kept = new Set<number>();
  for (let k = 0; k < DIRECTIONS; k++) {
    // points of a golden spiral on the sphere
    const z = 1 - (2 * k + 1) / DIRECTIONS;
    const r = Math.sqrt(1 - z * z);
    const turn = k * Math.PI * (3 - Math.sqrt(5));
    const [x, y] = [r * cos(turn), r * sin(turn)];
    let [best, most] = [-1, -Infinity];
    for (let i = 0; i < vertices.length; i += 3) {
      const way = x * vertices[i] + y * vertices[i + 1] + z * vertices[i + 2];
      if (way > most) [best, most] = [i, way];
    }
    if (best >= 0) kept.add(best);
  }
  const corners = [...kept].map(
    (i): Point => [scale[0] * vertices[i], scale[1] * vertices[i + 1], scale[2] * vertices[i + 2]],
  );
  const hull = corners.length < 4 ? null : convexHull(corners);
  if (hull === null || hull.faces.length === 0) return null;
  return hull.points.map(([x, y, z]) => [x, y, z]);
}
