/**
 * The gripper catches the payload, `Kim 1999, 6.4`: two pairs of grapple points, at the middles of the tips and opposite on the face, are joined by
 * springs and dampers from the first contact on, and one antenna stands on a free joint. The source prints neither the places of the points nor a
 * free length; springs act on the whole distance, (6.1). The transient runs with elastic bodies that touch, what follows with rigid ones.
 */
import { ContactStep } from '../../src/fem/contact-step.ts';
import { SpringDamper } from '../../src/fem/spring-damper.ts';
import { ANTENNA } from './fem-antennas.ts';
import { ANGLES, CIRCUMRADIUS, DEGREE, MASSES, RATES } from './fem-space-impact.ts';
import { ARM, GRIPPER, SpaceScene } from './space-scene.ts';

/** Of a pair of grapple points, N/m and N s/m, as printed. */
export const GRAPPLE = { stiffness: 5e4, damping: 4e4 } as const;
/** Contacts that are less than this many steps apart are one. */
const CHATTER = 5;

interface Setting {
  readonly scene: SpaceScene;
  readonly springs: readonly SpringDamper[];
}

function makeScene(rigid: boolean, friction: boolean, misalignment: number): Setting {
  const scene = new SpaceScene({
    young: { gripper: 7e10, payload: 7e10 },
    payload: { mass: MASSES.payload, circumradius: CIRCUMRADIUS },
    ...(rigid ? {} : { modes: { gripper: 2, payload: 2 } }),
    friction: friction ? { static: 0.2, sliding: 0.15 } : { static: 0, sliding: 0 },
    antennas: [{ ...ANTENNA, modes: 2, face: 2, locked: false }],
    angles: ANGLES.map((angle, i) => (i < 3 ? angle * DEGREE : angle)),
    rates: RATES.map((rate, i) => (i < 3 ? rate * DEGREE : rate)),
    gripperRate: 0,
    direction: 112.7,
    misalignment,
  });
  const place = new Float64Array(2);
  const springs = scene.tips.map((tip) => {
    const middle = tip[tip.length >> 1];
    scene.gripper.position(middle, place, 0);
    return new SpringDamper(
      { part: GRIPPER, body: scene.gripper, points: [middle], shares: [1] },
      scene.onFace(place),
      GRAPPLE,
    );
  });
  return { scene, springs };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const energyOf = ({ scene, springs }: Setting): number => {
  for (const spring of springs) spring.measure();
  return (
    sum(scene.parts.map((_, part) => scene.energyOf(part))) +
    sum(springs.map((spring) => spring.energy()))
  );
};

/** What the first milliseconds give. */
export interface Transient {
  /** Contacts that are more than five steps apart, and how often a node touched where none did. */
  readonly contacts: number;
  readonly touches: number;
  /** End of the last contact, s. */
  readonly last: number;
  /** Time constant of the rate at which the grapple points go apart along the normal, 1 ms to 4 ms, s. */
  readonly decay: number;
  /** Energy at the end, and that with what the dampers took over that of the start, less 1. */
  readonly energy: number;
  readonly ledger: number;
  /** Change of the angular momentum about the centre of the spacecraft over that of the gripper's approach. */
  readonly momentumError: number;
  /** Rates of the payload at the end: m/s, m/s, rad/s. */
  readonly payload: readonly number[];
  readonly unsettled: number;
  readonly time: number[];
  readonly forces: number[];
  readonly joint: number[];
  readonly angle: number[];
  readonly energies: readonly number[][];
}

/** Runs the transient. @param misalignment of the face against the line of the tips, ° @param step s */
export function runTransient(
  misalignment: number,
  friction: boolean,
  step: number,
  end = 8e-3,
): Transient {
  const setting = makeScene(false, friction, misalignment);
  const { scene, springs } = setting;
  const joints = [...scene.joints, ...springs];
  const system = new ContactStep(scene.parts, scene.pairs, joints, { step, project: false });
  const initial = energyOf(setting);
  const spin = scene.angularMomentum();
  const [nx, ny] = scene.into;
  const time: number[] = [];
  const forces: number[] = [];
  const joint: number[] = [];
  const angle: number[] = [];
  const energies: number[][] = [[], [], [], [], []];
  const apart: number[] = [];
  const places = springs.map(() => [0, 0]);
  const rates = springs.map(() => 0);
  let was = false;
  let [contacts, touches, last, taken, brought, active] = [0, 0, -1e9, 0, -1, 0];
  for (let s = 1; s * step <= end + step / 2; s++) {
    system.advance();
    const now = scene.active();
    if (now > 0) {
      if (s - last > CHATTER) contacts++;
      if (active === 0) touches++;
      if (touches === 1 && active === 0) for (const spring of springs) spring.engage();
      last = s;
    }
    active = now;
    // the mean rate of the step; what the springs have when they are engaged they bring along
    const engaged = springs[0].count > 0;
    if (engaged && brought < 0) brought = sum(springs.map((spring) => spring.energy()));
    for (const [k, spring] of springs.entries()) {
      spring.measure();
      const [x, y] = spring.elongation;
      const [dx, dy] = [x - places[k][0], y - places[k][1]];
      if (was) taken += (GRAPPLE.damping * (dx * dx + dy * dy)) / step;
      rates[k] = (dx * nx + dy * ny) / step;
      places[k] = [x, y];
    }
    was = engaged;
    time.push(1e3 * s * step);
    forces.push(scene.pressure()[1]);
    const [x, y] = scene.pin.forces;
    joint.push(-nx * x - ny * y);
    angle.push((scene.gripper.q[2] - scene.payload.q[2]) / DEGREE);
    for (let p = 0; p < 3; p++) energies[p].push(scene.energyOf(p));
    energies[3].push(sum(springs.map((spring) => spring.energy())));
    energies[4].push(taken);
    apart.push(sum(rates) / 2);
  }
  const at = (when: number): number => Math.log(Math.abs(apart[Math.round(when / step) - 1]));
  return {
    contacts,
    touches,
    last: last * step,
    decay: 3e-3 / (at(1e-3) - at(4e-3)),
    energy: energyOf(setting),
    ledger: (energyOf(setting) + taken - brought) / initial - 1,
    momentumError: scene.angularMomentum() / spin - 1,
    payload: [...scene.payload.rate.subarray(0, 3)],
    unsettled: system.unsettled / time.length,
    time,
    forces,
    joint,
    angle,
    energies,
  };
}

/** What follows, a value every 0.1 s. */
export interface Aftermath {
  readonly time: number[];
  /** Kinetic energy and that of springs, J: of all, and of the arm. */
  readonly energy: number[];
  readonly armEnergy: number[];
  /** Deflection of both links at their tips, m. */
  readonly tips: readonly [number[], number[]];
  /** Angles of spacecraft and joints, °. */
  readonly angles: readonly [number[], number[], number[]];
  /** Distance of the payload's centre from that of the spacecraft, m. */
  readonly distance: number[];
  readonly momentumError: number;
  readonly unsettled: number;
}

/** Steps while the dampers act, s, and until when. */
const FINE = { step: 5e-5, end: 0.05 } as const;

/** A run with rigid gripper and payload: latched from the start, or the arm alone from a state of its own after a rebound. */
export function runAftermath(
  end: number,
  step: number,
  rebound?: { readonly q: readonly number[]; readonly rate: readonly number[] },
): Aftermath {
  const setting = makeScene(true, false, 0);
  const { scene, springs } = setting;
  const { arm } = scene;
  const parts = rebound === undefined ? scene.parts : scene.parts.slice(0, 1);
  if (rebound === undefined) {
    for (const spring of springs) spring.engage();
  } else {
    arm.q.set(rebound.q);
    arm.rate.set(rebound.rate);
  }
  const joints = rebound === undefined ? [...scene.joints, ...springs] : [];
  if (rebound === undefined) {
    const { step: fine, end: until } = FINE;
    const first = new ContactStep(parts, [], joints, { step: fine, project: false });
    for (let s = 1; s * fine <= until + fine / 2; s++) first.advance();
  }
  const system = new ContactStep(parts, [], joints, { step, project: false });
  const spin = scene.angularMomentum();
  const out = {
    time: [] as number[],
    energy: [] as number[],
    armEnergy: [] as number[],
    tips: [[], []] as [number[], number[]],
    angles: [[], [], []] as [number[], number[], number[]],
    distance: [] as number[],
  };
  const every = Math.round(0.1 / step);
  const begin = rebound === undefined ? FINE.end : 0;
  for (let s = 1; begin + s * step <= end + step / 2; s++) {
    system.advance();
    if (s % every !== 0) continue;
    out.time.push(begin + s * step);
    out.armEnergy.push(scene.energyOf(ARM));
    out.energy.push(rebound === undefined ? energyOf(setting) : scene.energyOf(ARM));
    for (let k = 0; k < 2; k++) out.tips[k].push(2 * arm.q[3 + k]);
    for (let k = 0; k < 3; k++) out.angles[k].push(arm.q[k] / DEGREE);
    const [x, y] = scene.payload.q;
    out.distance.push(Math.sqrt((x + arm.origin[0]) ** 2 + (y + arm.origin[1]) ** 2));
  }
  return {
    ...out,
    momentumError: scene.angularMomentum() / spin - 1,
    unsettled: system.unsettled,
  };
}
