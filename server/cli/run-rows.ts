/** The rows of a run: time, poses, twists, contacts, energies, as one flat list of numbers with named columns, in CSV or JSON. */
import { CONTACT_READOUT, ENERGY_READOUT, type System } from '../../src/system/system.ts';
import { LineOutput } from './line-output.ts';
import { BODY_COLUMNS, runColumnNames } from './run-columns.ts';

/** Where the rows of a run go. */
export interface RowOutput {
  /** The present state as a row. */
  row(): void | Promise<void>;
  /** No more rows come. */
  end(): Promise<void>;
}

/** Copies the present state into a row. */
export function fillRow(system: System, row: Float64Array): void {
  let at = 0;
  row[at++] = system.time;
  for (let i = 0; i < system.bodyCount; i++, at += BODY_COLUMNS.length) system.readBody(i, row, at);
  for (let k = 0; k < system.contactCount; k++, at += CONTACT_READOUT.length) {
    system.readContact(k, row, at);
  }
  system.readEnergy(row, at);
  row[at + ENERGY_READOUT.length] = system.substeps;
}

/** Rows as lines of CSV or as one JSON object, to a file or to stdout. @throws BerthError when it cannot be written */
export function textOutput(system: System, path: string | undefined, json: boolean): RowOutput {
  const out = new LineOutput(path);
  const columns = runColumnNames(system);
  const row = new Float64Array(columns.length);
  const { name } = system.model;
  out.line(
    json
      ? `{"scenario":${JSON.stringify(name)},"columns":${JSON.stringify(columns)},"rows":[`
      : columns.join(','),
  );
  let comma = '';
  return {
    row() {
      fillRow(system, row);
      out.line(json ? `${comma}[${row.join(',')}]` : row.join(','));
      comma = ',';
    },
    end() {
      if (json) out.line(`],"hash":"${system.hash()}"}`);
      return out.close();
    },
  };
}
