/**
 * The plain description of a contact: which geometric pair, which laws, with which parameters. Everything is SI; signs follow
 * docs/conventions.md. Each kind has one module under src/contact/ and one entry in src/contact/registry.ts.
 */
import type { BristleModel, HystereticModel } from './law-spec.ts';
import type { PatchModel } from './patch-spec.ts';
import type { PlacedFacets } from '../shapes/faceted-shapes.ts';
import type { DistanceField } from '../shapes/distance-field.ts';
import type { CellModel } from '../shapes/cell-model.ts';
import type { ConvexShapeModel, PlacedShape } from '../shapes/shape-model.ts';
import type { SurfaceSamples } from '../shapes/surface-samples.ts';
import type { TriangleMesh } from '../shapes/triangle-mesh.ts';
import type { SurfaceSide } from '../shapes/surfaces/surface-spec.ts';
import type {
  VolumetricBristleModel,
  VolumetricLawModel,
  VolumetricPairModel,
  VolumetricRollingModel,
} from './volumetric-spec.ts';
import type { Quadruple, Triple } from '../base/tuples.ts';

export type * from './law-spec.ts';
export type { PatchMode, PatchModel } from './patch-spec.ts';
export type {
  FacetedBox,
  FacetedFrustum,
  FacetedPolygons,
  FacetedShape,
  FacetedTorus,
  PlacedFacets,
} from '../shapes/faceted-shapes.ts';
export type { DistanceField } from '../shapes/distance-field.ts';
export type * from '../shapes/shape-model.ts';
export type { SurfaceSamples } from '../shapes/surface-samples.ts';
export type * from '../shapes/surfaces/surface-spec.ts';
export type * from './volumetric-spec.ts';

export type { Triple };

/** Sphere on body i against a half-space on body j. `Gonthier 2007, A.2.1`. */
export interface SpherePlaneModel {
  readonly kind: 'sphere-plane';
  /** Sphere radius R, m, > 0. */
  readonly radius: number;
  /** Sphere centre in the frame of body i, m. */
  readonly center: Triple;
  /** Outward unit normal of the plane in the frame of body j. */
  readonly normal: Triple;
  /** Plane offset h_j along the normal from the origin of body j, m. */
  readonly offset: number;
}
/** Sphere on body i against the convex edge of two half-planes on body j. `Gonthier 2007, A.2.2`. */
export interface SphereEdgeModel {
  readonly kind: 'sphere-edge';
  /** Sphere radius R, m, > 0. */
  readonly radius: number;
  /** Sphere centre in the frame of body i, m. */
  readonly center: Triple;
  /** A point of the edge in the frame of body j, m; best near the expected contact. */
  readonly edgePoint: Triple;
  /** Outward unit normals of the two planes in the frame of body j; not parallel. */
  readonly normal1: Triple;
  readonly normal2: Triple;
}
/** Sphere on body i against an infinite circular cylinder on body j, or in its bore. `Gonthier 2007, A.2.3`. */
export interface SphereCylinderModel {
  readonly kind: 'sphere-cylinder';
  /** Sphere radius R, m, > 0; below the cylinder's in a bore. */
  readonly radius: number;
  /** Sphere centre in the frame of body i, m. */
  readonly center: Triple;
  /** A point of the axis in the frame of body j, m. */
  readonly axisPoint: Triple;
  /** Unit vector along the axis in the frame of body j. */
  readonly axis: Triple;
  /** Cylinder radius, m, > 0. */
  readonly cylinderRadius: number;
  /** Which side of the surface is free: `inside` is a bore. */
  readonly side: 'outside' | 'inside';
}
/** Sphere on body i against an infinite circular cone on body j. `Gonthier 2007, A.2.4`. */
export interface SphereConeModel {
  readonly kind: 'sphere-cone';
  /** Sphere radius R, m, > 0. */
  readonly radius: number;
  /** Sphere centre in the frame of body i, m. */
  readonly center: Triple;
  /** Apex in the frame of body j, m. */
  readonly apex: Triple;
  /** Unit vector along the axis, out of the apex into the open, in the frame of body j. */
  readonly axis: Triple;
  /** Full apex angle, rad, in (0, π]; π is a plane. */
  readonly apexAngle: number;
}
/** Sphere on body i against a sphere on body j. */
export interface SphereSphereModel {
  readonly kind: 'sphere-sphere';
  /** Radius of the sphere on body i, m, > 0. */
  readonly radius: number;
  /** Its centre in the frame of body i, m. */
  readonly center: Triple;
  /** Radius of the sphere on body j, m, > 0. */
  readonly radiusJ: number;
  /** Its centre in the frame of body j, m. */
  readonly centerJ: Triple;
}
/** Two convex shapes, one on each body: signed distance by portal refinement. docs/theory/convex-pair.md */
export interface ConvexPairModel {
  readonly kind: 'convex';
  /** Shape on body i. */
  readonly shapeI: PlacedShape;
  /** Shape on body j; the normal is its outward normal. */
  readonly shapeJ: PlacedShape;
}
/**
 * Two bodies of facets: a contact for each pair of facets nearer than the standoff, all of them one force.
 * `LaFarge & Lewis 1998`, docs/theory/faceted.md
 */
