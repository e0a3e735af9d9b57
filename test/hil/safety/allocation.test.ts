/** A tick of safety and operator code allocates nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { HandMode } from '../../../hil/operator/hand-mode.ts';
import { LimitMonitor } from '../../../hil/safety/limits.ts';
import { OverrunMonitor } from '../../../hil/safety/overrun.ts';
import { Accommodation } from '../../../src/control/fma.ts';
import { DEFAULT_HAND_CONTROLLER, HandController } from '../../../src/control/hand-controller.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { Bench, LIMITS } from '../../fixtures/safety-harness.ts';

// A large young generation: no collection may fall into the measurement and hide a growth.
setFlagsFromString('--semi-space-growth-factor=8');
setFlagsFromString('--min-semi-space-size=64');
setFlagsFromString('--max-semi-space-size=64');
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const TICKS = 100_000;

test('machine, limits, overruns, hand controller with its modes and accommodation: below a byte a tick over 100,000 ticks', () => {
  const bench = new Bench().active();
  const limits = new LimitMonitor(LIMITS, 0.001);
  const overruns = new OverrunMonitor();
  const hand = new HandController();
  const fma = new Accommodation({
    payload: 'payload',
    arm: 'arm',
    forceGain: 1e4,
    momentGain: 100,
    forceDeadband: 10,
    momentDeadband: 1,
    lag: 0.02,
    maximumSpeed: 0.1,
    maximumAngularSpeed: 0.5,
  });
  const system = makeSystem(compileScenario(loadScenario('half-sphere-on-plate')));
  const mode = new HandMode(system, DEFAULT_HAND_CONTROLLER);
  const wanted = new Float64Array(3);
  const step = Float64Array.of(0.001);
  const setting = Float64Array.of(NaN, 0.5, 0, -30, 0, 1.5, 0, NaN, 1.25, NaN, NaN);
  const arm = new Float64Array(13);
  const saved = new Float64Array(Math.max(fma.arena.stateLength, hand.arena.stateLength));
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
      hand.frame = tick % 3;
      hand.shape(0.001, setpoint, 3);
      if (phase === 950) {
        wanted[0] = (tick / 1000) & 1; // rate, position
        checksum[0] += mode.change(wanted, 0, 0);
      }
      mode.drive(hand, phase > 10 && phase < 900 ? 1 : 0);
      wrench[2] = 0.0301 * phase;
      if (phase === 0) {
        setting[0] = tick % 64;
        fma.change(setting, 0);
      }
      fma.advance(step);
      fma.computeReference(hand.twist, wrench);
      fma.track(arm, step);
      if (phase === 250) {
        fma.arena.saveState(saved, 0);
        fma.arena.loadState(saved, 0);
        hand.arena.saveState(saved, 0);
        hand.arena.loadState(saved, 0);
        mode.arena.saveState(saved, 0);
        mode.arena.loadState(saved, 0);
      }
      setpoint[9] = hand.twist[2] * bench.outputs.commandScale;
      setpoint[2] += 0.001 * setpoint[9];
      if (phase === 0) {
        setpoint[2] = 0; // where it is measured
        limits.limiter.reset(setpoint);
      }
      limits.limiter.limit(setpoint, bench.outputs.commandScale === 0);
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
