/** Places in an overlap column, as COLUMN of kernel.ts names them: numbers alone, which reference modules and kernels share. */
export const VOLUME_AT = 0;
export const AREA_AT = 1;
export const CENTROID_AT = 2;
export const SECOND_AT = 5;
export const VECTOR_AREA_AT = 11;
export const GAP_AT = 14;
export const ERROR_AT = 15;
export const COLUMN_SIZE = 16;
