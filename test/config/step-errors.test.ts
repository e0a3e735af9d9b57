/** STEP files that cannot be read: each refusal names file, line, instance, value and what is allowed; none hangs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepSurface } from '../../config/step-file.ts';
import { ExchangeFile } from '../../config/step/exchange-file.ts';
import { StepFaces } from '../../config/step/step-faces.ts';
import { BerthError } from '../../src/base/errors.ts';
import { petal, PETALS, StepWriter } from '../fixtures/step-files.ts';

const MM = petal(PETALS[0]);
const INCH = petal(PETALS[2]);

/** Reads every face of a file. */
function readAll(text: string): void {
  const file = new StepFaces(text, 'part.step');
  for (const face of file.faces) file.surfaceOf(face);
}

function refused(text: string, code: string, message: RegExp): void {
  assert.throws(
    () => {
      readAll(text);
    },
    (error: unknown) => {
      assert.ok(error instanceof BerthError, String(error));
      assert.match(error.message, message);
      assert.equal(error.code, code, error.message);
      return true;
    },
  );
}

/** The petal with one change, which has to find its place. */
function changed(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to);
  assert.notEqual(result, text, `nothing to change at ${String(from)}`);
  return result;
}

const RANGE = 'BERTH_PARAMETER_RANGE';

test('files of another kind, files that are cut off, and bad syntax', () => {
  refused(
    'solid part\n',
    'BERTH_UNSUPPORTED',
    /^part\.step:1: Expected a STEP file, .* got "solid part"/,
  );
  refused('', 'BERTH_UNSUPPORTED', /^part\.step:1: Expected a STEP file/);
  refused('\u0000\u0001', 'BERTH_UNSUPPORTED', /Expected a STEP file/);
  refused(MM.slice(0, 40), RANGE, /but the file ends \(is it cut off\?\)/);
  const middle = MM.indexOf('#100 =');
  refused(MM.slice(0, middle + 12), RANGE, /in #100, but the file ends|#100/);
  refused(MM.slice(0, middle), RANGE, /ENDSEC;|the file ends/);
  refused(changed(MM, 'END-ISO-10303-21;', ''), RANGE, /END-ISO-10303-21|the file ends/);
  refused(
    changed(MM, /;\n#100 =/, '\n#100 ='),
    RANGE,
    /:\d+: Expected ";" at the end in #99, got "=/,
  );
  refused(changed(MM, "'GUIDE'", "'GUIDE"), RANGE, /Expected/);
  refused(
    changed(MM, '#100 =', '#99 ='),
    'BERTH_DUPLICATE_NAME',
    /instances to be given once, got #99 again/,
  );
  refused(changed(MM, 'DATA;', 'DATA;\n/* no end'), RANGE, /a comment to end with \*\//);
  refused(changed(MM, 'DATA;', 'DATA;\nJUNK;'), RANGE, /as #12=… or ENDSEC;, got "JUNK"/);
  refused(
    changed(MM, /CONICAL_SURFACE\('',#\d+,100\./, '$&E400'),
    RANGE,
    /a number below 1\.8e308/,
  );
  refused(
    changed(MM, /CONICAL_SURFACE\('',/, "CONICAL_SURFACE('',,"),
    RANGE,
    /a value \(number, string/,
  );
  const deep = '('.repeat(100_000);
  refused(
    changed(MM, /CONICAL_SURFACE\('',/, `CONICAL_SURFACE(${deep},`),
    RANGE,
    /at most 16 lists/,
  );
  const none = changed(MM, /ADVANCED_FACE/g, 'IFCADVANCEDFACE');
  refused(
    none,
    'BERTH_UNSUPPORTED',
    /part\.step to have faces \(ADVANCED_FACE\), got none; its schema is AUTOMOTIVE_DESIGN/,
  );
});

test('strings, numbers and comments as the standard has them', () => {
  const text = `ISO-10303-21;HEADER;FILE_SCHEMA(('A { 1 0 }'));ENDSEC;DATA;
/* #1=OLD(); */#1=X('it''s; /* no comment */ \\X2\\03B103B2\\X0\\ \\X\\E4 \\S\\d \\\\',+1.E-3,.5,-2,.T.,$,*,
  (#1,(#1)),LENGTH_MEASURE(25.4),"0F"/* here
*/,'a
b');
#2=(B(1)A()C('x'));ENDSEC;END-ISO-10303-21;`;
  const file = new ExchangeFile(text, 'x');
  const [{ name, items }] = file.records(1);
  assert.equal(name, 'X');
  assert.deepEqual(file.schemas, ['A']);
  assert.deepEqual(items, [
    { kind: 'text', value: "it's; /* no comment */ αβ ä ä \\" },
    { kind: 'number', value: 0.001, whole: false },
    { kind: 'number', value: 0.5, whole: false },
    { kind: 'number', value: -2, whole: true },
    { kind: 'word', value: 'T' },
    { kind: 'unset' },
    { kind: 'derived' },
    {
      kind: 'list',
      items: [
        { kind: 'reference', id: 1 },
        { kind: 'list', items: [{ kind: 'reference', id: 1 }] },
      ],
    },
    {
      kind: 'typed',
      name: 'LENGTH_MEASURE',
      items: [{ kind: 'number', value: 25.4, whole: false }],
    },
    { kind: 'binary', value: '0F' },
    { kind: 'text', value: 'ab' },
  ]);
  assert.deepEqual(
    file.records(2).map((record) => record.name),
    ['B', 'A', 'C'],
  );
});

test('instances that are missing, of another kind, or contain themselves', () => {
  const cone = /CONICAL_SURFACE\('',#(\d+)/;
  const place = cone.exec(MM)?.[1] ?? '';
  refused(
    changed(MM, cone, "CONICAL_SURFACE('',#99999"),
    'BERTH_UNKNOWN_NAME',
    /position of #\d+ CONICAL_SURFACE to be in the file, got #99999/,
  );
  refused(
    changed(MM, cone, "CONICAL_SURFACE('',#1"),
    'BERTH_UNSUPPORTED',
    /placement #1 as AXIS2_PLACEMENT_3D, got CARTESIAN_POINT/,
  );
  refused(
    changed(MM, cone, `OFFSET_SURFACE('',#${place}`),
    'BERTH_UNSUPPORTED',
    /^part\.step:\d+: Expected surface #\d+ as PLANE, .* got OFFSET_SURFACE$/,
  );
  const writer = new StepWriter();
  const self = writer.add("SURFACE_CURVE('',#1,(),.CURVE_3D.)");
  writer.face(writer.add(`SURFACE_OF_REVOLUTION('',#${self},#1)`), []);
  refused(writer.text(), RANGE, /instances not to contain themselves, got #1 → #1/);
});

test('numbers of surfaces and curves', () => {
  refused(
    changed(MM, "CONICAL_SURFACE('',#31,100.,", "CONICAL_SURFACE('',#31,-1.,"),
    RANGE,
    /^part\.step:44: Expected radius of #32 CONICAL_SURFACE at least 0, got -1$/,
  );
  refused(
    changed(MM, /(CYLINDRICAL_SURFACE\('',#\d+,)10\./, '$1-10.'),
    RANGE,
    /radius of #\d+ CYLINDRICAL_SURFACE above 0, got -10/,
  );
  refused(
    changed(MM, /(CONICAL_SURFACE\('',#\d+,100\.,)[\d.]+/, '$12.'),
    RANGE,
    /semi_angle of #\d+ CONICAL_SURFACE above 0° and below 90°, got 2/,
  );
  refused(
    changed(MM, /(TOROIDAL_SURFACE\('',#\d+,50\.,)5\./, '$160.'),
    RANGE,
    /minor_radius .* below the major radius, 50, got 60/,
  );
  refused(
    changed(MM, /(RATIONAL_B_SPLINE_SURFACE\(\(\()1\./, '$10.'),
    RANGE,
    /weights_data of #\d+ RATIONAL_B_SPLINE_SURFACE above 0, got 0/,
  );
  refused(
    changed(MM, /(RATIONAL_B_SPLINE_SURFACE\(\(\()1\.,/, '$1'),
    RANGE,
    /with 2 weights in a row, got 1/,
  );
  refused(
    changed(MM, "B_SPLINE_CURVE_WITH_KNOTS('',3", "B_SPLINE_CURVE_WITH_KNOTS('',40"),
    RANGE,
    /degree .* from 1 to 15, got 40/,
  );
  refused(
    changed(MM, '(4,1,4)', '(4,2,4)'),
    RANGE,
    /multiplicities .* 9 in sum \(5 points \+ degree 3 \+ 1\), got 10/,
  );
  refused(
    changed(MM, '(4,1,4)', '(4,0,4)'),
    RANGE,
    /multiplicity of knot 0\.5 .* from 1 to 3, got 0/,
  );
  refused(
    changed(MM, '(0.,0.5,1.)', '(0.,-0.5,1.)'),
    RANGE,
    /knots .* above the one before, 0, got -0\.5/,
  );
  refused(
    changed(MM, /DIRECTION\('',\(0\.,0\.,1\.\)\)/, "DIRECTION('',(0.,0.,0.))"),
    RANGE,
    /direction_ratios .* with a length, got \(0, 0, 0\)/,
  );
  refused(
    changed(MM, /CARTESIAN_POINT\('',\(([^,]*),[^,]*,/, "CARTESIAN_POINT('',($1,"),
    RANGE,
    /coordinates .* as three numbers, got 2 numbers/,
  );
});

test('borders that are open, off their surface, or without an inside', () => {
  const open = changed(MM, /EDGE_LOOP\('',\((#\d+),(#\d+),/, "EDGE_LOOP('',($1,");
  refused(
    open,
    RANGE,
    /edge_list of #\d+ EDGE_LOOP closed, with edge #\d+ from where edge #\d+ ends, got [\d.]+ mm between them/,
  );
  refused(
    changed(MM, /(CYLINDRICAL_SURFACE\('',#\d+,)10\./, '$112.'),
    RANGE,
    /bounds of #\d+ ADVANCED_FACE on its surface, got edge #\d+, which leaves it by 2 mm/,
  );
  const lone = new StepWriter();
  const start = lone.vertex([10, 0, 0]);
  const rim = lone.edge(start, start, lone.circle(lone.axes(), 10));
  lone.face(lone.add(`CYLINDRICAL_SURFACE('',#${lone.axes()},10.)`), [lone.loop(rim)]);
  refused(lone.text(), RANGE, /to enclose a part of the surface, got one loop that goes round it/);
  const bare = new StepWriter();
  bare.face(bare.add(`PLANE('',#${bare.axes()})`), []);
  refused(bare.text(), RANGE, /bounds .* with edges, got none on a surface without an end/);
  const off = changed(MM, "VERTEX_POINT('',#3)", "VERTEX_POINT('',#5)");
  refused(off, RANGE, /edge_geometry of #\d+ EDGE_CURVE through its vertices|behind edge_start/);
});

test('units that are missing, mixed or of another quantity', () => {
  refused(
    changed(MM, /#(\d+) = \( LENGTH_UNIT\(\)/, '#$1 = ( MASS_UNIT()'),
    'BERTH_UNIT',
    /a unit of length in context #\d+, got none/,
  );
  refused(
    changed(MM, 'SI_UNIT(.MILLI.,', 'SI_UNIT(.MYRIA.,'),
    'BERTH_UNIT',
    /prefix of #\d+ SI_UNIT of SI, got \.MYRIA\./,
  );
  refused(
    changed(INCH, 'LENGTH_MEASURE(25.4)', 'LENGTH_MEASURE(0.)'),
    'BERTH_UNIT',
    /conversion_factor .* above 0, got 0/,
  );
  refused(
    changed(
      INCH,
      /GLOBAL_UNIT_ASSIGNED_CONTEXT\(\((#\d+),/,
      `GLOBAL_UNIT_ASSIGNED_CONTEXT(($1,${idOf(INCH, '(\nLENGTH_UNIT()')},`,
    ),
    'BERTH_UNIT',
    /one unit of length in context #\d+, got inch and mm/,
  );
  refused(
    changed(
      MM,
      /GLOBAL_UNIT_ASSIGNED_CONTEXT\(\((#\d+),\s*#\d+,/,
      'GLOBAL_UNIT_ASSIGNED_CONTEXT(($1,',
    ),
    'BERTH_UNIT',
    /semi_angle .* in a unit of angle that the file names/,
  );
  refused(
    changed(MM, 'MANIFOLD_SURFACE_SHAPE_REPRESENTATION', 'DRAWING'),
    'BERTH_UNIT',
    /face #\d+ in a representation, which has its units, got none/,
  );
});

/** Number of the instance that begins so, with its #. */
function idOf(text: string, begin: string): string {
  const at = text.indexOf(`=${begin}`);
  return /#\d+$/.exec(text.slice(0, at))?.[0] ?? '';
}

test('a face that is not there: near names, all names, numbers', () => {
  const file = new StepFaces(MM, 'part.step');
  const say = (face: string, pattern: RegExp, code = 'BERTH_UNKNOWN_NAME'): void => {
    assert.throws(() => stepSurface(file, face, 'surface.face'), {
      code,
      message: pattern,
      field: 'surface.face',
    });
  };
  say(
    'GIUDE',
    /^Expected surface\.face to name a face of part\.step, got "GIUDE"; did you mean GUIDE\?$/,
  );
  say('x', /allowed: a number from 1 to 9, or a name: GUIDE, PAD, .*, …$/);
  say('10', /got "10"; allowed: a number from 1 to 9/);
  const twice = new StepFaces(changed(MM, "'PAD'", "'GUIDE'"), 'part.step');
  assert.throws(() => stepSurface(twice, 'GUIDE', 'face'), {
    code: 'BERTH_DUPLICATE_NAME',
    message: /got "GUIDE", which 2 have; give the number of one of them: 1 \(#\d+\), 2 \(#\d+\)/,
  });
});

test('large and hostile files end soon', () => {
  const points = Array.from({ length: 40_000 }, () => '#1').join(',');
  const writer = new StepWriter();
  writer.point([0, 0, 0]);
  const net = `((${points}),(${points}))`;
  writer.face(
    writer.add(
      `B_SPLINE_SURFACE_WITH_KNOTS('',1,1,${net},.U.,.F.,.F.,.F.,(2,2),(2,2),(0.,1.),(0.,1.),.U.)`,
    ),
    [],
  );
  refused(writer.text(), RANGE, /multiplicities .* 40002 in sum/);
  const shells = new StepWriter();
  const first = shells.add("OPEN_SHELL('',(#2))");
  shells.add(`OPEN_SHELL('',(#${first}))`);
  shells.face(shells.add(`PLANE('',#${shells.axes()})`), []);
  // shells in a circle hold nothing
  refused(
    changed(shells.text(), /CLOSED_SHELL\('',\(#\d+\)\)/, "CLOSED_SHELL('',(#1))"),
    'BERTH_UNIT',
    /got none/,
  );
});
