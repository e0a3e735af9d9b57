/** A frame fixed to a body, a link or the world, in motion. */
import { multiply3 } from '../math/mat3.ts';
import { multiplyQuaternion, normalizeQuaternion, rotationOf } from '../math/quaternion.ts';
import type { ContactBody } from '../contact/contact-body.ts';
import type { MarkerModel } from '../model/constraint-spec.ts';

/** At rest at the origin: the state of the world as a body. */
const WORLD: Float64Array = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
const WORLD_ROTATION: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** One marker. */
export class Marker {
  readonly body: ContactBody | null;
  /** p q v w of its body, world. */
  readonly state: Float64Array;
  /** From the origin of the body to the marker, world. */
  readonly lever: Float64Array = new Float64Array(3);
  /** Its attitude, world. */
  readonly quaternion: Float64Array = new Float64Array(4);
  /** Rotation matrix of that: its columns are the axes of the marker. */
  readonly axes: Float64Array = new Float64Array(9);
  readonly #rotation: Float64Array;
  readonly #position: Float64Array;
  readonly #orientation: Float64Array;

  constructor(model: MarkerModel, body: ContactBody | null) {
    this.body = body;
    this.state = body?.state ?? WORLD;
    this.#rotation = body?.rotation ?? WORLD_ROTATION;
    this.#position = Float64Array.from(model.position);
    this.#orientation = Float64Array.from(model.orientation);
    normalizeQuaternion(this.#orientation, 0);
  }

  /** Lever and attitude from the pose of the body. @alloc none */
  place(): void {
    multiply3(this.lever, 0, this.#rotation, this.#position, 0);
    multiplyQuaternion(this.quaternion, 0, this.state, 3, this.#orientation, 0);
    rotationOf(this.axes, this.quaternion, 0);
  }
}
