/** Faces of sliding contacts as they are drawn: a face that has no end along one parameter is drawn over half of its width across. */
import { makeSurface } from '../../src/shapes/surfaces/make-surface.ts';
import { BY_U, BY_V, SURFACE_SLOTS } from '../../src/shapes/surfaces/surface.ts';
import { surfaceMesh } from '../../src/shapes/surfaces/surface-mesh.ts';
import type { SurfaceSpec } from '../../src/shapes/surfaces/surface-spec.ts';
import { TrimRegion } from '../../src/shapes/surfaces/trim-region.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { drawnMesh } from './drawn-facets.ts';
import type { DrawnCell } from './drawn-shapes.ts';

/** Places of a face at which its width is taken. */
const SAMPLES = 64;

/** Faces of a body that slide on others. */
export function drawnSliding(body: string, model: SystemModel): DrawnCell[] {
  return (model.constraints ?? []).flatMap((one) => {
    if (one.kind !== 'sliding') return [];
    return [one.first, one.second]
      .filter((side) => side.body === body)
      .flatMap(({ surface }) => {
        const face = withEnds(surface);
        return face === null ? [] : [{ name: one.name, ...drawnMesh(surfaceMesh([face])) }];
      });
  });
}

/** The face itself where both parameters end; null where neither does. */
function withEnds(spec: SurfaceSpec): SurfaceSpec | null {
  const surface = makeSurface(spec);
  const { range } = new TrimRegion(surface, spec.trim);
  const ends = [0, 2].map((at) => Number.isFinite(range[at]) && Number.isFinite(range[at + 1]));
  if (ends[0] && ends[1]) return spec;
  if (!ends[0] && !ends[1]) return null;
  const along = ends[0] ? 0 : 1;
  const low = range[2 * along];
  const high = range[2 * along + 1];
  const at = new Float64Array(2);
  const out = new Float64Array(SURFACE_SLOTS);
  const points = Array.from({ length: SAMPLES }, (_, k) => {
    at[along] = low + ((k + 0.5) / SAMPLES) * (high - low);
    surface.evaluate(at, out);
    return [...out];
  });
  const width = Math.max(...points.map((p) => distance(p, points[0])));
  const slot = along === 0 ? BY_V : BY_U;
  const speed = length(points[0].slice(slot, slot + 3));
  const half = (0.25 * width) / speed;
  const other: readonly [number, number] = [-half, half];
  return {
    ...spec,
    trim: along === 0 ? { u: [low, high], v: other } : { u: other, v: [low, high] },
  };
}

const length = (a: readonly number[]): number => Math.sqrt(a.reduce((sum, x) => sum + x * x, 0));

const distance = (a: readonly number[], b: readonly number[]): number =>
  length([0, 1, 2].map((k) => a[k] - b[k]));
