/**
 * Scenarios in a program: one that comes with the package, with a changed value, and one of plain data, with defaults and units.
 *
 *   node --import tsx examples/make-a-scenario.ts
 */
import { compileScenario, ConfigError, loadScenario, makeSystem, type SystemModel } from 'berth';

/** Runs a model to its end. @returns the hash of its last state */
function run(model: SystemModel, duration_s: number): string {
  const system = makeSystem(model);
  const steps = Math.round(duration_s / model.step);
  for (let n = 0; n < steps; n++) {
    if (system.step(model.step) !== 0) throw new Error(`no finite state at ${system.time} s`);
  }
  return system.hash();
}

const stored = loadScenario('ball-on-incline', ['integration.step_s=0.5 ms']);
console.log(`${stored.title}: state ${run(compileScenario(stored), 0.2)} after 0.2 s`);

const own = {
  name: 'block',
  title: 'A block on a table',
  bodies: [
    {
      name: 'block',
      kind: 'dynamic',
      position_m: [0, 0, '5 cm'],
      density_kg_per_m3: 500,
      cells: [{ shape: { kind: 'box', size_m: [0.1, 0.1, 0.1] } }],
    },
    { name: 'table', kind: 'fixed', cells: [{ shape: { kind: 'half-space' } }] },
  ],
  contacts: [
    {
      name: 'block-table',
      body_i: 'block',
      body_j: 'table',
      pair: { kind: 'volumetric' },
      normal_law: {
        kind: 'volumetric',
        stiffness_N_per_m3: 1e7,
        restitution: 0.5,
        small_velocity_mps: 1e-3,
      },
      friction_law: { kind: 'none' },
    },
  ],
  duration_s: 0.1,
};
console.log(`${own.title}: state ${run(compileScenario(own), own.duration_s)} after 0.1 s`);

try {
  compileScenario({ ...own, duration_s: '5 kg' });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
