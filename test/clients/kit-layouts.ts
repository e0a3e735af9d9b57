/** Layout of HLP/1 in the languages of the robot kits, made from hil/protocol/layout.ts. */
import { REJECT_CODES } from '../../hil/protocol/handshake.ts';
import {
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
export function pythonLayout(): string {
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

/** Path of each generated file with its text. */
export const KIT_LAYOUTS: Readonly<Record<string, () => string>> = {
  'clients/python/berth_robot/layout.py': pythonLayout,
};
