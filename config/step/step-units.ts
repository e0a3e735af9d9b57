/**
 * Units of a representation (ISO 10303-41): SI units with their prefixes, and units that convert to others, as inches and degrees.
 * A file gives its units in each context of a geometry.
 */
import type { Attributes, Instance, StepReader } from './step-record.ts';

/** Units of the numbers of a representation. */
export interface StepUnits {
  /** Metres in one unit of length. */
  readonly metre: number;
  /** Radians in one unit of angle; null when the context has none. */
  readonly radian: number | null;
  /** Distance within which points count as the same, m; 0 when the context has none. */
  readonly uncertainty: number;
  /** Name of the unit of length: `mm`, `inch`. */
  readonly name: string;
}

/** SI prefixes: factor and sign. */
const PREFIXES: Readonly<Record<string, readonly [number, string]>> = {
  EXA: [1e18, 'E'],
  PETA: [1e15, 'P'],
  TERA: [1e12, 'T'],
  GIGA: [1e9, 'G'],
  MEGA: [1e6, 'M'],
  KILO: [1e3, 'k'],
  HECTO: [1e2, 'h'],
  DECA: [10, 'da'],
  DECI: [1e-1, 'd'],
  CENTI: [1e-2, 'c'],
  MILLI: [1e-3, 'm'],
  MICRO: [1e-6, 'µ'],
  NANO: [1e-9, 'n'],
  PICO: [1e-12, 'p'],
  FEMTO: [1e-15, 'f'],
  ATTO: [1e-18, 'a'],
};
const DEGREE = Math.PI / 180;
/** Digits that files give of a degree. */
const DEGREE_TOLERANCE = 1e-6 * DEGREE;

type Quantity = 'length' | 'angle';

interface Unit {
  readonly quantity: Quantity;
  /** SI units in one. */
  readonly factor: number;
  readonly name: string;
}

/** Units of a context. @throws BerthError for a context without a unit of length, with two that differ, or with one that is not read */
export function unitsOf(reader: StepReader, context: number): StepUnits {
  return reader.within(context, (instance) => {
    const assigned = instance.find('GLOBAL_UNIT_ASSIGNED_CONTEXT');
    const found: Partial<Record<Quantity, Unit>> = {};
    // alone it has two names before the units
    const place = instance.complex ? 0 : 2;
    for (const id of assigned?.references(place, 'units') ?? []) {
      const unit = reader.within(id, (one) => unitOf(reader, one));
      if (unit === null) continue;
      const other = found[unit.quantity];
      if (other !== undefined && other.factor !== unit.factor) {
        throw reader.file.error(
          context,
          `one unit of ${unit.quantity} in context #${context}, got ${other.name} and ${unit.name}`,
          'BERTH_UNIT',
        );
      }
      found[unit.quantity] = unit;
    }
    if (found.length === undefined) {
      throw reader.file.error(
        context,
        `a unit of length in context #${context}, got none`,
        'BERTH_UNIT',
      );
    }
    return {
      metre: found.length.factor,
      radian: found.angle?.factor ?? null,
      uncertainty: uncertaintyOf(reader, instance),
      name: found.length.name,
    };
  });
}

/** A unit of length or of angle; null for one of another quantity. */
function unitOf(reader: StepReader, instance: Instance): Unit | null {
  const quantity: Quantity | null =
    instance.find('LENGTH_UNIT') !== null
      ? 'length'
      : instance.find('PLANE_ANGLE_UNIT') !== null
        ? 'angle'
        : null;
  if (quantity === null) return null;
  const si = instance.find('SI_UNIT');
  if (si !== null) return siUnit(si, quantity);
  const converted = instance.find('CONVERSION_BASED_UNIT');
  if (converted === null) {
    throw instance.unsupported(`unit of ${quantity}`, ['SI_UNIT', 'CONVERSION_BASED_UNIT']);
  }
  const name = converted.text(0, 'name').toLowerCase();
  const measure = converted.reference(1, 'conversion_factor');
  const factor = reader.within(measure, (one) => {
    const value = measureOf(reader, one, quantity);
    if (value > 0 && value < Infinity) return value;
    throw converted.error('conversion_factor', 'above 0', value, 'BERTH_UNIT');
  });
  const degree = quantity === 'angle' && Math.abs(factor - DEGREE) < DEGREE_TOLERANCE;
  return { quantity, factor: degree ? DEGREE : factor, name };
}

function siUnit(si: Attributes, quantity: Quantity): Unit {
  // an instance of its own would have the dimensions before the prefix
  const place = si.length - 2;
  const prefix = si.optionalWord(place, 'prefix');
  const base = si.word(place + 1, 'name');
  const wanted = quantity === 'length' ? 'METRE' : 'RADIAN';
  if (base !== wanted) throw si.error('name', `.${wanted}.`, `.${base}.`, 'BERTH_UNIT');
  const sign = quantity === 'length' ? 'm' : 'rad';
  if (prefix === null) return { quantity, factor: 1, name: sign };
  const known = Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : null;
  if (known === null) throw si.error('prefix', 'of SI', `.${prefix}.`, 'BERTH_UNIT');
  return { quantity, factor: known[0], name: `${known[1]}${sign}` };
}

/** A measure with its unit, in SI units. */
function measureOf(reader: StepReader, instance: Instance, quantity: Quantity): number {
  const own = quantity === 'length' ? 'LENGTH_MEASURE_WITH_UNIT' : 'PLANE_ANGLE_MEASURE_WITH_UNIT';
  // a record of its own type in a complex instance has no attributes
  const alone = instance.find(own) ?? instance.find('UNCERTAINTY_MEASURE_WITH_UNIT');
  const measure = instance.find('MEASURE_WITH_UNIT') ?? (instance.complex ? null : alone);
  if (measure === null) throw instance.unsupported(`measure of ${quantity}`, [own]);
  const value = measure.real(0, 'value_component');
  const id = measure.reference(1, 'unit_component');
  const unit = reader.within(id, (one) => unitOf(reader, one));
  if (unit?.quantity === quantity) return value * unit.factor;
  throw measure.error('unit_component', `of ${quantity}`, `#${id}`, 'BERTH_UNIT');
}

/** The largest uncertainty of length of a context, m; 0 for none. */
function uncertaintyOf(reader: StepReader, instance: Instance): number {
  const assigned = instance.find('GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT');
  const place = instance.complex ? 0 : 2;
  let largest = 0;
  for (const id of assigned?.references(place, 'uncertainty') ?? []) {
    const value = reader.within(id, (one) =>
      isLength(reader, one) ? measureOf(reader, one, 'length') : 0,
    );
    largest = Math.max(largest, value);
  }
  return largest;
}

/** Whether an uncertainty is one of length. */
function isLength(reader: StepReader, instance: Instance): boolean {
  const measure =
    instance.find('MEASURE_WITH_UNIT') ?? instance.find('UNCERTAINTY_MEASURE_WITH_UNIT');
  if (measure === null || measure.length < 2) return false;
  const id = measure.reference(1, 'unit_component');
  return reader.within(id, (one) => one.find('LENGTH_UNIT') !== null);
}
