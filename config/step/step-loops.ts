/** Borders of faces (ISO 10303-42, 5.4): loops of edges in the order in which they are walked, with the material on their left. */
import type { Triple } from '../../src/base/tuples.ts';
import { CurveSearch } from './nearest-parameter.ts';
import { curveOf } from './step-curves.ts';
import type { StepGeometry } from './step-geometry.ts';
import type { Attributes } from './step-record.ts';
import { length, minus } from './triples.ts';

/** Most edges of a face. */
const MOST_EDGES = 1000;
/** Part of its length by which the ends of an edge may lie off its curve, or off the next edge. */
const OFF = 1e-3;

/** An edge as a loop walks along it. */
export interface WalkedEdge {
  readonly id: number;
  readonly curve: CurveSearch;
  /** Parameters of the curve where the walk begins and ends. */
  readonly from: number;
  readonly to: number;
}

/** A border. */
export interface StepLoop {
  readonly id: number;
  /** None of a loop that is one vertex. */
  readonly edges: readonly WalkedEdge[];
}

/** The borders of a face. @throws BerthError for loops that are open or of another kind */
export function loopsOf(geometry: StepGeometry, face: Attributes): StepLoop[] {
  const edges = new Edges(geometry);
  let count = 0;
  return face.references(1, 'bounds').map((id) =>
    geometry.reader.within(id, (instance) => {
      const bound = instance.as('bound', 'FACE_BOUND', 'FACE_OUTER_BOUND');
      const forward = bound.flag(2, 'orientation');
      const loop = geometry.reader.within(bound.reference(1, 'bound'), (one): StepLoop => {
        if (one.find('VERTEX_LOOP') !== null) return { id: one.id, edges: [] };
        const edgeLoop = one.as('loop', 'EDGE_LOOP', 'VERTEX_LOOP');
        const ids = edgeLoop.references(1, 'edge_list');
        count += ids.length;
        if (ids.length === 0 || count > MOST_EDGES) {
          throw edgeLoop.error('edge_list', `with 1 to ${MOST_EDGES} edges in a face`, count);
        }
        return { id: one.id, edges: edges.walk(edgeLoop, ids) };
      });
      return forward ? loop : { ...loop, edges: loop.edges.map(backward).reverse() };
    }),
  );
}

const backward = (edge: WalkedEdge): WalkedEdge => ({ ...edge, from: edge.to, to: edge.from });

/** The edges of one face. */
class Edges {
  private readonly geometry: StepGeometry;
  /** Curves by number: a seam is walked twice. */
  private readonly curves = new Map<number, CurveSearch>();

  constructor(geometry: StepGeometry) {
    this.geometry = geometry;
  }

  /** The edges of a loop, each of which has to begin where the one before ends. */
  walk(loop: Attributes, ids: readonly number[]): WalkedEdge[] {
    const edges = ids.map((id) => this.oriented(id));
    const ends = edges.map(({ curve, from, to }) => [curve.point(from), curve.point(to)] as const);
    const size = ends.reduce((most, [a, b]) => Math.max(most, length(minus(b, a))), 0);
    const allowed = Math.max(10 * this.geometry.units.uncertainty, OFF * size);
    edges.forEach(({ id, curve }, k) => {
      const next = (k + 1) % edges.length;
      const gap = length(minus(ends[next][0], ends[k][1]));
      if (gap <= allowed || (edges.length === 1 && gap <= OFF * sizeOf(curve))) return;
      throw loop.error(
        'edge_list',
        `closed, with edge #${edges[next].id} from where edge #${id} ends`,
        `${shownLength(gap)} between them (an open loop has no inside)`,
      );
    });
    return edges;
  }

  private oriented(id: number): WalkedEdge {
    return this.geometry.reader.within(id, (instance) => {
      const oriented = instance.as('edge', 'ORIENTED_EDGE');
      const forward = oriented.flag(4, 'orientation');
      const edge = this.edge(oriented.reference(3, 'edge_element'));
      return forward ? edge : backward(edge);
    });
  }

  private edge(id: number): WalkedEdge {
    return this.geometry.reader.within(id, (instance) => {
      const edge = instance.as('edge', 'EDGE_CURVE');
      const first = edge.reference(1, 'edge_start');
      const last = edge.reference(2, 'edge_end');
      const curve = this.curve(edge.reference(3, 'edge_geometry'));
      const forward = edge.flag(4, 'same_sense');
      const ends = [this.vertex(first), this.vertex(last)] as const;
      // as the curve goes
      const [a, b] = forward ? ends : [ends[1], ends[0]];
      const [low, high] = rangeOf(curve, a, b, first === last);
      if (!(high > low)) {
        const got = `parameters ${low} and ${high}`;
        throw edge.error('edge_end', 'behind edge_start along the curve', got);
      }
      const size = first === last ? sizeOf(curve) : length(minus(b, a));
      const allowed = Math.max(10 * this.geometry.units.uncertainty, OFF * size);
      const gap = Math.max(length(minus(curve.point(low), a)), length(minus(curve.point(high), b)));
      if (gap <= allowed)
        return { id, curve, from: forward ? low : high, to: forward ? high : low };
      throw edge.error(
        'edge_geometry',
        'through its vertices',
        `${shownLength(gap)} off one of them`,
      );
    });
  }

  private curve(id: number): CurveSearch {
    let curve = this.curves.get(id);
    if (curve === undefined) {
      curve = new CurveSearch(curveOf(this.geometry, id));
      this.curves.set(id, curve);
    }
    return curve;
  }

  private vertex(id: number): Triple {
    const { geometry } = this;
    return geometry.reader.within(id, (instance) =>
      geometry.point(instance.as('vertex', 'VERTEX_POINT').reference(1, 'vertex_geometry')),
    );
  }
}

/** Parameters of two points of a curve, the second of which comes later. */
function rangeOf(
  curve: CurveSearch,
  a: Triple,
  b: Triple,
  whole: boolean,
): readonly [number, number] {
  const { spec } = curve;
  const { period } = curve.curve;
  const [start, stop] = curve.curve.domain;
  if (spec.kind === 'line') return [curve.parameterOf(a), curve.parameterOf(b)];
  const low = curve.parameterOf(a);
  if (whole) return period > 0 ? [low, low + period] : [start, stop];
  let high = curve.parameterOf(b);
  if (period === 0) return [low, high];
  // an arc of less than this is a turn less it
  const least = 1e-12 * period;
  while (high <= low + least) high += period;
  return [low, high];
}

/** Extent of a curve that ends where it begins, m. */
function sizeOf(curve: CurveSearch): number {
  const [low, high] = curve.curve.domain;
  return length(minus(curve.point(0.5 * (low + high)), curve.point(low)));
}

/** A length in a message. */
export function shownLength(metres: number): string {
  return `${Number((1e3 * metres).toPrecision(3))} mm`;
}
