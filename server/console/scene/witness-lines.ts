/** Lines between the closest points of bodies of facets, with a dot at either end, over everything. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
} from 'three';

/** Room, as many lines as a message has. */
const MOST = 240;
const LINE = 6;
const DOT_PX = 3.5;

export class WitnessLines {
  readonly group = new Group();
  readonly line = new LineBasicMaterial({ depthTest: false, transparent: true });
  readonly dot = new PointsMaterial({
    depthTest: false,
    transparent: true,
    size: DOT_PX,
    sizeAttenuation: false,
  });
  readonly #ends = new BufferAttribute(new Float32Array(MOST * LINE), 3);
  readonly #geometry = new BufferGeometry();

  constructor() {
    this.#ends.setUsage(DynamicDrawUsage);
    this.#geometry.setAttribute('position', this.#ends);
    this.#geometry.setDrawRange(0, 0);
    for (const thing of [
      new LineSegments(this.#geometry, this.line),
      new Points(this.#geometry, this.dot),
    ]) {
      thing.frustumCulled = false; // its points move
      thing.renderOrder = 1;
      this.group.add(thing);
    }
  }

  /** Draws lines in the layout of the topic `witnesses`. */
  show(lines: readonly number[]): void {
    const count = Math.min(MOST, Math.floor(lines.length / LINE));
    this.#ends.array.set(lines.slice(0, LINE * count));
    this.#ends.needsUpdate = true;
    this.#geometry.setDrawRange(0, 2 * count);
  }

  dispose(): void {
    this.#geometry.dispose();
    this.line.dispose();
    this.dot.dispose();
  }
}
