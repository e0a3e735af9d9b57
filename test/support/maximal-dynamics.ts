/**
 * Articulated trees in maximal coordinates: every link is a free body with six accelerations (and those of its modes when it is
 * flexible), every joint a set of rows on the accelerations of two bodies, and all of it one symmetric linear system with the constraint forces as multipliers. Nothing is
 * recursive beyond the placing of the links, and nothing is shared with the library's tree: an independent account of its mechanics.
 *
 * With r the way from the centre of the parent (for a flexible one, from its end frame) to the origin of the child, the velocity of the child against its parent is
 *
 *   ρ = v_o − v_p − w_p × r        σ = w − w_p
 *
 * both in directions t that the parent carries. A joint says of each of the six t·ρ, t·σ that it is zero or a rate u, and
 *
 *   d/dt t·ρ = (w_p × t)·ρ + t·(a_o − a_p − α_p × r − w_p × (v_o − v_p))        d/dt t·σ = (w_p × t)·σ + t·(α − α_p)
 *
 * `Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, 11.2`.
 */
import type { TreeJointModel, TreeModel } from '../../src/multibody/tree/tree-model.ts';
import { MaximalBeam } from './maximal-beam.ts';
import { solveSymmetric } from './maximal-solve.ts';
import {
  add,
  apply,
  cross,
  dot,
  type Matrix,
  rotation,
  scale,
  sub,
  times,
  turn,
  turnedInertia,
  unit,
  type Vector,
} from './maximal-vectors.ts';

/** What moves a tree beside its state. */
export interface MaximalLoads {
  readonly gravity: Vector;
  /** Per link: force, moment about the origin of its frame; world. */
  readonly wrenches: readonly Vector[];
  /** Per rate of the tree, in its order. */
  readonly tau: Vector;
  /** Velocity, angular velocity, acceleration and angular acceleration of the base at its origin; world. */
  readonly base: readonly [Vector, Vector, Vector, Vector];
}

/** One link as a free body. */
export interface MaximalBody {
  readonly rotation: Matrix;
  /** Origin of its frame, and centre of mass; of a flexible one the origin stands for it. */
  readonly origin: Vector;
  readonly center: Vector;
  /** Of the origin. */
  readonly velocity: Vector;
  readonly spin: Vector;
  readonly beam: MaximalBeam | null;
}

/** What children hang on: the end frame, and a point of it with its velocity. */
interface End {
  readonly rotation: Matrix;
  readonly origin: Vector;
  readonly point: Vector;
  readonly velocity: Vector;
  readonly spin: Vector;
}

/** Six rows of a joint: directions of ρ, then of σ, and the place in u of each, −1 where it is zero. */
interface JointRows {
  readonly directions: readonly Vector[];
  readonly freedoms: readonly number[];
}

/** One rotor behind a spring, with its places in u and q; `joint` those of its joint. */
interface Rotor {
  readonly inertia: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly joint: readonly [number, number];
  readonly rotor: readonly [number, number];
}

/** Places of the coordinates of each link in q and u, of its modes and of its unknowns; and the rotors. */
function layout(model: TreeModel): {
  places: readonly (readonly [number, number])[];
  modes: readonly (readonly [number, number, number])[];
  offsets: readonly number[];
  unknowns: number;
  rotors: readonly Rotor[];
  rates: number;
} {
  const sizes = {
    fixed: [0, 0],
    revolute: [1, 1],
    prismatic: [1, 1],
    spherical: [4, 3],
    free: [7, 6],
  };
  let [position, rate, unknowns] = [0, 0, 0];
  const places = model.links.map(({ joint }) => {
    const place = [position, rate] as const;
    position += sizes[joint.kind][0];
    rate += sizes[joint.kind][1];
    return place;
  });
  const modes = model.links.map(({ beam }) => {
    const count = beam === undefined ? 0 : beam.modes[0] + beam.modes[1];
    const place = [position, rate, count] as const;
    position += count;
    rate += count;
    return place;
  });
  const offsets = modes.map(([, , count]) => {
    unknowns += 6 + count;
    return unknowns - 6 - count;
  });
  const rotors = model.links.flatMap(({ joint }, i): Rotor[] => {
    const drive = 'drive' in joint ? joint.drive : undefined;
    if (drive === undefined || drive.stiffness === null) return [];
    return [
      {
        inertia: drive.rotorInertia,
        stiffness: drive.stiffness,
        damping: drive.damping,
        joint: places[i],
        rotor: [position++, rate++],
      },
    ];
  });
  return { places, modes, offsets, unknowns, rotors, rates: rate };
}

