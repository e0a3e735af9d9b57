/**
 * A mass that flies against a wall and back, with a robot in between: an independent loop around
 * the tested parts. The robot is where the mass was T ago, and the wall answers F = max(0, k δ + b
 * δ') at that place. The force acts on the mass in the next step (symplectic Euler, so that T is
 * the whole delay). Along z; the wall fills z < 0.
 */
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { COMPENSATIONS } from '../../../hil/contract/commands.ts';
import { Compensation } from '../../../hil/energy/compensation.ts';
import { AuditSlot, EnergyAudit } from '../../../hil/energy/energy-audit.ts';
import { EnergyRemoval, RemovalCell } from '../../../hil/energy/energy-removal.ts';
import { EnergyTank } from '../../../hil/energy/energy-tank.ts';
import { GuardSlot, PassivityGuard } from '../../../hil/energy/passivity-guard.ts';
import { CONTACT_FREE_TICKS, PortSample } from '../../../hil/energy/port-sample.ts';
import { ShadowContact } from '../../../hil/contract/shadow-contact.ts';
import type { SystemModel } from '../../../src/model/model.ts';

/** One run. Everything that is left out is not there. */
export interface MassOnWall {
  readonly m: number;
  readonly k: number;
  readonly b: number;
  readonly T_ms: number;
  /** Speed of approach, m/s. */
  readonly v0?: number;
  readonly compensation?: (typeof COMPENSATIONS)[number];
  /** Stiffness in the model, relative to the real one. */
  readonly modelStiffness?: number;
  /** Delay that is believed, less the real one, s. */
  readonly delayError_s?: number;
  readonly guard?: boolean | PassivityGuard;
  readonly removal?: boolean;
  readonly tank_J?: number;
  /** k_max of the guard, N/m. */
  readonly largestStiffness?: number;
  /** Share of frames lost, each way. */
  readonly loss?: number;
  /** Standard deviation of the measured force, N. */
  readonly noise?: number;
  readonly seed?: number;
  /** Force that pushes the mass into the wall all the time, N: a held contact. */
  readonly push?: number;
  /** Speed of the wall towards the mass, m/s: it is driven, whatever pushes it. */
  readonly wallSpeed?: number;
  /** Whether the guard counts what moves the wall has put in. */
  readonly driven?: boolean;
  /** Ends the run; without it, 100 ticks after the mass has left the wall. */
  readonly duration_s?: number;
  /** Force from which there is contact, N. */
  readonly threshold?: number;
}

/** What came of it. */
export interface Outcome {
  /** Speed after over speed before, free flight of some ticks before and 100 after included. */
  readonly e: number;
  /** The same from the contact's own begin, the first of the sensed ticks that lead to it, to its own end, 50 ticks after it. */
  readonly ePort: number;
  readonly audit: Float64Array;
  /** What something that moves the wall put in, at least, J. */
  readonly brought: number;
  readonly guard: Float64Array;
  readonly tank: Float64Array;
  /** Work that the wall took and did not give back, J, at its own time: integrated 50 times finer than the frames. */
  readonly absorbed: number;
  /** Largest force in each second of the run, N. */
  readonly peaks: number[];
  /** Guard's largest force, N. */
  readonly guardPeak: number;
}

const h = 1e-3;

