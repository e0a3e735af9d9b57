/** What a mesh can show: lengths of edges, and the frequency above which its modes are those of the mesh and not of the body. */
import { ELEMENT_RULES } from './element-rules.ts';
import type { ElasticMaterial } from './elasticity.ts';
import type { FemMesh } from './fem-mesh.ts';

/** Longest distance of two neighbouring corners of an element, m: those that differ by one in the order of the corners. */
function longestEdge({ coordinates, dimension, blocks }: FemMesh): number {
  let most = 0;
  for (const { kind, nodes } of blocks) {
    const { nodes: count } = ELEMENT_RULES[kind];
    const corners = kind === 'tet10' ? 4 : count;
    for (let e = 0; e < nodes.length; e += count) {
      for (let a = 1; a < corners; a++) {
        let sum = 0;
        for (let axis = 0; axis < dimension; axis++) {
          const x =
            coordinates[dimension * nodes[e + a] + axis] -
            coordinates[dimension * nodes[e + a - 1] + axis];
          sum += x * x;
        }
        most = Math.max(most, sum);
      }
    }
  }
  return Math.sqrt(most);
}

/**
 * ω, rad/s, at which a shear wave has k h = 1 with the longest edge h: above it frequencies of a bar are more than (k h)²/24 = 4 % too
 * high. Speed of the wave √(G/ρ).
 */
export function resolvedFrequency(mesh: FemMesh, material: ElasticMaterial): number {
  const { young, poisson, density } = material;
  return Math.sqrt(young / (2 * (1 + poisson) * density)) / longestEdge(mesh);
}
