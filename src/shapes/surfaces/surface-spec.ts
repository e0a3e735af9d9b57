/**
 * Plain descriptions of curves and surfaces, in metres and radians, with the parameters of ISO 10303-42: what a STEP file says of a face
 * can be written down as it stands.
 */
import type { Quadruple, Triple } from '../../base/tuples.ts';

/** Rational B-spline curve: `Piegl & Tiller 1997, (4.1)`. */
export interface NurbsCurve {
  readonly kind: 'nurbs';
  /** 1 to 15. */
  readonly degree: number;
  /** Every knot as often as it counts: points.length + degree + 1 of them, not falling. */
  readonly knots: readonly number[];
  /** Control points, m. */
  readonly points: readonly Triple[];
  /** > 0; all 1 when left out. */
  readonly weights?: readonly number[];
  /** Its ends meet, and its parameter goes round; false when left out. */
  readonly closed?: boolean;
}
/** Straight line, C(t) = point + t direction. */
export interface LineCurve {
  readonly kind: 'line';
  /** m */
  readonly point: Triple;
  /** Metres along the line for a step of 1 of the parameter; not 0. */
  readonly direction: Triple;
}
/** Circle, C(t) = center + R (cos t x + sin t y) with y = axis × x, t in rad. */
export interface CircleCurve {
  readonly kind: 'circle';
  /** m */
  readonly center: Triple;
  /** Unit normal of its plane. */
  readonly axis: Triple;
  /** Unit vector x, across the axis. */
  readonly reference: Triple;
  /** R, m, > 0. */
  readonly radius: number;
}
/** Every curve. */
export type CurveSpec = NurbsCurve | LineCurve | CircleCurve;

/** Rational B-spline surface: `Piegl & Tiller 1997, (4.11)`. */
export interface NurbsSurface {
  readonly kind: 'nurbs';
  /** 1 to 15. */
  readonly degreeU: number;
  readonly degreeV: number;
  /** As those of a curve; points.length + degreeU + 1 along u. */
  readonly knotsU: readonly number[];
  readonly knotsV: readonly number[];
  /** Control points, m: points[i][j] with i along u and j along v. */
  readonly points: readonly (readonly Triple[])[];
  /** weights[i][j] > 0; all 1 when left out. */
  readonly weights?: readonly (readonly number[])[];
  /** Its ends along u, or v, meet, and that parameter goes round; false when left out. */
  readonly closedU?: boolean;
  readonly closedV?: boolean;
}
/** The plane z = 0: S = (u, v, 0), m. */
export interface PlaneSurface {
  readonly kind: 'plane';
}
/** Circular cylinder about z: S = (R cos u, R sin u, v), u in rad, v in m. */
export interface CylinderSurface {
  readonly kind: 'cylinder';
  /** R, m, > 0. */
  readonly radius: number;
}
/** Circular cone about z: S = (r cos u, r sin u, v) with r = R + v tan α. */
export interface ConeSurface {
  readonly kind: 'cone';
  /** R, where v is 0, m, >= 0. */
  readonly radius: number;
  /** Angle α between axis and flank, rad, in (0, π/2). */
  readonly halfAngle: number;
}
/** Sphere about the origin: S = R (cos v cos u, cos v sin u, sin v), rad. */
export interface SphereSurface {
  readonly kind: 'sphere';
  /** R, m, > 0. */
  readonly radius: number;
}
/** Torus about z: S = ((R + r cos v) cos u, (R + r cos v) sin u, r sin v), rad. */
export interface TorusSurface {
  readonly kind: 'torus';
  /** R, from the axis to the middle of the tube, m, > 0. */
  readonly majorRadius: number;
  /** r, of the tube, m, > 0 and below R. */
  readonly minorRadius: number;
}
/** Curve drawn along a direction: S = C(u) + v direction. */
export interface ExtrusionSurface {
  readonly kind: 'extrusion';
  readonly curve: CurveSpec;
  /** Metres for a step of 1 of v; not 0. */
  readonly direction: Triple;
}
/** Curve turned about an axis: S = C(v) turned by u, rad. */
export interface RevolutionSurface {
  readonly kind: 'revolution';
  readonly curve: CurveSpec;
  /** A point of the axis, m. */
  readonly axisPoint: Triple;
  /** Unit vector along it. */
  readonly axis: Triple;
}
/** Every shape of a surface, in its own frame. */
export type SurfaceShape =
  | NurbsSurface
  | PlaneSurface
  | CylinderSurface
  | ConeSurface
  | SphereSurface
  | TorusSurface
  | ExtrusionSurface
  | RevolutionSurface;

/** Part of a surface that is there. */
export interface SurfaceTrim {
  /** Least and largest parameter; the whole domain when left out. */
  readonly u?: readonly [number, number];
  readonly v?: readonly [number, number];
  /**
   * Polygons in the plane of the parameters, each of which ends at its first point. A point is there when it lies in an odd number of them:
   * an outer border and its holes. None when left out.
   */
  readonly loops?: readonly (readonly (readonly [number, number])[])[];
}

/** A surface on a body. */
export interface SurfaceSpec {
  readonly shape: SurfaceShape;
  /** Origin of its frame in the frame of the body, m; 0 when left out. */
  readonly position?: Triple;
  /** Unit quaternion (x, y, z, w) that turns its frame into the body's; none when left out. */
  readonly orientation?: Quadruple;
  /** The outward normal is sign S_u × S_v, at length 1. 1 when left out. */
  readonly sign?: 1 | -1;
  /** All of it when left out. */
  readonly trim?: SurfaceTrim;
}

/** A ball, or a point where its radius is 0. */
export interface SurfaceBall {
  readonly kind: 'ball';
  /** In the frame of the body, m. */
  readonly center: Triple;
  /** m, >= 0. */
  readonly radius: number;
}
/** Faces of a body. */
export interface SurfaceFaces {
  readonly kind: 'faces';
  readonly faces: readonly SurfaceSpec[];
}
/** What one body brings. */
export type SurfaceSide = SurfaceBall | SurfaceFaces;
