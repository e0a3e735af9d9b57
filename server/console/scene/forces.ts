/**
 * Contact points and constraints as dots, and the force of each on its body as an arrow to scale. Points of an elastic face that slide have a
 * colour of their own.
 */
import {
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { FACE, POINT } from './description.ts';
import { SLIDES } from './face-figures.ts';

const MOST = 48;
const UP = new Vector3(0, 1, 0);
/** Length of the longest arrow relative to the scene: between this and 2.5 times this. */
const SHORT = 0.18;
/** Least scale, N per 10 cm, so that a touch gives no long arrow. */
const LEAST_N = 2;
/** Messages with a small force after which the scale shrinks; it grows at once. */
const PATIENCE = 100;

/** Largest of 1, 2, 5 × 10ⁿ not above the value. */
function roundDown(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((k) => k * decade).find((step) => step <= value * (1 + 1e-9)) ?? decade;
}

export class Forces {
  readonly group = new Group();
  readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  /** Scale of the arrows, N per 10 cm; 0 before the first force. */
  newtons = 0;
  readonly #radius: number;
  readonly #dots: InstancedMesh;
  readonly #shafts: InstancedMesh;
  readonly #heads: InstancedMesh;
  readonly #point = new Vector3();
  readonly #force = new Vector3();
  readonly #size = new Vector3();
  readonly #turn = new Quaternion();
  readonly #matrix = new Matrix4();
  readonly #stick = new Color();
  readonly #slip = new Color();
  #calm = 0;

  /** @param radius of the scene, m */
  constructor(radius: number) {
    this.#radius = radius;
    const r = 0.006 * radius;
    this.#dots = this.#instances(new SphereGeometry(1.6 * r, 12, 8));
    this.#shafts = this.#instances(new CylinderGeometry(r, r, 1, 8).translate(0, 0.5, 0));
    this.#heads = this.#instances(new ConeGeometry(3 * r, 8 * r, 12).translate(0, -4 * r, 0));
  }

  /** Sets the colours of forces, and of those of points that slide. */
  paint(force: Color, slip: Color): void {
    this.#stick.copy(force);
    this.#slip.copy(slip);
  }

  /** Draws points in the layout of the topic `scene`. */
  show(points: readonly number[], faces: readonly number[]): void {
    const count = Math.min(MOST, points.length / POINT);
    let most = 0;
    for (let k = 0; k < count; k++) {
      most = Math.max(most, this.#force.fromArray(points, k * POINT + 3).length());
    }
    this.#rescale(most);
    const meshes = [this.#dots, this.#shafts, this.#heads];
    for (let k = 0; k < count; k++) {
      this.#arrow(points, k);
      const color = faces[k * FACE] === SLIDES ? this.#slip : this.#stick;
      for (const mesh of meshes) mesh.setColorAt(k, color);
    }
    for (const mesh of meshes) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
    }
  }

  #arrow(points: readonly number[], k: number): void {
    const point = this.#point.fromArray(points, k * POINT);
    const force = this.#force.fromArray(points, k * POINT + 3);
    const [turn, size, matrix] = [this.#turn, this.#size, this.#matrix];
    const metrePerNewton = this.newtons > 0 ? 0.1 / this.newtons : 0;
    const length = Math.max(1e-9, force.length() * metrePerNewton);
    force.normalize();
    turn.setFromUnitVectors(UP, force);
    this.#dots.setMatrixAt(k, matrix.compose(point, turn, size.set(1, 1, 1)));
    this.#shafts.setMatrixAt(k, matrix.compose(point, turn, size.set(1, length, 1)));
    const tip = force.multiplyScalar(length).add(point);
    // short arrows have small heads
    const head = Math.min(1, length / (0.1 * this.#radius));
    this.#heads.setMatrixAt(k, matrix.compose(tip, turn, size.set(head, head, head)));
  }

  #instances(geometry: BufferGeometry): InstancedMesh {
    const mesh = new InstancedMesh(geometry, this.material, MOST);
    mesh.count = 0;
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    this.group.add(mesh);
    return mesh;
  }

  /** Chooses a round scale, N per 10 cm, so that the grid measures forces too. */
  #rescale(most: number): void {
    if (!(most > 0)) return;
    const wanted = Math.max(LEAST_N, roundDown((most * 0.1) / (SHORT * this.#radius)));
    this.#calm = this.newtons > wanted ? this.#calm + 1 : 0;
    if (this.newtons < wanted || this.#calm > PATIENCE) {
      this.newtons = wanted;
      this.#calm = 0;
    }
  }
}
