/** Random trees of every kind. */
import { Random } from '../../../src/index.ts';
import type { TreeModel } from '../../../src/model/tree-model.ts';
import { randomTree } from '../../fixtures/random-tree.ts';

/** With 2 … 12 links; every joint, drives, links without mass, floating or on a moving base. */
export function anyTree(random: Random, beams = false): TreeModel {
  return randomTree(random, {
    beams,
    links: 2 + Math.floor(11 * random.uniform()),
    drives: true,
    massless: true,
    floating: random.uniform() < 0.3,
  });
}
