/** Volumetric bristle: function-level pins of `Gonthier 2007`, Contensou factors, saturation, smoothness, power. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gaussLegendre } from '../../../src/math/quadrature.ts';
import { FRICTION, frictionLaw, kinematicsOf, loadOf } from '../../fixtures/volumetric-laws.ts';
import { BRISTLE, NORMAL_RESULT } from '../../../src/contact/normal/normal-law.ts';
import { GYRATION, KINEMATICS, NORMAL, SLIP, SPIN } from '../../../src/contact/pair.ts';
import { CONTACT_READOUT, ContactReadout } from '../../../src/contact/contact-readout.ts';

const RADIUS = 0.0128;

/** The pins have twelve digits; 1e-10 of the value, of 1e-2 for those near zero. */
function near(got: number, want: number, what: string): void {
  const error = Math.abs(got - want);
  assert.ok(error <= 1e-10 * Math.max(1e-2, Math.abs(want)), `${what}: ${got} against ${want}`);
}

// slip, spin, z, theta, s_dw; f, tau, z', theta', [C_vs, C_ws, s], all for a load of 1 N
const PINS = [
  {
    slip: [2e-4, -1e-4],
    spin: 0.05,
    z: [1e-7, 2e-7],
    theta: 1e-5,
    dwell: 0.3,
    force: [-0.0432921502376, 0.00999522010808],
    torque: -7.39628093246e-4,
    zRate: [1.05279022955e-4, -9.48532144596e-5],
    thetaRate: 0.0111132923844,
    stick: 0.631536209475,
  },
  {
    slip: [5e-3, 0],
    spin: 1.5,
    z: [4e-7, 0],
    theta: 2e-5,
    dwell: 0,
    force: [-0.0126005759704, 0],
    torque: -6.19343510096e-4,
    zRate: [-8.66445865104e-5, 0],
    thetaRate: 0.00562940064857,
    stick: 0,
  },
  {
    slip: [5e-7, 0],
    spin: 1e-5,
    z: [0, 0],
    theta: 0,
    dwell: 1,
    force: [-1.58114838997e-4, 0],
    torque: -5.18110706973e-7,
    zRate: [5.000030231e-7, 0],
    thetaRate: 1.00000605112e-5,
    stick: 0.999999733616,
  },
] as const;

test('explicit evaluation reproduces the pins', () => {
  for (const pin of PINS) {
    const law = frictionLaw(FRICTION);
    const k = kinematicsOf(pin.slip, pin.spin, RADIUS);
    law.states.set([pin.z[0], pin.z[1], 0, pin.theta, pin.dwell]);
    law.evaluate(k, loadOf(1));
    for (let a = 0; a < 2; a++) {
      near(law.force[a], pin.force[a], `force ${a}`);
      near(law.rates[a], pin.zRate[a], `z' ${a}`);
    }
    near(law.torque[2], pin.torque, 'torque');
    near(law.rates[3], pin.thetaRate, "theta'");
    assert.ok(Math.abs(law.torque[0]) + Math.abs(law.torque[1]) === 0);
    const readout = new Float64Array(CONTACT_READOUT.length);
    law.read(readout);
    near(readout[ContactReadout.stick], pin.stick, 's');
    // (3.36) with (4.221), written out
    const rim = RADIUS * pin.spin;
    const gap = Math.exp(-(pin.slip[0] ** 2 + pin.slip[1] ** 2 + rim ** 2) / 1e-6) - pin.dwell;
    near(law.rates[4], gap / (gap >= 0 ? 0.3 : 1 / Math.sqrt(1e5)), "s_dw'");
  }
});

test('pure sliding: the Coulomb force and no moment; pure spinning: the Coulomb moment and no force', () => {
  const load = 20;
  for (const speed of [0.02, 0.4]) {
    // v = 20 v_s and more: s = exp(−400) is 0 in effect, so the state of the bristle does not matter
    const slides = frictionLaw(FRICTION);
    slides.evaluate(kinematicsOf([0.6 * speed, -0.8 * speed], 0, RADIUS), loadOf(load));
    assert.ok(Math.abs(slides.force[0] + 0.6 * 0.05 * load) < 1e-9);
    assert.ok(Math.abs(slides.force[1] - 0.8 * 0.05 * load) < 1e-9);
    assert.ok(Math.abs(slides.torque[2]) < 1e-12);
    const turns = frictionLaw(FRICTION);
    turns.evaluate(kinematicsOf([0, 0], -speed / RADIUS, RADIUS), loadOf(load));
    assert.ok(Math.abs(turns.torque[2] - 0.05 * RADIUS * load) < 1e-9 * RADIUS);
    assert.ok(Math.abs(turns.force[0]) + Math.abs(turns.force[1]) < 1e-12);
  }
});

