/**
 * One contact: velocities, what its step begins with, its wrench and the slope of it, and the number of sub-steps that it needs. The
 * equations stand in the reference module src/contact/contact-model.ts; the arithmetic is its own, operation by operation.
 */
import { BRISTLE_LOOP, FREE_LOOP, RATE_LOOP, VOLUMETRIC_ROLLING_LOOP } from '../contact/loop-kinds';
import {
  SLOPE,
  SLOPE_FORCE,
  SLOPE_FORCE_SPIN,
  SLOPE_MOMENT,
  SLOPE_MOMENT_SPIN,
} from '../contact/friction/friction-slots';
import {
  DAMPING,
  DEPTH,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  NORMAL_RATE,
  OVERLAP_AREA,
  OVERLAP_VOLUME,
  STORED,
  TURN_AREA,
  TURN_DEPTH,
  TURN_EXPONENT,
  TURN_INVERSE_MASS,
  TURN_LIMIT,
  TURN_RATE,
  TURN_STIFFNESS,
  TURN_VOLUME,
} from '../contact/normal/normal-slots';
import {
  AREA,
  ARM_I,
  ARM_J,
  GAP,
  INERTIA,
  LOAD,
  NORMAL,
  POINT,
  RATE,
  RESISTANCE,
  SLIP,
  SPIN,
  STEP,
  VELOCITY,
  VOLUME,
} from '../contact/pair-slots';
import { CALM, CALM_ENERGY, CALM_STEPS } from '../contact/rest-limits';
import {
  bristleSlope,
  prepareBristle,
  respondBristle,
  solveBristle,
  solveSpin,
  storeBristle,
} from './bristle';
import { Doubles } from './columns';
import { evaluateNormal, measureTurn } from './normal-law';
import { Body, Contact } from './records';
import {
  prepareRate,
  rateSlope,
  respondRate,
  respondRoll,
  rollSlope,
  solveRate,
  solveRoll,
} from './rate-friction';
import { evaluateRolling, rollingSlope, solveRolling } from './rolling';

// slots of the flags
const ACTIVE = 0;
const FORCE = 1;
const PHASE = 2;

export function isActive(contact: Contact): bool {
  return contact.flags[ACTIVE] != 0;
}

/** Levers of the point, then the velocities there. */
export function placeContact(contact: Contact): void {
  const k = contact.kinematics;
  const a = contact.i.state;
  const b = contact.j.state;
  for (let e = 0; e < 3; e++) {
    k[ARM_I + e] = k[POINT + e] - a[e];
    k[ARM_J + e] = k[POINT + e] - b[e];
  }
  measureVelocity(contact);
}

/** Relative velocity, normal rate and slip from the velocities of the bodies. */
export function measureVelocity(contact: Contact): void {
  const k = contact.kinematics;
  const a = contact.i.state;
  const b = contact.j.state;
  const vx =
    a[7] +
    a[11] * k[ARM_I + 2] -
    a[12] * k[ARM_I + 1] -
    (b[7] + b[11] * k[ARM_J + 2] - b[12] * k[ARM_J + 1]);
  const vy =
    a[8] +
    a[12] * k[ARM_I] -
    a[10] * k[ARM_I + 2] -
    (b[8] + b[12] * k[ARM_J] - b[10] * k[ARM_J + 2]);
  const vz =
    a[9] +
    a[10] * k[ARM_I + 1] -
    a[11] * k[ARM_I] -
    (b[9] + b[10] * k[ARM_J + 1] - b[11] * k[ARM_J]);
  const nx = k[NORMAL];
  const ny = k[NORMAL + 1];
  const nz = k[NORMAL + 2];
  const rate = vx * nx + vy * ny + vz * nz;
  k[VELOCITY] = vx;
  k[VELOCITY + 1] = vy;
  k[VELOCITY + 2] = vz;
  k[RATE] = rate;
  k[SLIP] = vx - rate * nx;
  k[SLIP + 1] = vy - rate * ny;
  k[SLIP + 2] = vz - rate * nz;
  k[SPIN] = a[10] - b[10];
  k[SPIN + 1] = a[11] - b[11];
  k[SPIN + 2] = a[12] - b[12];
}

