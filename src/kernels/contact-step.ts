/** What the caller of the contact kernels can call: docs/theory/contact-step.md, Kernels. */
export {
  computeCellPhases,
  measureCells,
  settleCells,
  writeCellReadouts,
} from './cells';
export { sumContacts, takeContacts } from './facet-contacts';
export { walkFront } from './facets';
export { areFinite } from './finite';
export { solveIsland } from './newton';
export {
  accountContacts,
  advanceContacts,
  computePhases,
  gather,
  prepareContacts,
  solveImposedContacts,
  storeEnergies,
  writeReadouts,
} from './phases';
export { markPositive, sumSamples } from './samples';
