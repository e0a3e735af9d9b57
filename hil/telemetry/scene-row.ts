/** Poses, contact points and joints of a system as a scene row (scene-columns.ts). */
import type { ArmDrive } from '../../src/arm/arm-drive.ts';
import {
  CONSTRAINT_READOUT,
  ConstraintReadout,
  CONTACT_READOUT,
  ContactReadout,
  POINT_READOUT,
  PointReadout,
  type System,
} from '../../src/system/system.ts';
import {
  SCENE_BODIES,
  SCENE_FACE,
  SCENE_JOINT,
  SCENE_JOINTS,
  SCENE_POINT,
  SCENE_POINTS,
  SCENE_POSE,
  SCENE_TOUCH,
  SCENE_WIDTH,
  SceneColumn,
  SceneFace,
  ScenePoint,
  SceneTouch,
} from '../contract/scene-columns.ts';

const READOUT = CONTACT_READOUT.length;
const BODY = 13; // columns of System.readBody

/** Scene row of a system: poses, contact points and joints. */
export class SceneRow {
  readonly row: Float64Array = new Float64Array(SCENE_WIDTH);
  readonly #contact = new Float64Array(READOUT);
  readonly #constraint = new Float64Array(CONSTRAINT_READOUT.length);
  readonly #facePoint = new Float64Array(POINT_READOUT.length);
  readonly #body = new Float64Array(BODY);

  /** The system as it is, after a step. @alloc none */
  read(system: System): void {
    this.#poses(system);
    this.#points(system);
    this.#reactions(system);
    this.row[SceneColumn.TIME] = system.time;
  }

  #poses(system: System): void {
    const row = this.row;
    const count = system.bodyCount < SCENE_BODIES ? system.bodyCount : SCENE_BODIES;
    for (let b = 0; b < count; b++) {
      system.readBody(b, this.#body, 0);
      const at = SceneColumn.POSES + b * SCENE_POSE;
      for (let a = 0; a < SCENE_POSE; a++) row[at + a] = this.#body[a];
    }
    row[SceneColumn.BODIES] = count;
    row[SceneColumn.JOINTS] = 0;
    if (system.arm !== null) this.#arm(system.arm, count);
  }

