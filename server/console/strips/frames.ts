/**
 * One animation clock for all strips: 20 pictures a second, in which a strip moves by a pixel or
 * two. With reduced motion it is one a second.
 */

const PICTURE_MS = 50;
const CALM_MS = 1000;

const drawers = new Set<(now_s: number) => void>();
const calm = matchMedia('(prefers-reduced-motion: reduce)');
let request = 0;
let last_ms = -Infinity;

function step(now_ms: number): void {
  request = requestAnimationFrame(step);
  // a quarter of a display period early is on time: every third of 60 pictures, not every fourth
  if (now_ms - last_ms < (calm.matches ? CALM_MS : PICTURE_MS) - 4) return;
  last_ms = now_ms;
  for (const draw of drawers) draw(now_ms / 1000);
}

/**
 * Calls `draw` for every picture, with the time on the clock of `performance.now()`, s, but not
 * while the page is hidden.
 * @returns a function that ends the calls
 */
export function onPicture(draw: (now_s: number) => void): () => void {
  drawers.add(draw);
  if (request === 0) request = requestAnimationFrame(step);
  return () => {
    drawers.delete(draw);
    if (drawers.size > 0) return;
    cancelAnimationFrame(request);
    request = 0;
  };
}
