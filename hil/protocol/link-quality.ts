/** Success of the last 100 periods and the quality that follows from it (`hil-anchors 9.3`). */
import { loadArray, type Stateful } from '../contract/stateful.ts';

const PERIODS = 100;

/** Thresholds over the last 100 periods; the runs are of periods without a frame. */
const EXCELLENT = { ratio: 0.995, run: 1 };
const GOOD = { ratio: 0.98, run: 3 };
const FAIR = { ratio: 0.9 };

export class LinkQuality implements Stateful {
  /** Frames received per period, at most 1; periods before the first count as lost. */
  ratio = 0;
  /** Periods in a row without a frame, saturating at 65535. */
  lostInRow = 0;
  /** Index in LINK_QUALITIES. */
  quality = 0;
  private readonly window = new Uint8Array(PERIODS);
  private sum = 0;
  private at = 0;

  /** Forget everything. */
  reset(): void {
    this.window.fill(0);
    this.sum = 0;
    this.ratio = 0;
    this.quality = 0;
    this.lostInRow = 0;
  }

  /**
   * One period with `received` new frames. Two frames in one period make good for none in the period before (jitter between
   * two clocks); a longer burst does not.
   * @alloc none
   */
  push(received: number): void {
    const credit = received > 2 ? 2 : received;
    this.sum += credit - this.window[this.at];
    this.window[this.at] = credit;
    this.at = this.at + 1 === PERIODS ? 0 : this.at + 1;
    if (received > 0) this.lostInRow = 0;
    else if (this.lostInRow < 65535) this.lostInRow++;
    this.ratio = this.sum >= PERIODS ? 1 : this.sum / PERIODS;
    const run = this.lostInRow;
    if (this.ratio >= EXCELLENT.ratio && run <= EXCELLENT.run) this.quality = 3;
    else if (this.ratio >= GOOD.ratio && run <= GOOD.run) this.quality = 2;
    else this.quality = this.ratio >= FAIR.ratio ? 1 : 0;
  }

  readonly stateLength: number = 5 + PERIODS;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.ratio;
    into[at + 1] = this.lostInRow;
    into[at + 2] = this.quality;
    into[at + 3] = this.sum;
    into[at + 4] = this.at;
    into.set(this.window, at + 5);
  }

  loadState(from: Float64Array, at: number): void {
    this.ratio = from[at];
    this.lostInRow = from[at + 1];
    this.quality = from[at + 2];
    this.sum = from[at + 3];
    this.at = from[at + 4];
    loadArray(this.window, from, at + 5);
  }
}