  /** Its links are drawn after the bodies, then the tips of those that bend. */
  #arm(arm: ArmDrive, bodies: number): void {
    const row = this.row;
    const room = SCENE_BODIES - bodies;
    const links = arm.linkCount < room ? arm.linkCount : room;
    for (let i = 0; i < links; i++) {
      arm.readLink(i, row, SceneColumn.POSES + (bodies + i) * SCENE_POSE);
    }
    const left = room - links;
    const ends = arm.bending.length < left ? arm.bending.length : left;
    for (let i = 0; i < ends; i++) {
      arm.readLinkEnd(arm.bending[i], row, SceneColumn.POSES + (bodies + links + i) * SCENE_POSE);
    }
    row[SceneColumn.BODIES] = bodies + links + ends;
    const joints = arm.jointCount < SCENE_JOINTS ? arm.jointCount : SCENE_JOINTS;
    for (let j = 0; j < joints; j++) {
      arm.readJoint(j, row, SceneColumn.FIRST_JOINT + j * SCENE_JOINT);
    }
    arm.readArm(row, SceneColumn.ARM);
    row[SceneColumn.JOINTS] = joints;
  }

  #points(system: System): void {
    const row = this.row;
    const c = this.#contact;
    row[SceneColumn.POINTS] = 0;
    row[SceneColumn.TOUCHING] = 0;
    for (let k = 0; k < system.contactCount; k++) {
      const points = system.pointCount(k);
      for (let p = 0; p < points; p++) {
        system.readPoint(k, p, this.#facePoint, 0);
        this.#pointOfFace(k);
      }
      const pairs = system.pairCount(k);
      if (pairs === 0 && points === 0) {
        system.readContact(k, c, 0);
        if (this.#point(k)) this.#touch(system, k);
      }
      for (let pair = 0; pair < pairs; pair++) {
        system.readPair(k, pair, c, 0);
        this.#point(k);
      }
    }
  }

  /** Forces of constraints on their first bodies, as points without a normal: they touch nowhere. */
  #reactions(system: System): void {
    const row = this.row;
    const c = this.#constraint;
    for (let k = 0; k < system.constraintCount; k++) {
      if (row[SceneColumn.POINTS] === SCENE_POINTS) return;
      system.readConstraint(k, c, 0);
      const at = this.#take(system.contactCount + k);
      this.#touch(system, system.contactCount + k);
      for (let a = 0; a < 3; a++) {
        row[at + ScenePoint.PLACE + a] = c[ConstraintReadout.placeX + a];
        row[at + ScenePoint.FORCE + a] = c[ConstraintReadout.forceX + a];
        row[at + ScenePoint.NORMAL + a] = 0;
      }
    }
  }

  /** How the surfaces of contact or constraint `of` lie, into the point taken last. */
  #touch(system: System, of: number): void {
    const last = this.row[SceneColumn.POINTS] - 1;
    const at = SceneColumn.FIRST_TOUCH + last * SCENE_TOUCH;
    system.readTouch(of, this.row, at + SceneTouch.READOUT);
  }

  /** Counts a place that touches. @returns where in the row it goes, or −1 when the row is full */
  #place(of: number): number {
    const row = this.row;
    row[SceneColumn.TOUCHING]++;
    return row[SceneColumn.POINTS] === SCENE_POINTS ? -1 : this.#take(of);
  }

  /** Takes the next point of the row for contact or constraint `of`, of no face and no surfaces so far. @returns where it goes */
  #take(of: number): number {
    const row = this.row;
    const k = row[SceneColumn.POINTS]++;
    const face = SceneColumn.FIRST_FACE + k * SCENE_FACE;
    row[face + SceneFace.STATE] = row[face + SceneFace.PRESSURE] = 0;
    const touch = SceneColumn.FIRST_TOUCH + k * SCENE_TOUCH;
    row[touch + SceneTouch.OF] = of;
    for (let c = SceneTouch.READOUT; c < SCENE_TOUCH; c++) row[touch + c] = 0;
    return SceneColumn.FIRST_POINT + k * SCENE_POINT;
  }

  /** The point of an elastic face in `#facePoint`, when it pushes. */
  #pointOfFace(of: number): void {
    const row = this.row;
    const c = this.#facePoint;
    if (c[PointReadout.state] === 0) return;
    const at = this.#place(of);
    if (at < 0) return;
    for (let a = 0; a < 3; a++) {
      row[at + ScenePoint.PLACE + a] = c[PointReadout.place_x + a];
      row[at + ScenePoint.FORCE + a] = c[PointReadout.force_x + a];
      row[at + ScenePoint.NORMAL + a] = c[PointReadout.normal_x + a];
    }
    const face = SceneColumn.FIRST_FACE + (row[SceneColumn.POINTS] - 1) * SCENE_FACE;
    row[face + SceneFace.STATE] = c[PointReadout.state];
    row[face + SceneFace.PRESSURE] = c[PointReadout.pressure];
  }

  /** The contact in `#contact`, when it touches. @returns whether the row has it */
  #point(of: number): boolean {
    const row = this.row;
    const c = this.#contact;
    if (c[ContactReadout.active] === 0) return false;
    const at = this.#place(of);
    if (at < 0) return false;
    for (let a = 0; a < 3; a++) {
      row[at + ScenePoint.PLACE + a] = c[ContactReadout.point_x + a];
      row[at + ScenePoint.FORCE + a] =
        c[ContactReadout.normalForce] * c[ContactReadout.normal_x + a] + c[ContactReadout.ft_x + a];
      row[at + ScenePoint.NORMAL + a] = c[ContactReadout.normal_x + a];
    }
    return true;
  }
}
