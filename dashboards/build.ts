/**
 * Writes the dashboards: `node --import tsx dashboards/build.ts`. The JSON files are committed, and a test compares them with a
 * fresh build.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { packageRoot } from '../config/paths.ts';
import { loopTimingAndRobotLink } from './loop-timing-and-robot-link.ts';

/** File name and text of every dashboard. */
export function renderDashboards(): Map<string, string> {
  return new Map([
    ['loop-timing-and-robot-link.json', JSON.stringify(loopTimingAndRobotLink(), null, 2) + '\n'],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of renderDashboards()) {
    const path = join(packageRoot(), 'dashboards', name);
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
