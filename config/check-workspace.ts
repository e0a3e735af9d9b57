/**
 * Checks of boxes, zones and normals of the workspace that a schema cannot express: corners in
 * order, a normal with a direction.
 */
import { BerthError } from '../src/base/errors.ts';
import type { Settings } from './settings.ts';

type Triple = readonly [number, number, number];

/** @throws BerthError naming the field, the value and the allowed range */
export function checkWorkspace({ workspace_box, keep_out }: Settings['limits']): void {
  if (workspace_box !== undefined) {
    checkCorners('limits.workspace_box', workspace_box.min_m, workspace_box.max_m);
  }
  for (const [index, zone] of keep_out.entries()) {
    const field = `limits.keep_out[${index}]`;
    if (zone.kind === 'box') checkCorners(field, zone.min_m, zone.max_m);
    if (zone.kind === 'half-space' && zone.normal.every((part) => part === 0)) {
      refuse(`${field}.normal`, '[0, 0, 0] has no direction; one part other than 0 is needed');
    }
  }
}

function checkCorners(field: string, min: Triple, max: Triple): void {
  for (const [axis, low] of min.entries()) {
    const high = max[axis] ?? NaN;
    if (low < high) continue;
    const name = 'xyz'[axis] ?? '';
    refuse(`${field}.max_m`, `${high} of ${name} is not above ${low} of min_m`);
  }
}

function refuse(field: string, why: string): never {
  throw new BerthError('BERTH_MISMATCH', `${field}: ${why}`, { field });
}
