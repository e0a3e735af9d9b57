/** Compiles a scenario to the plain model for `makeSystem`. */
import { BerthError } from '../src/base/errors.ts';
import type { Sextuple, SystemModel, ToolModel, TreeModel } from '../src/model/model.ts';
import { compileArm } from './compile-arm.ts';
import { compileBody } from './compile-body.ts';
import { compileChain } from './compile-chain.ts';
import { compileConstraint } from './constraint.ts';
import { compileContact } from './contact.ts';
import { compileTree } from './compile-tree.ts';
import { compileGrapple } from './grapple.ts';
import { compileIntegration } from './integration.ts';
import { materialsWith } from './materials.ts';
import { withCells } from './patch-schema.ts';
import type { Scenario } from './scenario-schema.ts';

/** Compiles the model of a scenario. @throws BerthError for an axis, normal or quaternion of length zero */
export function compileScenario(scenario: Scenario): SystemModel {
  const palette = materialsWith(scenario.materials_file);
  const trees = [...scenario.chains.map(compileChain), ...scenario.trees.map(compileTree)];
  const bodies = scenario.bodies.map(compileBody);
  const all = [...bodies, ...trees.flatMap(({ links }) => links)];
  return {
    name: scenario.name,
    gravity: scenario.gravity_mps2,
    bodies,
    trees,
    contacts: scenario.contacts.flatMap((contact, k) => {
      const compiled = compileContact(contact, k, palette);
      if (contact.response !== 'none')
        return compiled.map((one) => withCells(one, all, `contacts[${k}].pair`));
      checkBodies(contact, k, { bodies: scenario.bodies, trees });
      return [];
    }),
    springs: scenario.springs.map((spring) => ({
      body: spring.body,
      anchor: spring.anchor_m,
      stiffness: spring.stiffness_N_per_m,
    })),
    ...(scenario.grapples.length === 0 ? {} : { grapples: scenario.grapples.map(compileGrapple) }),
    ...(scenario.constraints.length === 0
      ? {}
      : { constraints: scenario.constraints.map(compileConstraint) }),
    tool: scenario.tool === undefined ? null : tool(scenario.tool, scenario),
    command: scenario.command.map((piece) => ({
      time: piece.time_s,
      twist: [...piece.linear_mps, ...piece.angular_radps] as unknown as Sextuple,
    })),
    ...compileIntegration(scenario.integration),
    duration: scenario.duration_s,
  };
}

/** The bodies of a contact that is not evaluated: no system will look for them. @throws BerthError for an unknown one */
function checkBodies(
  contact: Scenario['contacts'][number],
  index: number,
  model: {
    readonly bodies: readonly { readonly name: string }[];
    readonly trees: readonly TreeModel[];
  },
): void {
  const links = model.trees.flatMap((tree) => tree.links);
  const names = [...model.bodies, ...links].map(({ name }) => name);
  for (const end of ['body_i', 'body_j'] as const) {
    if (names.includes(contact[end])) continue;
    const field = `contacts[${index}].${end}`;
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `${field} names "${contact[end]}", which is no body; allowed: ${names.join(', ')}`,
      { field },
    );
  }
}

function tool(source: NonNullable<Scenario['tool']>, scenario: Scenario): ToolModel {
  const { robot } = source;
  return {
    payload: source.payload,
    arm: source.arm,
    forceGain: source.force_gain_N_per_mps,
    momentGain: source.moment_gain_Nm_per_radps,
    forceDeadband: source.force_deadband_N,
    momentDeadband: source.moment_deadband_Nm,
    lag: source.lag_s,
    maximumSpeed: source.maximum_speed_mps,
    maximumAngularSpeed: source.maximum_angular_speed_radps,
    ...(robot === undefined ? {} : { robot: compileArm(robot, scenario) }),
  };
}
