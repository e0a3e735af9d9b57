/** The report: data kept, one page without anything from elsewhere, built again from the data, exit codes of the command. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../../server/cli/validate.ts';
import type { ValidationCase } from '../../../server/validation/case.ts';
import { BASIS_TEXT, runCase } from '../../../server/validation/case-report.ts';
import { VALIDATION_CASES } from '../../../server/validation/cases.ts';
import {
  readReport,
  tableLines,
  writePage,
  writeReport,
} from '../../../server/validation/report.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-report-'));
after(() => {
  rmSync(folder, { recursive: true });
});

const awkward: ValidationCase = {
  name: 'awkward',
  title: 'Names with <, & and "quotes", f_n and 1e-6',
  source: 'nowhere',
  description: 'A figure that is not a number, curves with gaps, a logarithmic axis with a zero.',
  equation: 'f_n = k δ^1.5',
  tolerances: 'none',
  run: () => ({
    figures: [
      {
        quantity: 'broken',
        unit: '1',
        computed: Number.NaN,
        reference: 1,
        basis: 'printed',
        tolerance: 0.5,
      },
      { quantity: 'far', unit: 'm', computed: 3, reference: 1, basis: 'printed', tolerance: 0.5 },
      {
        quantity: 'good',
        unit: '1',
        computed: 1e-9,
        reference: 0,
        basis: 'closed-form',
        tolerance: 1e-8,
      },
    ],
    notReproduced: [
      {
        quantity: 'stands up to <4 s>',
        unit: 's',
        computed: 7.75,
        reference: 4,
        basis: 'printed',
        reason: 'the shape is not in the source',
      },
    ],
    plots: [
      {
        title: 'gaps',
        xLabel: 'time, s',
        yLabel: 'depth, m',
        yScale: 'log',
        curves: [
          { name: 'a < b', x: [0, 1, 2, 3], y: [0, 1e-5, Number.NaN, 1e-3] },
          { name: 'marks', x: [1, 2], y: [1e-4, Number.NaN], kind: 'points' },
          { name: 'nothing', x: [], y: [] },
          { name: 'level', x: [0, 3], y: [2, 2], kind: 'bound' },
        ],
      },
    ],
  }),
};
const reports = [
  ...VALIDATION_CASES.filter(({ name }) =>
    ['damping-factor', 'friction', 'impact-1ms'].includes(name),
  ),
  awkward,
].map(runCase);
const origin = { started: '2026-01-01T00:00:00.000Z', berth: '0', node: '20', machine: 'any' };
const path = writeReport(folder, { ...origin, cases: reports });
const page = readFileSync(path, 'utf8');

test('the page is well formed: every element that is opened is closed, in order', () => {
  const open: string[] = [];
  const single = new Set(['meta', 'line', 'rect', 'circle', 'polygon', 'polyline']);
  for (const [, close, name, rest] of page.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>/g,
  )) {
    if (close === '/') assert.equal(open.pop(), name);
    else if (!rest.endsWith('/') && !single.has(name)) open.push(name);
  }
  assert.deepEqual(open, []);
});

test('the page has one section a case and a plot for each set of curves and for the errors', () => {
  assert.deepEqual(
    [...page.matchAll(/<section id="([^"]+)">/g)].map(([, name]) => name),
    reports.map(({ name }) => name),
  );
  const plots = reports.reduce((sum, one) => sum + one.plots.length + 1, 0);
  assert.equal(page.split('<svg class="plot"').length - 1, plots);
});

test('the page loads nothing, runs nothing, and its policy allows its own style alone', () => {
  assert.doesNotMatch(
    page,
    /<script|<link|<img|<iframe|<object|\son[a-z]+=|url\(|@import|https?:|\sstyle=/,
  );
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(page.includes(`default-src 'none'; style-src 'sha256-${hash}'`));
});

test('the first page lists what is not reproduced before the cases, with its class and its reason', () => {
  const list = page.slice(page.indexOf('id="not-reproduced"'), page.indexOf('<section'));
  const cells = [...list.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell);
  assert.deepEqual(cells.slice(1), [
    'stands up to &lt;4 s&gt;',
    '4',
    'printed',
    '7.75',
    's',
    'the shape is not in the source',
  ]);
});

test('every figure of the page has a class, and nothing is called published', () => {
  assert.doesNotMatch(page, /publish/i);
  const figures = reports.flatMap((one) => one.figures);
  for (const [basis, text] of Object.entries(BASIS_TEXT)) {
    const count = figures.filter((one) => one.basis === basis).length;
    assert.equal(page.split(`<td class="basis">${text}</td>`).length - 1, count, basis);
  }
  assert.match(page, /References: 2 are printed in the source, \d+ come from an independent/);
});

test('the terminal names the class of a reference, and what is not reproduced', () => {
  const lines = tableLines(reports[3], true).join('\n');
  assert.match(lines, /FAIL {2}far: 3 m \(printed 1 ± 0\.5\)/);
  assert.match(lines, /pass {2}good: .* \(closed form 0 ± /);
  assert.match(lines, /not reproduced {2}stands up .*: 7\.75 s \(printed 4\): the shape/);
});

test('the data of an earlier version, which calls every reference published, is refused', () => {
  const old = mkdtempSync(join(folder, 'old-'));
  writeReport(old, { ...origin, cases: reports.slice(0, 1) });
  const file = join(old, 'data', `${reports[0].name}.json`);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"basis"', '"kind"'));
  assert.throws(() => readReport(old), /of an earlier version/);
});

test('no number that is none, nothing undefined and no bare markup gets into the page', () => {
  assert.doesNotMatch(page.replaceAll('not a number', ''), /NaN|undefined|Infinity|a < b/);
  assert.match(page, /Names with &lt;, &amp; and &quot;quotes&quot;, f<sub>n<\/sub> and 10⁻⁶/);
  assert.match(page, /1 of 4 cases fails/);
});

test('the data of a run gives the same page again, figures in full', () => {
  writeFileSync(path, 'gone');
  assert.equal(readFileSync(writePage(folder), 'utf8'), page);
  const kept = readReport(folder);
  assert.deepEqual(
    kept.cases.map(({ figures }) => figures),
    reports.map(
      ({ figures }) => figures.map((one) => ({ ...one, computed: one.computed + 0 })), // JSON has no −0
    ),
  );
  assert.equal(readdirSync(join(folder, 'data')).length, reports.length + 1);
});

async function quietly(argv: string[]): Promise<{ code: number; out: string }> {
  const { log, error } = console;
  let out = '';
  console.log = console.error = (line: string): void => {
    out += `${line}\n`;
  };
  try {
    return { code: await run(argv), out };
  } finally {
    console.log = log;
    console.error = error;
  }
}

test('the command ends with 0, names each case as it starts, and --from gives the verdict of a kept report', async () => {
  const other = join(folder, 'other');
  const first = await quietly(['direction', 'damping-factor', '--report', other]);
  assert.equal(first.code, 0);
  assert.match(first.out, /\[ {2}1\/2\] {3}0\.0 s {2}damping-factor: /);
  assert.match(first.out, /2 of 2 cases pass/);
  const before = readFileSync(join(other, 'index.html'), 'utf8');
  const again = await quietly(['--from', other]);
  assert.equal(again.code, 0);
  assert.equal(readFileSync(join(other, 'index.html'), 'utf8'), before);
  const failed = await quietly(['--from', folder]);
  assert.equal(failed.code, 1);
  assert.match(failed.out, /FAIL {2}broken: not a number/);
  assert.match(failed.out, /failed: awkward/);
});

test('a wrong figure makes the command end with 1', async () => {
  const one = VALIDATION_CASES.find(({ name }) => name === 'direction');
  assert.ok(one !== undefined);
  const right = one.run.bind(one);
  one.run = () => {
    const { figures, plots } = right();
    return {
      plots,
      figures: figures.map((figure) => ({ ...figure, reference: figure.reference + 1e-6 })),
    };
  };
  try {
    const { code, out } = await quietly(['direction']);
    assert.equal(code, 1);
    assert.match(out, /FAIL {2}direction/);
  } finally {
    one.run = right;
  }
});

test('what cannot be done is refused by name', async () => {
  assert.throws(() => void run(['impcat']), /no case is named "impcat"; did you mean impact/);
  assert.throws(
    () => void run(['--from', join(folder, 'empty')]),
    /cannot build the page again from/,
  );
  assert.throws(() => void run(['impact', '--from', folder]), /--from computes nothing/);
  await assert.rejects(
    async () => run(['--report', join(folder, 'data', 'report.json'), 'direction']),
    /cannot write the report/,
  );
});