/** Elastic force, damping and stored energy at the present gap. */
export function computeElastic(contact: Contact): void {
  const k = contact.kinematics;
  const normal = contact.normal;
  const gap = k[GAP];
  normal[DEPTH] = Math.max(0.0, -gap);
  normal[OVERLAP_VOLUME] = k[VOLUME];
  normal[OVERLAP_AREA] = k[AREA];
  normal[NORMAL_RATE] = k[RATE];
  evaluateNormal(contact.normalLaw, normal);
  contact.mobility[RESISTANCE] = normal[DAMPING];
  if (contact.friction.kind == BRISTLE_LOOP) {
    storeBristle(contact.friction, contact.flags[FORCE], normal, k);
  }
}

/** Keeps the relative velocity, then fixes elastic force, damping and friction for a step of length h. */
export function prepareContact(contact: Contact, h: f64): void {
  const k = contact.kinematics;
  const v = contact.oldVelocity;
  for (let a = 0; a < 3; a++) {
    v[a] = k[VELOCITY + a];
    v[3 + a] = k[SPIN + a];
  }
  contact.mobility[STEP] = h;
  computeElastic(contact);
  const normal = contact.normal;
  normal[DAMPING] = normal[DAMPING] + contact.mobility[STEP] * contact.restStiffness[0];
  contact.mobility[RESISTANCE] = normal[DAMPING];
  const friction = contact.friction;
  if (friction.kind == BRISTLE_LOOP) prepareBristle(friction, k, h);
  else if (friction.kind == RATE_LOOP) prepareRate(friction, k);
  clear(contact.force);
  clear(friction.force);
  if (contact.turns == 0) return;
  clear(contact.rolling.torque);
  if (friction.mark != 0) clear(friction.torque);
}

function clear(vector: Doubles): void {
  vector[0] = 0.0;
  vector[1] = 0.0;
  vector[2] = 0.0;
}

/** Normal force at the present rate into flags and mobility. */
function pressNormal(contact: Contact): void {
  const normal = contact.normal;
  let f = normal[ELASTIC] - normal[DAMPING] * contact.kinematics[RATE];
  if (!(f > normal[LEAST])) f = normal[LEAST];
  contact.flags[FORCE] = f;
  contact.mobility[LOAD] = f > 0 ? f : 0.0;
}

/** Force and torque when the step ends with the present velocities of the bodies. */
export function respond(contact: Contact): void {
  measureVelocity(contact);
  pressNormal(contact);
  const k = contact.kinematics;
  const mobility = contact.mobility;
  const friction = contact.friction;
  const rolling = contact.rolling;
  if (friction.kind == BRISTLE_LOOP) respondBristle(friction, k, mobility[LOAD]);
  else if (friction.kind == RATE_LOOP) respondRate(friction, k, mobility[LOAD]);
  if (rolling.kind == VOLUMETRIC_ROLLING_LOOP) evaluateRolling(rolling, k, mobility);
  else if (rolling.kind != FREE_LOOP) respondRoll(rolling, k, mobility[LOAD]);
  combine(contact);
}

/** Force and torque from those of the laws. */
function combine(contact: Contact): void {
  const f = contact.flags[FORCE];
  const k = contact.kinematics;
  const t = contact.friction.force;
  for (let a = 0; a < 3; a++) contact.force[a] = f * k[NORMAL + a] + t[a];
  if (contact.turns == 0) return;
  const roll = contact.rolling.torque;
  if (contact.friction.mark != 0) {
    const spin = contact.friction.torque;
    for (let a = 0; a < 3; a++) contact.torque[a] = spin[a] + roll[a];
  } else for (let a = 0; a < 3; a++) contact.torque[a] = roll[a];
}

