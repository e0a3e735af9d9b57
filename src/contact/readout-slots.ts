/** Columns of a contact's read-out that its kernel writes, by their places in CONTACT_READOUT: a test holds the two together. */
export const READ_ACTIVE = 0;
export const READ_PENETRATION = 1;
export const READ_RATE = 2;
export const READ_FORCE = 3;
export const READ_FRICTION = 4; //  3
export const READ_SLIP = 7; //      3
export const READ_BRISTLE = 10; //  3
export const READ_DWELL = 13;
export const READ_STICK = 14;
export const READ_IMPACT = 15;
export const READ_POINT = 16; //    3
export const READ_NORMAL = 19; //   3
export const READ_TORQUE = 22; //   3
export const READ_VOLUME = 25;
export const READ_AREA = 26;
export const READ_SPIN = 27;
export const READ_GYRATION = 28;
export const READ_TORSION = 29;
/** Columns of one sub-model of a volumetric contact. */
export const READ_PIECE = 30;