export interface FacetedPairModel {
  readonly kind: 'faceted';
  /** Facets of body i. */
  readonly shapeI: PlacedFacets;
  /** Facets of body j; normals point from it to body i. */
  readonly shapeJ: PlacedFacets;
  /** Distance at which a pair begins to push, m, > 0. */
  readonly standoff: number;
  /**
   * What becomes of pairs that share a feature pair: `drop` keeps the first one, `keep` all; `area` has one spring from the centre of each
   * facet of the body with the smaller facets, with the stiffness by its area. `drop` when left out.
   */
  readonly duplicates?: 'drop' | 'keep' | 'area';
  /** Area of a facet that has the stiffness of the normal law, for `area`, m², > 0; 1 when left out. */
  readonly referenceArea?: number;
  /** Most pairs of facets that push at once; 256 when left out. */
  readonly maximumPairs?: number;
}
/** A distance field on a body. */
export interface PlacedField {
  readonly field: DistanceField;
  /** Origin of the field in the frame of the body, m. */
  readonly position: Triple;
  /** Unit quaternion (x, y, z, w) rotating vectors of the field into the body. */
  readonly orientation: readonly [number, number, number, number];
}
/** Samples of the surface of body i against the distance field of body j, all of them one force. docs/theory/sampled.md */
export interface SampledPairModel {
  readonly kind: 'sampled';
  /** In the frame of body i. */
  readonly samples: SurfaceSamples;
  /** Field of body j; normals point from it to body i. */
  readonly field: PlacedField;
  /** What the bodies are drawn as, each in the frame of its body; contact takes the samples and the field. */
  readonly surfaces?: { readonly i: TriangleMesh; readonly j: TriangleMesh };
}
/** What an elastic face meets where it is no plane, in the frame of body j; lengths in m. */
export type PatchTargetModel =
  | (ConvexShapeModel & PlacedTarget)
  | {
      /** All cells of body j together; they touch or are apart. */
      readonly kind: 'cells';
      readonly cells: readonly CellModel[];
    }
  | {
      /** The reduced face of an elastic body j, in its frame. It is static: its modes do not move. */
      readonly kind: 'face';
      readonly patch: PatchModel;
    }
  | ({
      /** A closed surface, convex or not. */
      readonly kind: 'surface';
      readonly mesh: TriangleMesh;
    } & PlacedTarget);
/** Where it is. */
export interface PlacedTarget {
  readonly position: Triple;
  /** Unit quaternion (x, y, z, w); as the body when left out. */
  readonly orientation?: Quadruple;
}
/** The reduced face of an elastic body i against a half-space of body j, or a shape. docs/theory/elastic-contact.md */
export interface PatchPairModel {
  readonly kind: 'patch';
  /** In the frame of body i. */
  readonly patch: PatchModel;
  /** Outward unit normal of the plane in the frame of body j. */
  readonly normal: Triple;
  /** Plane offset along the normal from the origin of body j, m. */
  readonly offset: number;
  /** In place of the plane. */
  readonly target?: PatchTargetModel;
}
/** Faces, or a ball, of body i against those of body j, of which one has faces. docs/theory/freeform.md */
export interface FreeformPairModel {
  readonly kind: 'freeform';
  /** In the frame of body i. */
  readonly surfacesI: SurfaceSide;
  /** In the frame of body j; the normal is its outward normal. */
  readonly surfacesJ: SurfaceSide;
  /** Radius of the Hertz contact, m, > 0; that of the curvatures at the onset of each contact when left out. */
  readonly contactRadius?: number;
}
/** Every geometric pair. */
export type PairModel =
  | SpherePlaneModel
  | SphereEdgeModel
  | SphereCylinderModel
  | SphereConeModel
  | SphereSphereModel
  | ConvexPairModel
  | FacetedPairModel
  | SampledPairModel
  | PatchPairModel
  | FreeformPairModel
  | VolumetricPairModel;

