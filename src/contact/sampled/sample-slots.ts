/** Places in the columns of the sums over samples: numbers alone, which the reference module and the kernel share. */

/** Slots of the sums of a patch. */
export const FORCE = 0; //    3
export const MOMENT = 3; //   3
export const CENTER = 6; //   3, over LOAD
export const LOAD = 9;
export const STIFF = 10;
export const ENERGY = 11;
export const AREA = 12;
export const DEEPEST = 13; // greatest depth
export const SUMS = 14;

/** Slots of the whole. */
export const LEAST = 0; //    least φ of the samples that were read, Infinity for none
export const SAMPLE = 1; //   sample that has it
export const BOUND = 2; //    lower bound of φ of all others
export const DROWNED = 3; //  samples deeper than the band
export const READ = 4; //     samples that were read
export const WHOLE = 5;

/** Samples that a kernel places before it adds them, and doubles of one: whatever waits for its place waits for all of them at once. */
export const CHUNK = 32;
export const PLACED_DOUBLES = 8;
