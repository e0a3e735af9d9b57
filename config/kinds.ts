/** Tables of kinds that a file chooses from by `kind`: what it may say of each, and the plain description that follows from that. */
import { type Static, type TObject, type TProperties, type TUnsafe, Type } from 'typebox';
import { strict } from './fields.ts';

/** One kind: its fields beside `kind`, and what becomes of them. */
export interface Kind<Fields extends TProperties, Model> {
  readonly fields: Fields;
  readonly description: string | undefined;
  /** The plain description; `field` is the place in the file. @throws BerthError for fields that contradict each other */
  compile(source: Static<TObject<Fields>>, field: string): Model;
}

/** A table of kinds by name. */
type Kinds<Model> = Readonly<Record<string, Kind<TProperties, Model>>>;

/** What a file says of one kind of a table, with every default filled in and every value in SI. */
export type SourceOf<Table extends Kinds<unknown>> = {
  [Name in keyof Table & string]: { kind: Name } & Static<TObject<Table[Name]['fields']>>;
}[keyof Table & string];

/** One kind of a table. */
export function kind<Fields extends TProperties, Model>(
  fields: Fields,
  compile: (source: Static<TObject<Fields>>, field: string) => Model,
  description?: string,
): Kind<Fields, Model> {
  return { fields, description, compile };
}

/** Schema of a table: one of its kinds, told apart by `kind`. */
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

/** The plain description of what a file says. */
export function compileKind<Model, Table extends Kinds<Model>>(
  table: Table & Kinds<Model>,
  source: SourceOf<Table>,
  field: string,
): Model {
  return table[source.kind].compile(source, field);
}
