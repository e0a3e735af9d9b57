/** Points, directions and axis systems of a representation (ISO 10303-42, 4.4), in metres. */
import { BerthError } from '../../src/base/errors.ts';
import type { Quadruple, Triple } from '../../src/base/tuples.ts';
import type { Attributes, StepReader } from './step-record.ts';
import type { StepUnits } from './step-units.ts';
import { along, cross, dot, length, times } from './triples.ts';

/** Length below which what is left of a direction across another is that of rounding. */
const PARALLEL = 1e-9;

/** An axis system. */
export interface Axes {
  /** m */
  readonly origin: Triple;
  /** Unit vectors, right-handed. */
  readonly x: Triple;
  readonly y: Triple;
  readonly z: Triple;
}

/** Reads what is at a place, in the units of one representation. */
export class StepGeometry {
  readonly reader: StepReader;
  readonly units: StepUnits;

  constructor(reader: StepReader, units: StepUnits) {
    this.reader = reader;
    this.units = units;
  }

  /** A point, m. @throws BerthError for another instance, or another number of coordinates than 3 */
  point(id: number): Triple {
    return this.reader.within(id, (instance) => {
      const point = instance.as('point', 'CARTESIAN_POINT');
      return times(this.units.metre, triple(point, 'coordinates'));
    });
  }

  /** A unit vector. @throws BerthError for one without a length */
  direction(id: number): Triple {
    return this.reader.within(id, (instance) => {
      const direction = instance.as('direction', 'DIRECTION');
      const ratios = triple(direction, 'direction_ratios');
      const size = length(ratios);
      if (size > 0 && size < Infinity) return times(1 / size, ratios);
      throw direction.error('direction_ratios', 'with a length', `(${ratios.join(', ')})`);
    });
  }

  /** Direction times magnitude, m. @throws BerthError for a magnitude that is not above 0 */
  vector(id: number): Triple {
    return this.reader.within(id, (instance) => {
      const vector = instance.as('vector', 'VECTOR');
      const magnitude = vector.real(2, 'magnitude');
      if (!(magnitude > 0)) throw vector.error('magnitude', 'above 0', magnitude);
      const direction = this.direction(vector.reference(1, 'orientation'));
      return times(magnitude * this.units.metre, direction);
    });
  }

  /** A point and a unit vector. @throws BerthError */
  axis(id: number): { readonly point: Triple; readonly direction: Triple } {
    return this.reader.within(id, (instance) => {
      const axis = instance.as('axis', 'AXIS1_PLACEMENT');
      const direction = axis.optionalReference(2, 'axis');
      return {
        point: this.point(axis.reference(1, 'location')),
        direction: direction === null ? [0, 0, 1] : this.direction(direction),
      };
    });
  }

  /** An axis system; its x is the reference direction across z. @throws BerthError for a reference along the axis */
  axes(id: number): Axes {
    return this.reader.within(id, (instance) => {
      const place = instance.as('placement', 'AXIS2_PLACEMENT_3D');
      const origin = this.point(place.reference(1, 'location'));
      const axis = place.optionalReference(2, 'axis');
      const z: Triple = axis === null ? [0, 0, 1] : this.direction(axis);
      const given = place.optionalReference(3, 'ref_direction');
      // the standard takes the x axis, or y where that lies along z
      const free: Triple = Math.abs(z[1]) + Math.abs(z[2]) > PARALLEL ? [1, 0, 0] : [0, 1, 0];
      const reference = given === null ? free : this.direction(given);
      const across = along(reference, -dot(reference, z), z);
      const size = length(across);
      if (size < PARALLEL) {
        throw place.error('ref_direction', 'not along the axis', `#${String(given)}`);
      }
      const x = times(1 / size, across);
      return { origin, x, y: cross(z, x), z };
    });
  }

  /** A length above 0, m. */
  size(attributes: Attributes, index: number, what: string): number {
    const value = attributes.real(index, what);
    if (value > 0) return value * this.units.metre;
    throw attributes.error(what, 'above 0', value);
  }

  /** An angle, rad. @throws BerthError when the file has no unit of angle */
  angle(attributes: Attributes, index: number, what: string): number {
    const value = attributes.real(index, what);
    const { radian } = this.units;
    if (radian !== null) return value * radian;
    throw new BerthError(
      'BERTH_UNIT',
      attributes.error(what, 'in a unit of angle that the file names', value).message,
      { field: this.reader.file.name },
    );
  }
}

/** Three numbers of a list. */
function triple(attributes: Attributes, what: string): Triple {
  const [x, y, z, ...more] = attributes.reals(1, what);
  if (z !== undefined && more.length === 0) return [x, y, z];
  throw attributes.error(what, 'as three numbers', `${attributes.reals(1, what).length} numbers`);
}

/** Unit quaternion (x, y, z, w) that turns the axes of the file into those of an axis system (`Shepperd 1978`). */
export function quaternionOf({ x, y, z }: Axes): Quadruple {
  const trace = x[0] + y[1] + z[2];
  const squares = [1 + 2 * x[0] - trace, 1 + 2 * y[1] - trace, 1 + 2 * z[2] - trace, 1 + trace];
  const largest = squares.indexOf(Math.max(...squares));
  const a = y[2] - z[1];
  const b = z[0] - x[2];
  const c = x[1] - y[0];
  const xy = x[1] + y[0];
  const yz = y[2] + z[1];
  const zx = z[0] + x[2];
  const rows: readonly Quadruple[] = [
    [squares[0], xy, zx, a],
    [xy, squares[1], yz, b],
    [zx, yz, squares[2], c],
    [a, b, c, squares[3]],
  ];
  const row = rows[largest];
  const size = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
  return [row[0] / size, row[1] / size, row[2] / size, row[3] / size];
}
