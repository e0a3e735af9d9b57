/** Arrays in the memory that a kernel shares with its caller, which made them: a pointer each, read and written like an array. */

/** Doubles from an address on. */
@unmanaged
@final
export class Doubles {
  @operator('[]') get(i: i32): f64 {
    return load<f64>(changetype<usize>(this) + ((<usize>i) << 3));
  }

  @operator('[]=') set(i: i32, value: f64): void {
    store<f64>(changetype<usize>(this) + ((<usize>i) << 3), value);
  }
}

/** Whole numbers of 32 bits from an address on. */
@unmanaged
@final
export class Integers {
  @operator('[]') get(i: i32): i32 {
    return load<i32>(changetype<usize>(this) + ((<usize>i) << 2));
  }

  @operator('[]=') set(i: i32, value: i32): void {
    store<i32>(changetype<usize>(this) + ((<usize>i) << 2), value);
  }
}
