/** `berth reduce`: reduces an elastic body to the points of its contact face and writes a patch file. */
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { readElasticFile } from '../../config/elastic-file.ts';
import { fileErrorWords } from '../../config/input-file.ts';
import { materials } from '../../config/materials.ts';
import { isPatchOf, writePatch } from '../../config/patch-file.ts';
import { shownPath } from '../../config/paths.ts';
import { readQuantity } from '../../config/units.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { ElasticMaterial } from '../../src/fem/elasticity.ts';
import { numbersOf, readNumber, readWhole, refusal } from './arguments.ts';
import { reductionWords } from './reduction-words.ts';

export const usage = `Usage: berth reduce FILE --unit U --clamp SET --contact SET [OPTIONS]

Reduces an elastic tool to the points of its contact face: compliance, modes, mass. FILE is a solid mesh of Gmsh (.msh 2.2, 4.1) or of Abaqus and
CalculiX (.inp), or a superelement: *NODE, *NSET and *MATRIX INPUT. Does nothing when the patch is up to date.

  --unit U        unit of length of FILE: m, dm, cm, mm or um. Matrices are in N, this unit and s
  --clamp SET     set of nodes that does not move: the flange
  --contact SET   set of nodes that touches
  --material M    material of the palette, such as Aluminium; or all three of
    --young E --poisson NU --density RHO   such as 70GPa, 0.33, 2700kg/m^3
  --points N      most points of the contact face (default 32)
  --modes N       elastic modes, 0 to 40 (default 6; 0 for matrices without mass)
  --damping Z     damping of the modes, part of critical (default 0.01)
  --normal X,Y,Z  outward normal of the contact face: for superelements, which have no surface
  --against M     mass that the tool is pressed against, for the words about steps (default 1kg)
  --period T      period of the loop, for the same words (default 1ms)
  -o, --output F  write it to F (default: FILE.patch)`;

/** Units of length of a file, in m. */
const UNITS: Readonly<Record<string, number>> = { m: 1, dm: 0.1, cm: 0.01, mm: 1e-3, um: 1e-6 };
const MOST_POINTS = 256;
const MOST_MODES = 40;

/** Runs the command. @returns exit code */
export function run(argv: string[]): Promise<number> {
  return Promise.resolve(make(argv));
}

function make(argv: string[]): number {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      unit: { type: 'string' },
      clamp: { type: 'string' },
      contact: { type: 'string' },
      material: { type: 'string' },
      young: { type: 'string' },
      poisson: { type: 'string' },
      density: { type: 'string' },
      points: { type: 'string' },
      modes: { type: 'string' },
      damping: { type: 'string' },
      normal: { type: 'string' },
      against: { type: 'string' },
      period: { type: 'string' },
      output: { type: 'string', short: 'o' },
    },
  });
  if (positionals.length !== 1) throw new BerthError('BERTH_USAGE', 'expected one mesh FILE');
  const [file] = positionals;
  const scale = unitOf(values.unit);
  const clamp = needed('--clamp', values.clamp, 'the set of nodes that does not move');
  const contact = needed('--contact', values.contact, 'the set of nodes that touches');
  const points = readWhole('--points', values.points ?? '32', 1, MOST_POINTS);
  const modes =
    values.modes === undefined ? null : readWhole('--modes', values.modes, 0, MOST_MODES);
  const damping = readNumber('--damping', values.damping ?? '0.01', 0, 0.99);
  const normal = values.normal === undefined ? null : direction(values.normal);
  const against = quantity('--against', values.against ?? '1kg', 'kg');
  const period = quantity('--period', values.period ?? '1ms', 's');
  const material = materialOf(values);
  const output = values.output ?? `${file}.patch`;
  const asked = JSON.stringify({
    scale,
    clamp,
    contact,
    points,
    modes,
    damping,
    normal,
    material,
  });
  const source = readElasticFile(resolve(file), { scale, material, clamp, contact, normal });
  if (isPatchOf(output, { mesh: source.bytes, asked })) {
    console.log(`${shownPath(output)} is up to date`);
    return 0;
  }
  const body = source.reduce(points, modes, damping);
  for (const line of reductionWords(shownPath(file), source.about, body, { against, period })) {
    console.log(line);
  }
  try {
    writePatch(output, { mesh: source.bytes, asked }, body);
  } catch (error) {
    const words = fileErrorWords(error);
    if (words === null) throw error;
    throw new BerthError('BERTH_USAGE', `--output: ${words}`, { field: '--output' });
  }
  console.log(`${shownPath(output)}: ${body.areas.length} points, ${body.modes.length} modes`);
  return 0;
}

function needed(option: string, text: string | undefined, what: string): string {
  if (text !== undefined && text !== '') return text;
  throw new BerthError('BERTH_USAGE', `expected ${option}: ${what}`, { field: option });
}

function unitOf(text: string | undefined): number {
  const allowed = Object.keys(UNITS).join(', ');
  const what = `the unit of length of FILE, which does not say it; allowed: ${allowed}`;
  const name = needed('--unit', text, what);
  if (Object.hasOwn(UNITS, name)) return UNITS[name];
  throw new BerthError('BERTH_UNIT', `--unit is "${name}"; allowed: ${allowed}`, {
    field: '--unit',
  });
}

function quantity(option: string, text: string, unit: string): number {
  const result = readQuantity(text, unit);
  if (result.ok && result.value > 0) return result.value;
  throw refusal(option, text, `above 0 with its unit, as in 1 ${unit}`);
}

function direction(text: string): readonly number[] {
  const values = numbersOf(text);
  const size = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  if (values.length === 3 && size > 0 && size < Infinity) return values.map((x) => x / size);
  throw refusal('--normal', text, 'three numbers, such as 0,0,1');
}

/** The material of a mesh; null when nothing is said, as for a superelement. */
function materialOf(values: {
  readonly material?: string | undefined;
  readonly young?: string | undefined;
  readonly poisson?: string | undefined;
  readonly density?: string | undefined;
}): ElasticMaterial | null {
  const own = [values.young, values.poisson, values.density];
  const given = own.filter((text) => text !== undefined).length;
  if (values.material !== undefined) {
    if (given > 0) {
      throw new BerthError('BERTH_USAGE', 'expected --material or --young, --poisson, --density', {
        field: '--material',
      });
    }
    const solid = materials().solid(values.material, '--material');
    return {
      young: solid.youngs_modulus_N_per_m2,
      poisson: solid.poisson_ratio,
      density: solid.density_kg_per_m3,
    };
  }
  if (given === 0) return null;
  return {
    young: quantity('--young', needed('--young', values.young, 'the modulus'), 'Pa'),
    poisson: readNumber(
      '--poisson',
      needed('--poisson', values.poisson, "Poisson's ratio"),
      0,
      0.4999,
    ),
    density: quantity('--density', needed('--density', values.density, 'the density'), 'kg/m^3'),
  };
}
