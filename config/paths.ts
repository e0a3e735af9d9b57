/** Paths of the package's data files, from source or from `dist`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of package.json. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json not found above ' + import.meta.url);
    folder = parent;
  }
  return folder;
}

/** Version of the package. */
export function packageVersion(): string {
  const manifest = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Path for messages: relative to the working folder when it lies below it. */
export function shownPath(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith('..') || isAbsolute(short) ? file : short;
}
