/** Builds the operator console into dist/console, from which the service serves it. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

// Vite requires a default export.
// oxlint-disable-next-line no-restricted-exports
export default defineConfig({
  root: here,
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/console', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    sourcemap: true,
    target: 'es2022',
    // the library of the scene is one chunk of this size, loaded when a scene is shown
    chunkSizeWarningLimit: 700,
  },
});
