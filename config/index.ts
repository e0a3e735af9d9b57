/**
 * The package `berth` in Node: the contact-dynamics library (`src/index.ts`, which has no access to files) and what reads
 * scenarios. SI units, radians, right-handed axes; wrong arguments end in one BerthError that names the field, the value and what
 * is allowed.
 */
export * from '../src/index.ts';
export { contactKernels } from './contact-kernels.ts';
export { compileValue as compileScenario, readScenario } from './scenario-value.ts';
export { readFemMesh } from './fem-mesh-file.ts';
export {
  listScenarios,
  loadScenario,
  type Scenario,
  scenarioNames,
  type ScenarioSummary,
} from './scenario.ts';
export { ConfigError, type ConfigIssue } from './yaml-source.ts';
