/** Drawings of bodies: cells with their faces and edges; those of a flexible link follow its bending. */
import {
  type BufferAttribute,
  type BufferGeometry,
  EdgesGeometry,
  Group,
  type LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  type MeshStandardMaterial,
  type Object3D,
  Quaternion,
  Vector3,
} from 'three';
import { BentBeam } from './bent-beam.ts';
import type { Body, Placed } from './description.ts';
import { partsOf } from './shapes.ts';

/** Angle below which edges are not drawn, degrees, so that round shapes stay smooth. */
const EDGE_DEGREES = 25;
/** Number of slices of a bent link. */
const SLICES = 24;

export interface BodyMaterials {
  readonly face: MeshStandardMaterial;
  readonly edge: LineBasicMaterial;
  /** Material of removed or infinite parts. */
  readonly open: MeshStandardMaterial;
}

export function place(thing: Object3D, position: readonly number[], turn: readonly number[]): void {
  thing.position.fromArray(position);
  thing.quaternion.fromArray(turn);
}

/** Drawing of a rigid body. */
export function makeBody(body: Body, reach: number, materials: BodyMaterials): Group {
  const group = new Group();
  for (const cell of body.cells) {
    for (const part of partsOf(cell, reach)) {
      let holder = group;
      for (const { position_m, orientation } of part.places) {
        const inner = new Group();
        place(inner, position_m, orientation);
        holder.add(inner);
        holder = inner;
      }
      holder.add(...faceAndEdges(part.geometry, part.open, materials));
    }
  }
  place(group, body.position_m, body.orientation);
  return group;
}

function faceAndEdges(
  geometry: BufferGeometry,
  open: boolean,
  { face, edge, open: glass }: BodyMaterials,
): [Mesh, LineSegments] {
  const mesh = new Mesh(geometry, open ? glass : face);
  mesh.userData['ends'] = !open;
  return [mesh, new LineSegments(new EdgesGeometry(geometry, EDGE_DEGREES), edge)];
}

/** Drawing of a flexible link. Its points move, because a transformation of its group cannot bend it. */
export class BentBody {
  readonly group: Group = new Group();
  /** Index of the frame at its tip among the bodies. */
  readonly end: number;
  readonly #beam: BentBeam;
  readonly #parts: { readonly geometry: BufferGeometry; readonly straight: Float32Array }[] = [];

  constructor(body: Body, bends: NonNullable<Body['bends']>, materials: BodyMaterials) {
    this.end = bends.end;
    this.#beam = new BentBeam(bends.length_m);
    for (const cell of body.cells) {
      for (const { geometry, places, open } of partsOf(cell, bends.length_m, SLICES)) {
        geometry.applyMatrix4(nested(places));
        const things = faceAndEdges(geometry, open, materials);
        for (const thing of things) {
          thing.frustumCulled = false; // its points move
          const at = thing.geometry.getAttribute('position') as BufferAttribute;
          const straight = Float32Array.from(at.array);
          this.#parts.push({ geometry: thing.geometry, straight });
        }
        this.group.add(...things);
      }
    }
    place(this.group, body.position_m, body.orientation);
  }

  /** Bends it to the pose of the frame at its tip. */
  follow(tip: Object3D): void {
    const { group } = this;
    this.#beam.setEnds(group.position, group.quaternion, tip.position, tip.quaternion);
    for (const { geometry, straight } of this.#parts) {
      const at = geometry.getAttribute('position') as BufferAttribute;
      this.#beam.bend(straight, at.array);
      at.needsUpdate = true;
    }
  }
}

/** Transformation from the innermost of nested frames to the outermost. */
function nested(places: readonly Pick<Placed, 'position_m' | 'orientation'>[]): Matrix4 {
  const all = new Matrix4();
  for (const { position_m, orientation } of places) {
    const one = new Matrix4().compose(
      new Vector3().fromArray(position_m),
      new Quaternion().fromArray(orientation),
      new Vector3(1, 1, 1),
    );
    all.multiply(one);
  }
  return all;
}
