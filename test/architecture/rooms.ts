/** The rooms of the source, which of them may import which, and what an import graph breaks of that. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../config/paths.ts';

/** One line of rooms.json. */
export interface Room {
  /** A folder, or a file at the root of one. */
  readonly room: string;
  readonly what: string;
  /** Rooms, whole top folders and single files that it may import, beside itself. */
  readonly sees: readonly string[];
}

/** Text of the source files by path. */
export type Sources = ReadonlyMap<string, string>;

/** Folders whose own folders are rooms. */
export const HOUSES = ['src', 'hil', 'server'] as const;
const TOPS = ['src', 'config', 'hil', 'server', 'dashboards', 'examples', 'bench', 'test'];

/** The table, lowest room first. */
export function readRooms(): Room[] {
  const file = join(packageRoot(), 'test/architecture/rooms.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Room[];
}

/** Every source file of the package. */
export function readSources(): Sources {
  const root = packageRoot();
  const files = TOPS.flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => /[.]tsx?$/.test(path))
      .sort()
      .map((path) => `${top}/${path}`),
  );
  return new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const holds = (name: string, path: string): boolean => path === name || path.startsWith(`${name}/`);

/** The room of a file, the innermost one; undefined when it has none. */
export function roomOf(rooms: readonly Room[], path: string): Room | undefined {
  return rooms
    .filter(({ room }) => holds(room, path))
    .sort((a, b) => b.room.length - a.room.length)
    .at(0);
}

/** What of the table itself is wrong: order, names. */
export function tableFaults(rooms: readonly Room[], sources: Sources): string[] {
  const faults: string[] = [];
  const roomOfPath = new Map([...sources.keys()].map((path) => [path, roomOf(rooms, path)?.room]));
  const used = new Set(roomOfPath.values());
  rooms.forEach(({ room, sees }, index) => {
    if (!used.has(room)) {
      faults.push(`${room}: a rule without a folder`);
    }
    const below = rooms.slice(0, index);
    for (const name of sees) {
      const itself = below.some((one) => one.room === name || holds(one.room, name));
      const whole = rooms.filter((one) => one.room.startsWith(`${name}/`));
      const top = whole.length > 0 && whole.every((one) => below.includes(one));
      if (!itself && !top) faults.push(`${room} sees ${name}, which is not below it`);
    }
  });
  for (const [path, room] of roomOfPath) {
    const [top] = path.split('/');
    const house = HOUSES.some((name) => name === top);
    if (room === undefined || (house && room === top)) faults.push(`${path}: no room has it`);
  }
  return [...new Set(faults)];
}

/** Imports that no room of the table allows, as `from -> to`. */
export function forbiddenImports(rooms: readonly Room[], sources: Sources): string[] {
  const found: string[] = [];
  for (const [path, text] of sources) {
    const from = roomOf(rooms, path);
    if (from === undefined) continue;
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const target = normalize(join(dirname(path), fileName));
      const to = roomOf(rooms, target);
      if (to === undefined || to.room === from.room) continue;
      if (!from.sees.some((name) => holds(name, target))) found.push(`${path} -> ${target}`);
    }
  }
  return found;
}
