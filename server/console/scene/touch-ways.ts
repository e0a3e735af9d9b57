/**
 * Surfaces of free form where they touch: the way of each place over the body that has the surface, and the outline within which both are
 * nearer to each other than a millimetre, an ellipse with the half-axes √(2 h/k) along the principal directions of curvature.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  Line,
  LineBasicMaterial,
  LineLoop,
  Matrix4,
  Object3D,
  Vector3,
} from 'three';
import { POINT, type SceneDescription, TOUCH, Touch } from './description.ts';

/** Places kept of each way: a minute at 20 messages a second that all moved. */
const MOST = 1200;
/** Distance of two places that are kept, relative to the scene. */
const APART = 1e-4;
/** Gap at the outline, m. */
const GAP_M = 1e-3;
/** Largest half-axis, relative to the scene: along a line there is no end. */
const LONGEST = 0.15;
const CORNERS = 48;
/** Where the normal of a point lies. */
const NORMAL = 6;

/** One way: places in the frame of a body, the newest last. */
class Way {
  readonly line: Line;
  readonly outline: LineLoop;
  readonly #places = new BufferAttribute(new Float32Array(3 * MOST), 3);
  readonly #apart: number;
  #count = 0;

  constructor(material: LineBasicMaterial, ellipse: BufferGeometry, apart: number) {
    this.#apart = apart;
    this.#places.setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.#places);
    geometry.setDrawRange(0, 0);
    this.line = new Line(geometry, material);
    this.outline = new LineLoop(ellipse, material);
    this.outline.matrixAutoUpdate = false;
    for (const thing of [this.line, this.outline]) {
      thing.frustumCulled = false; // its points move
      thing.renderOrder = 1;
    }
    this.outline.visible = false;
  }

  /** Adds a place that is apart from the last one. */
  add({ x, y, z }: Vector3): void {
    const { array } = this.#places;
    const last = 3 * (this.#count - 1);
    if (last >= 0) {
      const way = Math.hypot(x - array[last], y - array[last + 1], z - array[last + 2]);
      if (way < this.#apart) return;
    }
    if (this.#count === MOST) {
      array.copyWithin(0, 3, 3 * MOST);
      this.#count--;
    }
    this.#places.setXYZ(this.#count++, x, y, z);
    this.#places.needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.#count);
  }
}

export class TouchWays {
  readonly line = new LineBasicMaterial({ depthTest: false, transparent: true });
  /** What is drawn in the world. */
  readonly group = new Group();
  readonly #bodies: readonly Object3D[];
  readonly #touches: SceneDescription['touches'];
  readonly #radius: number;
  readonly #ellipse: BufferGeometry;
  readonly #ways = new Map<number, Way>();
  readonly #point = new Vector3();
  readonly #axis = new Vector3();
  readonly #side = new Vector3();
  readonly #normal = new Vector3();

  /** @param bodies as they are drawn @param radius of the scene, m */
  constructor(touches: SceneDescription['touches'], bodies: readonly Object3D[], radius: number) {
    this.#touches = touches;
    this.#bodies = bodies;
    this.#radius = radius;
    const corners = Array.from({ length: CORNERS }, (_, k) => (2 * Math.PI * k) / CORNERS);
    this.#ellipse = new BufferGeometry().setFromPoints(
      corners.map((angle) => new Vector3(Math.cos(angle), Math.sin(angle), 0)),
    );
  }

  /** Draws what touches in a message, in the layout of the topic `scene`; bodies stand at its poses. */
  show(points: readonly number[], touches: readonly number[]): void {
    for (const way of this.#ways.values()) way.outline.visible = false;
    for (let k = 0; k * TOUCH < touches.length; k++) {
      if (touches[k * TOUCH + Touch.PLACES] === 0) continue;
      this.#showOne(points, k * POINT, touches, k * TOUCH);
    }
  }

  dispose(): void {
    this.#ellipse.dispose();
    this.line.dispose();
  }

  #showOne(points: readonly number[], p: number, touches: readonly number[], t: number): void {
    const way = this.#way(touches[t + Touch.OF]);
    const point = this.#point.fromArray(points, p);
    this.#outline(way.outline, points, p, touches, t);
    const { parent } = way.line;
    if (parent !== null) {
      parent.updateWorldMatrix(true, false);
      parent.worldToLocal(point);
    }
    way.add(point);
  }

  #outline(
    outline: LineLoop,
    points: readonly number[],
    p: number,
    touches: readonly number[],
    t: number,
  ): void {
    const axis = this.#axis.fromArray(touches, t + Touch.AXIS);
    const most = touches[t + Touch.MOST];
    if (axis.lengthSq() === 0 || !(most > 0)) return; // on a border, or flat
    const normal = this.#normal.fromArray(points, p + NORMAL);
    // a sliding constraint has no normal in its point, but its force is along it
    if (normal.lengthSq() === 0) normal.fromArray(points, p + 3).normalize();
    if (normal.lengthSq() === 0) return;
    const side = this.#side.crossVectors(normal, axis);
    const half = (k: number): number =>
      k > 0 ? Math.min(Math.sqrt((2 * GAP_M) / k), LONGEST * this.#radius) : LONGEST * this.#radius;
    axis.multiplyScalar(half(touches[t + Touch.LEAST]));
    side.multiplyScalar(half(most));
    outline.matrix.copy(new Matrix4().makeBasis(axis, side, normal).setPosition(this.#point));
    outline.visible = true;
  }

  #way(of: number): Way {
    const known = this.#ways.get(of);
    if (known !== undefined) return known;
    const way = new Way(this.line, this.#ellipse, APART * this.#radius);
    const body = this.#touches[of]?.body ?? -1;
    (this.#bodies[body] ?? this.group).add(way.line);
    this.group.add(way.outline);
    this.#ways.set(of, way);
    return way;
  }
}
