/** What a column does over the steps of a run: peak, mean, least, most and end. */
export class ColumnFigures {
  /** Furthest from zero, with its sign, and its time, s. */
  peak = NaN;
  peakAt_s = NaN;
  least = Infinity;
  most = -Infinity;
  end = NaN;
  #sum = 0;
  #count = 0;

  /** The value of one step. */
  take(value: number, time_s: number): void {
    if (!(Math.abs(value) <= Math.abs(this.peak))) {
      this.peak = value;
      this.peakAt_s = time_s;
    }
    this.least = Math.min(this.least, value);
    this.most = Math.max(this.most, value);
    this.end = value;
    this.#sum += value;
    this.#count++;
  }

  /** Over all steps so far. */
  get mean(): number {
    return this.#sum / this.#count;
  }
}
