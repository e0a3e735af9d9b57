/**
 * A free rigid body that touches planes with some of its points, with a robot in between: an independent loop for guard and audit in
 * 6-DOF. Impulses of the contact wrench are put on the momentum at the pose that the step begins with; between them the body flies
 * without torque, integrated so finely that energy and momentum keep (test 38). The contact is computed where the body was T ago.
 */
import { AuditSlot, EnergyAudit } from '../../../hil/energy/energy-audit.ts';
import { ApparentInertia } from '../../../hil/energy/apparent-inertia.ts';
import { GuardSlot, PassivityGuard } from '../../../hil/energy/passivity-guard.ts';
import { PortSample } from '../../../hil/energy/port-sample.ts';

type V3 = [number, number, number];
type Q = [number, number, number, number];

/** Half-space n·x < offset is filled; friction is regularised Coulomb. */
export interface Plane {
  readonly n: V3;
  readonly offset: number;
  readonly k: number;
  readonly b: number;
  readonly mu: number;
}

/** A body and what it touches. */
export interface FreeBody {
  readonly mass: number;
  /** Principal moments of inertia, kg m². */
  readonly inertia: V3;
  /** Body points that may touch, from the centre of mass. */
  readonly points: readonly V3[];
  readonly planes: readonly Plane[];
  /** Tool point, from the centre of mass, body frame. */
  readonly tool: V3;
  readonly position: V3;
  readonly orientation: Q;
  /** Velocity of the centre of mass and angular velocity, world. */
  readonly velocity: V3;
  readonly spin: V3;
  /** Ticks that the contact is late. */
  readonly delay: number;
  readonly guard: boolean;
  readonly ticks: number;
}

/** What came of it. */
export interface BodyOutcome {
  readonly energyBefore: number;
  readonly energyAfter: number;
  /** Work that friction and dampers really took at the hardware, J. */
  readonly absorbed: number;
  readonly created: number;
  readonly audit: Float64Array;
  readonly guard: Float64Array;
  /** Most points that touched at once. */
  readonly together: number;
  /** Largest energy on the way, over the energy before. */
  readonly largest: number;
  readonly angularMomentum: V3;
  readonly momentum: V3;
  /** Largest change by the guard that is not along M⁻¹ n, relative to the change. */
  readonly offLine: number;
  /** Largest λ/h: the guard never does more than take the force of the tick back. */
  readonly share: number;
}

const h = 1e-3;
const STICTION_mps = 1e-3;

const add = (a: V3, b: V3): V3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const times = (k: number, a: V3): V3 => [k * a[0], k * a[1], k * a[2]];
const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V3, b: V3): V3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Rotates v by q. */
function rotate(q: Q, v: V3): V3 {
  const u: V3 = [q[0], q[1], q[2]];
  const t = times(2, cross(u, v));
  return add(add(v, times(q[3], t)), cross(u, t));
}
const conjugate = (q: Q): Q => [-q[0], -q[1], -q[2], q[3]];

interface Pose {
  x: V3;
  q: Q;
  v: V3;
  w: V3;
}

/** I⁻¹ L, world. */
function angularVelocity(q: Q, L: V3, inertia: V3): V3 {
  const l = rotate(conjugate(q), L);
  return rotate(q, [l[0] / inertia[0], l[1] / inertia[1], l[2] / inertia[2]]);
}

/** Torque-free flight for one tick: RK4 of the orientation with the momentum kept, exactly conserved. */
function drift(q: Q, L: V3, inertia: V3): Q {
  const n = 10;
  const rate = (p: Q): Q => {
    const w = angularVelocity(p, L, inertia);
    const [a, b, c] = w;
    return [
      0.5 * (a * p[3] + b * p[2] - c * p[1]),
      0.5 * (b * p[3] + c * p[0] - a * p[2]),
      0.5 * (c * p[3] + a * p[1] - b * p[0]),
      -0.5 * (a * p[0] + b * p[1] + c * p[2]),
    ];
  };
  const go = (p: Q, d: Q, s: number): Q => [
    p[0] + s * d[0],
    p[1] + s * d[1],
    p[2] + s * d[2],
    p[3] + s * d[3],
  ];
  const s = h / n;
  let p = q;
  for (let i = 0; i < n; i++) {
    const k1 = rate(p);
    const k2 = rate(go(p, k1, s / 2));
    const k3 = rate(go(p, k2, s / 2));
    const k4 = rate(go(p, k3, s));
    const sum: Q = [0, 1, 2, 3].map((a) => k1[a] + 2 * k2[a] + 2 * k3[a] + k4[a]) as Q;
    const r = go(p, sum, s / 6);
    const size = Math.hypot(...r);
    p = [r[0] / size, r[1] / size, r[2] / size, r[3] / size];
  }
  return p;
}

