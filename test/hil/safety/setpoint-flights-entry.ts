/**
 * Random flights on the virtual clock, every SETPOINT differenced: `npm run test:setpoints -- --flights 10000 [--seed 1] [--ticks 600]`.
 * Ends with 1 when a limit is exceeded, and names the flight by its seed.
 */
import { flySetpoints, largestExcess, randomPlan } from '../../fixtures/setpoint-flight.ts';

const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const flights = argument('flights', 100);
const first = argument('seed', 1);
const ticks = argument('ticks', 600);

/** Flights between two lines of what has been seen. */
const TOLD = 1000;

let largest = 0;
let apart = 0;
let beyond = -Infinity;
let frames = 0;
let armed = 0;
let held = 0;
let bad = 0;
const began = Date.now();
for (let seed = first; seed < first + flights; seed++) {
  const plan = randomPlan(seed, ticks);
  const { seen, rig, armed: flew } = flySetpoints(plan);
  const excess = largestExcess(seen);
  largest = Math.max(largest, excess);
  apart = Math.max(apart, seen.apart);
  beyond = Math.max(beyond, seen.beyond_m);
  frames += seen.differenced;
  if (flew) armed++;
  if (rig.transitions.some(({ cause }) => cause === 'SETPOINT_LIMITED')) held++;
  if ((seed - first) % TOLD === TOLD - 1) {
    console.log(
      `${seed - first + 1}: largest ${largest.toFixed(7)}, apart ${apart.toFixed(4)}, ${bad} beyond`,
    );
  }
  const timeout = rig.transitions.some(({ cause }) => cause === 'HOLD_TIMEOUT');
  if (
    excess <= 1 + 1e-6 &&
    seen.apart <= 1 + 1e-6 &&
    seen.beyond_m <= 1e-9 &&
    !timeout &&
    rig.errors.length === 0
  )
    continue;
  bad++;
  const why = timeout
    ? 'HOLD_TIMEOUT'
    : `${seen.worst}, apart ${seen.apart}, beyond ${seen.beyond_m} m`;
  console.log(
    `flight ${seed} (${plan.scenario}, ${plan.mode}): ${why} ${rig.errors.length} errors`,
  );
}
const took = ((Date.now() - began) / 1000).toFixed(0);
console.log(
  `acceptance 53: ${flights} flights, ${armed} armed, ${held} held by SETPOINT_LIMITED, ${frames} set-points differenced three times in ${took} s: largest ${largest.toFixed(7)} of its limit, ` +
    `twist and pose apart ${apart.toFixed(4)} of acceleration times period, ${beyond.toExponential(1)} m beyond a wall, ${bad} flights beyond a limit`,
);
process.exitCode = bad === 0 ? 0 : 1;