/** Hysteretic law whose stiffness follows from the materials and the effective radius of the pair. `Gonthier 2007, (2.1)–(2.4)`. */
export interface HertzModel extends Omit<HystereticModel, 'kind' | 'stiffness' | 'exponent'> {
  readonly kind: 'hertz';
  /** Contact modulus E* of the two materials, N/m², > 0; see `contactModulus`. */
  readonly contactModulus: number;
}
/** Hertz law of Modia3D, damping fixed at onset from restitution and approach speed. */
export interface Modia3dModel {
  readonly kind: 'modia3d';
  /** Contact modulus c_res of the two materials, N/m², > 0; see `contactModulus`. */
  readonly contactModulus: number;
  /** cor in [0, 1]; 0 takes the largest damping at every speed. */
  readonly restitution: number;
  /** Approach speed up to which restitution counts as 0, m/s, > 0. */
  readonly smallVelocity: number;
  /** Largest damping coefficient d_max, s/m, > 0. */
  readonly maximumDamping: number;
  /** Factor k_red on the modulus, in (0, 1]. */
  readonly reductionFactor: number;
  /** `flores` when left out, as in Modia3D; `exact` returns the cor that was asked for. */
  readonly damping?: 'flores' | 'exact';
  /** Whether the damping may pull; false when left out. */
  readonly allowTension?: boolean;
}
/** Nonlinear damping with restitution 1 − α v at low speed. `Hunt & Crossley 1975; Marhefka & Orin 1999`. */
export interface RestitutionSlopeModel {
  readonly kind: 'restitution-slope';
  /** Stiffness k, N/mⁿ, > 0. */
  readonly stiffness: number;
  /** Exponent n of the elastic law, in [1, 3]. */
  readonly exponent: number;
  /** Slope α of restitution over impact speed, s/m, >= 0. */
  readonly slope: number;
  /** Whether the damping may pull; false when left out. */
  readonly allowTension?: boolean;
}
/** Linear spring and dashpot side by side, for comparison: its force jumps at touch. */
export interface KelvinVoigtModel {
  readonly kind: 'kelvin-voigt';
  /** Stiffness k, N/m, > 0. */
  readonly stiffness: number;
  /** Damping c, N s/m, >= 0. */
  readonly damping: number;
  /** Whether the dashpot may pull; false when left out. */
  readonly allowTension?: boolean;
}
/** Points that do not overlap: what deforms is the elastic body of the pair. */
export interface ComplianceModel {
  readonly kind: 'compliance';
}
/** In place of a normal law: the contact is seen and does not push. It takes no part in a step. `Modia3D, response observer`. */
export interface ObserverModel {
  readonly kind: 'observer';
  /** Whether a touch is to be reported as a warning; false when left out. */
  readonly alarm?: boolean;
}
/** Every normal law. */
export type NormalLawModel =
  | HystereticModel
  | HertzModel
  | Modia3dModel
  | RestitutionSlopeModel
  | KelvinVoigtModel
  | ComplianceModel
  | VolumetricLawModel;

/** No friction. */
export interface FrictionlessModel {
  readonly kind: 'none';
}
/**
 * How a direction is smoothed through zero, see src/contact/friction/direction.ts: `cubic` is C1 with slope 3/(2 ε) at rest,
 * `modia3d` C2 with slope 3/ε.
 */
