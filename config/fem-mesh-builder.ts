/** Collects what a mesh file holds, by the numbers of the file, and makes a mesh of it. */
import { ELEMENT_RULES, type ElementKind } from '../src/fem/element-rules.ts';
import { checkFemMesh, type ElementBlock, type FemMesh } from '../src/fem/fem-mesh.ts';
import { BerthError } from '../src/base/errors.ts';
import { MeshNodes } from './mesh-nodes.ts';

/** An element of a file. */
interface FileElement {
  readonly kind: ElementKind;
  readonly tag: number;
  readonly nodes: readonly number[];
  readonly line: number;
}

/** Nodes, elements and sets in the order of the file. */
export class FemMeshBuilder extends MeshNodes {
  private readonly elements = new Map<number, FileElement>();

  /** An element by the numbers of its nodes. @throws BerthError for a number that is there, or too few nodes */
  addElement(kind: ElementKind, tag: number, nodes: readonly number[]): void {
    const { lines, elements } = this;
    const { nodes: count } = ELEMENT_RULES[kind];
    if (nodes.length !== count) {
      throw lines.error(`element ${tag}`, `to have ${count} nodes (${kind})`, nodes.length);
    }
    if (elements.has(tag)) {
      throw lines.error('element numbers', 'to be given once', tag, 'BERTH_DUPLICATE_NAME');
    }
    elements.set(tag, { kind, tag, nodes, line: lines.number });
  }

  /** The mesh. @throws BerthError for one that has no elements, mixes dimensions, or is no mesh */
  build(): FemMesh {
    const { lines, points } = this;
    const all = [...this.elements.values()];
    const solid = all.some(({ kind }) => ELEMENT_RULES[kind].dimension === 3);
    // faces of a body in space are there for their names
    const dimension = solid ? 3 : 2;
    const used = all.filter(({ kind }) => ELEMENT_RULES[kind].dimension === dimension);
    if (used.length === 0) {
      throw lines.error('the mesh', 'to have elements', null, 'BERTH_MISSING_FIELD');
    }
    const numbers = this.numbers();
    const blocks: { kind: ElementKind; nodes: number[]; from: FileElement[] }[] = [];
    for (const element of used) {
      let block = blocks.find(({ kind }) => kind === element.kind);
      if (block === undefined) {
        block = { kind: element.kind, nodes: [], from: [] };
        blocks.push(block);
      }
      block.from.push(element);
      for (const tag of element.nodes) {
        const number = numbers.get(tag);
        if (number === undefined) {
          const field = `element ${element.tag}`;
          throw lines.error(
            field,
            'to name nodes of the file',
            tag,
            'BERTH_UNKNOWN_NAME',
            element.line,
          );
        }
        block.nodes.push(number);
      }
    }
    const linked = new Set(used.flatMap(({ nodes }) => nodes));
    for (const [tag, { at, line }] of points) {
      if (!linked.has(tag)) {
        throw lines.error('every node', 'to belong to an element', tag, 'BERTH_MISMATCH', line);
      }
      if (dimension === 2 && at[2] !== 0) {
        throw lines.error(
          'z of a mesh in the plane',
          'to be 0',
          at[2] / this.scale,
          undefined,
          line,
        );
      }
    }
    const coordinates = [...points.values()].flatMap(({ at }) => at.slice(0, dimension));
    const mesh: FemMesh = {
      dimension,
      coordinates: Float64Array.from(coordinates),
      blocks: blocks.map(
        ({ kind, nodes }): ElementBlock => ({ kind, nodes: Int32Array.from(nodes) }),
      ),
      nodeSets: this.nodeSets(),
    };
    this.check(mesh, blocks);
    return mesh;
  }

  /** Names the element of the file whose volume is not above zero. */
  private check(mesh: FemMesh, blocks: readonly { readonly from: readonly FileElement[] }[]): void {
    try {
      checkFemMesh(mesh);
    } catch (error) {
      const found =
        error instanceof BerthError
          ? /^blocks\[(\d+)\] element (\d+)$/.exec(error.field ?? '')
          : null;
      if (found === null) throw error;
      const { tag, kind, line } = blocks[Number(found[1])].from[Number(found[2])];
      const allowed = `(${kind}) to have a volume > 0; check the order of its nodes`;
      throw this.lines.error(`element ${tag}`, allowed, null, undefined, line);
    }
  }
}
