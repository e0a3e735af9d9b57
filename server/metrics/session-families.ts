/**
 * Metrics whose series follow from the loaded scenario: its name and mode, the joints of its simulated arm, and surfaces that touch. They are read at
 * scrape time, from the scene ring as the console reads it.
 */
import type { Registry, Metric } from 'prom-client';
import {
  SCENE_JOINT,
  SCENE_TOUCH,
  SCENE_WIDTH,
  SceneColumn,
  SceneTouch,
} from '../../hil/contract/scene-columns.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import type { SharedBuffers } from '../../hil/memory/shared.ts';
import { ArmReadout, JointReadout } from '../../src/model/arm-spec.ts';
import { CURVATURE_LENGTH } from '../../src/shapes/surfaces/surface-curvature.ts';
import { TouchReadout } from '../../src/shapes/surfaces/touch-readout.ts';

/** What is loaded. */
export interface LoadedSession {
  readonly scenario: string;
  readonly mode: string;
  /** Joints of the simulated arm in the order of the scene; empty without one. */
  readonly joints: readonly SessionJoint[];
  /** Names of contacts, then of constraints. */
  readonly touches: readonly string[];
}

export interface SessionJoint {
  readonly name: string;
  readonly kind: 'revolute' | 'prismatic';
  /** Moves the tool; other joints hold, and have no series. */
  readonly driven: boolean;
}

/** Joints that have series: an arm that moves a tool has seven. More are left out, so that the page stays short. */
export const MOST_JOINTS = 7;
/** Touches of surfaces that have series, the first of a scene. */
export const MOST_TOUCHES = 10;

interface Sample {
  readonly labels: Record<string, string>;
  readonly value: number;
}

interface SessionFamily<Name extends string = string> {
  readonly name: Name;
  readonly help: string;
  readonly samples: (session: LoadedSession, scene: Float64Array) => Sample[];
}

const joint = <N extends string>(
  name: N,
  help: string,
  column: keyof typeof JointReadout,
  kind: 'revolute' | 'prismatic',
): SessionFamily<N> => ({
  name,
  help,
  samples: ({ joints }, scene) =>
    joints
      .slice(0, scene[SceneColumn.JOINTS])
      .flatMap(({ name: of, kind: its, driven }, j) => {
        const value = scene[SceneColumn.FIRST_JOINT + j * SCENE_JOINT + JointReadout[column]];
        return driven ? [{ its, sample: { labels: { joint: of }, value } }] : [];
      })
      .slice(0, MOST_JOINTS)
      .flatMap(({ its, sample }) => (its === kind ? [sample] : [])),
});
const arm = <N extends string>(
  name: N,
  help: string,
  value: (arm: Float64Array) => number,
): SessionFamily<N> => ({
  name,
  help,
  samples: (_session, scene) =>
    scene[SceneColumn.JOINTS] > 0
      ? [{ labels: {}, value: value(scene.subarray(SceneColumn.ARM)) }]
      : [],
});

const touch = <N extends string>(
  name: N,
  help: string,
  value: (readout: Float64Array) => number,
): SessionFamily<N> => ({
  name,
  help,
  samples: ({ touches }, scene) => {
    const samples: Sample[] = [];
    for (let p = 0; p < scene[SceneColumn.POINTS] && samples.length < MOST_TOUCHES; p++) {
      const at = SceneColumn.FIRST_TOUCH + p * SCENE_TOUCH;
      const readout = scene.subarray(at + SceneTouch.READOUT, at + SCENE_TOUCH);
      const name = touches[scene[at + SceneTouch.OF]];
      if (readout[TouchReadout.places] === 0 || name === undefined) continue;
      samples.push({ labels: { touch: name }, value: value(readout) });
    }
    return samples;
  },
});
/** Without an axis there is no curvature, as on a border. */
const isCurved = (t: Float64Array): boolean =>
  Math.hypot(t[TouchReadout.axisX], t[TouchReadout.axisY], t[TouchReadout.axisZ]) > 0;

/** Families of the session; those of the arm have no series without one. */
export const SESSION_FAMILIES = [
  {
    name: 'berth_scenario_info',
    help: 'Always 1; scenario and mode that are loaded.',
    samples: ({ scenario, mode }) => [{ labels: { scenario, mode }, value: 1 }],
  },
  joint(
    'berth_arm_joint_position_radians',
    'Angle of a joint of the simulated arm.',
    'position',
    'revolute',
  ),
  joint('berth_arm_joint_position_meters', 'The same of a sliding joint.', 'position', 'prismatic'),
  joint(
    'berth_arm_joint_torque_newton_meters',
    'Torque of the drive of a joint.',
    'torque',
    'revolute',
  ),
  joint(
    'berth_arm_joint_margin_radians',
    'Way of a joint to its nearer limit; infinite without limits.',
    'margin',
    'revolute',
  ),
  arm(
    'berth_arm_manipulability',
    'Product of the singular values of the scaled Jacobian.',
    (a) => a[ArmReadout.manipulability],
  ),
  arm(
    'berth_arm_rate_scale_ratio',
    'Part of the reference twist that the joints follow.',
    (a) => a[ArmReadout.rateScale],
  ),
  arm('berth_arm_tip_deflection_meters', 'Distance of the flexible tip from the rigid arm.', (a) =>
    Math.hypot(a[ArmReadout.deflectionX], a[ArmReadout.deflectionY], a[ArmReadout.deflectionZ]),
  ),
  arm('berth_arm_brake', 'One while the brakes hold.', (a) => a[ArmReadout.brake]),
  touch(
    'berth_touch_each_curvature_ratio',
    'Least relative curvature of one contact or sliding constraint, times 10 mm; NaN on a border.',
    (t) => (isCurved(t) ? CURVATURE_LENGTH * t[TouchReadout.least] : NaN),
  ),
] as const satisfies readonly SessionFamily[];

/** Registers the families of the session; `session` and `shared` are read at every scrape. */
export function registerSession(
  registry: Registry,
  shared: () => SharedBuffers,
  session: () => LoadedSession,
): void {
  const scene = new Float64Array(SCENE_WIDTH);
  for (const { name, help, samples } of SESSION_FAMILIES) {
    const type = 'gauge';
    const metric = {
      name,
      help,
      type,
      aggregator: 'sum',
      get: () => {
        scene[SceneColumn.JOINTS] = scene[SceneColumn.POINTS] = 0;
        new TelemetryRing(shared().scene, SCENE_WIDTH).readNewest(scene);
        return Promise.resolve({ name, help, type, values: samples(session(), scene) });
      },
    };
    // prom-client renders any object of this shape; its type names only its own classes
    registry.registerMetric(metric as unknown as Metric);
  }
}