export type Regularization = 'cubic' | 'modia3d';
/** Coulomb friction with a regularised direction. `Gonthier 2007, (3.33); Modia3D, contact force law`. */
export interface RegularizedCoulombModel {
  readonly kind: 'regularized-coulomb';
  /** Friction coefficient, >= 0. */
  readonly coulomb: number;
  readonly regularization: Regularization;
  /** Slip below which friction is not fully developed, m/s, > 0 (v_eps; v_small of Modia3D). */
  readonly velocityTolerance: number;
}
/** Coulomb, viscous and Stribeck friction without memory. `Gonthier 2007, (3.30), (3.37)`. */
export interface StribeckModel {
  readonly kind: 'stribeck';
  /** Top of the friction curve, >= coulomb. */
  readonly stiction: number;
  /** Floor of the friction curve, >= 0. */
  readonly coulomb: number;
  /** Load-relative viscous damping sigma_2, s/m, >= 0. */
  readonly viscousDamping: number;
  /** Stribeck velocity v_s, m/s, > 0. */
  readonly stribeckVelocity: number;
  readonly regularization: Regularization;
  /** Velocity tolerance v_eps, m/s, 0 < v_eps <= v_s / 10. */
  readonly velocityTolerance: number;
}
/** Every friction law. */
/** LuGre friction: a bristle that yields by the Stribeck curve of the slip. `Canudas de Wit et al. 1995`. */
export interface LuGreModel {
  readonly kind: 'lugre';
  /** Top of the friction curve, >= coulomb. */
  readonly stiction: number;
  /** Floor of the friction curve, > 0. */
  readonly coulomb: number;
  /** Load-relative bristle stiffness sigma_0, 1/m, > 0. */
  readonly bristleStiffness: number;
  /** Load-relative bristle damping sigma_1, s/m, >= 0. */
  readonly bristleDamping: number;
  /** Load-relative viscous damping sigma_2, s/m, >= 0. */
  readonly viscousDamping: number;
  /** Stribeck velocity v_s, m/s, > 0. */
  readonly stribeckVelocity: number;
}
/** Dahl friction: a bristle that yields as it bends. `Dahl 1968`. */
export interface DahlModel {
  readonly kind: 'dahl';
  /** Friction coefficient, > 0. */
  readonly coulomb: number;
  /** Load-relative bristle stiffness sigma_0, 1/m, > 0. */
  readonly bristleStiffness: number;
}
/** Coulomb friction of each point of an elastic face: it sticks up to the one coefficient and slides with the other. */
export interface CoulombModel {
  readonly kind: 'coulomb';
  /** Coefficient up to which a point sticks, >= coulomb. */
  readonly stiction: number;
  /** Coefficient of a sliding point, >= 0. */
  readonly coulomb: number;
}
export type FrictionLawModel =
  | FrictionlessModel
  | CoulombModel
  | BristleModel
  | RegularizedCoulombModel
  | StribeckModel
  | LuGreModel
  | DahlModel
  | VolumetricBristleModel;

/** No rolling resistance. */
export interface NoRollingModel {
  readonly kind: 'none';
}
/** Rolling resistance torque μ_r R f_n against the relative angular velocity. `Modia3D, contact force law`. */
export interface RollingResistanceModel {
  readonly kind: 'modia3d';
  /** Rolling resistance coefficient mu_r, >= 0. */
  readonly rollingFriction: number;
  /** Relative angular velocity below which the torque is not fully developed, rad/s, > 0 (w_small). */
  readonly angularVelocityTolerance: number;
}
/** Every rolling law. */
export type RollingLawModel = NoRollingModel | RollingResistanceModel | VolumetricRollingModel;

/** A contact model is assembled: pair + normal law + friction law + rolling law. `Gonthier 2007, A.1`. */
export interface ContactModelSpec {
  readonly name: string;
  readonly bodyI: string;
  readonly bodyJ: string;
  readonly pair: PairModel;
  readonly normalLaw: NormalLawModel | ObserverModel;
  readonly frictionLaw: FrictionLawModel;
  /** None when left out. */
  readonly rollingLaw?: RollingLawModel;
  /** Pressure above which the weaker material yields, N/m², > 0: a limit of validity alone. None when left out. */
  readonly yieldStrength?: number;
}
