/** Convex pairs between two bodies that move without forces, for tests that run every shape. */
import type { ContactBody } from '../../src/contact/contact-body.ts';
import { GAP, KINEMATICS } from '../../src/contact/pair.ts';
import { ConvexPair } from '../../src/contact/pairs/convex.ts';
import { normalizeQuaternion, rotationOf } from '../../src/math/quaternion.ts';
import type { ConvexShapeModel, PlacedShape } from '../../src/model.ts';
import { Random } from '../../src/index.ts';

/** One of each shape, all of about 0.3 m. */
export const SHAPES: Readonly<Record<ConvexShapeModel['kind'], ConvexShapeModel>> = {
  sphere: { kind: 'sphere', radius: 0.1 },
  ellipsoid: { kind: 'ellipsoid', size: [0.3, 0.2, 0.15] },
  box: { kind: 'box', size: [0.3, 0.2, 0.1] },
  cylinder: { kind: 'cylinder', radius: 0.1, length: 0.25 },
  frustum: { kind: 'frustum', radius: 0.1, topRadius: 0.05, length: 0.2 },
  capsule: { kind: 'capsule', radius: 0.06, length: 0.2 },
  beam: { kind: 'beam', length: 0.2, width: 0.1, thickness: 0.06 },
  mesh: {
    kind: 'mesh',
    vertices: [
      [-0.1, -0.1, -0.05],
      [0.15, -0.1, -0.05],
      [0, 0.15, -0.05],
      [0, 0, 0.1],
      [0.05, 0.05, 0.08],
    ],
  },
};

/** A shape at the origin of its body. */
export function placed(shape: ConvexShapeModel, parts: Partial<PlacedShape> = {}): PlacedShape {
  return { shape, position: [0, 0, 0], orientation: [0, 0, 0, 1], ...parts };
}

/** A body that is only a pose. */
export class Pose implements ContactBody {
  readonly state: Float64Array = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
  readonly rotation: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  readonly wrench: Float64Array = new Float64Array(6);
  readonly yields = false;
  readonly assembly = null;
  readonly place = 0;
  push(): void {}
  turn(): void {}
  addMobility(): void {}
  addSpinMobility(): void {}

  /** A random orientation. */
  randomize(random: Random): void {
    for (let k = 3; k < 7; k++) this.state[k] = random.gaussian();
    normalizeQuaternion(this.state, 3);
    rotationOf(this.rotation, this.state, 3);
  }
}

/** Poses of one pair at a chosen distance, each with its query. */
export class Sweep {
  readonly pair: ConvexPair;
  readonly name: string;
  readonly kinematics: Float64Array = new Float64Array(KINEMATICS);
  private readonly i: Pose[] = [];
  private readonly j: Pose = new Pose();

  /** `count` random poses whose signed distance is about `gap`, found along a random line. */
  constructor(first: ConvexShapeModel, second: ConvexShapeModel, gap: number, count: number) {
    const random = new Random(17);
    this.name = `${first.kind} – ${second.kind}`;
    this.pair = new ConvexPair({ kind: 'convex', shapeI: placed(first), shapeJ: placed(second) });
    for (let n = 0; n < count; n++) {
      const pose = new Pose();
      pose.randomize(random);
      const line = [random.gaussian(), random.gaussian(), random.gaussian()];
      const length = Math.sqrt(line[0] ** 2 + line[1] ** 2 + line[2] ** 2);
      let far = 0.6;
      let near = 0;
      while (far - near > 1e-7) {
        const middle = 0.5 * (far + near);
        for (let k = 0; k < 3; k++) pose.state[k] = (line[k] / length) * middle;
        this.pair.compute(pose, this.j, this.kinematics);
        if (this.kinematics[GAP] > gap) far = middle;
        else near = middle;
      }
      this.i.push(pose);
    }
  }

  /** Queries every pose once; the last result stays in `kinematics`. @alloc none */
  run(): void {
    for (let n = 0; n < this.i.length; n++) this.pair.compute(this.i[n], this.j, this.kinematics);
  }

  /** Support points of all poses, and how many had overlapping cores. */
  count(): { iterations: number; deep: number } {
    let iterations = 0;
    let deep = 0;
    for (const pose of this.i) {
      this.pair.compute(pose, this.j, this.kinematics);
      iterations += this.pair.query.iterations;
      if (this.pair.query.deep) deep++;
    }
    return { iterations: iterations / this.i.length, deep };
  }
}

/** Every pair of shapes, each once, at one distance. */
export function everySweep(gap: number, count: number): Sweep[] {
  const shapes = Object.values(SHAPES);
  return shapes.flatMap((first, n) =>
    shapes.slice(n).map((second) => new Sweep(first, second, gap, count)),
  );
}
