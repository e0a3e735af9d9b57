/** Laws that load, and may not do what is wanted. Each is a sentence with figures; none refuses. */
import { pairDefinition } from '../src/contact/registry.ts';
import type { ContactModelSpec } from '../src/model/model.ts';
import { compileContact } from './contact.ts';
import { materialsWith } from './materials.ts';
import type { Scenario } from './scenario-schema.ts';

/** Dwell time over relaxation time of the bristle that is wanted. `Gonthier 2007, 3.3`. */
const DWELL_RATIO = 10;

const digits = (value: number): string => String(Number(value.toPrecision(3)));

/** Sentences about the laws of the contacts of a scenario. */
export function lawDoubts(scenario: Scenario): string[] {
  const palette = materialsWith(scenario.materials_file);
  return scenario.contacts.flatMap((contact, k) => {
    if (contact.response === 'none') return [];
    const [compiled] = compileContact(contact, k, palette);
    if (compiled.normalLaw.kind === 'observer') return [];
    return [...dwellDoubts(compiled, k), ...volumeDoubts(compiled, k)];
  });
}

/** A stick state that builds up nearly as fast as the bristle fades is no memory of standing still. */
function dwellDoubts({ frictionLaw: law }: ContactModelSpec, index: number): string[] {
  if (!('dwellTime' in law) || law.dwellTime === 0 || law.stiction === law.coulomb) return [];
  const fading = law.bristleDamping / law.bristleStiffness;
  // a rounding of the ratio is no doubt
  if (law.dwellTime >= DWELL_RATIO * fading * (1 - 1e-9)) return [];
  return [
    `contacts[${index}].friction_law.dwell_time_s is ${digits(law.dwellTime)} s, less than ${DWELL_RATIO} times the ${digits(fading)} s in which the bristle fades (its damping over its stiffness); stiction then shows little of the time at rest`,
  ];
}

/** An area that touches resists spin and rolling; a law of a point does not know of it. */
function volumeDoubts(
  { pair, frictionLaw, rollingLaw }: ContactModelSpec,
  index: number,
): string[] {
  if (pairDefinition(pair).step !== 'cells') return [];
  const spin = !('spinScale' in frictionLaw) && frictionLaw.kind !== 'none';
  const rolling = (rollingLaw?.kind ?? 'none') === 'none';
  return [
    ...(spin
      ? [
          `contacts[${index}].friction_law is ${frictionLaw.kind}, which has no moment about the normal; volumetric-bristle has one`,
        ]
      : []),
    ...(rolling
      ? [
          `contacts[${index}].rolling_law is none: the area that touches does not resist rolling; kind volumetric does`,
        ]
      : []),
  ];
}
