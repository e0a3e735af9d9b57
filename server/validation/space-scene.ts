/**
 * Arm, gripper and payload of `fem-space-impact.ts` with what 6.3.3 to 6.5 add: other moduli and sizes, antennas on the payload, a payload that
 * is turned against the gripper, springs of a capture. Gripper and payload have few coordinates: the shapes of Guyan of what is touched or
 * joined (4.60), and modes of the body that is held there.
 */
import { assembleFem, type HeldComponent } from '../../src/fem/assembly.ts';
import { BEAM_ROOT, BEAM_TIP, BeamBasis } from '../../src/fem/beam-basis.ts';
import { ContactPair } from '../../src/fem/contact-pair.ts';
import type { ContactFriction } from '../../src/fem/contact-states.ts';
import { type Joint, LockJoint, PinJoint } from '../../src/fem/joints.ts';
import { NodalBasis } from '../../src/fem/elastic-basis.ts';
import type { FemMesh } from '../../src/fem/fem-mesh.ts';
import {
  type BodyStart,
  FloatingBody,
  type RayleighDamping,
  rayleighDamping,
} from '../../src/fem/floating-body.ts';
import { lowestModes } from '../../src/fem/modes.ts';
import { ReducedBasis } from '../../src/fem/reduced-basis.ts';
import { guyanShapes } from '../../src/fem/reduction.ts';
import type { SpringEnd } from '../../src/fem/spring-damper.ts';
import type { PointSubsystem } from '../../src/fem/subsystem.ts';
import { beamModes } from '../../src/multibody/tree/beam-modes.ts';
import { ArmPart } from './arm-part.ts';
import {
  bodyModel,
  DEGREE,
  GAP,
  gripperMesh,
  MASSES,
  payloadMesh,
  REACH,
} from './fem-space-impact.ts';

/** Places of the parts in the list. */
export const ARM = 0;
export const GRIPPER = 1;
export const PAYLOAD = 2;

/** A beam on the payload. */
export interface AntennaData {
  readonly length: number;
  readonly mass: number;
  readonly bendingStiffness: number;
  readonly modes: number;
  /** Face of the octagon at whose middle it stands, counter-clockwise from the one that is touched. */
  readonly face: number;
  readonly locked: boolean;
}

/** What a scene is made of. */
export interface SceneData {
  readonly young: { readonly gripper: number; readonly payload: number };
  /** kg and m. */
  readonly payload: { readonly mass: number; readonly circumradius: number };
  /** Fixed-interface modes of gripper and payload; both are rigid when left out. */
  readonly modes?: { readonly gripper: number; readonly payload: number };
  readonly friction: ContactFriction;
  readonly antennas: readonly AntennaData[];
  /** Coordinates and rates of the arm: three angles and two modes, rad, m. */
  readonly angles: readonly number[];
  readonly rates: readonly number[];
  /** Rate of the gripper about its joint, rad/s. */
  readonly gripperRate: number;
  /** Of the gripper and of the way into the face, ° from X_o; turn of the payload against that, °. */
  readonly direction: number;
  readonly misalignment?: number;
  /** From the tips to the face, m. */
  readonly gap?: number;
  /** Part of critical damping of links, bodies and antennas; 1 % when left out. */
  readonly damping?: number;
}

/** Guyan's shapes of components, and modes of the body that is held there. */
function craigBampton(
  full: NodalBasis,
  masters: readonly HeldComponent[],
  count: number,
): Float64Array[] {
  const { matrices } = full;
  const shapes = guyanShapes(matrices, masters);
  if (count === 0) return shapes;
  const { model } = matrices;
  const fixed = assembleFem({ ...model, held: [...(model.held ?? []), ...masters] });
  for (const shape of lowestModes(fixed.stiffness, fixed.mass, count).shapes) {
    const over = new Float64Array(full.size);
    for (const [component, at] of fixed.freedom.entries()) {
      if (at >= 0) over[matrices.freedom[component]] = shape[at];
    }
    shapes.push(over);
  }
  return shapes;
}

/** Damping at the first two elastic frequencies of the free body, and these. */
function freeDamping(
  mesh: FemMesh,
  mass: number,
  young: number,
  ratio: number,
): { damping: RayleighDamping; first: number } {
  const free = assembleFem(bodyModel(mesh, mass, [], young));
  const [, , , first, next] = lowestModes(free.stiffness, free.mass, 5).frequencies;
  return { damping: rayleighDamping(ratio, first, next), first };
}

