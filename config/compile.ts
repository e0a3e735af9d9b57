/** From a scenario as people write it to the plain model that `makeSystem` builds. */
import type { BodyModel, Sextuple, SystemModel, ToolModel } from '../src/model.ts';
import { compileChain } from './compile-chain.ts';
import { compileContact } from './compile-contact.ts';
import { compileOrientation } from './orientation.ts';
import type { Scenario, ScenarioBody } from './scenario-schema.ts';

/** The model of a scenario. @throws BerthError for an axis, normal or quaternion of length zero. */
export function compileScenario(scenario: Scenario): SystemModel {
  return {
    name: scenario.name,
    gravity: scenario.gravity_mps2,
    bodies: scenario.bodies.map(body),
    chains: scenario.chains.map(compileChain),
    contacts: scenario.contacts.map(compileContact),
    springs: scenario.springs.map((spring) => ({
      body: spring.body,
      anchor: spring.anchor_m,
      stiffness: spring.stiffness_N_per_m,
    })),
    tool: scenario.tool === undefined ? null : tool(scenario.tool),
    command: scenario.command.map((piece) => ({
      time: piece.time_s,
      twist: [...piece.linear_mps, ...piece.angular_radps] as unknown as Sextuple,
    })),
    integrator: scenario.integration.kind,
    step: scenario.integration.step_s,
    maximumSubsteps: scenario.integration.maximum_substeps,
    relativeTolerance: scenario.integration.relative_tolerance,
    absoluteTolerance: scenario.integration.absolute_tolerance,
    locateEvents: scenario.integration.locate_events,
    duration: scenario.duration_s,
  };
}

function body(source: ScenarioBody, index: number): BodyModel {
  const still = source.kind === 'fixed';
  const dynamic = source.kind === 'dynamic' ? source : null;
  return {
    name: source.name,
    motion: source.kind,
    mass: dynamic?.mass_kg ?? 1,
    inertia: dynamic === null ? [1, 1, 1, 0, 0, 0] : inertia(dynamic.mass_kg, dynamic.inertia),
    rotationLocked: dynamic?.inertia.kind === 'locked',
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `bodies[${index}].orientation`),
    velocity: still ? [0, 0, 0] : source.velocity_mps,
    angularVelocity: still ? [0, 0, 0] : source.angular_velocity_radps,
  };
}

type InertiaSource = Extract<ScenarioBody, { kind: 'dynamic' }>['inertia'];

function inertia(mass: number, source: InertiaSource): Sextuple {
  switch (source.kind) {
    case 'solid-sphere': {
      const moment = 0.4 * mass * source.radius_m * source.radius_m;
      return [moment, moment, moment, 0, 0, 0];
    }
    case 'tensor':
      return [...source.moments_kg_m2, ...source.products_kg_m2] as unknown as Sextuple;
    case 'locked':
      return [1, 1, 1, 0, 0, 0]; // never used: a locked body has no inverse inertia
  }
}

function tool(source: NonNullable<Scenario['tool']>): ToolModel {
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
  };
}
