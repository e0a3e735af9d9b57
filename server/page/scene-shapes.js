// Geometry of a cell: kind and dimensions as `GET /api/scene` gives them, to triangles and edges.
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  PlaneGeometry,
  Shape,
  SphereGeometry,
} from './three.module.js';

const ROUND = 48;

/** Cylinders of the library stand along y; those of the model lie along z. */
const alongZ = (geometry) => geometry.rotateX(Math.PI / 2);

function mesh({ vertices_m, faces }) {
  const corners = faces.flat().flatMap((index) => vertices_m[index]);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals(); // corners are not shared: every face stays flat
  return geometry;
}

function beam({ length_m, width_m, thickness_m }) {
  const [x, r] = [length_m / 2, width_m / 2];
  const outline = new Shape();
  outline.absarc(x, 0, r, -Math.PI / 2, Math.PI / 2);
  outline.absarc(-x, 0, r, Math.PI / 2, (3 * Math.PI) / 2);
  const geometry = new ExtrudeGeometry(outline, { depth: thickness_m, bevelEnabled: false });
  return geometry.translate(0, 0, -thickness_m / 2);
}

const BUILDERS = {
  sphere: ({ radius_m }) => new SphereGeometry(radius_m, ROUND, ROUND / 2),
  ellipsoid: ({ size_m }) => {
    const ball = new SphereGeometry(0.5, ROUND, ROUND / 2);
    return ball.scale(...size_m);
  },
  box: ({ size_m }) => new BoxGeometry(...size_m),
  cylinder: ({ radius_m, length_m }) =>
    alongZ(new CylinderGeometry(radius_m, radius_m, length_m, ROUND)),
  frustum: ({ radius_m, top_radius_m, length_m }) =>
    alongZ(new CylinderGeometry(top_radius_m, radius_m, length_m, ROUND)).translate(
      0,
      0,
      length_m / 2,
    ),
  capsule: ({ radius_m, length_m }) => alongZ(new CapsuleGeometry(radius_m, length_m, 12, ROUND)),
  beam,
  mesh,
  // What has no end is drawn as far as the rest of the scene reaches.
  'half-space': (_shape, reach) => new PlaneGeometry(20 * reach, 20 * reach),
  bore: ({ radius_m }, reach) =>
    alongZ(new CylinderGeometry(radius_m, radius_m, 2 * reach, 2 * ROUND, 1, true)),
};

/** Radius of a ball about the origin of the shape that holds it; 0 when it has no end. */
export function reachOf(shape) {
  switch (shape.kind) {
    case 'sphere':
      return shape.radius_m;
    case 'box':
    case 'ellipsoid':
      return Math.hypot(...shape.size_m) / 2;
    case 'cylinder':
      return Math.hypot(shape.radius_m, shape.length_m / 2);
    case 'frustum':
      return Math.hypot(shape.radius_m, shape.length_m);
    case 'capsule':
      return shape.radius_m + shape.length_m / 2;
    case 'beam':
      return Math.hypot((shape.length_m + shape.width_m) / 2, shape.width_m, shape.thickness_m);
    case 'mesh':
      return Math.max(...shape.vertices_m.map((vertex) => Math.hypot(...vertex)));
    case 'boolean':
      return Math.max(0, ...shape.common.map((part) => reachOf(part.shape)));
    case 'bore':
      return 1.5 * shape.radius_m;
    default:
      return 0;
  }
}

/** Parts to draw: geometry with its place, and whether it is taken away from the others. */
export function partsOf({ shape, position_m, orientation }, reach) {
  if (shape.kind !== 'boolean') {
    const build = BUILDERS[shape.kind];
    if (build === undefined) return [];
    const taken = shape.kind === 'half-space' || shape.kind === 'bore';
    return [{ geometry: build(shape, reach), places: [{ position_m, orientation }], open: taken }];
  }
  const outer = { position_m, orientation };
  const inner = (cell, open) =>
    partsOf(cell, reachOf(shape) || reach).map((part) => ({
      ...part,
      places: [outer, ...part.places],
      open: open || part.open,
    }));
  return [
    ...shape.common.flatMap((cell) => inner(cell, false)),
    ...shape.without.flatMap((cell) => inner(cell, true)),
  ];
}
