/** What a picture of the page is made of. */
import type { Page } from 'playwright-core';

export interface Picture {
  /** Different colours. */
  readonly colours: number;
  /** Parts of the pixels that have the hue of the payload and of the forces. */
  readonly payload: number;
  readonly force: number;
  /** Light pixels that lie over the payload: rims of letters. */
  readonly words: number;
  /** Sum over the pixels that changes when one of them does. */
  readonly sum: number;
}

/** Script for the browser: PNG in, statistics out. It is text, because the compiler does not know a browser's names. */
const READ = `async (data) => {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data: pixels } = pen.getImageData(0, 0, image.width, image.height);
  const colours = new Set();
  let [payload, force, sum, words] = [0, 0, 0, 0];
  const isPayload = (x, y) => {
    const at = 4 * (y * image.width + x);
    const [r, g, b] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    return r - b > 60 && g - b > 25 && r > g;
  };
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b] = [pixels[i], pixels[i + 1], pixels[i + 2]];
    colours.add((r << 16) | (g << 8) | b);
    if (r - b > 60 && g - b > 25 && r > g) payload++;
    if (r - g > 90 && b - g > 20) force++;
    sum = (sum * 31 + r + 3 * g + 7 * b) % 1000000007;
  }
  const count = pixels.length / 4;
  // the light rim of letters, with the payload to its left, right, and below
  for (let y = 0; y < image.height - 60; y++) {
    for (let x = 60; x < image.width - 60; x++) {
      const at = 4 * (y * image.width + x);
      if (Math.min(pixels[at], pixels[at + 1], pixels[at + 2]) < 200) continue;
      if (isPayload(x - 60, y) && isPayload(x + 60, y) && isPayload(x, y + 60)) words++;
    }
  }
  return { colours: colours.size, payload: payload / count, force: force / count, sum, words };
}`;

/** Statistics of a PNG, computed in a page. */
export function readPicture(page: Page, png: Buffer): Promise<Picture> {
  return page.evaluate(`(${READ})('${png.toString('base64')}')`);
}
