/** Checks of a robot: possible masses and inertias, joints that move mass, unique names. */
import { BerthError } from '../src/base/errors.ts';
import { symmetricEigenvalues } from '../src/math/mat3.ts';
import { movesMass } from '../src/multibody/tree/moves-mass.ts';
import { Tree } from '../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../src/multibody/tree/tree-layout.ts';
import type { TreeLinkModel, TreeModel } from '../src/model/tree-model.ts';

/** Rounding of typed-in moments: files have four to six digits. */
const ROUNDING = 1e-4;

/** @throws BerthError for a second item of the same name, naming its position in the file */
export function uniqueNames(
  what: string,
  items: readonly { readonly name: string }[],
  pathOf: (index: number) => string,
): void {
  const seen = new Set<string>();
  items.forEach(({ name }, i) => {
    if (seen.has(name)) {
      const field = `${pathOf(i)}.name`;
      throw new BerthError(
        'BERTH_DUPLICATE_NAME',
        `Two ${what}s are named "${name}"; allowed: each name once`,
        { field },
      );
    }
    seen.add(name);
  });
}

/** Checks mass, centre and inertia of a link; `path` is its position in the file. */
export function checkRobotLink(link: TreeLinkModel, path: string): void {
  const { mass, inertia } = link;
  const size = inertiaFault(inertia);
  if (size !== null) {
    throw new BerthError('BERTH_PARAMETER_RANGE', `${path}.body.inertia ${size}`, {
      field: `${path}.body.inertia`,
    });
  }
  if (mass === 0 && inertia.some((moment) => moment !== 0)) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `${path}.body.mass_kg is 0 beside an inertia; allowed: inertia of kind point for a link without mass`,
      { field: `${path}.body.mass_kg` },
    );
  }
}

/** Reason why six numbers are no inertia about a centre of mass, or null. */
export function inertiaFault(inertia: readonly number[]): string | null {
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const [a, b, c] = symmetricEigenvalues([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  const moments = [a, b, c].map((value) => Number(value.toPrecision(6))).join(', ');
  if (a < -ROUNDING * Math.abs(c)) {
    return `has principal moments ${moments}; allowed: none below 0`;
  }
  if (c > (a + b) * (1 + ROUNDING)) {
    return `has principal moments ${moments}; allowed: the largest at most the sum of the other two, as of every body`;
  }
  return null;
}

/** Checks that every moving link moves some mass: its own or that of fixed or carried links. */
export function checkTreeMasses(
  links: readonly TreeLinkModel[],
  pathOf: (index: number) => string,
): void {
  const carried = links.map(({ mass }) => mass);
  for (let i = links.length - 1; i >= 0; i--) {
    const { parent, joint, name } = links[i];
    if (parent >= 0) carried[parent] += carried[i];
    const rotor = 'drive' in joint && joint.drive !== undefined;
    if (joint.kind === 'fixed' || carried[i] > 0 || rotor) continue;
    throw new BerthError(
      'BERTH_MISMATCH',
      `${pathOf(i)}.body.mass_kg is 0, and nothing with mass moves with ${name}; allowed: above 0`,
      { field: `${pathOf(i)}.body.mass_kg` },
    );
  }
}

/** Checks that every joint motion at the home position moves some inertia. */
export function checkRegular(model: TreeModel): void {
  const { positions, rates } = treeFreedoms(model);
  const tree = new Tree(model, new Float64Array(positions + rates));
  if (rates === 0) return;
  tree.forwardDynamics(new Float64Array(rates), new Float64Array(rates));
  if (movesMass(tree)) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${model.name} to have a regular mass matrix: some motion of its joints moves no inertia at home ` +
      '(an axis through the centre of a last link without inertia about it)',
    { field: 'links' },
  );
}