test('the squares of the Contensou factors add up to 1 from the velocity tolerance on', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-5, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      (speed, mix) => {
        const { slip, spin } = factors(speed * Math.cos(mix), speed * Math.sin(mix));
        assert.ok(Math.abs(slip * slip + spin * spin - 1) < 1e-12);
      },
    ),
  );
  // below it both fade with the speed
  const { slip, spin } = factors(3e-6, 4e-6);
  assert.ok(Math.abs(slip - 0.3) < 1e-12 && Math.abs(spin - 0.4) < 1e-12);
});

/** C_v and C_w as force and moment per μ f_n, read with v_s so small that s = 0 and the direction fully developed. */
function factors(slip: number, rim: number): { slip: number; spin: number } {
  const law = frictionLaw({
    ...FRICTION,
    stribeckVelocity: 1e-9,
    velocityTolerance: 1e-5,
    stiction: 1,
    coulomb: 1,
  });
  law.evaluate(kinematicsOf([slip, 0], rim / RADIUS, RADIUS), loadOf(1));
  const develop = (v: number): number => {
    const r = Math.abs(v) / 1e-5;
    return r >= 1 ? 1 : r * (1.5 - 0.5 * r * r);
  };
  return {
    slip: slip === 0 ? 0 : Math.abs(law.force[0]) / develop(slip),
    spin: rim === 0 ? 0 : Math.abs(law.torque[2]) / RADIUS / develop(rim),
  };
}

test('the exact integrals over a disc, and the error of the Contensou ellipse', () => {
  // v/(r w), exact F/(μ N), exact T/(μ N a), ratio of the model's moment: paraboloid of pressure, r = a/√3
  const table = [
    [0.1, 0.0769, 0.5311, 1.08],
    [0.25, 0.191, 0.5196, 1.08],
    [0.5, 0.373, 0.4804, 1.07],
    [1, 0.6777, 0.3508, 1.16],
    [2, 0.9319, 0.1527, 1.69],
    [4, 0.9841, 0.0731, 1.92],
  ] as const;
  let worst = 0;
  for (const [ratio, force, moment, excess] of table) {
    const exact = slidingDisc(ratio / Math.sqrt(3));
    // the table has four digits
    assert.ok(Math.abs(exact.force - force) < 6e-5, `F at ${ratio}: ${exact.force}`);
    assert.ok(Math.abs(exact.moment - moment) < 6e-5, `T at ${ratio}: ${exact.moment}`);
    const law = frictionLaw({ ...FRICTION, stiction: 1, coulomb: 1 });
    const radius = 1 / Math.sqrt(3);
    law.evaluate(kinematicsOf([ratio * radius, 0], 1, radius), loadOf(1));
    const root = Math.sqrt(1 + ratio * ratio);
    assert.ok(Math.abs(-law.force[0] - ratio / root) < 1e-9);
    assert.ok(Math.abs(-law.torque[2] - radius / root) < 1e-9);
    assert.ok(Math.abs(-law.torque[2] / exact.moment - excess) < 6e-3, `ratio at ${ratio}`);
    worst = Math.max(worst, Math.abs(-law.force[0] - exact.force));
  }
  assert.ok(worst < 0.08, `the force is off by at most 0.08 mu N, got ${worst}`);
});

/**
 * Force over μ N and moment over μ N a of Coulomb friction on a disc of radius 1 under the pressure
 * 1 − ρ², sliding at `speed` along x while spinning at 1. The integral is polar about the point at
 * rest, where the integrand is smooth along each ray.
 */
function slidingDisc(speed: number): { force: number; moment: number } {
  const { nodes, weights } = gaussLegendre(96);
  const load = Math.PI / 2;
  // at (x, y) the velocity is (speed − y, x): at rest at (0, speed)
  let force = 0;
  let moment = 0;
  const bound = speed > 1 ? Math.asin(1 / speed) : Math.PI;
  for (let k = 0; k < nodes.length; k++) {
    // angle from the direction to the centre; sine substitution for rays that only graze the disc
    const beta = speed > 1 ? bound * Math.sin(0.5 * Math.PI * nodes[k]) : bound * nodes[k];
    const dBeta = speed > 1 ? bound * 0.5 * Math.PI * Math.cos(0.5 * Math.PI * nodes[k]) : bound;
    const half = Math.sqrt(Math.max(0, 1 - (speed * Math.sin(beta)) ** 2));
    const near = speed > 1 ? speed * Math.cos(beta) - half : 0;
    const far = speed * Math.cos(beta) + half;
    for (let m = 0; m < nodes.length; m++) {
      const r = 0.5 * (near + far) + 0.5 * (far - near) * nodes[m];
      const x = r * Math.sin(beta);
      const y = speed - r * Math.cos(beta);
      const weight = weights[k] * dBeta * weights[m] * 0.5 * (far - near) * r;
      const pressure = 1 - x * x - y * y;
      const u = (speed - y) / r;
      const v = x / r;
      force += weight * pressure * u;
      moment += weight * pressure * (x * v - y * u);
    }
  }
  return { force: force / load, moment: moment / load };
}

