/**
 * Newton's method on an island of contacts between rigid bodies. Equations, stop rule and halving stand in the reference module
 * src/integrate/contact-newton.ts; the arithmetic is its own, operation by operation. What this method cannot solve is left to that module.
 */
import { ELASTIC } from '../contact/normal/normal-slots';
import { ARM_I, ARM_J, STEP } from '../contact/pair-slots';
import {
  COUNT_EVALUATIONS,
  COUNT_SLOPES,
  FLOOR,
  FORCE,
  LENGTH,
  LEVER,
  MERIT,
  MOST_HALVINGS,
  MOST_STEPS,
  REFINED,
  ROUNDING,
  SIX,
  START,
  TOLERANCE,
  WORST,
} from '../integrate/newton-slots';
import { Doubles, Integers } from './columns';
import { computeSlope, pushBodies, respond } from './contact';
import { factorize, solveFactored } from './lu';
import { Body, Contact } from './records';

/** Addresses of records, one after the other. */
@unmanaged
@final
class Bodies {
  @operator('[]') get(i: i32): Body {
    return changetype<Body>(load<usize>(changetype<usize>(this) + ((<usize>i) << 2)));
  }
}

@unmanaged
@final
export class Contacts {
  @operator('[]') get(i: i32): Contact {
    return changetype<Contact>(load<usize>(changetype<usize>(this) + ((<usize>i) << 2)));
  }
}

/** The solver of one system, and the island that it works on. */
@unmanaged
@final
export class Solver {
  contacts: Contacts;
  bodies: Bodies;
  partI: Integers;
  partJ: Integers;
  contactPlaces: Integers;
  partPlaces: Integers;
  localOf: Integers;
  oldTwists: Doubles;
  target: Doubles;
  impulse: Doubles;
  trial: Doubles;
  residual: Doubles;
  left: Doubles;
  change: Doubles;
  answer: Doubles;
  response: Doubles;
  slope: Doubles;
  matrix: Doubles;
  pivots: Integers;
  sums: Doubles;
  contactSlope: Doubles;
  carried: Doubles;
  counts: Doubles;
  contactCount: i32;
  partCount: i32;
  /** 1 where the last evaluation was at P. */
  fresh: i32;
}

/** Solves the island and pushes its bodies; false leaves forces and twists of the last evaluation. */
export function solveIsland(solver: Solver): bool {
  takeTargets(solver);
  fillResponse(solver);
  guess(solver);
  if (!approach(solver)) return false;
  setTwists(solver);
  for (let c = 0; c < solver.contactCount; c++) {
    pushBodies(solver.contacts[solver.contactPlaces[c]]);
  }
  return true;
}

function approach(solver: Solver): bool {
  const sums = solver.sums;
  const impulse = solver.impulse;
  const trial = solver.trial;
  const n = SIX * solver.partCount;
  for (let a = 0; a < n; a++) trial[a] = impulse[a];
  evaluate(solver);
  for (let step = 0; step < MOST_STEPS; step++) {
    const worst = sums[WORST];
    if (!(sums[MERIT] < Infinity)) return false;
    const close = worst <= TOLERANCE * sums[FORCE];
    const fine = step == 0 || worst <= REFINED * sums[FORCE];
    if ((close && fine) || isRounding(solver)) return true;
    for (let a = 0; a < n; a++) {
      impulse[a] = trial[a];
      solver.left[a] = solver.residual[a];
    }
    solver.fresh = 1;
    sums[START] = sums[MERIT];
    if (search(solver, false, 1.0, 0)) continue;
    if (!close) {
      if (search(solver, true, 0.25, 0)) continue;
      if (search(solver, false, 0.5, MOST_HALVINGS)) continue;
      if (search(solver, true, 1.0, MOST_HALVINGS)) continue;
    }
    goBack(solver);
    return worst <= FLOOR * sums[FORCE];
  }
  return false;
}

