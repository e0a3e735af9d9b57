/** The rows of a run: time, poses, twists, contacts, constraints, energies, as one flat list of numbers with named columns, in CSV or JSON. */
import { CURVATURE_LENGTH } from '../../src/shapes/surfaces/surface-curvature.ts';
import {
  CONSTRAINT_READOUT,
  CONTACT_READOUT,
  ENERGY_READOUT,
  TOUCH_READOUT,
  TouchReadout,
  type System,
} from '../../src/system/system.ts';
import { LineOutput } from './line-output.ts';
import { BODY_COLUMNS, runColumnNames } from './run-columns.ts';

/** Where the rows of a run go. */
export interface RowOutput {
  /** The present state as a row. */
  row(): void | Promise<void>;
  /** No more rows come. */
  end(): Promise<void>;
}

/** What copies the present state into a row: all of it, or those parts that hold one of the places. */
export function rowReader(
  system: System,
  places?: ReadonlySet<number>,
): (row: Float64Array) => void {
  const reads: ((row: Float64Array) => void)[] = [];
  const part = (from: number, length: number, read: (row: Float64Array) => void): number => {
    for (let at = from; at < from + length; at++) {
      if (places?.has(at) === false) continue;
      reads.push(read);
      break;
    }
    return from + length;
  };
  const time = 0;
  let next = part(time, 1, (row) => (row[time] = system.time));
  for (let i = 0; i < system.bodyCount; i++) {
    const at = next;
    next = part(at, BODY_COLUMNS.length, (row) => system.readBody(i, row, at));
  }
  for (let k = 0; k < system.contactCount; k++) {
    const at = next;
    next = part(at, CONTACT_READOUT.length, (row) => system.readContact(k, row, at));
    if (!system.hasSurfaces(k)) continue;
    const touch = next;
    next = part(touch, TOUCH_READOUT.length, (row) => {
      system.readTouch(k, row, touch);
      row[touch + TouchReadout.least] *= CURVATURE_LENGTH;
      row[touch + TouchReadout.most] *= CURVATURE_LENGTH;
    });
  }
  for (let k = 0; k < system.constraintCount; k++) {
    const at = next;
    next = part(at, CONSTRAINT_READOUT.length, (row) => system.readConstraint(k, row, at));
  }
  const energy = next;
  next = part(energy, ENERGY_READOUT.length, (row) => system.readEnergy(row, energy));
  const last = next;
  part(last, 1, (row) => (row[last] = system.substeps));
  return (row) => {
    for (const read of reads) read(row);
  };
}

/** Rows as lines of CSV or as one JSON object, to a file or to stdout. @throws BerthError when it cannot be written */
export function textOutput(system: System, path: string | undefined, json: boolean): RowOutput {
  const out = new LineOutput(path);
  const columns = runColumnNames(system);
  const row = new Float64Array(columns.length);
  const read = rowReader(system);
  const { name } = system.model;
  out.line(
    json
      ? `{"scenario":${JSON.stringify(name)},"columns":${JSON.stringify(columns)},"rows":[`
      : columns.join(','),
  );
  let comma = '';
  return {
    row() {
      read(row);
      out.line(json ? `${comma}[${row.join(',')}]` : row.join(','));
      comma = ',';
    },
    end() {
      if (json) out.line(`],"hash":"${system.hash()}"}`);
      return out.close();
    },
  };
}
