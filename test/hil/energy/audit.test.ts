/** Energy audit: test 35 of `hil-anchors 9.4`, frames that do not come, moments, restitution of both sides, removal. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { AuditSlot, EnergyAudit } from '../../../hil/energy/energy-audit.ts';
import { PortSample } from '../../../hil/energy/port-sample.ts';
import { fly, uniform } from './mass-on-wall.ts';

test('created energy within 2 % of what came in, for 50 contacts', (t) => {
  let worst = 0;
  const random = uniform(35);
  const between = (a: number, b: number): number => a + (b - a) * random();
  let done = 0;
  for (let i = 0; done < 50; i++) {
    const m = Math.exp(between(Math.log(20), Math.log(500)));
    const k = Math.exp(between(Math.log(1e4), Math.log(1e6)));
    const w = Math.sqrt(k / m);
    // w T <= 0.4, and 20 ticks a contact at the least: the audit of the robot's frames samples it
    const T_ms = Math.min(20, (1e3 * between(0.05, 0.4)) / w);
    if (w * 1e-3 > Math.PI / 20) continue;
    const b = i % 2 === 0 ? 0 : 2 * between(0.01, 0.15) * Math.sqrt(k * m);
    const { e, absorbed, audit } = fly({ m, k, b, T_ms, v0: 0.1, threshold: 0, seed: i + 1 });
    const into = 0.5 * m * 0.01;
    const real = into * (e * e - 1) + absorbed;
    const error = Math.abs(audit[AuditSlot.CREATED] - real) / into;
    // the first and the last frame of a contact lie up to a tick inside it: the trapezoid gives that piece up to k (v h)²/8, over
    // m v0²/2 this is (w h)²/4, the last one with the speed after. The damper's force steps up by b v: half a tick of it is b h/m.
    const most = 1e-4 + (w * 1e-3) ** 2 * 0.25 * Math.max(1, e * e) + (b * 1e-3) / m;
    assert.ok(error <= Math.min(most, 0.02), `m ${m} k ${k} b ${b} T ${T_ms}: ${error}`);
    assert.ok(Math.abs(audit[AuditSlot.RESTITUTION_SIM] - e) < 1e-6, 'simulation side');
    assert.equal(audit[AuditSlot.CONTACTS], 1);
    worst = Math.max(worst, error);
    done++;
  }
  t.diagnostic(`acceptance 35: worst of 50 contacts ${(100 * worst).toFixed(2)} % of E_in`);
});

/** A tick of free flight or contact at a speed, with a force that is zero or not. */
function free(sample: PortSample, n: number, noise: number): void {
  sample.fresh = 1;
  sample.sensed = 1;
  sample.measured[0] = 0.1 * n * 1e-3;
  sample.measured[6] = 1;
  sample.measured[7] = 0.1;
  sample.port[0] = noise;
  sample.armWrench[0] = noise;
  sample.before[0] = 0.1;
  sample.after[0] = 0.1;
  sample.average();
}

test('no contact: nothing is created, with noise or without', () => {
  const audit = new EnergyAudit(1e-3);
  const sample = new PortSample();
  const random = uniform(1);
  for (let n = 0; n < 60_000; n++) {
    free(sample, n, random() - 0.5);
    audit.observe(sample);
  }
  assert.ok(Math.abs(audit.slots[AuditSlot.CREATED_TOTAL]) < 1e-9, 'less than 1e-9 J');
  assert.equal(audit.slots[AuditSlot.CONTACTS], 0);
  assert.ok(Number.isNaN(audit.slots[AuditSlot.RESTITUTION_SIM]), 'no restitution');
});