function search(solver: Solver, secant: bool, part: f64, halvings: i32): bool {
  const sums = solver.sums;
  const change = solver.change;
  const n = SIX * solver.partCount;
  if (solver.fresh == 0) goBack(solver);
  fillSlope(solver, secant);
  fillMatrix(solver);
  if (!factorize(solver.matrix, n, solver.pivots)) return false;
  for (let a = 0; a < n; a++) change[a] = solver.left[a];
  solveFactored(solver.matrix, n, solver.pivots, change);
  sums[LENGTH] = 1.0;
  for (let halving = 0; halving <= halvings; halving++) {
    follow(solver);
    if (sums[MERIT] < part * sums[START]) return true;
    sums[LENGTH] = sums[LENGTH] * 0.5;
  }
  return false;
}

function goBack(solver: Solver): void {
  const n = SIX * solver.partCount;
  for (let a = 0; a < n; a++) solver.trial[a] = solver.impulse[a];
  evaluate(solver);
}

function follow(solver: Solver): void {
  const n = SIX * solver.partCount;
  const length = solver.sums[LENGTH];
  for (let a = 0; a < n; a++) solver.trial[a] = solver.impulse[a] + length * solver.change[a];
  evaluate(solver);
  solver.fresh = 0;
}

function bodyOf(solver: Solver, part: i32): Body {
  return solver.bodies[solver.partPlaces[part]];
}

function takeTargets(solver: Solver): void {
  for (let p = 0; p < solver.partCount; p++) {
    const x = bodyOf(solver, p).state;
    for (let a = 0; a < SIX; a++) solver.target[SIX * p + a] = x[7 + a];
  }
}

/** W: a block for each body. */
function fillResponse(solver: Solver): void {
  const out = solver.response;
  const n = SIX * solver.partCount;
  for (let k = 0; k < n * n; k++) out[k] = 0.0;
  for (let p = 0; p < solver.partCount; p++) {
    const body = bodyOf(solver, p);
    const m = body.inverseInertia;
    const at = SIX * p * (n + 1);
    for (let a = 0; a < 3; a++) {
      const lower = at + (3 + a) * n + 3;
      out[at + a * (n + 1)] = body.masses[1];
      for (let b = 0; b < 3; b++) out[lower + b] = m[3 * a + b];
    }
  }
}

/** P: a body goes on as before the step. */
function guess(solver: Solver): void {
  const answer = solver.answer;
  const impulse = solver.impulse;
  for (let p = 0; p < solver.partCount; p++) {
    const place = solver.partPlaces[p];
    const body = solver.bodies[place];
    const at = SIX * p;
    for (let a = 0; a < SIX; a++) {
      const old = solver.oldTwists[SIX * place + a];
      body.state[7 + a] = old;
      answer[at + a] = old - solver.target[at + a];
    }
    const m = body.inertia;
    const mass = body.masses[0];
    for (let a = 0; a < 3; a++) {
      impulse[at + a] = mass * answer[at + a];
      impulse[at + 3 + a] =
        m[3 * a] * answer[at + 3] + m[3 * a + 1] * answer[at + 4] + m[3 * a + 2] * answer[at + 5];
    }
  }
}

function evaluate(solver: Solver): void {
  const residual = solver.residual;
  const answer = solver.answer;
  const trial = solver.trial;
  const sums = solver.sums;
  const n = SIX * solver.partCount;
  multiplyResponse(solver, trial);
  for (let p = 0; p < solver.partCount; p++) {
    const x = bodyOf(solver, p).state;
    const at = SIX * p;
    for (let a = 0; a < SIX; a++) x[7 + a] = solver.target[at + a] + answer[at + a];
  }
  for (let a = 0; a < n; a++) residual[a] = -trial[a];
  collect(solver);
  multiplyResponse(solver, residual);
  let merit = 0.0;
  let worst = 0.0;
  const lever = sums[LEVER];
  for (let a = 0; a < n; a++) {
    const r = residual[a];
    merit += r * answer[a];
    const size = Math.abs(r) / (a % SIX < 3 ? 1.0 : lever);
    if (!(size <= worst)) worst = size;
  }
  sums[MERIT] = merit;
  sums[WORST] = worst;
}

