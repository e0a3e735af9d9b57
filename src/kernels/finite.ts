/** Whether all numbers of a state are finite: the sum of x − x over two lanes at a time is 0. */

/** 1 when each of the numbers from an address on is finite. */
export function areFinite(state: usize, count: i32): i32 {
  let a = f64x2.splat(0.0);
  let b = f64x2.splat(0.0);
  let at = state;
  const pairs = count >> 2;
  for (let n = 0; n < pairs; n++) {
    const x = v128.load(at);
    const y = v128.load(at, 16);
    a = f64x2.add(a, f64x2.sub(x, x));
    b = f64x2.add(b, f64x2.sub(y, y));
    at += 32;
  }
  a = f64x2.add(a, b);
  let sum = f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
  for (let n = pairs << 2; n < count; n++) {
    const x = load<f64>(at);
    sum += x - x;
    at += 8;
  }
  return sum == 0 ? 1 : 0;
}
