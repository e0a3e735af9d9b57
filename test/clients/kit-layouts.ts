/** Layout of HLP/1 in the languages of the robot kits, made from hil/protocol/layout.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { REJECT_CODES } from '../../hil/contract/reject-codes.ts';
import {
  FIELD_BYTES,
  FRAMES,
  frameLayout,
  FrameType,
  LAYOUT_HASH,
  VERSION,
  VERSION_MIN,
  type Field,
  type FieldType,
} from '../../hil/protocol/layout.ts';

const hex = (value: number, digits: number): string =>
  `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;

const PYTHON_CODES: Readonly<Record<FieldType, string>> = {
  u8: 'B',
  u16: 'H',
  u32: 'I',
  u64: 'Q',
  f32: 'f',
  f64: 'd',
  char: 's',
};

/** Names of the six limits in their order on the wire. */
function limitNames(): string[] {
  const names = frameLayout(FrameType.CONFIG).fields.map((field) => field.name);
  return names.slice(names.indexOf('speed'), names.indexOf('workspace') + 1);
}

/** Text of clients/python/berth_robot/layout.py. */
function pythonLayout(): string {
  const field = (f: Field): string =>
    `            ("${f.name}", "${PYTHON_CODES[f.type]}", ${f.count}),`;
  const frames = FRAMES.flatMap((frame) => [
    `    "${frame.name}": (`,
    `        ${hex(frame.type, 2)},`,
    '        (',
    ...frame.fields.map(field),
    '        ),',
    '    ),',
  ]);
  const names = (list: readonly string[]): string[] => list.map((name) => `    "${name}",`);
  return [
    '"""Layout of HLP/1: made by `npm run docs:kits` from hil/protocol/layout.ts, not to be edited.',
    '',
    'Each frame has its type and its fields in order: name, code of `struct`, count.',
    '"""',
    '',
    `VERSION = ${hex(VERSION, 2)}`,
    `VERSION_MIN = ${hex(VERSION_MIN, 2)}`,
    `LAYOUT_HASH = ${hex(LAYOUT_HASH, 8)}`,
    'REJECT_CODES = (',
    ...names(REJECT_CODES),
    ')',
    'LIMITS = (',
    ...names(limitNames()),
    ')',
    'FRAMES = {',
    ...frames,
    '}',
    '',
  ].join('\n');
}

const C_TYPES: Readonly<Record<FieldType, string>> = {
  u8: 'uint8_t',
  u16: 'uint16_t',
  u32: 'uint32_t',
  u64: 'uint64_t',
  f32: 'float',
  f64: 'double',
  char: 'char',
};
const C_HEADER = 'clients/c/berth_robot.h';
const C_BEGIN =
  '/* layout: made by `npm run docs:kits` from hil/protocol/layout.ts, not to be edited */\n';
const C_END = '/* layout: end */\n';

/** The layout in C: numbers of the frames, a struct each, and a table of the fields with their places. */
function cLayout(): string {
  const lower = FRAMES.map((frame) => ({ frame, name: frame.name.toLowerCase() }));
  const kind = (f: Field): string => (f.type === 'f32' ? 'f' : f.type === 'f64' ? 'd' : 'u');
  const row = (name: string, f: Field): string =>
    `    {"${f.name}", '${kind(f)}', ${FIELD_BYTES[f.type]}, ${f.count}, ${f.offset}, ` +
    `offsetof(berth_${name}, ${f.name})},`;
  return [
    `#define BERTH_VERSION ${hex(VERSION, 2)}`,
    `#define BERTH_VERSION_MIN ${hex(VERSION_MIN, 2)}`,
    `#define BERTH_LAYOUT_HASH ${hex(LAYOUT_HASH, 8)}u`,
    'enum {',
    ...FRAMES.map((frame) => `  BERTH_${frame.name} = ${hex(frame.type, 2)},`),
    '};',
    ...lower.flatMap(({ frame, name }) => [
      'typedef struct {',
      ...frame.fields.map(
        (f) => `  ${C_TYPES[f.type]} ${f.name}${f.count === 1 ? '' : `[${f.count}]`};`,
      ),
      `} berth_${name};`,
    ]),
    'typedef union {',
    ...lower.map(({ name }) => `  berth_${name} ${name};`),
    '} berth_values;',
    '/* kind: u integer or character, f and d floating point; offset in the frame, place in the struct */',
    'typedef struct {',
    '  const char *name;',
    '  char kind;',
    '  int size, count, offset;',
    '  size_t place;',
    '} berth_field;',
    ...lower.flatMap(({ frame, name }) => [
      `static const berth_field berth_${name}_fields[] = {`,
      ...frame.fields.map((f) => row(name, f)),
      '};',
    ]),
    'typedef struct {',
    '  const char *name;',
    '  int type;',
    '  size_t length;',
    '  int count;',
    '  const berth_field *fields;',
    '} berth_layout;',
    'static const berth_layout berth_layouts[] = {',
    ...lower.map(
      ({ frame, name }) =>
        `    {"${frame.name}", BERTH_${frame.name}, ${frame.length}, ${frame.fields.length}, berth_${name}_fields},`,
    ),
    '};',
    '',
  ].join('\n');
}

/** Text of the C header: as it is, with the layout between its marks made anew. */
function cHeader(): string {
  const text = readFileSync(join(packageRoot(), C_HEADER), 'utf8');
  const begin = text.indexOf(C_BEGIN) + C_BEGIN.length;
  const end = text.indexOf(C_END);
  return text.slice(0, begin) + cLayout() + text.slice(end);
}

/** Path of each generated file with its text. */
export const KIT_LAYOUTS: Readonly<Record<string, () => string>> = {
  'clients/python/berth_robot/layout.py': pythonLayout,
  [C_HEADER]: cHeader,
};
