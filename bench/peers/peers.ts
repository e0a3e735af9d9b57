/** The peers by name, each with what loads it. */
import { loadCannon } from './cannon.ts';
import { loadCrashcat } from './crashcat.ts';
import type { Engine } from './engine.ts';
import { loadHavok } from './havok.ts';
import { PackageAbsent } from './load-package.ts';
import { loadJolt } from './jolt.ts';
import { loadMujocoEngine } from './mujoco.ts';
import { loadOimo } from './oimo.ts';
import { loadRapier } from './rapier.ts';

export const PEERS = {
  'cannon-es': () => loadCannon(),
  Rapier: () => loadRapier(),
  'Rapier SIMD': () => loadRapier(true),
  MuJoCo: () => loadMujocoEngine(),
  Havok: loadHavok,
  Jolt: loadJolt,
  crashcat: loadCrashcat,
  OimoPhysics: loadOimo,
} as const satisfies Readonly<Record<string, () => Promise<Engine>>>;

export type PeerName = keyof typeof PEERS;

export const PEER_NAMES: readonly PeerName[] = Object.keys(PEERS) as PeerName[];

/** Loads a peer; null where its package is not installed. */
export async function loadPeer(name: PeerName): Promise<Engine | null> {
  try {
    return await PEERS[name]();
  } catch (error) {
    if (error instanceof PackageAbsent) return null;
    throw error;
  }
}
