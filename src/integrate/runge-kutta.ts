/** Classical Runge–Kutta of order 4 on one array, y' = f(y): the reference path. */

/** Evaluates the rates at the present values. */
export interface RateFunction {
  computeRates(): void;
}

/** Work space of the method for the first `length` values of an array. */
export class RungeKutta4 {
  private readonly start: Float64Array;
  private readonly sum: Float64Array;

  constructor(length: number) {
    this.start = new Float64Array(length);
    this.sum = new Float64Array(length);
  }

  /** Advances `values` by h; `rates` is what `f` fills. @alloc none */
  step(values: Float64Array, rates: Float64Array, f: RateFunction, h: number): void {
    const y = this.start;
    const sum = this.sum;
    const n = y.length;
    for (let i = 0; i < n; i++) y[i] = values[i];
    f.computeRates();
    for (let i = 0; i < n; i++) {
      sum[i] = rates[i];
      values[i] = y[i] + 0.5 * h * rates[i];
    }
    f.computeRates();
    for (let i = 0; i < n; i++) {
      sum[i] += 2 * rates[i];
      values[i] = y[i] + 0.5 * h * rates[i];
    }
    f.computeRates();
    for (let i = 0; i < n; i++) {
      sum[i] += 2 * rates[i];
      values[i] = y[i] + h * rates[i];
    }
    f.computeRates();
    for (let i = 0; i < n; i++) values[i] = y[i] + (h / 6) * (sum[i] + rates[i]);
  }
}
