/** Chromium as the tests of the console start it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PATH = '/usr/bin/chromium';
const missing = existsSync(PATH) ? false : 'chromium is not installed (Debian package "chromium")';
/** Reason to skip, or false. Where every program must be there, its absence fails. */
export const skipWithoutChromium = process.env['CI'] === undefined ? missing : false;

const DRAWING = {
  /** No scene: the processor would draw it beside the loop. */
  none: ['--disable-gpu', '--disable-3d-apis'],
  /** WebGL drawn by the processor. */
  software: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
} as const;

export type Drawing = keyof typeof DRAWING;

/** A browser of the installed package. */
export function openBrowser(drawing: Drawing): Promise<Browser> {
  const args = ['--no-sandbox', '--enable-precise-memory-info', ...DRAWING[drawing]];
  return chromium.launch({ executablePath: PATH, args });
}

/** Default time limit for an action of a page, ms: longer than any stall. */
const PATIENCE_MS = 60_000;

/**
 * Errors of the page and violations of its content security policy, as they come; and the patience of every page of a test.
 * @param expected errors on its console that are none at this moment
 */
export async function noteFaults(
  page: Page,
  faults: string[],
  expected: (text: string) => boolean = () => false,
): Promise<void> {
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || expected(message.text())) return;
    faults.push(`console: ${message.text()}`);
  });
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`);
}

/** A page of a service that is there for one test: looks at it, asks for no faults, and ends both. */
export async function lookAt(
  service: { readonly origin: string; end(signal: 'SIGTERM'): Promise<unknown> },
  address: string,
  { drawing, height }: { readonly drawing: Drawing; readonly height: number },
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await openBrowser(drawing);
  const faults: string[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height } });
    await noteFaults(page, faults);
    await page.goto(`${service.origin}${address}`);
    await look(page);
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
    await service.end('SIGTERM');
  }
}
