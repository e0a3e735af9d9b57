/** The compiled kernels of the contact step, which `npm run build` makes of src/kernels. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { ContactKernels } from '../src/contact/contact-loops.ts';
import { packageRoot, shownPath } from './paths.ts';

let kernels: ContactKernels | null | undefined;

/** Kernels for `makeSystem`. Run from sources that were never built, there are none: the reference modules give the same bits. */
export function contactKernels(): ContactKernels | null {
  kernels ??= loadKernels();
  return kernels;
}

function loadKernels(): ContactKernels | null {
  const file = join(packageRoot(), 'dist', 'src', 'kernels', 'contact-step.wasm');
  if (!existsSync(file)) {
    if (import.meta.url.endsWith('.ts')) return null;
    throw new BerthError(
      'BERTH_MISSING_FILE',
      `The kernels of the contact step are missing: ${shownPath(file)} (npm run build makes them)`,
    );
  }
  if (!('WebAssembly' in globalThis)) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      'This Node runs without WebAssembly, which the contact step needs: start it without --jitless',
    );
  }
  return new ContactKernels(readFileSync(file));
}