/** Where the frame of a link lies in the end frame of its parent: origin and rotation. */
function placement(
  link: TreeModel['links'][number],
  q: Vector,
  at: number,
): readonly [Vector, Matrix] {
  const rest = rotation(link.orientation);
  const joint = link.joint;
  switch (joint.kind) {
    case 'fixed':
      return [link.position, rest];
    case 'revolute':
      return [link.position, times(rest, turn(joint.axis, q[at]))];
    case 'prismatic':
      return [add(link.position, apply(rest, scale(joint.axis, q[at]))), rest];
    case 'spherical':
      return [link.position, times(rotation(q.slice(at, at + 4)), rest)];
    case 'free':
      return [
        add(link.position, q.slice(at, at + 3)),
        times(rotation(q.slice(at + 3, at + 7)), rest),
      ];
  }
}

/** Two directions that make a right-handed frame with a third. */
function across(a: Vector): readonly [Vector, Vector] {
  const small = [0, 1, 2].reduce((best, i) => (Math.abs(a[i]) < Math.abs(a[best]) ? i : best), 0);
  const first = unit(
    cross(
      a,
      [0, 1, 2].map((i) => (i === small ? 1 : 0)),
    ),
  );
  return [first, cross(a, first)];
}

/** Rows of a joint; `end` turns the end frame of the parent into the world. */
function rowsOf(joint: TreeJointModel, axis: Vector, end: Matrix, at: number): JointRows {
  const axes = [0, 1, 2].map((i) => end.map((row) => row[i]));
  const none = [-1, -1, -1];
  switch (joint.kind) {
    case 'fixed':
      return { directions: [...axes, ...axes], freedoms: [...none, ...none] };
    case 'revolute':
      return { directions: [...axes, axis, ...across(axis)], freedoms: [...none, at, -1, -1] };
    case 'prismatic':
      return { directions: [axis, ...across(axis), ...axes], freedoms: [at, -1, -1, ...none] };
    case 'spherical':
      return { directions: [...axes, ...axes], freedoms: [...none, at, at + 1, at + 2] };
    case 'free':
      return {
        directions: [...axes, ...axes],
        freedoms: [0, 1, 2, 3, 4, 5].map((i) => at + i),
      };
  }
}

/** A tree at one state. */
export class MaximalTree {
  readonly bodies: readonly MaximalBody[];
  private readonly model: TreeModel;
  private readonly q: Vector;
  private readonly u: Vector;
  private readonly base: MaximalLoads['base'];
  private readonly rows: readonly JointRows[];
  private readonly plan: ReturnType<typeof layout>;

  constructor(model: TreeModel, q: Vector, u: Vector, base: MaximalLoads['base']) {
    this.model = model;
    this.q = q;
    this.u = u;
    this.base = base;
    this.plan = layout(model);
    const bodies: MaximalBody[] = [];
    const rows: JointRows[] = [];
    model.links.forEach((link, i) => {
      const [at, place] = this.plan.places[i];
      const parent = link.parent < 0 ? this.baseEnd() : endOf(bodies[link.parent]);
      const [offset, turned] = placement(link, q, at);
      const frame = times(parent.rotation, turned);
      const origin = add(parent.origin, apply(parent.rotation, offset));
      const axis = 'axis' in link.joint ? apply(frame, link.joint.axis) : [0, 0, 0];
      const row = rowsOf(link.joint, axis, parent.rotation, place);
      // velocities: ρ and σ from the rates, in the directions of the joint, which are square to each other
      const relative = (from: number): Vector =>
        [0, 1, 2].reduce<Vector>(
          (sum, d) => {
            const freedom = row.freedoms[from + d];
            return freedom < 0 ? sum : add(sum, scale(row.directions[from + d], u[freedom]));
          },
          [0, 0, 0],
        );
      const spin = add(parent.spin, relative(3));
      const carried = cross(parent.spin, sub(origin, parent.point));
      const velocity = add(add(parent.velocity, carried), relative(0));
      const root = { rotation: frame, origin, velocity, spin };
      const [position, rate, count] = this.plan.modes[i];
      const beam =
        link.beam === undefined
          ? null
          : new MaximalBeam(
              link.beam,
              link.mass,
              link.inertia[0],
              root,
              q.slice(position, position + count),
              u.slice(rate, rate + count),
            );
      const center = beam === null ? add(origin, apply(frame, link.center)) : origin;
      bodies.push({ ...root, center, beam });
      rows.push(row);
    });
    this.bodies = bodies;
    this.rows = rows;
  }