/** Uniform numbers in [0, 1), mulberry32. */
export function uniform(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const MODEL = compileScenario(loadScenario('free-mass-on-spring'));

/** The wall as a scenario model, for the prediction. */
export function wallModel(k: number, b: number): SystemModel {
  const [contact] = MODEL.contacts;
  const normalLaw = { kind: 'kelvin-voigt', stiffness: k, damping: b } as const;
  if (contact.normalLaw.kind !== 'kelvin-voigt') throw new Error('Another law than expected');
  return {
    ...MODEL,
    contacts: [{ ...contact, normalLaw: { ...contact.normalLaw, ...normalLaw } }],
  };
}

/** The wall at a place and speed of the robot. */
function force_N(o: MassOnWall, z: number, v: number): number {
  return z < 0 ? Math.max(0, -o.k * z - o.b * v) : 0;
}

/** Work on the wall while the robot goes from one place and speed to the next. */
function workOnWall(o: MassOnWall, from: [number, number], to: [number, number]): number {
  if (from[0] > 0 && to[0] > 0) return 0;
  const n = 50;
  let work = 0;
  for (let j = 0; j < n; j++) {
    const part = (j + 0.5) / n;
    const z = from[0] + part * (to[0] - from[0]);
    const v = from[1] + part * (to[1] - from[1]);
    work -= (force_N(o, z, v) * (to[0] - from[0])) / n;
  }
  return work;
}

/** Runs it. */
export function fly(o: MassOnWall): Outcome {
  const random = uniform(o.seed ?? 1);
  const gauss = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const T = o.T_ms * 1e-3;
  const v0 = o.v0 ?? 0.1;
  const loss = o.loss ?? 0;
  const noise = o.noise ?? 0;
  const push = o.push ?? 0;
  const wallSpeed = o.wallSpeed ?? 0;
  const threshold = o.threshold ?? 5;
  const delay = Float64Array.of(T + (o.delayError_s ?? 0), 0, 0, 0, 1, 0, 1);
  const inverseMass = new Float64Array(36);
  inverseMass[14] = 1 / o.m;
  const audit = new EnergyAudit(h);
  const largest = o.largestStiffness ?? 0;
  const options = { period_s: h, tolerance_J: 0, largestStiffness_N_per_m: largest };
  const guard = typeof o.guard === 'object' ? o.guard : new PassivityGuard(options);
  const tank = new EnergyTank(o.tank_J ?? 0, h);
  const removal = new EnergyRemoval();
  const share = o.modelStiffness ?? 1;
  const shadow = (): ShadowContact => new ShadowContact(wallModel(share * o.k, o.b), 'buffer', h);
  const shadows = o.compensation === 'model' ? { arm: shadow(), robot: shadow() } : null;
  const stiffness = Float64Array.of(share * o.k);
  const compensation = new Compensation({
    period_s: h,
    noise_N: 0,
    delay,
    stiffness,
    inverseMass,
    shadows,
  });
  compensation.kind = COMPENSATIONS.indexOf(o.compensation ?? 'none');
  const sample = new PortSample();
  const force = new Float64Array(6);
  const armWrench = new Float64Array(6);
  const twist = new Float64Array(6);
  const arm = new Float64Array(13);
  arm[6] = 1;
  const measured = new Float64Array(13);
  measured[6] = 1;
  const lead = Math.ceil(T / h) + 3;
  // begins so that the mass touches between two ticks
  let z = push > 0 ? 0 : v0 * h * (5.37 + 0.01 * (o.seed ?? 0));
  let v = -v0;
  let sentZ = z;
  let sentV = v;
  const places: [number, number][] = [];
  for (let i = 0; i < lead; i++) places.push([z - v * h * (lead - i), v]);
  let last: [number, number] = [places[0][0], places[0][1]];
  let touched = false;
  let free = 0;
  let absorbed = 0;
  let guardPeak = 0;
  let senseBegin = NaN;
  let portIn = NaN;
  let portOut = NaN;
  const peaks: number[] = [];
  const ticks = Math.round((o.duration_s ?? 10) / h);
  for (let n = 0; n < ticks; n++) {
    if (n === 0 || random() >= loss) {
      sentZ = z;
      sentV = v;
    }
    places.push([sentZ, sentV]);
    const at = places.length - 1 - T / h;
    const i = Math.floor(at + 1e-9);
    const part = Math.max(0, at - i);
    const [z0, u0] = places[i];
    const [z1, u1] = places[Math.min(i + 1, places.length - 1)];
    const robotZ = z0 + part * (z1 - z0);
    const robotV = u0 + part * (u1 - u0);
    const wall = force_N(o, robotZ - wallSpeed * n * h, robotV - wallSpeed);
    absorbed += workOnWall(o, last, [robotZ, robotV]);
    last = [robotZ, robotV];
    const fresh = n === 0 || random() >= loss ? 1 : 0;
    if (fresh === 1) {
      force[2] = wall + noise * gauss();
      measured[2] = robotZ;
      measured[9] = robotV;
    }
    arm[2] = z;
    arm[9] = v;
    twist[2] = v;
    const inContact = Math.abs(force[2]) > threshold ? 1 : 0;
    compensation.compute(force, fresh, inContact, measured, arm);
    for (let a = 0; a < 6; a++) armWrench[a] = force[a] + compensation.wrench[a];
    if (inContact === 1) tank.open(armWrench, twist, inverseMass);
    sample.fresh = fresh;
    sample.measured.set(measured);
    sample.port.set(force);
    sample.armWrench.set(armWrench);
    sample.acting.set(armWrench);
    sample.before[2] = v;
    v += (h * (armWrench[2] - push)) / o.m;
    sample.after[2] = v;
    sample.average();
    sample.touching = inContact === 1 || armWrench[2] !== force[2] ? 1 : 0;
    sample.sensed = Math.abs(force[2]) > 0.25 * threshold ? 1 : sample.touching;
    if (sample.sensed === 0) senseBegin = NaN;
    else if (Number.isNaN(senseBegin)) senseBegin = sample.before[2];
    if (sample.touching === 1 && Number.isNaN(portIn)) portIn = senseBegin;
    audit.observe(sample);
    tank.settle(audit.slots, AuditSlot.HARDWARE_STEP, audit.slots[AuditSlot.OPEN] === 1);
    guard.observe(sample);
    twist[2] = v;
    const created = audit.slots[AuditSlot.CREATED] - audit.slots[AuditSlot.REMOVED];
    if (o.removal === true && sample.touching === 1 && created > 0 && armWrench[2] * v > 0) {
      removal.cells[RemovalCell.ASKED] = created;
      removal.cells[RemovalCell.SHARE] = 0.1;
      removal.remove(twist, armWrench, inverseMass);
      audit.slots[AuditSlot.REMOVED] += removal.cells[RemovalCell.REMOVED];
      guard.slots[GuardSlot.HELD] += removal.cells[RemovalCell.REMOVED];
    }
    arm[2] = z + h * v;
    if (o.driven === true) audit.expectBrought(sample, arm, guard.brought);
    if (o.guard !== undefined && o.guard !== false) guard.act(sample, twist, inverseMass);
    guardPeak = Math.max(guardPeak, Math.abs(guard.wrench[2]));
    v = twist[2];
    if (guard.slots[GuardSlot.FREE_TICKS] < CONTACT_FREE_TICKS) portOut = v;
    z += h * v;
    const second = Math.floor(n * h);
    peaks[second] = Math.max(peaks[second] ?? 0, wall);
    if (wall > 0) touched = true;
    free = sample.touching === 1 || wall > 0 ? 0 : free + 1;
    if (o.duration_s === undefined && touched && free > 100 && v > 0) break;
    if (!Number.isFinite(v)) break;
  }
  const { slots } = audit;
  return {
    e: v / v0,
    ePort: portOut / -portIn,
    audit: slots,
    brought: audit.brought[0],
    guard: guard.slots,
    tank: tank.slots,
    absorbed,
    peaks,
    guardPeak,
  };
}
