/** Clears a latched fault as a person does: Clear, and the first of the usual reasons. */
import type { Page } from 'playwright-core';

/** Time after which a button is hidden behind another element or was used before, ms. */
const CLICK_MS = 5000;

export async function clearFault(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Clear the fault' });
  if ((await dialog.count()) === 0) await page.click('#clear', { timeout: CLICK_MS });
  await page.click('#clear-usual button', { timeout: CLICK_MS });
}