  /** ½ Σ m v² + w·I w, and what rotors have of their own. */
  kineticEnergy(): number {
    let sum = 0;
    this.model.links.forEach((link, i) => {
      const body = this.bodies[i];
      const v = centerVelocity(body);
      const inertia = turnedInertia(body.rotation, link.inertia);
      if (body.beam !== null) sum += body.beam.kinetic;
      else sum += 0.5 * (link.mass * dot(v, v) + dot(body.spin, apply(inertia, body.spin)));
      const drive = 'drive' in link.joint ? link.joint.drive : undefined;
      if (drive?.stiffness === null) {
        sum += 0.5 * drive.rotorInertia * this.u[this.plan.places[i][1]] ** 2;
      }
    });
    for (const { inertia, rotor } of this.plan.rotors) sum += 0.5 * inertia * this.u[rotor[1]] ** 2;
    return sum;
  }

  /** Momentum, and angular momentum about the world's origin. */
  momentum(): readonly [Vector, Vector] {
    let linear: Vector = [0, 0, 0];
    let angular: Vector = [0, 0, 0];
    this.model.links.forEach((link, i) => {
      const body = this.bodies[i];
      const p = scale(centerVelocity(body), link.mass);
      const spin = apply(turnedInertia(body.rotation, link.inertia), body.spin);
      const own = [p, add(spin, cross(body.center, p))] as const;
      const [l, a] = body.beam?.momentum ?? own;
      linear = add(linear, l);
      angular = add(angular, a);
    });
    return [linear, angular];
  }

  /** u' under the loads. */
  accelerations(loads: MaximalLoads): Float64Array {
    const { links } = this.model;
    const { rotors, rates } = this.plan;
    const bound = this.rows.flatMap((row, i) =>
      row.freedoms.flatMap((freedom, d) => (freedom < 0 ? [[i, d] as const] : [])),
    );
    // joints whose rotor turns with them: one more velocity, s, and one more row, t·σ or t·ρ less s
    const armatures = links.flatMap(({ joint }, i) => {
      const drive = 'drive' in joint ? joint.drive : undefined;
      if (drive === undefined || drive.stiffness !== null) return [];
      return [
        {
          link: i,
          row: this.rows[i].freedoms.findIndex((f) => f >= 0),
          inertia: drive.rotorInertia,
        },
      ];
    });
    const bodies = this.plan.unknowns;
    const unknowns = bodies + armatures.length;
    const size = unknowns + bound.length + armatures.length;
    const k = new Float64Array(size * size);
    const b = new Float64Array(size);

    links.forEach((link, i) => {
      const body = this.bodies[i];
      const at = this.plan.offsets[i];
      const inertia = turnedInertia(body.rotation, link.inertia);
      const wrench = loads.wrenches[i];
      const arm = sub(body.origin, body.center);
      if (body.beam !== null) {
        const { mass, bias, modes } = body.beam;
        const [, rate] = this.plan.modes[i];
        const side = 6 + modes;
        for (let r = 0; r < side; r++) {
          b[at + r] += r < 6 ? wrench[r] : loads.tau[rate + r - 6];
          b[at + r] -= bias[r];
          for (let c = 0; c < side; c++) k[(at + r) * size + at + c] = mass[r * side + c];
          for (let c = 0; c < 3; c++) b[at + r] += mass[r * side + c] * loads.gravity[c];
        }
        return;
      }
      const moment = add(wrench.slice(3), cross(arm, wrench));
      const gyration = cross(body.spin, apply(inertia, body.spin));
      for (let a = 0; a < 3; a++) {
        const v = at + a;
        k[v * size + v] = link.mass;
        for (let c = 0; c < 3; c++) k[(v + 3) * size + at + 3 + c] = inertia[a][c];
        b[v] += wrench[a] + link.mass * loads.gravity[a];
        b[v + 3] += moment[a] - gyration[a];
      }
    });
    armatures.forEach(({ inertia }, n) => {
      const v = bodies + n;
      k[v * size + v] = inertia;
    });

    const put = (row: number, entries: ReadonlyMap<number, number>): void => {
      for (const [column, value] of entries) {
        k[row * size + column] += value;
        k[column * size + row] += value;
      }
    };
    bound.forEach(([i, d], n) => {
      const { entries, drift } = this.row(i, d);
      put(unknowns + n, entries);
      b[unknowns + n] = -drift;
    });
    armatures.forEach(({ link, row }, n) => {
      const { entries, drift } = this.row(link, row);
      put(unknowns + bound.length + n, new Map([...entries, [bodies + n, -1] as const]));
      b[unknowns + bound.length + n] = -drift;
    });

    // generalized forces, with the springs between rotors and links
    const forces = loads.tau.slice();
    for (const { stiffness, damping, joint, rotor } of rotors) {
      const pull =
        stiffness * (this.q[rotor[0]] - this.q[joint[0]]) +
        damping * (this.u[rotor[1]] - this.u[joint[1]]);
      forces[joint[1]] += pull;
      forces[rotor[1]] -= pull;
    }
    this.rows.forEach((row, i) => {
      row.freedoms.forEach((freedom, d) => {
        if (freedom < 0) return;
        for (const [column, value] of this.row(i, d).entries) b[column] += value * forces[freedom];
      });
    });

    const x = solveSymmetric(k, b);
    const out = new Float64Array(rates);
    this.rows.forEach((row, i) => {
      row.freedoms.forEach((freedom, d) => {
        if (freedom < 0) return;
        const { entries, drift } = this.row(i, d);
        out[freedom] = drift;
        for (const [column, value] of entries) out[freedom] += value * x[column];
      });
    });
    for (const { inertia, rotor } of rotors) out[rotor[1]] = forces[rotor[1]] / inertia;
    this.plan.modes.forEach(([, rate, count], i) => {
      for (let m = 0; m < count; m++) out[rate + m] = x[this.plan.offsets[i] + 6 + m];
    });
    return out;
  }

