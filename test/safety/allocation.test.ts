/** A tick of safety and operator code allocates nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LimitMonitor } from '../../hil/safety/limits.ts';
import { OverrunMonitor } from '../../hil/safety/overrun.ts';
import { HandController } from '../../src/control/hand-controller.ts';
import { Bench } from './harness.ts';

// A large young generation: no collection may fall into the measurement and hide a growth.
setFlagsFromString('--semi-space-growth-factor=8');
setFlagsFromString('--min-semi-space-size=64');
setFlagsFromString('--max-semi-space-size=64');
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const TICKS = 100_000;

test('machine, limits, overruns and hand controller: below a byte a tick over 100,000 ticks', () => {
  const bench = new Bench().active();
  const limits = new LimitMonitor({
    force_N: 400,
    moment_Nm: 100,
    speed_mps: 0.1,
    angular_speed_radps: 0.5,
    acceleration_mps2: 5,
    workspace_m: 0.5,
  });
  const overruns = new OverrunMonitor();
  const hand = new HandController();
  const setpoint = new Float64Array(13);
  const measured = new Float64Array(13);
  const wrench = new Float64Array(6);
  setpoint[6] = 1;
  measured[6] = 1;
  const checksum = new Float64Array(1);
  const run = (): void => {
    for (let tick = 0; tick < TICKS; tick++) {
      const phase = tick % 1000;
      hand.deadman = phase < 900 ? 1 : 0;
      hand.age_s = phase * 1e-5;
      hand.axes[2] = phase > 100 && phase < 900 ? -0.5 : 0;
      hand.frame = tick & 1;
      hand.shape(0.001, setpoint, 3);
      setpoint[0] = phase * 1.234e-7;
      setpoint[9] = hand.twist[2] * bench.outputs.commandScale;
      limits.clampSetpoint(setpoint, 0.001);
      limits.checkMeasured(measured, wrench, bench.inputs);
      limits.compare(setpoint, measured, bench.inputs);
      bench.inputs.deadman = hand.deadman;
      bench.inputs.sticksNeutral = hand.neutral;
      bench.inputs.inputAge_s = hand.age_s;
      bench.inputs.contact = phase > 500 ? 1 : 0;
      overruns.overrun_s[0] = 0.0012;
      bench.inputs.overrunTrip = overruns.update(phase % 7 === 0, 0);
      if (phase === 950) bench.inputs.resumeRequest = 1;
      bench.machine.step(bench.inputs, bench.outputs);
      checksum[0] += bench.outputs.commandScale;
    }
  };
  run();
  let least = Infinity;
  // The compiler works beside the program and may be late on a busy machine: rounds until its code is in place.
  for (let round = 0; round < 12 && least >= TICKS; round++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    run();
    least = Math.min(least, process.memoryUsage().heapUsed - before);
  }
  assert.ok(checksum[0] > TICKS, 'the run flew and held in turn');
  assert.ok(least < TICKS, `${least} bytes over ${TICKS} ticks`);
});
