/**
 * A geometric pair measures one possible contact between two bodies and is independent of forces. `Gonthier 2007, A.1`.
 *
 * Results go to a kinematics column, so that any normal law and any friction law works with any pair. The normal is the
 * outward normal of body j and points from j to i; the gap is negative when the bodies overlap.
 */
import type { PairModel } from '../model/contact-spec.ts';
import type { PlacedFacets } from '../shapes/faceted-shapes.ts';
import type { TriangleMesh } from '../shapes/triangle-mesh.ts';
import type { Kinematic } from './component.ts';
import type { PosedBody } from './contact-body.ts';
import type { NormalLaw } from './normal/normal-law.ts';
import type { PairShapes } from './pairs/pair-shapes.ts';

export * from './pair-slots.ts';

/** Depth over the least side of the smallest shape up to which the model of a contact holds. docs/theory/validity.md */
export const MOST_DEPTH = 0.01;

/** One kind of pair: `M` is its description. */
export interface PairDefinition<M extends PairModel> {
  /**
   * `point`: one contact model; `cells`: one for each pair of cells that touch, made of the cells of both bodies; `places`: one for all
   * places of two bodies together; `face`: one for all points of an elastic face.
   */
  readonly step: 'point' | 'cells' | 'places' | 'face';
  readonly supplies: readonly Kinematic[];
  /** It has no one depth: its normal law is that of a foundation. */
  readonly spread?: true;
  /** @throws BerthError naming `field` and what is allowed */
  check(model: M, field: string): void;
  /** Radius of the Hertz contact, m; 0 for a pair that does not supply `effective-radius`. */
  effectiveRadius(model: M): number;
  /** Whether the line of action may miss the origin of body i: pushing then turns it. */
  isEccentric(model: M): boolean;
  /** @param memory - so many numbers of the arena as `memory` says */
  make(model: M, memory?: Float64Array): ContactPair;
  /** Numbers that the pair keeps from one pose to the next; none when left out. */
  readonly memory?: number;
  /** Whether the surface on body j has no end, so that what is drawn of it is a part; false when left out. */
  readonly endless?: boolean;
  /** Largest depth at which its model holds, m; MOST_DEPTH of its shapes or cells when left out. */
  mostDepth?(model: M): number;
  /** How far both bodies reach from their origins and the sum of their least widths, m; those of its shapes when left out. */
  extent?(model: M): PairExtent;
  /** Whether a contact has the radius of its onset, and its normal law then. Such a law has no loop; none has when left out. */
  readonly onset?: {
    applies(model: M): boolean;
    law(law: NormalLaw, pair: ContactPair): NormalLaw;
  };
  /** What there is to draw of it; nothing where the bodies bring cells of their own. */
  shapes(model: M): PairShapes;
  /** Its surfaces of facets, which are drawn where there are no shapes; none when left out. */
  facets?(model: M): PairFacets;
  /** What the bodies are drawn as where there is neither, each in the frame of its body; nothing when left out. */
  surfaces?(model: M): PairSurfaces;
}

/** Surfaces that are drawn alone. */
export interface PairSurfaces {
  readonly i?: TriangleMesh;
  readonly j?: TriangleMesh;
}

/** Size of what makes contact. */
export interface PairExtent {
  readonly reaches: readonly [number, number];
  readonly widths: number;
}

/** Surfaces of facets of which those nearer than the standoff make contact. */
export interface PairFacets {
  readonly i: PlacedFacets;
  readonly j: PlacedFacets;
  /** m */
  readonly standoff: number;
  /** Most pairs of facets. */
  readonly room: number;
}

/** A pair fills GAP, NORMAL and POINT from the poses of the two bodies. */
export interface ContactPair {
  /** Whether the geometry gave no normal at the last pose, and a stand-in took its place. */
  readonly usesFallback: boolean;
  /** @alloc none */
  compute(i: PosedBody, j: PosedBody, kinematics: Float64Array): void;
}
