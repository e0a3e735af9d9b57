/**
 * Faces of a STEP file: their numbers and names, the representation that holds each of them with its units, and the surface of each in
 * metres, in the frame of that representation. The outward side is that of the solid: `same_sense` of the face, turned where its shell is.
 */
import { BerthError } from '../../src/base/errors.ts';
import { checkSurface } from '../../src/shapes/surfaces/check-surface.ts';
import type { SurfaceSpec } from '../../src/shapes/surfaces/surface-spec.ts';
import { ExchangeFile, referencesOf } from './exchange-file.ts';
import { StepGeometry } from './step-geometry.ts';
import { loopsOf } from './step-loops.ts';
import { type Attributes, Instance, StepReader } from './step-record.ts';
import { surfaceOf } from './step-surfaces.ts';
import { trimOf } from './step-trim.ts';
import { type StepUnits, unitsOf } from './step-units.ts';

const FACES = new Set(['ADVANCED_FACE', 'FACE_SURFACE']);
/** What has faces in it, between a representation and them. */
const SHELLS = new Set([
  'MANIFOLD_SOLID_BREP',
  'FACETED_BREP',
  'BREP_WITH_VOIDS',
  'SHELL_BASED_SURFACE_MODEL',
  'FACE_BASED_SURFACE_MODEL',
  'CONNECTED_FACE_SET',
  'CLOSED_SHELL',
  'OPEN_SHELL',
  'ORIENTED_CLOSED_SHELL',
  'ORIENTED_OPEN_SHELL',
  'GEOMETRIC_SET',
]);
const REPRESENTATION = /(?:^|_)REPRESENTATION$/;
/** Names that programs write where there is none. */
const NO_NAME = ['', 'NONE'];

/** A face of a file. */
export interface StepFace {
  /** Its place among the faces, counted from 1 in the order of the file. */
  readonly number: number;
  /** Number of the instance, without #. */
  readonly id: number;
  /** '' for none. */
  readonly name: string;
}

/** Where a face is held. */
interface Holder {
  readonly context: number;
  /** −1 where its shell has the material on the outside. */
  readonly sign: 1 | -1;
}

/** The faces of a file. */
export class StepFaces {
  readonly file: ExchangeFile;
  readonly faces: readonly StepFace[];
  private readonly reader: StepReader;
  private readonly holders = new Map<number, Holder>();
  private readonly units = new Map<number, StepUnits>();

  /** @param text the file. @param name its name in errors. @throws BerthError for another kind of file, and for one without faces */
  constructor(text: string, name: string) {
    this.file = new ExchangeFile(text, name);
    this.reader = new StepReader(this.file);
    const ids = this.file.instancesOf(FACES);
    this.faces = ids.map((id, k) => {
      const given = new Instance(this.file, id)
        .as('face', ...FACES)
        .text(0, 'name')
        .trim();
      return { number: k + 1, id, name: NO_NAME.includes(given.toUpperCase()) ? '' : given };
    });
    if (ids.length === 0) {
      const schemas = this.file.schemas.join(', ') || 'none';
      throw new BerthError(
        'BERTH_UNSUPPORTED',
        `Expected ${name} to have faces (ADVANCED_FACE), got none; its schema is ${schemas}; export a solid or surfaces as AP203, AP214 or AP242`,
        { field: name },
      );
    }
    this.findHolders();
  }

  /** Units of a face. @throws BerthError when no representation of the file says them */
  unitsOf(face: StepFace): StepUnits {
    return this.unitsIn(this.holderOf(face).context);
  }

  /** The surface of a face, cut at its borders. @throws BerthError that names line, instance and value of what is not read */
  surfaceOf(face: StepFace): SurfaceSpec {
    const { context, sign } = this.holderOf(face);
    const geometry = new StepGeometry(this.reader, this.unitsIn(context));
    return this.reader.within(face.id, (instance) => {
      const record = instance.as('face', ...FACES);
      const same = record.flag(3, 'same_sense');
      const surface = surfaceOf(geometry, record.reference(2, 'face_geometry'));
      const { uncertainty } = geometry.units;
      const loops = loopsOf(geometry, record);
      const trim = trimOf(surface, loops, same, uncertainty, record);
      const spec: SurfaceSpec = { ...surface, sign: same === sign > 0 ? 1 : -1, trim };
      return this.checked(spec, record);
    });
  }

  private checked(spec: SurfaceSpec, face: Attributes): SurfaceSpec {
    try {
      checkSurface(spec, 'surface');
      return spec;
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      const problem = error.message.replace(/^Expected /, '');
      throw this.file.error(
        face.id,
        `face #${face.id} with a usable surface: ${problem}`,
        error.code,
      );
    }
  }

  private unitsIn(context: number): StepUnits {
    const known = this.units.get(context);
    if (known !== undefined) return known;
    const units = unitsOf(this.reader, context);
    this.units.set(context, units);
    return units;
  }

  private holderOf(face: StepFace): Holder {
    const holder = this.holders.get(face.id);
    if (holder !== undefined) return holder;
    throw this.file.error(
      face.id,
      `face #${face.id} in a representation, which has its units, got none that holds it`,
      'BERTH_UNIT',
    );
  }

  /** Goes from each representation through its shells to the faces. */
  private findHolders(): void {
    const { file, reader } = this;
    for (const id of file.instancesMatching(REPRESENTATION)) {
      const [record] = file.records(id);
      if (record.items.length < 3) continue;
      const context = record.items[2];
      if (context.kind !== 'reference') continue;
      if (new Instance(file, context.id).find('GLOBAL_UNIT_ASSIGNED_CONTEXT') === null) continue;
      const seen = new Set<number>();
      for (const item of referencesOf([record.items[1]])) {
        this.hold(reader, item, { context: context.id, sign: 1 }, seen);
      }
    }
  }

  private hold(reader: StepReader, id: number, holder: Holder, seen: Set<number>): void {
    const type = this.file.typeOf(id);
    if (type === null || seen.has(id)) return;
    seen.add(id);
    if (FACES.has(type)) {
      this.add(id, holder);
      return;
    }
    if (!SHELLS.has(type)) return;
    reader.within(id, (instance) => {
      const record = instance.as('shell', type);
      const turned = type.startsWith('ORIENTED_') && !record.flag(3, 'orientation');
      const sign = turned ? (holder.sign > 0 ? -1 : 1) : holder.sign;
      for (const inner of referencesOf(this.file.records(id).flatMap(({ items }) => items))) {
        this.hold(reader, inner, { context: holder.context, sign }, seen);
      }
    });
  }

  /** @throws BerthError for a face in two representations of different units */
  private add(id: number, holder: Holder): void {
    const known = this.holders.get(id);
    if (known === undefined) {
      this.holders.set(id, holder);
      return;
    }
    const [a, b] = [known, holder].map(({ context }) => this.unitsIn(context));
    if (a.metre === b.metre && a.radian === b.radian) return;
    const got = `${a.name} (#${known.context}) and ${b.name} (#${holder.context})`;
    throw this.file.error(id, `face #${id} in one unit of length, got ${got}`, 'BERTH_UNIT');
  }
}
