/** Readability of a page: widths, colours and names as the browser reports them. Each function returns the faults. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, PATIENCE_S } from './page-rig.ts';

/** Contrast of WCAG 2.2, 1.4.3, for text of any size. */
const LEAST_CONTRAST = 4.5;
/** Roles that a screen reader cannot describe without a name. */
const NAMED_ROLES = ['button', 'textbox', 'image', 'table', 'list', 'region'];

// The scripts below run in the page. They are text, because the compiler knows the names of Node
// here and not those of a browser.

const WIDTHS = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    found.push(root.scrollWidth + ' px wide in ' + root.clientWidth + ' px');
  }
  for (const element of document.querySelectorAll('body *')) {
    // a table that can be scrolled by key is itself in view, its cells need not be
    const pane = element.closest('.scroll[tabindex="0"]');
    if (pane !== null && pane !== element) continue;
    const box = element.getBoundingClientRect();
    const name = element.tagName + ' ' + element.id;
    if (box.right > root.clientWidth + 0.5) found.push(name + ' reaches ' + box.right + ' px');
    if (pane === null && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1) {
      found.push(name + ' is cut off');
    }
  }
  const pane = document.querySelector('main');
  for (const top of [0, pane.scrollHeight]) {
    pane.scrollTo(0, top);
    const box = document.getElementById('stop').getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!hit?.closest('#stop')) found.push('STOP is not on top at ' + top + ' px');
  }
  pane.scrollTo(0, 0);
  return found;
})()`;

const CONTRASTS = `(() => {
  const channels = (colour) => (colour.match(/[0-9.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    if (element === null) return 'rgb(255, 255, 255)';
    const colour = getComputedStyle(element).backgroundColor;
    return channels(colour)[3] === 0 ? ground(element.parentElement) : colour;
  };
  const seen = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (text === '' || element.getClientRects().length === 0) continue;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
    seen.push([text, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]);
  }
  return seen;
})()`;

/** Nothing scrolls sideways, no text is cut off, and STOP can be pressed wherever the page was scrolled to. */
function widthFaults(page: Page): Promise<string[]> {
  return page.evaluate(WIDTHS);
}

/** Every visible text against the ground behind it. */
export async function contrastFaults(page: Page): Promise<string[]> {
  const seen: [string, number][] = await page.evaluate(CONTRASTS);
  if (seen.length < 50) return [`only ${seen.length} texts are visible`];
  return seen
    .filter(([, ratio]) => ratio < LEAST_CONTRAST)
    .map(([text, ratio]) => `"${text}" has ${ratio.toFixed(2)}`);
}

/** Soon nothing is wrong with widths and contrasts: plots take a new width a frame later, and what is shown changes with the state. */
export function becomesReadable(page: Page, when?: string): Promise<void> {
  return eventually(PATIENCE_S, async () =>
    assert.deepEqual([...(await widthFaults(page)), ...(await contrastFaults(page))], [], when),
  );
}

/** Every node of the accessibility tree that needs a name has one. */
export async function nameFaults(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  await client.detach();
  const found = nodes
    .filter((node) => !node.ignored && NAMED_ROLES.includes(String(node.role?.value)))
    .filter((node) => String(node.name?.value ?? '').trim() === '')
    .map((node) => `${String(node.role?.value)} without a name`);
  for (const [role, name] of [
    ['navigation', 'Pages'],
    ['button', 'STOP'],
    ['button', 'Arm'],
    ['button', 'Hold'],
    ['button', 'Resume'],
    ['button', 'Clear'],
    ['status', 'State'],
    ['list', 'From here to motion'],
    ['group', 'Frames of the tool'],
    ['region', 'Authority'],
  ] as const) {
    const count = await page.getByRole(role, { name, exact: true }).count();
    if (count !== 1) found.push(`${count} × ${role} "${name}"`);
  }
  return found;
}
