/** Compiles `tool.robot.control` of a scenario to the law of the arm. It designs the regulator of a composite law. */
import type { Static } from 'typebox';
import {
  type ArmControlModel,
  type ArmFastLoop,
  type ArmImpedance,
  type ArmModel,
  jointCount,
} from '../src/model/arm-spec.ts';
import { designFastRegulator } from '../src/control/fast-regulator.ts';
import { BerthError } from '../src/base/errors.ts';
import { diagonal } from '../src/math/dense.ts';
import { Tree } from '../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../src/multibody/tree/tree-layout.ts';
import type { ArmControl } from './arm-control-schema.ts';
import { unit } from './unit-vector.ts';

type Source = Static<typeof ArmControl>;
type TaskSource = Extract<Source, { kind: 'impedance' | 'composite' }>;

const FIELD = 'tool.robot.control';

/** Compiles the law for an arm with its joints at their start. @throws BerthError naming the field */
export function compileArmControl(source: Source, model: ArmModel): ArmControlModel {
  switch (source.kind) {
    case 'resolved-rate':
      return { law: 'resolved-rate' };
    case 'computed-torque':
      return {
        law: 'computed-torque',
        gains: { frequency: source.bandwidth_radps, damping: source.damping_ratio },
      };
    case 'impedance':
      return { law: 'impedance', impedance: compileImpedance(source) };
    case 'composite':
      return {
        law: 'composite',
        impedance: compileImpedance(source),
        fast: designFastLoop(source, model),
      };
  }
}

function compileImpedance(source: TaskSource): ArmImpedance {
  const { mass, damping, stiffness, target, path, force_correction: correction } = source;
  return {
    rows: { mass, damping, stiffness },
    selfMotionDamping: source.kind === 'impedance' ? source.self_motion_damping_per_s : 0,
    target: target ?? null,
    path: path?.map(({ time_s, position_m }) => ({ time: time_s, position: position_m })) ?? null,
    correction:
      correction === undefined
        ? null
        : {
            kind: correction.form,
            force: correction.force_N,
            direction: unit(correction.direction, `${FIELD}.force_correction.direction`),
            start: correction.start_s,
            time: correction.time_s,
          },
  };
}

/** `Kim 1999, (5.40)–(5.44)` with Q and R proportional to unit matrices, k the stiffness of the softest mode. */
function designFastLoop(
  source: Extract<Source, { kind: 'composite' }>,
  model: ArmModel,
): ArmFastLoop {
  const joints = jointCount(model);
  const { positions, rates } = treeFreedoms(model.tree);
  const tree = new Tree(model.tree, new Float64Array(positions + rates));
  const modes = tree.links.flatMap(({ beam }) => Array.from(beam?.stiffness ?? []));
  const { design_joints: pose } = source;
  if (pose !== undefined) {
    if (pose.length !== joints) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `${FIELD}.design_joints has ${pose.length} values; allowed: ${joints}, one for each joint`,
        { field: `${FIELD}.design_joints` },
      );
    }
    tree.q.set(pose);
    tree.refresh();
  }
  // the check of the model refuses an arm without modes, or with more rates than joints and modes
  if (modes.length === 0 || rates !== joints + modes.length) return { gain: [], scale: 1 };
  const mass = new Float64Array(rates * rates);
  tree.computeMassMatrix(mass);
  const scale = Math.min(...modes);
  const { gain } = designFastRegulator({
    rigid: joints,
    flexible: modes.length,
    mass,
    stiffness: modes,
    scale,
    stateCost: diagonal(2 * modes.length, source.state_cost),
    torqueCost: diagonal(joints, source.torque_cost),
  });
  return { gain: Array.from(gain), scale };
}
