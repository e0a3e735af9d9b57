/**
 * Writes the dashboards: `node --import tsx dashboards/build.ts`. The JSON files are committed, and a test compares them with a
 * fresh build.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { packageRoot } from '../config/paths.ts';
import { arm } from './arm.ts';
import { contactAndEnergy } from './contact-and-energy.ts';
import { loopTiming } from './loop-timing.ts';
import { operatorsAndSafety } from './operators-and-safety.ts';
import { buildPage, type Page } from './page.ts';
import { robotLink } from './robot-link.ts';

/** All dashboards. */
export const PAGES: readonly Page[] = [
  loopTiming,
  robotLink,
  contactAndEnergy,
  operatorsAndSafety,
  arm,
];

/** File name and text of every dashboard. */
export function renderDashboards(): Map<string, string> {
  return new Map(PAGES.map((page) => [page.file, JSON.stringify(buildPage(page), null, 2) + '\n']));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of renderDashboards()) {
    const path = join(packageRoot(), 'dashboards', name);
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
