/** What a contact at rest is, in numbers that the reference module (contact-model.ts) and the kernel share. docs/theory/implicit-step.md. */

/** Part of the impact speed below which a contact is calm: at rest, or at the turning point of an impact. */
export const CALM = 0.01;
/** The most kinetic energy of a contact at rest, over the energy in its spring. */
export const CALM_ENERGY = 1e-3;
/** Calm steps in a row after which a contact counts as at rest. A turning point is shorter. */
export const CALM_STEPS = 20;
