/**
 * Joints of an arm in the coordinates of its tree: indices, drive compliance and limits. A steady
 * wrench bends each flexible coordinate by (Jᵀ F)/K, because the stiffness matrix is diagonal.
 */
import { layoutTree } from '../multibody/tree/tree-layout.ts';
import type { Tree } from '../multibody/tree/tree.ts';
import type { TreeModel } from '../model/tree-model.ts';

/** Joints with one axis, from the base outwards. */
export class ArmJoints {
  readonly count: number;
  /** Link of each joint. */
  readonly links: Int32Array;
  /** Indices of each joint in the positions and rates of the tree, and of its drive: the rotor, or the joint itself. */
  readonly position: Int32Array;
  readonly rate: Int32Array;
  readonly rotorPosition: Int32Array;
  readonly rotorRate: Int32Array;
  /** Stiffness and damping between rotor and link, N m/rad and N m s/rad; 0 for a rigid drive. */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Inertia of each rotor with a spring, kg m²; 0 for a rigid drive. */
  readonly rotorInertia: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly rateLimit: Float64Array;
  readonly effortLimit: Float64Array;
  /** Indices of the modes in the positions. */
  private readonly modePosition: Int32Array;
  private readonly modeRate: Int32Array;
  /** Stiffness of the modes, in the order of the links. */
  readonly modeStiffness: Float64Array;

  constructor(model: TreeModel, tree: Tree) {
    const layout = layoutTree(model);
    const joints = model.links.flatMap(({ joint }, link) =>
      joint.kind === 'revolute' || joint.kind === 'prismatic'
        ? [{ joint, link, places: layout.links[link] }]
        : [],
    );
    this.count = joints.length;
    this.links = Int32Array.from(joints, ({ link }) => link);
    this.position = Int32Array.from(joints, ({ places }) => places.position);
    this.rate = Int32Array.from(joints, ({ places }) => places.rate);
    this.rotorPosition = Int32Array.from(joints, ({ places }) =>
      places.rotorPosition < 0 ? places.position : places.rotorPosition,
    );
    this.rotorRate = Int32Array.from(joints, ({ places }) =>
      places.rotorRate < 0 ? places.rate : places.rotorRate,
    );
    this.stiffness = Float64Array.from(joints, ({ joint }) => joint.drive?.stiffness ?? 0);
    this.damping = Float64Array.from(joints, ({ joint }) =>
      joint.drive?.stiffness == null ? 0 : joint.drive.damping,
    );
    this.rotorInertia = Float64Array.from(joints, ({ joint }) =>
      joint.drive?.stiffness == null ? 0 : joint.drive.rotorInertia,
    );
    this.lower = Float64Array.from(joints, ({ joint }) => joint.lower ?? -Infinity);
    this.upper = Float64Array.from(joints, ({ joint }) => joint.upper ?? Infinity);
    this.rateLimit = Float64Array.from(joints, ({ joint }) => joint.rateLimit ?? Infinity);
    this.effortLimit = Float64Array.from(
      joints,
      ({ joint }) => joint.drive?.effortLimit ?? joint.effortLimit ?? Infinity,
    );
    const modes = tree.links.flatMap(({ beam, places }) =>
      Array.from({ length: beam?.count ?? 0 }, (_, k) => ({
        position: places.modePosition + k,
        rate: places.modeRate + k,
        stiffness: beam!.stiffness[k],
      })),
    );
    this.modePosition = Int32Array.from(modes, ({ position }) => position);
    this.modeRate = Int32Array.from(modes, ({ rate }) => rate);
    this.modeStiffness = Float64Array.from(modes, ({ stiffness }) => stiffness);
  }

  /** out[at] := deflection of the end of the link of joint j, m; 0 for a rigid link. @alloc none */
  readBending(tree: Tree, j: number, out: Float64Array, at: number): void {
    const { state, endState, rotation } = tree.links[this.links[j]];
    const x = endState[0] - state[0];
    const y = endState[1] - state[1];
    const z = endState[2] - state[2];
    const along = x * rotation[0] + y * rotation[3] + z * rotation[6];
    const square = x * x + y * y + z * z - along * along;
    out[at] = tree.links[this.links[j]].beam !== null && square > 0 ? Math.sqrt(square) : 0;
  }

  /** Reads rotor positions, rates, and the spring torques on the rotors. @alloc none */
  readRotors(
    q: Float64Array,
    u: Float64Array,
    position: Float64Array,
    rate: Float64Array,
    spring: Float64Array,
  ): void {
    for (let j = 0; j < this.count; j++) {
      const x = q[this.rotorPosition[j]];
      const v = u[this.rotorRate[j]];
      position[j] = x;
      rate[j] = v;
      spring[j] =
        this.stiffness[j] * (x - q[this.position[j]]) + this.damping[j] * (v - u[this.rate[j]]);
    }
  }

  /**
   * Sets the arm to rest with modes and drives bent by a wrench on the tip and by the generalized
   * forces `weight`. `jacobian` is that of the tip, 6 × rates. `load` gets the torque of each
   * joint's spring. @alloc none
   */
  bend(
    q: Float64Array,
    u: Float64Array,
    jacobian: Float64Array,
    wrench: Float64Array,
    weight: Float64Array,
    load: Float64Array,
  ): void {
    const n = u.length;
    for (let i = 0; i < n; i++) u[i] = 0;
    for (let k = 0; k < this.modePosition.length; k++) {
      let push = weight[this.modeRate[k]];
      for (let a = 0; a < 6; a++) push += jacobian[a * n + this.modeRate[k]] * wrench[a];
      q[this.modePosition[k]] = push / this.modeStiffness[k];
    }
    for (let j = 0; j < this.count; j++) {
      let push = weight[this.rate[j]];
      for (let a = 0; a < 6; a++) push += jacobian[a * n + this.rate[j]] * wrench[a];
      load[j] = -push;
      if (this.stiffness[j] > 0) {
        q[this.rotorPosition[j]] = q[this.position[j]] - push / this.stiffness[j];
      }
    }
  }
}
