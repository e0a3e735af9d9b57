/** Control of the arm from a telemetry row: setting of force and moment accommodation, mode of the hand controllers. */
import { Column } from '../../hil/contract/columns.ts';
import { HAND_MODES } from '../../hil/contract/commands.ts';
import type { Accommodation, HandMode } from '../client/messages.ts';

/** The set-point as far as its ramp is, the other values as set; null without a tool. */
export function accommodationOf(row: Float64Array): Accommodation | null {
  if (row[Column.fma_gain_Ns_per_m] === 0) return null;
  const bits = row[Column.fma_axes];
  return {
    axes: Array.from({ length: 6 }, (_, axis) => ((bits >> axis) & 1) === 1),
    set_point: Array.from(row.subarray(Column.fma_force_x_N, Column.fma_force_x_N + 6)),
    force_deadband_N: row[Column.fma_deadband_N],
    moment_deadband_Nm: row[Column.fma_deadband_Nm],
    force_gain_Ns_per_m: row[Column.fma_gain_Ns_per_m],
    moment_gain_Nms_per_rad: row[Column.fma_gain_Nms_per_rad],
  };
}

export function handModeOf(row: Float64Array): HandMode {
  const place = (value: number): number | null => (value < 0 ? null : value);
  return {
    mode: HAND_MODES[row[Column.hand_mode]],
    joint: place(row[Column.hand_joint]),
    axis: place(row[Column.hand_axis]),
  };
}
