/** The options of HLP/1 that both ends negotiate, and the sentences that a person reads. */
import { LAYOUT_HASH, VERSION, VERSION_MIN } from './layout.ts';

/** Capability bits of HELLO. */
export const Capability = Object.freeze({
  FORCE_SENSOR: 1,
  TARE: 2,
  GRAVITY_REMOVED: 4,
  ARM_NEEDED: 8,
  TAGS: 16,
});

const version = (byte: number): string => `${byte >> 4}.${byte & 15}`;
const hex = (hash: number): string => `0x${hash.toString(16).padStart(8, '0')}`;

/** Version to use with a peer that supports [min, max]; 0 when there is none. */
export function chooseVersion(min: number, max: number): number {
  const low = Math.max(min, VERSION_MIN);
  const high = Math.min(max, VERSION);
  return low <= high ? high : 0;
}

/** Why a version range is refused. */
export function versionText(min: number, max: number): string {
  return `HLP/1 version: peer speaks ${version(min)} to ${version(max)}, this end ${version(VERSION_MIN)} to ${version(VERSION)}`;
}

/** Why a layout hash is refused. */
export function layoutText(hash: number): string {
  return `layout hash: peer has ${hex(hash)}, this end ${hex(LAYOUT_HASH)} for version ${version(VERSION)}`;
}
