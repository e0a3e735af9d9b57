/**
 * Which nodes stick and which slide, after a trial in which all stick. `Kim 1999, 4.2.4 and appendix C`.
 *
 * In a run of five active nodes and more, segments decide: nodal forces Γ = G T, G tridiagonal with d/6 [2, 1; 1, 2] for a segment of
 * length d (C.4), (C.8); resultant of a segment κ = d/2 (T_a + T_b) (C.10); it slides for |κ_t| > μ_s κ_n (C.16). A node sticks when one
 * of its segments does (table C.1). Shorter runs decide node by node: there a segment would share its friction with a node that has none.
 *
 * A node that slides does so for the rest of the step: after it μ_d κ_n would pass the test of sticking, and the states would cycle.
 */
import { type ContactNodes, RELEASE, STICK } from './contact-states.ts';

/** Length of a run from which on segments decide. */
const RUN = 5;

/** Lets nodes slide. Returns whether one began to. @alloc none */
export function reviseChains(pair: ContactNodes): boolean {
  if (!(pair.friction.static > 0)) return false;
  const { state } = pair;
  let changed = false;
  for (let k = 0; k < state.length; k++) {
    if (state[k] === RELEASE) continue;
    let end = k;
    while (end + 1 < state.length && state[end + 1] !== RELEASE) end++;
    const revised = end - k + 1 < RUN ? reviseNodes(pair, k, end) : reviseSegments(pair, k, end);
    changed = revised || changed;
    k = end;
  }
  return changed;
}

function mayRevise(pair: ContactNodes, k: number): boolean {
  return pair.state[k] === STICK && pair.latched[k] === 0 && pair.isSolved(k);
}

function reviseNodes(pair: ContactNodes, from: number, to: number): boolean {
  const { normalForce, tangentForce, friction } = pair;
  let changed = false;
  for (let k = from; k <= to; k++) {
    if (!mayRevise(pair, k)) continue;
    if (!(Math.abs(tangentForce[k]) > -friction.static * normalForce[k])) continue;
    pair.slide(k);
    changed = true;
  }
  return changed;
}

function reviseSegments(pair: ContactNodes, from: number, to: number): boolean {
  const { lengths, normalForce, tangentForce, friction } = pair;
  // tractions, N/m
  const [normal, tangent, diagonal] = pair.tractions;
  const count = to - from + 1;
  // G T = Γ by elimination from the first node on
  for (let i = 0; i < count; i++) {
    const before = i > 0 ? lengths[from + i - 1] : 0;
    const after = i + 1 < count ? lengths[from + i] : 0;
    diagonal[i] = (before + after) / 3;
    normal[i] = -normalForce[from + i];
    tangent[i] = tangentForce[from + i];
    if (i === 0) continue;
    const factor = before / 6 / diagonal[i - 1];
    diagonal[i] -= (factor * before) / 6;
    normal[i] -= factor * normal[i - 1];
    tangent[i] -= factor * tangent[i - 1];
  }
  for (let i = count - 1; i >= 0; i--) {
    const after = i + 1 < count ? lengths[from + i] / 6 : 0;
    normal[i] = (normal[i] - (i + 1 < count ? after * normal[i + 1] : 0)) / diagonal[i];
    tangent[i] = (tangent[i] - (i + 1 < count ? after * tangent[i + 1] : 0)) / diagonal[i];
  }
  let changed = false;
  for (let i = 0; i < count; i++) {
    const k = from + i;
    if (!mayRevise(pair, k)) continue;
    const before = i > 0 && sticks(friction.static, normal, tangent, i - 1);
    const after = i + 1 < count && sticks(friction.static, normal, tangent, i);
    if (before || after) continue;
    pair.slide(k);
    changed = true;
  }
  return changed;
}

/** Does the segment after node i of the run stick? One in tension does not. */
function sticks(
  coefficient: number,
  normal: Float64Array,
  tangent: Float64Array,
  i: number,
): boolean {
  return Math.abs(tangent[i] + tangent[i + 1]) <= coefficient * (normal[i] + normal[i + 1]);
}
