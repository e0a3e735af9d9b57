/**
 * The simulated arm of the loaded scenario for `GET /api/robot`: joints in the order of the
 * telemetry topic `joints`.
 */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ARM_STATUSES, type ArmModel } from '../../src/model/arm-spec.ts';
import type { TreeLinkModel } from '../../src/model/tree-model.ts';
import type { DescribedJoint, RobotDescription } from '../client/messages.ts';
import { type Loaded, oncePerLoad } from './once-per-load.ts';

/** The arm of the loaded scenario. @throws BerthError as `loadScenario` does */
export const loadedRobot: (loaded: Loaded) => RobotDescription = oncePerLoad((name) => {
  const scenario = loadScenario(name);
  return describe(scenario.name, compileScenario(scenario).tool?.robot ?? null);
});

const limit = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

function describe(scenario: string, arm: ArmModel | null): RobotDescription {
  const links = arm?.tree.links ?? [];
  return {
    scenario,
    robot: arm?.tree.name ?? null,
    statuses: ARM_STATUSES,
    joints: links.flatMap(jointOf).map((joint, j, all) => ({
      ...joint,
      name: arm?.jointNames[j] ?? '',
      driven: j >= all.length - (arm?.driven ?? 0),
    })),
    links: links.map((link) => ({
      name: link.name,
      parent: link.parent < 0 ? null : links[link.parent].name,
      mass_kg: link.mass,
      length_m: link.beam?.length ?? null,
      modes: (link.beam?.modes[0] ?? 0) + (link.beam?.modes[1] ?? 0),
    })),
  };
}

function jointOf({ name, joint }: TreeLinkModel): Omit<DescribedJoint, 'name' | 'driven'>[] {
  if (joint.kind !== 'revolute' && joint.kind !== 'prismatic') return [];
  return [
    {
      link: name,
      kind: joint.kind,
      lower: limit(joint.lower),
      upper: limit(joint.upper),
      rate_limit: limit(joint.rateLimit),
      effort_limit: limit(joint.drive?.effortLimit ?? joint.effortLimit),
      stiffness: joint.drive?.stiffness ?? null,
    },
  ];
}