/** residual += h Σ Xᵀ w at the twists of the bodies; the scales of the sums. */
function collect(solver: Solver): void {
  const sums = solver.sums;
  const residual = solver.residual;
  let force = 0.0;
  sums[LEVER] = 0.0;
  solver.counts[COUNT_EVALUATIONS] = solver.counts[COUNT_EVALUATIONS] + 1.0;
  for (let c = 0; c < solver.contactCount; c++) {
    const place = solver.contactPlaces[c];
    const contact = solver.contacts[place];
    respond(contact);
    const elastic = contact.normal[ELASTIC];
    const f = contact.flags[1];
    force += contact.mobility[STEP] * (f > elastic ? f : elastic);
    const i = solver.partI[place];
    const j = solver.partJ[place];
    if (i >= 0) addWrench(residual, SIX * solver.localOf[i], contact, ARM_I, 1.0, sums);
    if (j >= 0) addWrench(residual, SIX * solver.localOf[j], contact, ARM_J, -1.0, sums);
  }
  sums[FORCE] = force;
  sums[LEVER] = sums[LEVER] > 0 ? Math.sqrt(sums[LEVER]) : 1.0;
}

function addWrench(
  out: Doubles,
  at: i32,
  contact: Contact,
  arm: i32,
  sign: f64,
  sums: Doubles,
): void {
  const k = contact.kinematics;
  const f = contact.force;
  const h = sign * contact.mobility[STEP];
  const fx = h * f[0];
  const fy = h * f[1];
  const fz = h * f[2];
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  out[at] = out[at] + fx;
  out[at + 1] = out[at + 1] + fy;
  out[at + 2] = out[at + 2] + fz;
  out[at + 3] = out[at + 3] + (ry * fz - rz * fy);
  out[at + 4] = out[at + 4] + (rz * fx - rx * fz);
  out[at + 5] = out[at + 5] + (rx * fy - ry * fx);
  const square = rx * rx + ry * ry + rz * rz;
  if (square > sums[LEVER]) sums[LEVER] = square;
  if (contact.turns == 0) return;
  for (let a = 0; a < 3; a++) out[at + 3 + a] = out[at + 3 + a] + h * contact.torque[a];
}

/** Whether what is left of R is the rounding of the momenta. */
function isRounding(solver: Solver): bool {
  const sums = solver.sums;
  const lever = sums[LEVER];
  let momentum = 0.0;
  for (let p = 0; p < solver.partCount; p++) {
    const inverse = bodyOf(solver, p).masses[1];
    if (!(inverse > 0)) continue;
    let speed = 0.0;
    for (let a = 0; a < 3; a++) {
      const v = solver.target[SIX * p + a];
      const w = lever * solver.target[SIX * p + 3 + a];
      speed += v * v + w * w;
    }
    momentum += Math.sqrt(speed) / inverse;
  }
  return sums[WORST] <= ROUNDING * momentum;
}

/** answer := W P. */
function multiplyResponse(solver: Solver, impulse: Doubles): void {
  const response = solver.response;
  const answer = solver.answer;
  const n = SIX * solver.partCount;
  for (let p = 0; p < solver.partCount; p++) {
    const at = SIX * p;
    const corner = at * (n + 1);
    const inverse = response[corner];
    const x = impulse[at + 3];
    const y = impulse[at + 4];
    const z = impulse[at + 5];
    for (let a = 0; a < 3; a++) {
      const row = corner + (3 + a) * n + 3;
      answer[at + a] = inverse * impulse[at + a];
      answer[at + 3 + a] = response[row] * x + response[row + 1] * y + response[row + 2] * z;
    }
  }
}

