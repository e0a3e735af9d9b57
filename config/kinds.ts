/** Tables of the kinds among which a file selects by `kind`: the fields of each, and its plain description. */
import { type Static, type TObject, type TProperties, type TUnsafe, Type } from 'typebox';
import { strict } from './fields.ts';
import { type Materials, materials } from './materials.ts';

/** One kind: its fields beside `kind`, and their compilation. */
export interface Kind<Fields extends TProperties, Model> {
  readonly fields: Fields;
  readonly description: string | undefined;
  /**
   * Compiles the fields; `field` is their position in the file, names of materials are those of the palette.
   * @throws BerthError for contradicting fields
   */
  compile(source: Static<TObject<Fields>>, field: string, palette: Materials): Model;
}

/** A table of kinds by name. */
type Kinds<Model> = Readonly<Record<string, Kind<TProperties, Model>>>;

/** Fields of one kind of a table, with defaults and SI values. */
export type SourceOf<Table extends Kinds<unknown>> = {
  [Name in keyof Table & string]: { kind: Name } & Static<TObject<Table[Name]['fields']>>;
}[keyof Table & string];

/** One kind of a table. */
export function kind<Fields extends TProperties, Model>(
  fields: Fields,
  compile: (source: Static<TObject<Fields>>, field: string, palette: Materials) => Model,
  description?: string,
): Kind<Fields, Model> {
  return { fields, description, compile };
}

/** Schema of a table: one of its kinds, distinguished by `kind`. */
export function schemaOf<Table extends Kinds<unknown>>(
  table: Table,
  options: { readonly default?: SourceOf<Table> } = {},
): TUnsafe<SourceOf<Table>> {
  const objects = Object.entries(table).map(([name, { fields, description }]) =>
    Type.Object(
      { kind: Type.Literal(name), ...fields },
      description === undefined ? strict : { ...strict, description },
    ),
  );
  // the union is the same at run time; its static type is that of the table
  return Type.Union(objects, options) as unknown as TUnsafe<SourceOf<Table>>;
}

/** Compiles the fields of a file to a plain description. */
export function compileKind<Model, Table extends Kinds<Model>>(
  table: Table & Kinds<Model>,
  source: SourceOf<Table>,
  field: string,
  palette: Materials = materials(),
): Model {
  return table[source.kind].compile(source, field, palette);
}
