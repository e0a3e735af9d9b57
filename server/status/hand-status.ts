/** Control of the arm from a telemetry row: setting of force and moment accommodation, mode of the hand controllers. */
import { columnIndex } from '../../hil/contract/columns.ts';
import { HAND_MODES } from '../../hil/contract/commands.ts';
import type { Accommodation, HandMode } from '../client/messages.ts';

const AXES = columnIndex('fma_axes');
const SET_POINT = columnIndex('fma_force_x_N');
const DEADBAND = columnIndex('fma_deadband_N');
const GAIN = columnIndex('fma_gain_Ns_per_m');
const MODE = columnIndex('hand_mode');

/** The set-point as far as its ramp is, the other values as set; null without a tool. */
export function accommodationOf(row: Float64Array): Accommodation | null {
  if (row[GAIN] === 0) return null;
  const bits = row[AXES];
  return {
    axes: Array.from({ length: 6 }, (_, axis) => ((bits >> axis) & 1) === 1),
    set_point: Array.from(row.subarray(SET_POINT, SET_POINT + 6)),
    force_deadband_N: row[DEADBAND],
    moment_deadband_Nm: row[DEADBAND + 1],
    force_gain_Ns_per_m: row[GAIN],
    moment_gain_Nms_per_rad: row[GAIN + 1],
  };
}

export function handModeOf(row: Float64Array): HandMode {
  const place = (value: number): number | null => (value < 0 ? null : value);
  return { mode: HAND_MODES[row[MODE]], joint: place(row[MODE + 1]), axis: place(row[MODE + 2]) };
}
