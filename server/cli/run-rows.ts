/** The rows of a run: time, poses, twists, contacts, energies, as one flat list of numbers with named columns, in CSV or JSON. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { BerthError } from '../../src/base/errors.ts';
import { CONTACT_READOUT, ENERGY_READOUT, type System } from '../../src/system/system.ts';
import { BODY_COLUMNS, runColumnNames } from './run-columns.ts';

/** Rows kept before they are written. */
const BATCH = 500;

/** Where the rows of a run go. */
export interface RowOutput {
  /** The present state as a row. */
  row(): void | Promise<void>;
  /** No more rows come. */
  end(): Promise<void>;
}

/** Copies the present state into a row. */
function fillRow(system: System, row: Float64Array): void {
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
  const out = new Output(path);
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

/** Lines to a file or to stdout, in batches. */
class Output {
  private readonly file: number | null;
  private lines: string[] = [];
  private broken = false;

  constructor(path: string | undefined) {
    try {
      this.file = path === undefined ? null : openSync(path, 'w');
    } catch (error) {
      throw new BerthError(
        'BERTH_MISSING_FILE',
        `cannot write "${path ?? ''}": ${(error as Error).message}`,
        { field: '--output', cause: error },
      );
    }
    if (this.file === null) {
      // a reader that has seen enough (`| head`) closes the pipe; that is no failure
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        this.broken = true;
      });
    }
  }

  line(text: string): void {
    this.lines.push(text);
    if (this.lines.length >= BATCH) this.flush();
  }

  async close(): Promise<void> {
    this.flush();
    if (this.file !== null) closeSync(this.file);
    else if (!this.broken) await new Promise((resolve) => process.stdout.write('', resolve));
  }

  private flush(): void {
    if (this.lines.length === 0) return;
    const text = `${this.lines.join('\n')}\n`;
    this.lines = [];
    if (this.file !== null) writeSync(this.file, text);
    else if (!this.broken) process.stdout.write(text);
  }
}
