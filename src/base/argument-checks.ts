/** Checks of the arguments of a call that is made in every step: what is right costs a comparison, what is wrong throws one BerthError. */
import { expect } from './parameter-checks.ts';

/** The index of one of `count` parts. @alloc none for a right one */
export function index(name: string, value: number, count: number): void {
  if (Number.isInteger(value) && value >= 0 && value < count) return;
  expect(name, value, false, `to be a whole number from 0 to ${count - 1}`);
}

/** A list with `count` numbers from `at` on. @alloc none for a right one */
export function room(name: string, values: ArrayLike<number>, at: number, count: number): void {
  if (Number.isInteger(at) && at >= 0 && values?.length >= at + count) return;
  expect('at', at, Number.isInteger(at) && at >= 0, 'to be a whole number >= 0');
  expect(name, values, false, `to be a list of at least ${at + count} numbers`);
}
