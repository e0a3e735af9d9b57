/** Places in the memory of a slot of a volumetric contact: numbers alone, which reference modules and kernels share. */
export const ASSIGNED = 0; //       index of the cell pair + 1; 0: free
export const SHARED_RATE = 1; //    normal rate at onset that the pieces of one surface share, m/s
export const LAST_NORMAL = 2; //    3, normal of the last (sub-)step; zero before the first
export const SLOT_MEMORY = 5;
