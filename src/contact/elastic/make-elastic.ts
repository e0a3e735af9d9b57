/** Assembles the contact of an elastic face on its slices of the arena. */
import type { Arena, Slice } from '../../math/arena.ts';
import { factorCholesky, solveLower } from '../../math/cholesky.ts';
import type { PatchPairModel } from '../../model/contact-spec.ts';
import type { LawMemory } from '../component.ts';
import type { ContactBody } from '../contact-body.ts';
import type { ContactSlices } from '../make-contact.ts';
import { PatchFriction } from '../friction/coulomb.ts';
import { normalDefinition, rollingDefinition, rollingOf } from '../registry.ts';
import { ElasticContact, PATCH_MEMORY } from './elastic-contact.ts';
import { ElasticPatch } from './elastic-patch.ts';
import type { ElasticSpec } from './elastic-spec.ts';
import { makePatch } from './patch-constants.ts';
import { PatchPlane } from './patch-plane.ts';
import { makeTarget } from './patch-target.ts';

/** Builds the contact. @param step the longest of the system, s: modes that it shows move, the others are static */
export function makeElasticContact(
  spec: ElasticSpec,
  i: ContactBody,
  j: ContactBody,
  arena: Arena,
  slices: ContactSlices,
  ratesOf: (slice: Slice) => Float64Array,
  step: number,
): ElasticContact {
  const { pair, normalLaw, frictionLaw } = spec;
  const memory = (law: number): LawMemory => ({
    states: arena.view(slices.states[law]),
    rates: ratesOf(slices.states[law]),
    internals: arena.view(slices.internals[law]),
  });
  const geometry = { effectiveRadius: 0 };
  const definition = normalDefinition(normalLaw);
  const own = definition.size(normalLaw).internals;
  const kept = memory(0);
  const rolling = rollingOf(spec.rollingLaw);
  const patch = new ElasticPatch(
    makePatch(pair.patch, step),
    'stiction' in frictionLaw
      ? { static: frictionLaw.stiction, sliding: frictionLaw.coulomb }
      : { static: 0, sliding: 0 },
    kept.internals.subarray(own + PATCH_MEMORY),
    undefined,
    undefined,
    i.yields || j.yields,
    pair.target === undefined ? null : makeTarget(pair.target),
    pair.target?.kind === 'face' ? pair.target.patch : null,
  );
  return new ElasticContact(
    spec.name,
    i,
    j,
    new PatchPlane(pair),
    definition.make(normalLaw, kept, geometry),
    new PatchFriction(memory(1)),
    rollingDefinition(rolling).make(rolling, memory(2), geometry),
    arena.view(slices.flags),
    arena.view(slices.readout),
    patch,
    Float64Array.from(pair.patch.areas),
    wholeStiffness(pair),
    kept.internals.subarray(own, own + PATCH_MEMORY),
  );
}

/** Jᵀ C⁻¹ J: force and moment about the origin by a unit motion of the body while all points stick, 6 × 6. */
function wholeStiffness({ patch }: PatchPairModel): Float64Array {
  const n = patch.points.length;
  const factor = Float64Array.from(patch.compliance);
  factorCholesky(factor, factor, n, new Float64Array(1));
  const columns = Array.from({ length: 6 }, (_, axis) => {
    const column = Float64Array.from({ length: n }, (_row, k) => {
      const a = k % 3;
      if (axis < 3) return a === axis ? 1 : 0;
      const turn = axis - 3; // e × r
      if (a === turn) return 0;
      const other = 3 - a - turn;
      const sign = (turn + 1) % 3 === other ? 1 : -1;
      return sign * patch.points[k - a + other];
    });
    solveLower(factor, n, column, 0);
    return column;
  });
  return Float64Array.from({ length: 36 }, (_, e) => {
    const left = columns[Math.floor(e / 6)];
    const right = columns[e % 6];
    return left.reduce((sum, x, k) => sum + x * right[k], 0);
  });
}
