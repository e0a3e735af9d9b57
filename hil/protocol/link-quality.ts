/** Success of the last 100 periods and the quality that follows from it (`hil-anchors 9.3`). */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';

const PERIODS = 100;

/** Thresholds over the last 100 periods; the runs are of periods without a frame. */
const EXCELLENT = { ratio: 0.995, run: 1 };
const GOOD = { ratio: 0.98, run: 3 };
const FAIR = { ratio: 0.9 };

/** Numbers of a window and what they begin with. */
const FIELDS = { ratio: 0, lostInRow: 0, quality: 0, sum: 0, at: 0 } as const;

export class LinkQuality {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Frames received per period, at most 1; periods before the first count as lost. */
  declare ratio: number;
  /** Periods in a row without a frame, saturating at 65535. */
  declare lostInRow: number;
  /** Index in LINK_QUALITIES. */
  declare quality: number;
  /** Credits of the window together, and the period that is next. */
  declare sum: number;
  declare at: number;
  private readonly window: Float64Array;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    this.window = arena.add('window', PERIODS);
  }

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
}

defineFields(LinkQuality, FIELDS);