test('force and moment are C1 in slip and spin, through zero and through the velocity tolerance', () => {
  // Second differences of a C1 function with bounded second derivative fall with h²; a kink leaves them at h. The path crosses
  // |v| = 0, r |w| = v_eps and |v| = v_eps. v_s just above 10 v_eps, and mu_S = mu_C, no state: only the factors vary.
  const law = frictionLaw({ ...FRICTION, stiction: 0.05 });
  const value = (slip: number, rim: number): [number, number] => {
    law.states.fill(0);
    law.evaluate(kinematicsOf([slip, 0], rim / RADIUS, RADIUS), loadOf(1));
    return [law.force[0], law.torque[2] / RADIUS];
  };
  const paths = [
    (s: number): [number, number] => [s, 4e-6],
    (s: number): [number, number] => [3e-3, s],
    (s: number): [number, number] => [s, 3e-3],
  ];
  for (const path of paths) {
    for (const centre of [0, 1e-5, -1e-5]) {
      const second = (h: number): number => {
        const [a, b, c] = [-h, 0, h].map((d) => value(...path(centre + d)));
        return Math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]) / h;
      };
      const slope = 0.05 / 1e-5;
      // the change of slope over h is h f'', f'' at most some mu/v_eps²: 1 % of v_eps gives a few percent of the largest slope
      assert.ok(second(1e-7) < 0.1 * slope, `slope jumps by ${second(1e-7) / slope}`);
      assert.ok(second(1e-9) < 0.002 * slope, `slope jumps by ${second(1e-9) / slope}`);
    }
  }
});

test('the bristle part of force and moment stays inside its Contensou limits, for any state', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -0.02, max: 0.02, noNaN: true }), { minLength: 3, maxLength: 3 }),
      fc.array(fc.double({ min: -5e-6, max: 5e-6, noNaN: true }), { minLength: 3, maxLength: 3 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ([vx, vy, rim], [zx, zy, zr], dwell) => {
        const law = frictionLaw(FRICTION);
        law.states.set([zx, zy, 0, zr / RADIUS, dwell]);
        law.evaluate(kinematicsOf([vx, vy], rim / RADIUS, RADIUS), loadOf(7));
        const mean = Math.hypot(vx, vy, rim);
        const s = Math.exp(-((mean / 1e-3) ** 2));
        const top = 0.05 + 0.03 * dwell;
        const share = (v: number): number => s + ((1 - s) * v) / Math.max(mean, 1e-5);
        const limit = 7 * top;
        const f = Math.hypot(law.force[0], law.force[1]);
        assert.ok(f <= limit * share(Math.hypot(vx, vy)) + 1e-14);
        assert.ok(Math.abs(law.torque[2]) / RADIUS <= limit * share(Math.abs(rim)) + 1e-14);
        // what z' gives is what the force was cut to
        for (let a = 0; a < 2; a++) {
          const bristle = 1e5 * law.states[a] + Math.sqrt(1e5) * law.rates[a];
          assert.ok(Math.abs(law.force[a] + 7 * bristle) < 1e-12);
        }
      },
    ),
  );
});

test('at a constant load friction takes at least the power that the bristles store', () => {
  // With F = s σ0 z + σ1 (s + (1 − s) g) v the loss is σ1 v² (s + (1 − s) g) − (1 − s) σ0 g z·v +
  // (1 − s) σ0²/σ1 z². It is not negative for any z when (1 − s) g²/4 <= s + (1 − s) g; as g <=
  // μ_C/(σ1 |v|) that holds for μ_C <= 2 σ1 v_s (here 0.05 against 0.63).
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
      fc.double({ min: -6, max: 0, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ([vx, vy, rim, zx, zy, zr], decade, dwell) => {
        const law = frictionLaw({ ...FRICTION, viscousDamping: 0.1 });
        const x = law.states;
        const speed = 10 ** decade;
        const bend = (0.05 + 0.03 * dwell) / 1e5;
        x.set([zx * bend, zy * bend, 0, (zr * bend) / RADIUS, dwell]);
        const k = kinematicsOf([vx * speed, vy * speed], (rim * speed) / RADIUS, RADIUS);
        law.evaluate(k, loadOf(1));
        const f = law.force;
        const taken = -(f[0] * k[SLIP] + f[1] * k[SLIP + 1] + law.torque[2] * k[SPIN + 2]);
        const r = law.rates;
        const stored = 1e5 * (x[0] * r[0] + x[1] * r[1] + RADIUS ** 2 * x[3] * r[3]);
        assert.ok(taken - stored >= -1e-15, `${taken} W taken, ${stored} W stored`);
      },
    ),
    { numRuns: 3000 },
  );
});

