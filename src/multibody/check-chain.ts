/** Refuses a chain that cannot move: masses, inertias, axes, and a mass matrix that is singular at the start. */
import type { ChainModel, JointModel, LinkModel } from '../model/chain-spec.ts';
import { BerthError } from '../base/errors.ts';
import { symmetricEigenvalues } from '../math/mat3.ts';
import { Chain, chainFreedoms } from './chain.ts';
import { finite, oneOf, positive, range, unit } from '../base/parameter-checks.ts';

/** Rounding of typed-in moments. */
const ROUNDING = 1e-9;
/** A moment of inertia below this part of the moments that turn with it is rounding. */
const NO_INERTIA = 1e-12;

function checkInertia(link: LinkModel, field: string): void {
  const [xx, yy, zz, xy, xz, yz] = link.inertia;
  const [a, b, c] = symmetricEigenvalues([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  const text = `got principal moments ${[a, b, c].map((value) => value.toPrecision(6)).join(', ')}`;
  if (a < -ROUNDING * c) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field}.inertia to have no negative moment, ${text}`,
      { field: `${field}.inertia` },
    );
  }
  if (c > (a + b) * (1 + ROUNDING)) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field}.inertia to obey the triangle inequality (largest <= sum of the other two), ${text}`,
      { field: `${field}.inertia` },
    );
  }
}

function checkJoint(joint: JointModel, field: string): void {
  oneOf(`${field}.kind`, joint.kind, ['revolute', 'universal']);
  if (joint.kind === 'revolute') {
    finite(`${field}.axis`, joint.axis, 3);
    unit(`${field}.axis`, joint.axis);
    range(`${field}.angle`, joint.angle, true, 'to be finite');
    range(`${field}.rate`, joint.rate, true, 'to be finite');
    return;
  }
  joint.axes.forEach((axis, i) => {
    finite(`${field}.axes[${i}]`, axis, 3);
    unit(`${field}.axes[${i}]`, axis);
  });
  finite(`${field}.angles`, joint.angles, 2);
  finite(`${field}.rates`, joint.rates, 2);
}

function checkLink(link: LinkModel): void {
  const field = `link ${link.name}`;
  positive(`${field}.mass`, link.mass);
  finite(`${field}.inertia`, link.inertia, 6);
  checkInertia(link, field);
  checkJoint(link.joint, `${field}.joint`);
  finite(`${field}.jointInParent`, link.jointInParent, 3);
  finite(`${field}.jointInLink`, link.jointInLink, 3);
  if (link.orientation === undefined) return;
  finite(`${field}.orientation`, link.orientation, 4);
  unit(`${field}.orientation`, link.orientation);
}

/**
 * Whether a segment has inertia about its axis. A link without any about the axis through its centre leaves the rounding of its rotation,
 * which has a Cholesky factor.
 */
function turnsMass({ segments, massMatrix }: Chain, k: number): boolean {
  const [x, y, z] = segments[k].joint;
  let carried = 0;
  for (const { state, mass, inertia } of segments.slice(k)) {
    const [dx, dy, dz] = [state[0] - x, state[1] - y, state[2] - z];
    carried += inertia[0] + inertia[4] + inertia[8] + mass * (dx * dx + dy * dy + dz * dz);
  }
  return massMatrix[(segments.length + 1) * k] > NO_INERTIA * carried;
}

/** Throws BerthError for the first thing that is wrong with a chain. */
export function checkChain(model: ChainModel): void {
  const field = `chain ${model.name}`;
  finite(`${field}.position`, model.position, 3);
  finite(`${field}.orientation`, model.orientation, 4);
  unit(`${field}.orientation`, model.orientation);
  range(`${field}.links`, model.links.length, model.links.length > 0, 'to be at least one');
  for (const link of model.links) checkLink(link);
  const n = chainFreedoms(model);
  const chain = new Chain(model, new Float64Array(2 * n), new Float64Array(2 * n));
  if (chain.regular && chain.segments.every((_, k) => turnsMass(chain, k))) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${field} to have a regular mass matrix: some motion of its joints moves no mass at the initial angles ` +
      '(an axis through the centre of a link without inertia about it, or a universal joint with parallel axes)',
    { field },
  );
}
