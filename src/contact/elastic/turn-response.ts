/** The 6 × 6 response of a relative twist in other axes. */

/** turned := the response, world, in the axes of the rotation r: Rᵀ S R of each block. @alloc none */
export function turnResponse(response: Float64Array, r: Float64Array, turned: Float64Array): void {
  for (let block = 0; block < 4; block++) {
    const at = 18 * (block >> 1) + 3 * (block & 1);
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        let sum = 0;
        for (let c = 0; c < 3; c++) {
          const row = at + 6 * c;
          const part =
            response[row] * r[b] + response[row + 1] * r[3 + b] + response[row + 2] * r[6 + b];
          sum += r[3 * c + a] * part;
        }
        turned[at + 6 * a + b] = sum;
      }
    }
  }
}
