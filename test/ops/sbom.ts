/** Whether the bill of materials of a folder lists everything that is installed there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Bill {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string; readonly version: string }[];
}
interface Installed {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

/** @returns the number of packages @throws Error when one is missing in the list */
export function checkSbom(folder: string, file: string = join(folder, 'sbom.cdx.json')): number {
  const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill;
  if (bill.bomFormat !== 'CycloneDX') throw new Error(`${file} is no CycloneDX document`);
  // npm's own note of what it installed
  const { packages } = JSON.parse(
    readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'),
  ) as Installed;
  const installed = new Set(
    Object.entries(packages).map(
      ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`,
    ),
  );
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const missing = [...installed].filter((one) => !listed.has(one));
  if (missing.length > 0) throw new Error(`not in the bill of materials: ${missing.join(', ')}`);
  return installed.size;
}