/** −∂(F, τ)/∂(v, w) at the last `respond`, 6 × 6 row by row. */
export function computeSlope(contact: Contact, slope: Doubles, secant: bool): void {
  const k = contact.kinematics;
  const s = contact.frictionSlope;
  const normal = contact.normal;
  const f = contact.flags[FORCE];
  const load = contact.mobility[LOAD];
  const damping = f > normal[LEAST] ? normal[DAMPING] : 0.0;
  const part = f > 0 ? damping : 0.0;
  const share = load > 0 ? part / load : 0.0;
  const friction = contact.friction;
  if (friction.kind == BRISTLE_LOOP) bristleSlope(friction, k, s, secant);
  else if (friction.kind == RATE_LOOP) rateSlope(friction, k, s, secant);
  else for (let a = 0; a < SLOPE; a++) s[a] = 0.0;
  const force = friction.force;
  for (let a = 0; a < 3; a++) {
    const left = damping * k[NORMAL + a] + share * force[a];
    for (let b = 0; b < 3; b++) {
      slope[6 * a + b] = left * k[NORMAL + b] + load * s[SLOPE_FORCE + 3 * a + b];
      slope[6 * a + 3 + b] = load * s[SLOPE_FORCE_SPIN + a] * k[NORMAL + b];
    }
  }
  if (contact.turns == 0) {
    for (let a = 18; a < 36; a++) slope[a] = 0.0;
    return;
  }
  const spin = friction.torque;
  const roll = contact.rolling.torque;
  const turn = contact.rollingSlope;
  const rolling = contact.rolling;
  if (rolling.kind == VOLUMETRIC_ROLLING_LOOP) rollingSlope(rolling, turn);
  else if (rolling.kind != FREE_LOOP) rollSlope(rolling, load, turn, secant);
  const ofRolling = contact.rolling.mark != 0 ? share : 0.0;
  for (let a = 0; a < 3; a++) {
    const n = k[NORMAL + a];
    const left = share * spin[a] + ofRolling * roll[a];
    for (let b = 0; b < 3; b++) {
      slope[18 + 6 * a + b] = left * k[NORMAL + b] + n * load * s[SLOPE_MOMENT + b];
      slope[21 + 6 * a + b] = n * load * s[SLOPE_MOMENT_SPIN] * k[NORMAL + b] + turn[3 * a + b];
    }
  }
}

/** The impulses of the present force and torque on both bodies. */
export function pushBodies(contact: Contact): void {
  const h = contact.mobility[STEP];
  const f = contact.force;
  const px = h * f[0];
  const py = h * f[1];
  const pz = h * f[2];
  if (contact.i.yields != 0) push(contact.i, contact.kinematics, ARM_I, px, py, pz);
  if (contact.j.yields != 0) push(contact.j, contact.kinematics, ARM_J, -px, -py, -pz);
  if (contact.turns == 0) return;
  turn(contact.i, contact.torque, h);
  turn(contact.j, contact.torque, -h);
}

function push(body: Body, k: Doubles, arm: i32, px: f64, py: f64, pz: f64): void {
  const x = body.state;
  const m = body.inverseInertia;
  const inverseMass = body.masses[1];
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  x[7] = x[7] + inverseMass * px;
  x[8] = x[8] + inverseMass * py;
  x[9] = x[9] + inverseMass * pz;
  const a = ry * pz - rz * py;
  const b = rz * px - rx * pz;
  const c = rx * py - ry * px;
  x[10] = x[10] + (m[0] * a + m[1] * b + m[2] * c);
  x[11] = x[11] + (m[3] * a + m[4] * b + m[5] * c);
  x[12] = x[12] + (m[6] * a + m[7] * b + m[8] * c);
}

function turn(body: Body, torque: Doubles, h: f64): void {
  if (body.yields == 0) return;
  const m = body.inverseInertia;
  const x = body.state;
  const px = h * torque[0];
  const py = h * torque[1];
  const pz = h * torque[2];
  for (let a = 0; a < 3; a++) {
    x[10 + a] = x[10 + a] + (m[3 * a] * px + m[3 * a + 1] * py + m[3 * a + 2] * pz);
  }
}

