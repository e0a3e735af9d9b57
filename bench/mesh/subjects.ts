/** What the mesh benchmark runs: every engine with every representation, and which sizes it cannot do. */
import { cellRing, facetedRing, fieldRing, loopRing, sampledRing } from './berth-rings.ts';
import { mujocoField, mujocoPieces, rapierRing } from './peer-rings.ts';
import type { Running, Size } from './ring-scene.ts';

interface Subject {
  readonly make: (size: Size) => Running | Promise<Running>;
  /** Largest size, and why there is none above it. */
  readonly most?: readonly [size: Size, why: string];
}

const PIECES = [10000, 'berth decompose takes at most 20,000 triangles'] as const;

export const SUBJECTS = {
  'Berth faceted': {
    make: facetedRing,
    most: [100000, 'at most 4,096 facets of a pair push at once, and 20,000 would'],
  },
  'Berth sampled': { make: sampledRing },
  'Berth sampled, in the loop': { make: loopRing },
  'Berth sampled, field of the mesh': { make: fieldRing },
  'Berth cells': { make: cellRing, most: PIECES },
  'MuJoCo field': { make: mujocoField },
  'MuJoCo pieces': { make: mujocoPieces, most: PIECES },
  Rapier: { make: rapierRing },
} as const satisfies Readonly<Record<string, Subject>>;

/** Bytes a step below which nothing is allocated: a boxed number is 12 or more. */
export const QUIET_B = 8;

/** A name of them. */
export type SubjectName = keyof typeof SUBJECTS;
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as readonly SubjectName[];

/** Why there is no such size; empty where there is one. */
export function whyNot(name: SubjectName, size: Size): string {
  const { most }: Subject = SUBJECTS[name];
  return most !== undefined && size > most[0] ? most[1] : '';
}

/** What a process that runs one says. */
export type Answer =
  | {
      readonly kind: 'ready';
      readonly words: string;
      /** Time until it could step, s. */
      readonly made_s: number;
      /** Bytes that a step leaves on the heap of JavaScript. */
      readonly heap_B: number;
      /** What touches at the end of a second, and where the ring is, m. */
      readonly contacts: string;
      readonly height: number;
      /** What of the contact was not computed. */
      readonly missed: string;
    }
  | { readonly kind: 'round'; readonly times_us: readonly number[] };
