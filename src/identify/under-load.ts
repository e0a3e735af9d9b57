/** The part of a recording in which a tool presses. */

const BLOCK = 50;
/** Share of the largest load that still counts. */
const SHARE = 0.5;

/** First row and the one after the last of the longest stretch whose means of 50 samples are above half of the largest; the same twice for none. */
export function longestUnderLoad(force: Float64Array): readonly [number, number] {
  const blocks = Math.floor(force.length / BLOCK);
  const loads = Array.from({ length: blocks }, (_, b) => {
    let sum = 0;
    for (let i = b * BLOCK; i < (b + 1) * BLOCK; i++) sum += force[i];
    return sum / BLOCK;
  });
  const least = SHARE * loads.reduce((most, one) => Math.max(most, one), 0);
  let [from, to, start] = [0, 0, 0];
  for (let b = 0; b <= blocks; b++) {
    if (b < blocks && loads[b] > least) continue;
    if (b - start > to - from) [from, to] = [start, b];
    start = b + 1;
  }
  return [from * BLOCK, to * BLOCK];
}