/** Inverse contact masses in the contact frame. */
export function computeMobility(contact: Contact): void {
  const k = contact.kinematics;
  const t = contact.basis;
  const w = contact.mobility;
  tangentBasis(t, k);
  for (let a = 0; a < 3; a++) t[6 + a] = k[NORMAL + a];
  for (let a = 0; a < 4; a++) w[a] = 0.0;
  if (contact.i.yields != 0) addMobility(contact.i, k, ARM_I, t, w);
  if (contact.j.yields != 0) addMobility(contact.j, k, ARM_J, t, w);
}

function addMobility(body: Body, k: Doubles, arm: i32, basis: Doubles, mobility: Doubles): void {
  const m = body.inverseInertia;
  const inverseMass = body.masses[1];
  mobility[0] = mobility[0] + inverseMass;
  mobility[2] = mobility[2] + inverseMass;
  mobility[3] = mobility[3] + inverseMass;
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  const ax = ry * basis[2] - rz * basis[1];
  const ay = rz * basis[0] - rx * basis[2];
  const az = rx * basis[1] - ry * basis[0];
  const bx = ry * basis[5] - rz * basis[4];
  const by = rz * basis[3] - rx * basis[5];
  const bz = rx * basis[4] - ry * basis[3];
  mobility[0] = mobility[0] + form(m, ax, ay, az, ax, ay, az);
  mobility[1] = mobility[1] + form(m, ax, ay, az, bx, by, bz);
  mobility[2] = mobility[2] + form(m, bx, by, bz, bx, by, bz);
  const nx = ry * basis[8] - rz * basis[7];
  const ny = rz * basis[6] - rx * basis[8];
  const nz = rx * basis[7] - ry * basis[6];
  mobility[3] = mobility[3] + form(m, nx, ny, nz, nx, ny, nz);
}

/** The last of the inverse contact masses by itself: no phase asks for the others. */
function normalMobility(contact: Contact): f64 {
  let w = 0.0;
  if (contact.i.yields != 0) w = addNormalMobility(contact.i, contact.kinematics, ARM_I, w);
  if (contact.j.yields != 0) w = addNormalMobility(contact.j, contact.kinematics, ARM_J, w);
  return w;
}

function addNormalMobility(body: Body, k: Doubles, arm: i32, before: f64): f64 {
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  const nx = ry * k[NORMAL + 2] - rz * k[NORMAL + 1];
  const ny = rz * k[NORMAL] - rx * k[NORMAL + 2];
  const nz = rx * k[NORMAL + 1] - ry * k[NORMAL];
  return before + body.masses[1] + form(body.inverseInertia, nx, ny, nz, nx, ny, nz);
}

/** a·M b. */
function form(m: Doubles, ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64): f64 {
  const x = m[0] * bx + m[1] * by + m[2] * bz;
  const y = m[3] * bx + m[4] * by + m[5] * bz;
  const z = m[6] * bx + m[7] * by + m[8] * bz;
  return ax * x + ay * y + az * z;
}

/** Sub-steps that a step of length dt needs, into `phase`. */
export function computePhase(contact: Contact, dt: f64): void {
  contact.phase[0] = 0.0;
  contact.restStiffness[0] = 0.0;
  const k = contact.kinematics;
  const gap = k[GAP];
  const rate = k[RATE];
  if (gap >= 0 && gap + rate * dt >= 0) return;
  const w = normalMobility(contact);
  if (w == 0) return;
  const turn = contact.turning;
  turn[TURN_DEPTH] = Math.max(0.0, -gap);
  turn[TURN_RATE] = rate;
  turn[TURN_INVERSE_MASS] = w * contact.share[0];
  turn[TURN_VOLUME] = k[VOLUME];
  turn[TURN_AREA] = k[AREA];
  measureTurn(contact.normalLaw, turn);
  const q = turn[TURN_EXPONENT];
  turn[TURN_LIMIT] = q > 2 ? (q < 3 ? 0.4 * q - 0.6 : 0.6) : 0.2;
  const flags = contact.flags;
  const demand = Math.sqrt(turn[TURN_STIFFNESS] * w) / turn[TURN_LIMIT];
  const slow = CALM * contact.normalLaw.internals[IMPACT_SPEED];
  const calm = isActive(contact) && Math.abs(rate) < slow;
  const energy = (0.5 * rate * rate) / turn[TURN_INVERSE_MASS];
  const rocking = measureRocking(k);
  contact.rocking[0] = rocking;
  if (calm && rocking < slow * slow && energy < CALM_ENERGY * contact.normal[STORED]) {
    const before = flags[PHASE] < 0 ? flags[PHASE] : 0.0;
    flags[PHASE] = before > -CALM_STEPS ? before - 1.0 : <f64>-CALM_STEPS;
    if (flags[PHASE] == -CALM_STEPS && contact.mayRest != 0) {
      contact.restStiffness[0] = turn[TURN_STIFFNESS];
    } else contact.phase[0] = demand * dt;
    return;
  }
  if (calm || demand > flags[PHASE]) flags[PHASE] = demand;
  contact.phase[0] = flags[PHASE] * dt;
}

