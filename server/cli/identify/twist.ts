/** `berth identify --procedure twist`: friction of pure spin, and the spin factor of a volumetric law where the rest is known. */
import { identifyTwist } from '../../../src/identify/twist.ts';
import { type Choice, digits, type Findings, foundOf, type Procedure } from './findings.ts';
import type { MeasuredData } from './measured-data.ts';

function twist({ columns }: MeasuredData, { coulomb, gyration, confidence }: Choice): Findings {
  const { spin, force, torque } = columns;
  const { identification, used, unused } = identifyTwist({ spin, force, torque }, confidence);
  const [lever, bias] = identification.estimates;
  const parameters = [foundOf(lever, 'spin_lever_m', 'm'), foundOf(bias, 'bias_torque_Nm', 'N m')];
  const lines = [
    `${used[0]} means turn to one side and ${used[1]} to the other, ${unused} left out`,
  ];
  if (coulomb === null || gyration === null) {
    lines.push(
      'spin_lever_m is spin_scale · coulomb · gyration radius: give --coulomb and --gyration for spin_scale',
    );
  } else {
    const { low, high, ...rest } = parameters[0];
    const known = coulomb * gyration;
    parameters.push({
      ...rest,
      name: 'spin_scale',
      unit: '1',
      value: lever.value / known,
      low: low / known,
      high: high / known,
    });
    lines.push(
      `spin_scale for a Coulomb friction of ${digits(coulomb)} and a gyration radius of ${digits(gyration)} m, as if both were exact`,
    );
  }
  return { parameters, lines, range: {}, plots: [], identification };
}

/** Twists to both sides. */
export const TWIST: Procedure = {
  columns: [
    { name: 'spin', unit: 'rad/s' },
    { name: 'force', unit: 'N', mayBeConstant: true },
    { name: 'torque', unit: 'Nm' },
  ],
  find: twist,
};