function reducedBody(
  mesh: FemMesh,
  mass: number,
  young: number,
  held: readonly HeldComponent[],
  nodes: readonly number[],
  modes: number | undefined,
  ratio: number,
  start: BodyStart,
): { body: FloatingBody; first: number } {
  const { damping, first } = freeDamping(mesh, mass, young, ratio);
  const full = new NodalBasis(assembleFem(bodyModel(mesh, mass, held, young)));
  const masters = nodes.flatMap((node) =>
    [0, 1]
      .map((axis) => ({ node, axis }))
      .filter(({ axis }) => full.matrices.freedom[2 * node + axis] >= 0),
  );
  const shapes = modes === undefined ? [] : craigBampton(full, masters, modes);
  const basis = new ReducedBasis(full, shapes);
  return { body: new FloatingBody(basis, start, damping), first };
}

/** The parts of a scene and what joins them; the origin of the world is where the tip of the arm is at first. */
export class SpaceScene {
  readonly arm: ArmPart;
  readonly gripper: FloatingBody;
  readonly payload: FloatingBody;
  readonly antennas: readonly FloatingBody[];
  readonly parts: readonly PointSubsystem[];
  readonly pairs: readonly ContactPair[];
  readonly pin: PinJoint;
  readonly joints: readonly Joint[];
  /** Nodes of the tips, and of the face that they meet. */
  readonly tips: readonly (readonly number[])[];
  readonly face: readonly number[];
  /** Unit vectors along the face and into it, at the start. */
  readonly along: readonly [number, number];
  readonly into: readonly [number, number];
  /** First elastic frequencies of gripper and payload without supports, rad/s. */
  readonly firstFrequencies: readonly number[];
  private readonly energy = new Float64Array(3);

  constructor(data: SceneData) {
    const ratio = data.damping ?? 0.01;
    const arm = new ArmPart(ratio);
    this.arm = arm;
    arm.q.set(data.angles);
    arm.rate.set(data.rates);
    arm.arm.evaluate(arm.q, arm.rate);
    arm.origin.set(arm.arm.tip);
    const speed = Float64Array.from(arm.arm.tipVelocity);
    const turn = (data.direction - 90) * DEGREE;
    this.along = [Math.cos(turn), Math.sin(turn)];
    this.into = [-Math.sin(turn), Math.cos(turn)];
    const u = gripperMesh();
    const gripper = reducedBody(
      u.mesh,
      MASSES.gripper,
      data.young.gripper,
      [
        { node: u.joint, axis: 0 },
        { node: u.joint, axis: 1 },
        { node: 0, axis: 1 },
      ],
      u.tips.flat(),
      data.modes?.gripper,
      ratio,
      {
        position: [0, 0],
        angle: turn,
        velocity: [speed[0], speed[1]],
        angularVelocity: data.gripperRate,
      },
    );
    const { mass, circumradius } = data.payload;
    const octagon = payloadMesh(circumradius);
    const wrong = (data.misalignment ?? 0) * DEGREE;
    const apothem = circumradius * Math.cos(Math.PI / 8);
    const roots = data.antennas.map(({ face }) => octagon.middles[face]);
    // the face goes through a tip; turned about the middle of the face, the nearer finger is at the gap
    const reach = REACH + (data.gap ?? GAP) + Math.tan(Math.abs(wrong)) * 0.2;
    const angle = turn + wrong;
    const middle = [reach * this.into[0], reach * this.into[1]];
    const payload = reducedBody(
      octagon.mesh,
      mass,
      data.young.payload,
      [
        { node: 0, axis: 0 },
        { node: 0, axis: 1 },
        { node: 1, axis: 1 },
      ],
      [...octagon.face, ...roots],
      data.modes?.payload,
      ratio,
      {
        position: [middle[0] - apothem * Math.sin(angle), middle[1] + apothem * Math.cos(angle)],
        angle,
        velocity: [0, 0],
        angularVelocity: 0,
      },
    );
    this.gripper = gripper.body;
    this.payload = payload.body;
    this.firstFrequencies = [gripper.first, payload.first];
    this.tips = u.tips;
    this.face = octagon.face;
    const place = new Float64Array(2);
    this.antennas = data.antennas.map((antenna, k) => {
      this.payload.position(roots[k], place, 0);
      const modes = beamModes(antenna.modes);
      const basis = new BeamBasis(antenna, modes);
      const omega = modes.curvature.map((c) =>
        Math.sqrt((c * antenna.bendingStiffness) / (antenna.mass * antenna.length ** 3)),
      );
      const damping =
        antenna.modes > 1
          ? rayleighDamping(ratio, omega[0], omega[1])
          : { alpha: 0, beta: (2 * ratio) / omega[0] };
      return new FloatingBody(
        basis,
        {
          position: [place[0], place[1]],
          // faces follow each other by 45°, the touched one looks along −into
          angle: angle - Math.PI / 2 + (antenna.face * Math.PI) / 4,
          velocity: [0, 0],
          angularVelocity: 0,
        },
        damping,
      );
    });
    this.parts = [arm, this.gripper, this.payload, ...this.antennas];
    this.pairs = u.tips.map(
      (nodes) =>
        new ContactPair(
          { part: GRIPPER, body: this.gripper, nodes },
          { part: PAYLOAD, body: this.payload, nodes: octagon.face },
          data.friction,
        ),
    );
    this.pin = new PinJoint(
      { part: GRIPPER, body: this.gripper, point: u.joint },
      { part: ARM, body: arm, point: 0 },
    );
    this.joints = [
      this.pin,
      ...data.antennas.flatMap(({ locked }, k): Joint[] => {
        const part = PAYLOAD + 1 + k;
        const body = this.antennas[k];
        const pin = new PinJoint(
          { part, body, point: BEAM_ROOT },
          { part: PAYLOAD, body: this.payload, point: roots[k] },
        );
        const lock = new LockJoint({ part, body }, { part: PAYLOAD, body: this.payload });
        return locked ? [pin, lock] : [pin];
      }),
    ];
  }