/** Mean square of the speed in the overlap by turning about axes across the normal. */
function measureRocking(k: Doubles): f64 {
  if (!(k[VOLUME] > 0)) return 0.0;
  const along = k[SPIN] * k[NORMAL] + k[SPIN + 1] * k[NORMAL + 1] + k[SPIN + 2] * k[NORMAL + 2];
  const x = k[SPIN] - along * k[NORMAL];
  const y = k[SPIN + 1] - along * k[NORMAL + 1];
  const z = k[SPIN + 2] - along * k[NORMAL + 2];
  const square =
    x * x * k[INERTIA] +
    y * y * k[INERTIA + 1] +
    z * z * k[INERTIA + 2] +
    2.0 * (x * y * k[INERTIA + 3] + x * z * k[INERTIA + 4] + y * z * k[INERTIA + 5]);
  return square / k[VOLUME];
}

/** The wrench of a contact whose bodies do not yield, by the method of a contact by itself (src/integrate/implicit-contact.ts). */
export function solveImposed(contact: Contact): void {
  computeMobility(contact);
  measureVelocity(contact);
  const friction = contact.friction;
  const k = contact.kinematics;
  const mobility = contact.mobility;
  const normal = contact.normal;
  const elastic = normal[ELASTIC];
  const damping = normal[DAMPING];
  const gain = mobility[STEP] * mobility[3];
  const rate = (k[RATE] + gain * elastic) / (1.0 + gain * damping);
  let f = elastic - damping * rate;
  if (!(f > normal[LEAST])) f = normal[LEAST];
  contact.flags[FORCE] = f;
  mobility[LOAD] = f > 0 ? f : 0.0;
  if (friction.kind == BRISTLE_LOOP) {
    solveBristle(friction, k, contact.basis, mobility);
    if (friction.mark != 0) solveSpin(friction, k, contact.spinMobility, mobility);
  } else if (friction.kind == RATE_LOOP) solveRate(friction, k, contact.basis, mobility);
  if (contact.rolling.kind != FREE_LOOP) {
    if (contact.rolling.kind == VOLUMETRIC_ROLLING_LOOP) {
      solveRolling(contact.rolling, k, contact.spinMobility, mobility);
    } else solveRoll(contact.rolling, k, contact.spinMobility, mobility);
    // the reference module alternates between friction and rolling moment: here once, as nothing yields
    const t = contact.rolling.torque;
    const turns = t[0] * t[0] + t[1] * t[1] + t[2] * t[2] > 0;
    if (turns && contact.share[0] <= 1 && friction.kind == BRISTLE_LOOP) {
      solveBristle(friction, k, contact.basis, mobility);
    }
  }
  combine(contact);
}

/** Two tangents of the unit normal: src/math/vec3.ts. */
function tangentBasis(out: Doubles, k: Doubles): void {
  const nx = k[NORMAL];
  const ny = k[NORMAL + 1];
  const nz = k[NORMAL + 2];
  const sign = nz >= 0 ? 1.0 : -1.0;
  const c = -1.0 / (sign + nz);
  const b = nx * ny * c;
  out[0] = 1.0 + sign * nx * nx * c;
  out[1] = sign * b;
  out[2] = -sign * nx;
  out[3] = b;
  out[4] = sign + ny * ny * c;
  out[5] = -ny;
}