/** Contact wrench about the tool point at a pose. @returns power that dampers and friction take, and how many points touch */
function touch(body: FreeBody, pose: Pose, wrench: Float64Array): [number, number] {
  wrench.fill(0);
  let loss = 0;
  let count = 0;
  const tool = rotate(pose.q, body.tool);
  for (const point of body.points) {
    const r = rotate(pose.q, point);
    const at = add(pose.x, r);
    const v = add(pose.v, cross(pose.w, r));
    for (const plane of body.planes) {
      const depth = plane.offset - dot(plane.n, at);
      if (depth <= 0) continue;
      const vn = dot(plane.n, v);
      const size = Math.max(0, plane.k * depth - plane.b * vn);
      if (size === 0) continue;
      count++;
      const slip = add(v, times(-vn, plane.n));
      const speed = Math.sqrt(dot(slip, slip));
      const friction = (-plane.mu * size) / Math.sqrt(speed * speed + STICTION_mps ** 2);
      const f = add(times(size, plane.n), times(friction, slip));
      const m = cross(add(r, times(-1, tool)), f);
      for (let i = 0; i < 3; i++) {
        wrench[i] += f[i];
        wrench[3 + i] += m[i];
      }
      // what does not come back: everything but the spring's own power
      loss -= dot(f, v) - plane.k * depth * vn;
    }
  }
  return [loss, count];
}

/** Runs it. */
export function flyBody(body: FreeBody): BodyOutcome {
  const { mass, inertia } = body;
  let x = body.position;
  let q = body.orientation;
  let p = times(mass, body.velocity);
  const w0 = rotate(conjugate(q), body.spin);
  let L = rotate(q, [inertia[0] * w0[0], inertia[1] * w0[1], inertia[2] * w0[2]]);
  const energy = (): number => 0.5 * (dot(p, p) / mass + dot(L, angularVelocity(q, L, inertia)));
  const audit = new EnergyAudit(h);
  const options = { period_s: h, tolerance_J: 0, largestStiffness_N_per_m: 0 };
  const guard = new PassivityGuard(options);
  const apparent = new ApparentInertia();
  const sample = new PortSample();
  const wrench = new Float64Array(6);
  const twist = new Float64Array(6);
  const past: Pose[] = [];
  const before = energy();
  let largest = 1;
  let absorbed = 0;
  let created = 0;
  let together = 0;
  let offLine = 0;
  let share = 0;
  for (let n = 0; n < body.ticks; n++) {
    const w = angularVelocity(q, L, inertia);
    past.push({ x, q, v: times(1 / mass, p), w });
    const late = past[Math.max(0, n - body.delay)];
    const [loss, count] = touch(body, late, wrench);
    absorbed += h * loss;
    together = Math.max(together, count);
    // inertia about the tool point at the pose of this step
    const r = rotate(q, body.tool);
    const columns = [0, 1, 2].map((i): V3 => {
      const unit: V3 = [i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0];
      return angularVelocity(q, unit, inertia);
    });
    const inverse = new Float64Array(9);
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) inverse[3 * i + j] = columns[j][i];
    apparent.setRigidBody(mass, inverse, Float64Array.from(r));
    const toolTwist = (): number[] => {
      const spin = angularVelocity(q, L, inertia);
      return [...add(times(1 / mass, p), cross(spin, r)), ...spin];
    };
    const lateTool = rotate(late.q, body.tool);
    sample.fresh = 1;
    sample.touching = count > 0 ? 1 : 0;
    sample.sensed = sample.touching;
    sample.measured.set([...add(late.x, lateTool), ...late.q]);
    sample.measured.set([...add(late.v, cross(late.w, lateTool)), ...late.w], 7);
    sample.port.set(wrench);
    sample.armWrench.set(wrench);
    sample.acting.set(wrench);
    sample.before.set(toolTwist());
    const f: V3 = [wrench[0], wrench[1], wrench[2]];
    const m: V3 = [wrench[3], wrench[4], wrench[5]];
    p = add(p, times(h, f));
    L = add(L, times(h, add(m, cross(r, f))));
    sample.after.set(toolTwist());
    sample.average();
    audit.observe(sample);
    guard.observe(sample);
    if (body.guard) {
      twist.set(sample.after);
      guard.act(sample, twist, apparent.inverse);
      if (guard.slots[GuardSlot.ACTIVE] === 1) {
        // the twist that the guard's wrench would make
        const g = guard.wrench;
        const gf: V3 = [g[0], g[1], g[2]];
        const gm: V3 = [g[3], g[4], g[5]];
        p = add(p, times(h, gf));
        L = add(L, times(h, add(gm, cross(r, gf))));
        const made = toolTwist();
        let off = 0;
        let change = 0;
        for (let a = 0; a < 6; a++) {
          off = Math.max(off, Math.abs(made[a] - twist[a]));
          change = Math.max(change, Math.abs(twist[a] - sample.after[a]));
        }
        if (change > 1e-9) offLine = Math.max(offLine, off / change);
        const size = Math.max(...wrench.map(Math.abs));
        if (size > 0) share = Math.max(share, Math.max(...g.map(Math.abs)) / size);
      }
    }
    x = add(x, times(h / mass, p));
    q = drift(q, L, inertia);
    largest = Math.max(largest, energy() / before);
    created = audit.slots[AuditSlot.CREATED_TOTAL];
  }
  return {
    energyBefore: before,
    energyAfter: energy(),
    absorbed,
    created,
    audit: audit.slots,
    guard: guard.slots,
    together,
    largest,
    angularMomentum: L,
    momentum: p,
    offLine,
    share,
  };
}