test('frames that do not come: a loop without delay and without force in them creates nothing', () => {
  const audit = new EnergyAudit(1e-3);
  const sample = new PortSample();
  // a constant force of 20 N at constant speed, 200 ticks; a third of the frames lost: work on both sides is the same 0.4 J
  const random = uniform(3);
  for (let n = 0; n < 500; n++) {
    const touching = n >= 100 && n < 300;
    free(sample, n, touching ? -20 : 0);
    sample.touching = touching ? 1 : 0;
    sample.fresh = n === 99 || n === 100 || n === 300 || random() > 1 / 3 ? 1 : 0;
    audit.observe(sample);
  }
  const s = audit.slots;
  // the force steps between two frames at both ends: half a tick of 2 W each, at one end more, at the other less
  assert.ok(Math.abs(s[AuditSlot.CREATED]) < 1e-9, `created ${s[AuditSlot.CREATED]}`);
  assert.ok(Math.abs(s[AuditSlot.SIMULATED] - 0.4) < 1e-9, `given ${s[AuditSlot.SIMULATED]}`);
});

test('the real loop with losses: created energy is what the mass gained', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const { e, audit } = fly({ m: 100, k: 1e5, b: 0, T_ms: 5, loss: 0.05, seed });
    const gained = 0.5 * (e * e - 1);
    // a gap of two frames is integrated with one chord: 2 % of the energy at this stiffness
    assert.ok(Math.abs(audit[AuditSlot.CREATED] - gained) < 0.02 * 0.5, `seed ${seed}`);
  }
});

test('work of a moment: a turning tool against a torsion spring', () => {
  const audit = new EnergyAudit(1e-3);
  const sample = new PortSample();
  const c = 300;
  // turns about an oblique axis by 0.3 rad and back; the moment is that of the angle: no work in the end, ½ c θ² in between
  const axis = [2 / 3, -1 / 3, 2 / 3];
  let most = 0;
  for (let n = 0; n <= 1000; n++) {
    const t = n / 1000;
    const angle = 0.3 * Math.sin(Math.PI * t) ** 2;
    const rate = 0.3 * Math.PI * Math.sin(2 * Math.PI * t);
    sample.fresh = 1;
    sample.touching = 1;
    sample.sensed = 1;
    for (let i = 0; i < 3; i++) {
      sample.measured[3 + i] = Math.sin(angle / 2) * axis[i];
      sample.measured[10 + i] = rate * axis[i];
      sample.port[3 + i] = -c * angle * axis[i];
      sample.armWrench[3 + i] = sample.port[3 + i];
      sample.before[3 + i] = sample.measured[10 + i];
      sample.after[3 + i] = sample.measured[10 + i];
    }
    sample.measured[6] = Math.cos(angle / 2);
    sample.average();
    audit.observe(sample);
    most = Math.max(most, audit.slots[AuditSlot.HARDWARE]);
  }
  const stored = 0.5 * c * 0.3 * 0.3;
  assert.ok(Math.abs(most / stored - 1) < 1e-9, `${most} J of ${stored} J`);
  assert.ok(Math.abs(audit.slots[AuditSlot.HARDWARE]) < 1e-9, 'all came back');
});

test('restitution of the hardware side follows the simulation side', () => {
  const { e, audit } = fly({ m: 100, k: 1e4, b: 0, T_ms: 5 });
  assert.ok(
    Math.abs(audit[AuditSlot.RESTITUTION_HW] - e) < 0.01,
    'the robot goes where the mass was',
  );
  const slow = fly({ m: 100, k: 1e5, b: 0, T_ms: 1, v0: 5e-4, threshold: 0 });
  assert.ok(Number.isNaN(slow.audit[AuditSlot.RESTITUTION_SIM]), 'too slow for a restitution');
});

test('removal: the figures of hil-anchors 3 within 0.2 %', () => {
  const rows: [number, number, number, number][] = [
    [1e5, 0, 1, 0.9948],
    [1e5, 0, 5, 0.9975],
    [1e5, 0, 10, 0.9985],
    [1e5, 0, 20, 0.9994],
    [1e5, 200, 2, 0.9017],
    [1e5, 200, 5, 0.8969],
    [1e5, 200, 10, 0.884],
  ];
  for (const [k, b, T_ms, sheet] of rows) {
    const { e } = fly({ m: 100, k, b, T_ms, removal: true });
    assert.ok(Math.abs(e - sheet) < 0.002, `${k} ${b} ${T_ms}: ${e}, sheet ${sheet}`);
  }
});