  /** Kinetic energy and that of springs of one part, J. */
  energyOf(part: number): number {
    this.parts[part].energies(this.energy);
    return this.energy[0] + this.energy[1];
  }

  /** Active nodes. */
  active(): number {
    return this.pairs.reduce((sum, pair) => sum + pair.activeNodes(), 0);
  }

  /** Force on the payload across its normal (tangent: the normal turned by 90°) and along it, N; both are those of multipliers. */
  pressure(): [number, number] {
    let normal = 0;
    let tangent = 0;
    for (const pair of this.pairs) {
      for (const force of pair.normalForce) normal -= force;
      for (const force of pair.tangentForce) tangent += force;
    }
    return [tangent, normal];
  }

  /** Force on the payload in axes of the world, N. */
  push(): [number, number] {
    let [x, y] = [0, 0];
    for (const { normalForce, tangentForce, normal } of this.pairs) {
      for (let k = 0; k < normalForce.length; k++) {
        x += normalForce[k] * normal[2 * k] - tangentForce[k] * normal[2 * k + 1];
        y += normalForce[k] * normal[2 * k + 1] + tangentForce[k] * normal[2 * k];
      }
    }
    return [x, y];
  }

  /** The point of the face that is nearest to a place, as an end of a spring. */
  onFace(place: Float64Array): SpringEnd {
    const { face, payload } = this;
    const ends = new Float64Array(4);
    for (let k = 0; k + 1 < face.length; k++) {
      payload.position(face[k], ends, 0);
      payload.position(face[k + 1], ends, 2);
      const [dx, dy] = [ends[2] - ends[0], ends[3] - ends[1]];
      const share = ((place[0] - ends[0]) * dx + (place[1] - ends[1]) * dy) / (dx * dx + dy * dy);
      if (share > 1 && k + 2 < face.length) continue;
      return {
        part: PAYLOAD,
        body: payload,
        points: [face[k], face[k + 1]],
        shares: [1 - share, share],
      };
    }
    throw new RangeError('a face has two nodes at least');
  }

  /**
   * Angular momentum of all about the centre of the spacecraft, N m s: that of spacecraft and arm is the momentum of the spacecraft's angle. Nothing
   * outside acts but the hold of that centre.
   */
  angularMomentum(): number {
    const { arm, gripper } = this;
    arm.arm.evaluate(arm.q, arm.rate);
    const { origin } = arm;
    const one = new Float64Array(3);
    const others = this.payloadMomentum();
    gripper.momentum(one);
    let sum = 0;
    for (let j = 0; j < arm.size; j++) sum += arm.arm.mass[j] * arm.rate[j];
    for (const [x, y, turn] of [others, one]) sum += turn + origin[0] * y - origin[1] * x;
    return sum;
  }

  /** Momentum in x, y and about the origin of the world of payload and antennas. */
  payloadMomentum(): number[] {
    const sum = [0, 0, 0];
    const one = new Float64Array(3);
    for (const body of [this.payload, ...this.antennas]) {
      body.momentum(one);
      for (let c = 0; c < 3; c++) sum[c] += one[c];
    }
    return sum;
  }

  /** Deflection of the tip of an antenna against its frame, m. */
  deflection(antenna: number): number {
    const body = this.antennas[antenna];
    const out = new Float64Array(2);
    body.basis.addDisplacement(BEAM_TIP, body.q, 3, out, 0);
    return out[1];
  }
}
