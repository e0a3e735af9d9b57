/** A serial chain of the contact system as an articulated tree. */
import type { ChainModel } from '../../src/index.ts';
import type { TreeLinkModel, TreeModel } from '../../src/multibody/tree/tree-model.ts';

type Triple = readonly [number, number, number];
const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const none = [0, 0, 0] as const;

/** The same chain as a tree: its frames lie at the joints, and a universal joint is two links, the first without mass. */
export function chainAsTree(chain: ChainModel): TreeModel {
  const links: TreeLinkModel[] = [];
  let before: Triple = none;
  for (const link of chain.links) {
    const { joint } = link;
    const place = minus(link.jointInParent, before);
    const orientation = link.orientation ?? [0, 0, 0, 1];
    const body = { mass: link.mass, center: minus(none, link.jointInLink), inertia: link.inertia };
    const axes = joint.kind === 'universal' ? joint.axes : [joint.axis];
    const angles = joint.kind === 'universal' ? joint.angles : [joint.angle];
    const rates = joint.kind === 'universal' ? joint.rates : [joint.rate];
    axes.forEach((axis, i) => {
      const last = i === axes.length - 1;
      links.push({
        name: last ? link.name : `${link.name}-cross`,
        parent: links.length - 1,
        position: i === 0 ? place : none,
        orientation: i === 0 ? orientation : [0, 0, 0, 1],
        joint: { kind: 'revolute', axis, position: angles[i], rate: rates[i] },
        ...(last ? body : { mass: 0, center: none, inertia: [0, 0, 0, 0, 0, 0] }),
      });
    });
    before = link.jointInLink;
  }
  const { name, position, orientation } = chain;
  return { name, position, orientation, links, frames: [] };
}