/** S at the last evaluation. */
function fillSlope(solver: Solver, secant: bool): void {
  const slope = solver.slope;
  const k = solver.contactSlope;
  const carried = solver.carried;
  const n = SIX * solver.partCount;
  for (let a = 0; a < n * n; a++) slope[a] = 0.0;
  solver.counts[COUNT_SLOPES] = solver.counts[COUNT_SLOPES] + 1.0;
  for (let c = 0; c < solver.contactCount; c++) {
    const place = solver.contactPlaces[c];
    const contact = solver.contacts[place];
    computeSlope(contact, k, secant);
    const i = solver.partI[place];
    const j = solver.partJ[place];
    const atI = i >= 0 ? SIX * solver.localOf[i] : -1;
    const atJ = j >= 0 ? SIX * solver.localOf[j] : -1;
    if (i >= 0) {
      carry(k, contact.kinematics, ARM_I, carried);
      addBlock(slope, atI * (n + 1), n, contact, ARM_I, carried, 1.0);
      if (j >= 0) addBlock(slope, atJ * n + atI, n, contact, ARM_J, carried, -1.0);
    }
    if (j >= 0) {
      carry(k, contact.kinematics, ARM_J, carried);
      addBlock(slope, atJ * (n + 1), n, contact, ARM_J, carried, 1.0);
      if (i >= 0) addBlock(slope, atI * n + atJ, n, contact, ARM_I, carried, -1.0);
    }
  }
}

/** carried := K X. */
function carry(slope: Doubles, k: Doubles, arm: i32, carried: Doubles): void {
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  for (let row = 0; row < 36; row += SIX) {
    const x = slope[row];
    const y = slope[row + 1];
    const z = slope[row + 2];
    carried[row] = x;
    carried[row + 1] = y;
    carried[row + 2] = z;
    carried[row + 3] = slope[row + 3] + ry * z - rz * y;
    carried[row + 4] = slope[row + 4] + rz * x - rx * z;
    carried[row + 5] = slope[row + 5] + rx * y - ry * x;
  }
}

/** m[at..] += sign h Xᵀ carried. */
function addBlock(
  m: Doubles,
  at: i32,
  stride: i32,
  contact: Contact,
  arm: i32,
  carried: Doubles,
  sign: f64,
): void {
  const k = contact.kinematics;
  const h = sign * contact.mobility[STEP];
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  for (let b = 0; b < SIX; b++) {
    const x = h * carried[b];
    const y = h * carried[SIX + b];
    const z = h * carried[12 + b];
    let o = at + b;
    m[o] = m[o] + x;
    o += stride;
    m[o] = m[o] + y;
    o += stride;
    m[o] = m[o] + z;
    o += stride;
    m[o] = m[o] + (h * carried[18 + b] + ry * z - rz * y);
    o += stride;
    m[o] = m[o] + (h * carried[24 + b] + rz * x - rx * z);
    o += stride;
    m[o] = m[o] + (h * carried[30 + b] + rx * y - ry * x);
  }
}

/** 1 + S W. */
function fillMatrix(solver: Solver): void {
  const s = solver.slope;
  const w = solver.response;
  const matrix = solver.matrix;
  const n = SIX * solver.partCount;
  for (let q = 0; q < solver.partCount; q++) {
    const at = SIX * q;
    const corner = at * (n + 1);
    const inverse = w[corner];
    const i = corner + 3 * n + 3;
    const j = i + n;
    const k = j + n;
    for (let r = at; r < n * n; r += n) {
      const x = s[r + 3];
      const y = s[r + 4];
      const z = s[r + 5];
      for (let b = 0; b < 3; b++) {
        matrix[r + b] = s[r + b] * inverse;
        matrix[r + 3 + b] = x * w[i + b] + y * w[j + b] + z * w[k + b];
      }
    }
    for (let b = at; b < at + SIX; b++) matrix[b * n + b] = matrix[b * n + b] + 1.0;
  }
}

function setTwists(solver: Solver): void {
  for (let p = 0; p < solver.partCount; p++) {
    const x = bodyOf(solver, p).state;
    for (let a = 0; a < SIX; a++) x[7 + a] = solver.target[SIX * p + a];
  }
}