test('bristles store load σ0 (z² + r² θ²)/2, the torsion scaled like its moment', () => {
  for (const spinScale of [1, 0.65]) {
    const law = frictionLaw({ ...FRICTION, spinScale });
    law.states.set([3e-7, -4e-7, 0, 2e-5, 0]);
    const normal = new Float64Array(NORMAL_RESULT);
    law.computeStored(Float64Array.of(1, 7, 0), normal, kinematicsOf([0, 0], 0, RADIUS));
    const want = 0.5 * 7 * 1e5 * (25e-14 + spinScale * RADIUS ** 2 * 4e-10);
    assert.ok(Math.abs(normal[BRISTLE] - want) < 1e-14 * want + 1e-24);
  }
});

test('the spin scale multiplies the moment and nothing else', () => {
  const k = kinematicsOf([2e-4, -1e-4], 0.05, RADIUS);
  const [whole, part] = [1, 0.65].map((spinScale) => {
    const law = frictionLaw({ ...FRICTION, spinScale });
    law.states.set([1e-7, 2e-7, 0, 1e-5, 0.3]);
    law.evaluate(k, loadOf(1));
    return law;
  });
  assert.deepEqual([...part.force], [...whole.force]);
  assert.deepEqual([...part.rates], [...whole.rates]);
  assert.ok(Math.abs(part.torque[2] - 0.65 * whole.torque[2]) < 1e-18);
});

test('the law turns with the frame and does not care for units', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }),
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      (u, unit) => {
        const n = unitVector(u[0], u[1], u[2] + 1.5);
        const slip = u.slice(3, 6).map((x) => 2e-3 * x);
        const out = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
        const tangent = slip.map((x, a) => x - out * n[a]);
        const law = frictionLaw(FRICTION);
        const k = new Float64Array(KINEMATICS);
        k.set(n, NORMAL);
        k.set(tangent, SLIP);
        k.set(u.slice(6, 9), SPIN);
        k[GYRATION] = RADIUS;
        law.evaluate(k, loadOf(3));
        const w = u[6] * n[0] + u[7] * n[1] + u[8] * n[2];
        const flat = frictionLaw(FRICTION);
        flat.evaluate(kinematicsOf([Math.hypot(...tangent), 0], w, RADIUS), loadOf(3));
        const f = Math.hypot(...law.force);
        assert.ok(Math.abs(f - Math.abs(flat.force[0])) < 1e-13);
        const moment = law.torque[0] * n[0] + law.torque[1] * n[1] + law.torque[2] * n[2];
        assert.ok(Math.abs(moment - flat.torque[2]) < 1e-15);
        // lengths in another unit: velocities, tolerances and r scale, σ0 and σ1 scale back, the force stays
        const other = frictionLaw({
          ...FRICTION,
          bristleStiffness: FRICTION.bristleStiffness / unit,
          bristleDamping: FRICTION.bristleDamping / unit,
          stribeckVelocity: FRICTION.stribeckVelocity * unit,
          velocityTolerance: FRICTION.velocityTolerance * unit,
        });
        for (const at of [SLIP, SLIP + 1, SLIP + 2, GYRATION]) k[at] *= unit;
        other.evaluate(k, loadOf(3));
        for (let a = 0; a < 3; a++) {
          assert.ok(Math.abs(other.force[a] - law.force[a]) < 1e-12);
          assert.ok(Math.abs(other.torque[a] - unit * law.torque[a]) < 1e-13 * unit);
        }
      },
    ),
  );
});

function unitVector(x: number, y: number, z: number): number[] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

test('an overlap without breadth has no moment and no division by zero', () => {
  const law = frictionLaw(FRICTION);
  const k = kinematicsOf([1e-3, 0], 3, 0);
  law.evaluate(k, loadOf(1));
  for (const x of [...law.force, ...law.torque, ...law.rates]) assert.ok(Number.isFinite(x));
  assert.ok(Math.abs(law.torque[2]) === 0);
});
