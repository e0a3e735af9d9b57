/** What `berth reduce` says of a reduced body: size, modes, stiffness, and which steps its contact needs. */
import type { ReducedBody } from '../../src/fem/reduce-body.ts';
import { pressStiffness } from '../../src/fem/press.ts';
import { jacobiEigen } from '../../src/math/jacobi-eigen.ts';

/** Forces at which the stiffness is said, N. */
const FORCES = [1, 10, 100];
/** Parts of a contact that a step may be: ω_c h ≤ 0.4 is h ≤ T_c/8. */
const PARTS = 8;

/** What the body meets. */
export interface Meeting {
  /** Mass that it is pressed against, kg. */
  readonly against: number;
  /** Period of the loop, s. */
  readonly period: number;
}

/** The lines. */
export function reductionWords(
  file: string,
  about: string,
  body: ReducedBody,
  { against, period }: Meeting,
): string[] {
  const [mass] = body.rigidMass;
  const lines = [`${file}: ${about}${mass === undefined ? '' : `, ${digits(mass)} kg`}`];
  const stiffness = FORCES.map((force) => pressStiffness(body, force));
  const pressed = FORCES.map((force, k) => `${digits(stiffness[k])} N/m at ${force} N`);
  lines.push(`pressed by a flat plate: ${pressed.join(', ')}`);
  const size = body.points.length;
  const { values } = jacobiEigen(Float64Array.from(body.compliance), size);
  lines.push(`condition of the compliance: ${digits(values[size - 1] / values[0])}`);
  const time = Math.PI * Math.sqrt(against / Math.max(...stiffness));
  const steps = Math.max(1, Math.ceil((PARTS * period) / time));
  lines.push(
    `against ${digits(against)} kg: contact of ${digits(1e3 * time)} ms, ` +
      `${steps} sub-step${steps === 1 ? '' : 's'} in ${digits(1e3 * period)} ms`,
  );
  lines.push(modeWords(body, period / steps));
  return lines;
}

/** Statics suffice when the first mode is above 1/(2 h). */
function modeWords({ modes }: ReducedBody, step: number): string {
  if (modes.length === 0) return 'no modes: statics alone';
  const limit = 1 / (2 * step);
  const tones = modes.map(({ frequency }) => frequency / (2 * Math.PI));
  const below = tones.filter((tone) => tone < limit).length;
  const first = `first mode ${digits(tones[0])} Hz`;
  if (below === 0) return `${first}, above 1/(2 h) = ${digits(limit)} Hz: statics suffice`;
  const all = below === tones.length ? '; there may be more: ask for more modes' : '';
  return `${first}; ${below} of ${tones.length} modes below 1/(2 h) = ${digits(limit)} Hz move with the body${all}`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
