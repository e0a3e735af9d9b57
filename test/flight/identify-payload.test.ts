/** The excitation of the payload over real sockets: on the force sensor of the robot hangs a payload that the service does not know. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { identifiedInFlight } from '../fixtures/excitation-flight.ts';
import { SCENARIO } from '../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-payload-flight-'));
after(() => rmSync(folder, { recursive: true }));

const MASS_kg = 0.4;
const CENTER_m = [0.03, -0.04, 0.05];

test('mass within 0.02 kg and centre within 8 mm of a payload that the service does not know', {
  timeout: 480_000,
}, async (t) => {
  const parameters = await identifiedInFlight(t, folder, {
    script: 'identify-payload',
    procedure: 'payload',
    robot: [
      ...['--scenario', SCENARIO],
      ...['--payload-residual', [MASS_kg, ...CENTER_m, 8e-4, 9e-4, 7e-4, 0, 0, 0].join(',')],
    ],
    patience_ms: 420_000,
  });
  const within = (name: string, truth: number, most: number): void => {
    const { value } = parameters[name];
    assert.ok(Math.abs(value - truth) < most, `${name} ${value} for ${truth}`);
  };
  // 50,000 samples of 1 N and 0.1 N m: standard errors of 0.003 kg, and of 0.8, 1.5 and 0.8 mm (identify-payload-flight.long.test.ts); five of them
  within('mass_kg', MASS_kg, 0.02);
  for (const [k, name] of ['center_x_m', 'center_y_m', 'center_z_m'].entries())
    within(name, CENTER_m[k], 0.008);
  for (const axis of ['x', 'y', 'z']) within(`bias_force_${axis}_N`, 0, 0.15);
  for (const axis of ['x', 'y', 'z']) within(`bias_moment_${axis}_Nm`, 0, 0.04);
});
