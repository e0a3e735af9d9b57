/** A value with its rate and acceleration as a function of time: imposed motions and actuators. */
import { CycloidalPath } from '../control/cycloidal-path.ts';
import { ANGLE, sinCos } from '../math/elementary/circular.ts';
import type { MotionLawModel } from '../model/constraint-spec.ts';

/** One law; what it gives at the time of the last `evaluate` lies in `state`: value, rate, acceleration. */
export interface MotionLaw {
  readonly state: Float64Array;
  /** At time clock[0], s. @alloc none */
  evaluate(clock: Float64Array): void;
}

class RampLaw implements MotionLaw {
  readonly state: Float64Array;
  readonly #value: number;

  constructor(value: number, rate: number) {
    this.#value = value;
    this.state = Float64Array.of(value, rate, 0);
  }

  evaluate(clock: Float64Array): void {
    this.state[0] = this.#value + this.state[1] * clock[0];
  }
}

class SineLaw implements MotionLaw {
  readonly state: Float64Array = new Float64Array(3);
  readonly #offset: number;
  readonly #amplitude: number;
  readonly #rate: number;
  readonly #phase: number;

  constructor(offset: number, amplitude: number, frequency: number, phase: number) {
    this.#offset = offset;
    this.#amplitude = amplitude;
    this.#rate = 2 * Math.PI * frequency;
    this.#phase = phase;
  }

  evaluate(clock: Float64Array): void {
    ANGLE[0] = this.#rate * clock[0] + this.#phase;
    const phase = sinCos();
    const swing = this.#amplitude * phase[0];
    this.state[0] = this.#offset + swing;
    this.state[1] = this.#rate * this.#amplitude * phase[1];
    this.state[2] = -this.#rate * this.#rate * swing;
  }
}

class CycloidalLaw implements MotionLaw {
  readonly state: Float64Array = new Float64Array(3);
  readonly #path: CycloidalPath;

  constructor(path: CycloidalPath) {
    this.#path = path;
  }

  evaluate(clock: Float64Array): void {
    this.#path.evaluate(clock);
    this.state[0] = this.#path.position[0];
    this.state[1] = this.#path.velocity[0];
    this.state[2] = this.#path.acceleration[0];
  }
}

/** Builds the law of a description. @throws BerthError for a path without two points at rising times */
export function makeMotionLaw(model: MotionLawModel): MotionLaw {
  switch (model.kind) {
    case 'constant':
      return new RampLaw(model.value, 0);
    case 'ramp':
      return new RampLaw(model.value, model.rate);
    case 'sine':
      return new SineLaw(model.offset, model.amplitude, model.frequency, model.phase);
    case 'cycloidal':
      return new CycloidalLaw(new CycloidalPath(model.points));
  }
}
