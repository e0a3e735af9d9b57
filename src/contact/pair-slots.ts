/** Places in the columns of a contact's geometry and mobility: numbers alone, which reference modules and kernels share. */

/** Slots of the kinematics column of one contact. */
export const GAP = 0;
export const NORMAL = 1; //    3
export const POINT = 4; //     3, point of action
export const VELOCITY = 7; //  3, of i relative to j at the point
export const RATE = 10; //     normal rate v_n = dx/dt, negative on approach
export const SLIP = 11; //     3, tangential velocity
export const ARM_I = 14; //    3, point − origin of body i
export const ARM_J = 17; //    3
export const SPIN = 20; //     3, angular velocity of i relative to j
// a volumetric pair also fills:
export const VOLUME = 23; //   V, m³
export const AREA = 24; //     contact area A_c, m²
export const INERTIA = 25; //  volume inertia J_v about the centroid (xx, yy, zz, xy, xz, yz), m⁵
export const GYRATION = 31; // radius of gyration of the overlap about the normal, m
export const KINEMATICS = 32;

/** Slots of the mobility column behind the four inverse masses. */
export const STEP = 4; // sub-step h, s
export const LOAD = 5; // normal force, N
export const RESISTANCE = 6; // damping B of the normal law, N s/m, for the rolling resistance of a foundation
export const MOBILITY = 7;
