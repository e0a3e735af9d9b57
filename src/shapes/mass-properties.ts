/**
 * Mass, centre of mass and inertia of a homogeneous convex shape, in closed form for sharp edges.
 * Rounding by the smoothing radius is neglected.
 */
import { plain, positive } from '../base/parameter-checks.ts';
import { checkShape } from './check-shape.ts';
import { convexHull } from './convex-hull.ts';
import type { ConvexShapeModel } from './shape-model.ts';

/** Mass properties of a shape. */
export interface MassProperties {
  /** Mass, kg. */
  readonly mass: number;
  /** Centre of mass in the frame of the shape, m. */
  readonly center: readonly [number, number, number];
  /** Inertia about the centre of mass, axes of the shape (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), kg m². */
  readonly inertia: readonly [number, number, number, number, number, number];
}

const ORIGIN = [0, 0, 0] as const;

/** Mass properties of a shape that is symmetric in x, y, z. */
function symmetric(mass: number, xx: number, yy: number, zz: number): MassProperties {
  return { mass, center: ORIGIN, inertia: [xx, yy, zz, 0, 0, 0] };
}

function frustum(density: number, base: number, top: number, length: number): MassProperties {
  // r(z) = base + (top − base) z / L. Integrals of r², z r², z² r² and r⁴ over the height.
  const square = base * base + base * top + top * top;
  const area = (length * square) / 3;
  const mass = Math.PI * density * area;
  const z = (length * (base * base + 2 * base * top + 3 * top * top)) / (4 * square);
  const z2 = (length * length * (base * base + 3 * base * top + 6 * top * top)) / (10 * square);
  const fourth =
    (base * base * (base * base + base * top + top * top) + top * top * (base * top + top * top)) /
    5;
  const axial = 0.5 * Math.PI * density * length * fourth;
  const across = 0.5 * axial + mass * (z2 - z * z);
  return { mass, center: [0, 0, z], inertia: [across, across, axial, 0, 0, 0] };
}

function capsule(density: number, radius: number, length: number): MassProperties {
  const rod = density * Math.PI * radius * radius * length;
  const ball = density * (4 / 3) * Math.PI * radius * radius * radius;
  // each half-ball: 83/320 m r² of the whole about its centre of mass, which is 3 r / 8 beyond the end of the rod
  const away = length / 2 + (3 / 8) * radius;
  const axial = 0.5 * rod * radius * radius + 0.4 * ball * radius * radius;
  const across =
    rod * ((radius * radius) / 4 + (length * length) / 12) +
    ball * ((83 / 320) * radius * radius + away * away);
  return symmetric(rod + ball, across, across, axial);
}

function beam(density: number, length: number, width: number, thickness: number): MassProperties {
  const radius = width / 2;
  const box = density * length * width * thickness;
  const disc = density * Math.PI * radius * radius * thickness;
  // each half-disc: its centre of mass is 4 r / (3 π) beyond the end of the box
  const center = (4 * radius) / (3 * Math.PI);
  const away = length / 2 + center;
  const square = disc * ((radius * radius) / 4 - center * center + away * away); // ∫ x² of both half-discs
  const y2 = (box * width * width) / 12 + (disc * radius * radius) / 4;
  const x2 = (box * length * length) / 12 + square;
  const z2 = ((box + disc) * thickness * thickness) / 12;
  return symmetric(box + disc, y2 + z2, x2 + z2, x2 + y2);
}

function mesh(
  density: number,
  vertices: readonly (readonly [number, number, number])[],
): MassProperties {
  // sum of tetrahedra from the first corner: with corners 0, a, b, c of signed volume V,
  // ∫ x_i x_j = V/20 (Σ p_i p_j + s_i s_j), p over the corners and s their sum
  const hull = convexHull(vertices);
  const origin = hull.points[0];
  let volume = 0;
  const first = [0, 0, 0];
  const second = [0, 0, 0, 0, 0, 0]; // xx yy zz xy xz yz
  const pairs = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 2],
    [1, 2],
  ];
  for (const face of hull.faces) {
    const p = face.map((index) => hull.points[index].map((value, axis) => value - origin[axis]));
    const [a, b, c] = p;
    const part =
      (a[0] * (b[1] * c[2] - b[2] * c[1]) +
        a[1] * (b[2] * c[0] - b[0] * c[2]) +
        a[2] * (b[0] * c[1] - b[1] * c[0])) /
      6;
    volume += part;
    const sum = [0, 1, 2].map((axis) => a[axis] + b[axis] + c[axis]);
    for (let axis = 0; axis < 3; axis++) first[axis] += (part * sum[axis]) / 4;
    pairs.forEach(([i, j], k) => {
      second[k] += (part * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j])) / 20;
    });
  }
  const from = first.map((value) => value / volume);
  const about = pairs.map(([i, j], k) => density * (second[k] - volume * from[i] * from[j]));
  const [xx, yy, zz, xy, xz, yz] = about;
  return {
    mass: density * volume,
    center: [origin[0] + from[0], origin[1] + from[1], origin[2] + from[2]],
    inertia: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
  };
}

/** Mass properties of a shape of uniform density, kg/m³. Allocates. */
export function massProperties(shape: ConvexShapeModel, density: number): MassProperties {
  plain('shape', shape);
  checkShape(shape, 'shape');
  positive('density', density);
  switch (shape.kind) {
    case 'sphere': {
      const mass = density * (4 / 3) * Math.PI * shape.radius * shape.radius * shape.radius;
      const moment = 0.4 * mass * shape.radius * shape.radius;
      return symmetric(mass, moment, moment, moment);
    }
    case 'ellipsoid': {
      const [x, y, z] = shape.size.map((length) => (length * length) / 4);
      const mass = (density * Math.PI * shape.size[0] * shape.size[1] * shape.size[2]) / 6;
      return symmetric(mass, (mass * (y + z)) / 5, (mass * (x + z)) / 5, (mass * (x + y)) / 5);
    }
    case 'box': {
      const [x, y, z] = shape.size.map((length) => length * length);
      const mass = density * shape.size[0] * shape.size[1] * shape.size[2];
      return symmetric(mass, (mass * (y + z)) / 12, (mass * (x + z)) / 12, (mass * (x + y)) / 12);
    }
    case 'cylinder': {
      const square = shape.radius * shape.radius;
      const mass = density * Math.PI * square * shape.length;
      const across = mass * (square / 4 + (shape.length * shape.length) / 12);
      return symmetric(mass, across, across, 0.5 * mass * square);
    }
    case 'frustum':
      return frustum(density, shape.radius, shape.topRadius, shape.length);
    case 'capsule':
      return capsule(density, shape.radius, shape.length);
    case 'beam':
      return beam(density, shape.length, shape.width, shape.thickness);
    case 'mesh':
      return mesh(density, shape.vertices);
  }
}
