/** The tables of the mesh benchmark, and its page. */
import { formatTable } from '../../test/fixtures/table.ts';
import { digits } from '../rounds.ts';
import type { Machine } from '../step/baseline.ts';
import { FALLEN, SIZES, type Size, heightAt } from './ring-scene.ts';
import { QUIET_B, SUBJECT_NAMES, type SubjectName } from './subjects.ts';

/** A subject at a size. */
export interface Measured {
  readonly name: SubjectName;
  readonly size: Size;
  /** Why there are no figures; empty where there are. */
  readonly missing: string;
  readonly words: string;
  readonly p50_us: number;
  readonly p99_us: number;
  readonly made_s: number;
  readonly heap_B: number;
  readonly contacts: string;
  readonly height: number;
  readonly missed: string;
}

/** A run of the benchmark. */
export interface MeshRun {
  readonly machine: Machine;
  readonly load: number;
  readonly rows: readonly Measured[];
}

/** Most characters of a line of the page. */
const LINE = 150;

const sizeWords = (size: Size): string => `1e${Math.round(Math.log10(size))}`;

/** Slope of log time over log size by least squares; NaN with less than two sizes. */
export function exponent(points: readonly (readonly [size: number, time: number])[]): number {
  if (points.length < 2) return Number.NaN;
  const logs = points.map(([size, time]) => [Math.log(size), Math.log(time)]);
  const [x, y] = [0, 1].map((a) => logs.reduce((sum, log) => sum + log[a], 0) / logs.length);
  const xy = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0);
  return xy / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
}

const rowsOf = (run: MeshRun, name: SubjectName): Measured[] =>
  SIZES.flatMap((size) => run.rows.find((row) => row.name === name && row.size === size) ?? []);

/** p50 and p99 by size, and how p50 grows. */
export function timeTable(run: MeshRun, aligned?: boolean): string {
  return formatTable(
    ['µs a step, p50 / p99', ...SIZES.map(sizeWords), 'exponent'],
    SUBJECT_NAMES.map((name) => {
      const rows = rowsOf(run, name);
      const cells = SIZES.map((size) => {
        const row = rows.find((each) => each.size === size);
        if (row === undefined || row.missing !== '') return '–';
        return `${digits(row.p50_us)} / ${digits(row.p99_us)}`;
      });
      const grows = exponent(
        rows.filter(({ missing }) => missing === '').map(({ size, p50_us }) => [size, p50_us]),
      );
      return [name, ...cells, Number.isNaN(grows) ? '–' : grows.toFixed(2)];
    }),
    aligned,
  );
}

/** What came out. */
export function resultTable(run: MeshRun, aligned?: boolean): string {
  return formatTable(
    ['', 'triangles', 'made in s', 'in contact', 'height over touch, mm', 'heap, B a step'],
    SUBJECT_NAMES.flatMap((name) =>
      rowsOf(run, name)
        .filter(({ missing }) => missing === '')
        .map((row) => [
          row.name,
          sizeWords(row.size),
          digits(row.made_s),
          row.contacts,
          (1e3 * (row.height - heightAt(0))).toFixed(2),
          row.heap_B.toFixed(0),
        ]),
    ),
    aligned,
  );
}

/** How each subject computes its contact, at its first size; and what is missing, with the reason. */
export function words(run: MeshRun): string[] {
  return SUBJECT_NAMES.flatMap((name) => {
    const rows = rowsOf(run, name);
    const first = rows.find(({ missing }) => missing === '');
    return [
      ...(first === undefined ? [] : [`${name}: ${first.words}.`]),
      ...rows
        .filter(({ missing }) => missing !== '')
        .map(({ size, missing }) => `${name}, ${sizeWords(size)}: ${missing}.`),
    ];
  });
}

/** What is wrong with the rows of Berth: the program fails with it. */
export function faults({ rows }: MeshRun): string[] {
  return rows
    .filter(({ name, missing }) => name.startsWith('Berth') && missing === '')
    .flatMap(({ name, size, heap_B, height, missed }) => {
      const over = height - heightAt(0);
      return [
        ...(heap_B < QUIET_B
          ? []
          : [`a step leaves ${heap_B.toFixed(0)} B on the heap, 0 are allowed`]),
        ...(over > FALLEN ? [] : [`the ring is ${(1e3 * over).toFixed(2)} mm over touch`]),
        ...(missed === '' ? [] : [missed]),
      ].map((fault) => `${name}, ${size} triangles: ${fault}`);
    });
}

/** An entry of a list, in lines that a page may have. */
function entry(line: string): string {
  const lines = ['-'];
  for (const word of line.split(' ')) {
    const last = lines.length - 1;
    if (lines[last].length + 1 + word.length <= LINE) lines[last] += ` ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
}

/** docs/benchmarks-mesh.md. */
export function meshPage(run: MeshRun): string {
  const { machine, load } = run;
  const isMissing = (line: string): boolean => /, 1e\d: /.test(line);
  const missing = words(run).filter(isMissing);
  const present = words(run).filter((line) => !isMissing(line));
  return `# Benchmark of meshes

\`npm run build && npm run bench:mesh -- --write\` measures and writes this page. Do not edit it.

A ring of 1e3 to 1e6 triangles, 80 g, spins with 3 rad/s on a cone of 48 sides, without friction: its hole is what touches, so that a hull would be
wrong, and every step has another pose. Every subject has a process of its own; all subjects at all sizes below 1e6 take turns of 50 steps of 1 ms, in
reversed order every second time. A figure is processor time of all threads of the process. The engines do not compute the same thing: Berth's
contacts are compliant and its sub-steps follow their stiffness, the others solve constraints at points. In the loop the motion of the ring is
measured, so that one evaluation is a step.

${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}; load ${load} before.

${timeTable(run, false)}

\`exponent\`: of the growth of p50 with the number of triangles, by least squares.${missing.length > 0 ? ` What there is not:\n\n${missing.map(entry).join('\n')}` : ''}

## What came out

Height: of the middle of the ring over that at which a round ring touches a round cone. A contact of 5e7 N/m³ sinks by about 0.2 mm along its normal,
which is 1.3 mm of height; a ring of few triangles lies inside of the round one, and so deeper or higher by up to a millimetre. Far below, the ring has
fallen through. Facets within a standoff of 2 mm hold the ring about 11 mm higher. Heap: bytes that a step leaves on the heap of JavaScript in the
quietest of up to 40 windows (4 for the others), less what the measurement itself leaves. The program fails where a step of Berth leaves 8 or more (a
boxed number is 12), a ring of Berth is more than ${(-1e3 * FALLEN).toFixed(1)} mm below touch, its bodies were inside of each other, or pairs found no room.

${resultTable(run, false)}

## What each computes

${present.map(entry).join('\n')}
`;
}
