/** All fuzzers by name. Each module is loaded by the thread that needs it. */
import type { MakeTarget } from './target.ts';

export const FUZZERS: Readonly<Record<string, MakeTarget>> = {
  frames: async () => (await import('./protocol-targets.ts')).frames(),
  stream: async () => (await import('./protocol-targets.ts')).stream(),
  'robot-messages': async () => (await import('./protocol-targets.ts')).messages(),
  'server-session': async () => (await import('./protocol-targets.ts')).serverSession(),
  'robot-session': async () => (await import('./protocol-targets.ts')).robotSession(),
  operator: async () => (await import('./socket-targets.ts')).operator(),
  client: async () => (await import('./socket-targets.ts')).client(),
  foxglove: async () => (await import('./socket-targets.ts')).foxglove(),
  devices: async () => (await import('./socket-targets.ts')).devices(),
  settings: async (folder) => (await import('./file-targets.ts')).settings(folder),
  scenario: async (folder) => (await import('./file-targets.ts')).scenario(folder),
  'robot-file': async (folder) => (await import('./file-targets.ts')).robot(folder),
  urdf: async (folder) => (await import('./file-targets.ts')).urdf(folder),
  override: async () => (await import('./file-targets.ts')).override(),
  stl: async (folder) => (await import('./file-targets.ts')).stl(folder),
  gltf: async (folder) => (await import('./file-targets.ts')).gltf(folder),
  obj: async (folder) => (await import('./file-targets.ts')).obj(folder),
  step: async () => (await import('./step-targets.ts')).step(),
  cells: async (folder) => (await import('./file-targets.ts')).cells(folder),
  audit: async (folder) => (await import('./file-targets.ts')).audit(folder),
  recording: async (folder) => (await import('./recording-targets.ts')).recording(folder),
  recover: async (folder) => (await import('./recording-targets.ts')).recover(folder),
  replay: async (folder) => (await import('./recording-targets.ts')).replay(folder),
};
