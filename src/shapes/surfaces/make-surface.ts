/** Curves and surfaces from their descriptions, which are right. It allocates and is for construction. */
import { cos, sin } from '../../math/elementary/circular.ts';
import { rotate3 } from '../../math/vec3.ts';
import { rotationOf } from '../../math/quaternion.ts';
import { CompiledCircle, CompiledLine } from './elementary-curves.ts';
import { CompiledCone, CompiledPlane, CompiledTorus } from './elementary-surfaces.ts';
import { CompiledNurbsCurve, CompiledNurbsSurface } from './nurbs.ts';
import { type Curve, type Surface, SURFACE_SLOTS } from './surface.ts';
import type { CurveSpec, SurfaceShape, SurfaceSpec } from './surface-spec.ts';
import { CompiledExtrusion, CompiledRevolution } from './swept-surfaces.ts';

/** The curve of a description, in the frame of it. */
export function makeCurve(spec: CurveSpec): Curve {
  switch (spec.kind) {
    case 'nurbs':
      return new CompiledNurbsCurve(spec);
    case 'line':
      return new CompiledLine(spec);
    case 'circle':
      return new CompiledCircle(spec);
  }
}

/** The surface of a shape, in the frame of it. */
export function makeShape(spec: SurfaceShape): Surface {
  switch (spec.kind) {
    case 'nurbs':
      return new CompiledNurbsSurface(spec);
    case 'plane':
      return new CompiledPlane();
    case 'cylinder':
      return new CompiledCone(spec.radius, 0);
    case 'cone':
      return new CompiledCone(spec.radius, sin(spec.halfAngle) / cos(spec.halfAngle));
    case 'sphere':
      return new CompiledTorus(0, spec.radius);
    case 'torus':
      return new CompiledTorus(spec.majorRadius, spec.minorRadius);
    case 'extrusion':
      return new CompiledExtrusion(spec, makeCurve(spec.curve));
    case 'revolution':
      return new CompiledRevolution(spec, makeCurve(spec.curve));
  }
}

/** A shape at its place on a body. */
class PlacedSurface implements Surface {
  readonly domain: Float64Array;
  readonly periods: Float64Array;
  readonly sign: 1 | -1;
  private readonly shape: Surface;
  private readonly position: Float64Array;
  private readonly rotation: Float64Array = new Float64Array(9);
  private readonly turned: boolean;

  constructor({ shape, position, orientation, sign }: SurfaceSpec) {
    this.shape = makeShape(shape);
    this.domain = this.shape.domain;
    this.periods = this.shape.periods;
    this.sign = sign ?? 1;
    this.position = Float64Array.from(position ?? [0, 0, 0]);
    const q = Float64Array.from(orientation ?? [0, 0, 0, 1]);
    const length = Math.sqrt(q.reduce((sum, value) => sum + value * value, 0));
    rotationOf(
      this.rotation,
      q.map((value) => value / length),
      0,
    );
    this.turned = q[0] !== 0 || q[1] !== 0 || q[2] !== 0;
  }

  /** @alloc none */
  evaluate(at: Float64Array, out: Float64Array): void {
    const { position, rotation } = this;
    this.shape.evaluate(at, out);
    if (this.turned) for (let a = 0; a < SURFACE_SLOTS; a += 3) rotate3(out, a, rotation, out, a);
    out[0] += position[0];
    out[1] += position[1];
    out[2] += position[2];
  }
}

/** The surface of a description in the frame of its body; its domain is that of the shape, without the trim. */
export function makeSurface(spec: SurfaceSpec): Surface {
  return new PlacedSurface(spec);
}
