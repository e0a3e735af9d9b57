// Contact points as dots, the force of each on its body as an arrow to scale.
import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from './three.module.js';

/** Numbers of one point in the topic `scene`. */
const POINT = 9;
const MOST = 48;
const UP = new Vector3(0, 1, 0);
/** The longest arrow is between this and 2.5 times this part of the scene. */
const SHORT = 0.18;
/** Fewest newtons for 10 cm: a touch is no long arrow. */
const LEAST_N = 2;
/** The scale grows at once and shrinks only when the force has stayed small for so many pictures. */
const PATIENCE = 100;

/** Largest of 1, 2, 5 × 10ⁿ that is not above the value. */
function roundDown(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((k) => k * decade).find((step) => step <= value * (1 + 1e-9));
}

export class Forces {
  constructor(radius) {
    this.radius = radius;
    /** Length of an arrow, m, for one newton. */
    this.metrePerNewton = 0;
    this.calm = 0;
    this.group = new Group();
    this.material = new MeshBasicMaterial({ depthTest: false, transparent: true });
    const r = 0.006 * radius;
    this.dots = this.#instances(new SphereGeometry(1.6 * r, 12, 8));
    this.shafts = this.#instances(new CylinderGeometry(r, r, 1, 8).translate(0, 0.5, 0));
    this.heads = this.#instances(new ConeGeometry(3 * r, 8 * r, 12).translate(0, -4 * r, 0));
  }

  #instances(geometry) {
    const mesh = new InstancedMesh(geometry, this.material, MOST);
    mesh.count = 0;
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    this.group.add(mesh);
    return mesh;
  }

  /** @returns the words that say the scale, '' without a force */
  show(points) {
    const count = Math.min(MOST, points.length / POINT);
    let most = 0;
    for (let k = 0; k < count; k++) {
      most = Math.max(most, Math.hypot(...points.slice(k * POINT + 3, k * POINT + 6)));
    }
    this.#rescale(most);
    const [point, force, turn, matrix] = [
      new Vector3(),
      new Vector3(),
      new Quaternion(),
      new Matrix4(),
    ];
    const size = new Vector3();
    for (let k = 0; k < count; k++) {
      point.fromArray(points, k * POINT);
      force.fromArray(points, k * POINT + 3);
      const length = Math.max(1e-9, force.length() * this.metrePerNewton);
      turn.setFromUnitVectors(UP, force.clone().normalize());
      this.dots.setMatrixAt(k, matrix.compose(point, turn, size.set(1, 1, 1)));
      this.shafts.setMatrixAt(k, matrix.compose(point, turn, size.set(1, length, 1)));
      const tip = force.normalize().multiplyScalar(length).add(point);
      // short arrows have small heads
      const head = Math.min(1, length / (0.1 * this.radius));
      this.heads.setMatrixAt(k, matrix.compose(tip, turn, size.set(head, head, head)));
    }
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
    return count > 0 && this.newtons > 0 ? `Arrows: ${this.newtons} N for each 10 cm` : '';
  }

  /** A round number of newtons for 10 cm, so that the grid measures forces too. */
  #rescale(most) {
    if (!(most > 0)) return;
    const wanted = Math.max(LEAST_N, roundDown((most * 0.1) / (SHORT * this.radius)));
    this.calm = this.newtons > wanted ? this.calm + 1 : 0;
    if (!(this.newtons >= wanted) || this.calm > PATIENCE) {
      this.newtons = wanted;
      this.calm = 0;
    }
    this.metrePerNewton = 0.1 / this.newtons;
  }
}