  /** d/dt of row d of the joint of a link: coefficients of the accelerations of the centres, and what is left at zero. */
  private row(i: number, d: number): { entries: Map<number, number>; drift: number } {
    const { parent } = this.model.links[i];
    const child = this.bodies[i];
    const end = parent < 0 ? this.baseEnd() : endOf(this.bodies[parent]);
    const t = this.rows[i].directions[d];
    const carried = cross(end.spin, t);
    const entries = new Map<number, number>();
    const put = (column: number, v: Vector): void => {
      v.forEach((value, a) => entries.set(column + a, value));
    };
    const at = this.plan.offsets[i];
    if (d >= 3) {
      put(at + 3, t);
      const drift = this.endRow(parent, [0, 0, 0], scale(t, -1), entries);
      return { entries, drift: drift + dot(carried, sub(child.spin, end.spin)) };
    }
    const r = sub(child.origin, end.point);
    const arm = sub(child.origin, child.center);
    const apart = sub(child.velocity, end.velocity);
    put(at, t);
    put(at + 3, cross(arm, t));
    let drift = this.endRow(parent, scale(t, -1), scale(cross(r, t), -1), entries);
    drift += dot(carried, sub(apart, cross(end.spin, r)));
    drift += dot(t, cross(child.spin, cross(child.spin, arm)));
    drift -= dot(t, cross(end.spin, apart));
    return { entries, drift };
  }

  /** t·(acceleration of the end point of a link) + m·(angular acceleration of its end): coefficients, and what is left at zero. */
  private endRow(i: number, t: Vector, m: Vector, entries: Map<number, number>): number {
    if (i < 0) return dot(t, this.base[2]) + dot(m, this.base[3]);
    const { beam } = this.bodies[i];
    const at = this.plan.offsets[i];
    const turning = beam === null ? m : add(m, cross(beam.end.arm, t));
    for (let a = 0; a < 3; a++) {
      entries.set(at + a, t[a]);
      entries.set(at + 3 + a, turning[a]);
    }
    if (beam === null) return 0;
    beam.endModes.forEach(([v, w], k) => entries.set(at + 6 + k, dot(t, v) + dot(m, w)));
    return dot(t, beam.endDrift[0]) + dot(m, beam.endDrift[1]);
  }

  private baseEnd(): End {
    const { position, orientation } = this.model;
    return {
      rotation: rotation(orientation),
      origin: position,
      point: position,
      velocity: this.base[0],
      spin: this.base[1],
    };
  }
}

function centerVelocity(body: MaximalBody): Vector {
  return add(body.velocity, cross(body.spin, sub(body.center, body.origin)));
}

function endOf(body: MaximalBody): End {
  const { rotation: frame, origin, center, velocity, spin, beam } = body;
  if (beam === null) {
    return { rotation: frame, origin, point: center, velocity: centerVelocity(body), spin };
  }
  const tip = add(origin, beam.end.arm);
  return {
    rotation: beam.end.rotation,
    origin: tip,
    point: tip,
    velocity: add(add(velocity, cross(spin, beam.end.arm)), beam.end.velocity),
    spin: add(spin, beam.end.spin),
  };
}
