/** Recordings of the service: the list, and what the page does with a file. */
import { decode } from '@msgpack/msgpack';
import { signal } from '@preact/signals';
import type { Telemetry } from '../../client/messages.ts';
import { post } from '../../client/wire.ts';
import type { SceneDescription } from '../scene/description.ts';
import { access, CLIENT_NAME, get, notify, ORIGIN } from '../store.ts';

export interface MarkedFault {
  readonly code: string;
  readonly at_s: number;
}

export interface Summary {
  readonly scenario: string;
  readonly mode: string;
  readonly part: string;
  readonly start_ms: number;
  readonly length_s: number;
  readonly faults: readonly MarkedFault[];
  readonly closed: boolean;
}

export interface ListedRecording {
  readonly name: string;
  readonly kind: 'flight' | 'excerpt' | 'freeze' | 'other';
  readonly bytes: number;
  readonly pinned: boolean;
  readonly writing: boolean;
  readonly next: boolean;
  readonly summary: Summary | null;
  readonly trouble: string;
}

export interface KeptRoom {
  readonly flight_bytes: number;
  readonly room_bytes: number;
  readonly keep_bytes: number;
  readonly free_bytes: number;
  readonly keep_free_bytes: number;
  readonly left_s: number | null;
  readonly freezes: number;
  readonly keep_freezes: number;
}

export interface RecordingList {
  readonly folder: string;
  readonly kept: KeptRoom;
  readonly recordings: readonly ListedRecording[];
  readonly more: number;
}

export interface RecordedScene extends SceneDescription {
  readonly mode: string;
  readonly start_ms: number;
  readonly length_s: number;
  readonly faults: readonly MarkedFault[];
}

export type RecordedFrame = { readonly at_s: number } & Required<
  Pick<Telemetry, 'scene' | 'state' | 'wrench'>
>;

/** Time for an answer, ms: a folder of many files is read, the first time as a whole. */
const PATIENCE_MS = 60_000;

/** The list; null before the first. */
export const list = signal<RecordingList | null>(null);
/** Why there is no list; '' while there is one. */
export const trouble = signal('');

let reading = false;

/** Reads the list, once at a time. */
export async function refresh(): Promise<void> {
  if (reading) return;
  reading = true;
  try {
    list.value = await get<RecordingList>('/api/recordings', PATIENCE_MS);
    trouble.value = '';
  } catch (error) {
    trouble.value = `The list could not be read: ${(error as Error).message}`;
  } finally {
    reading = false;
  }
}

const pathOf = (name: string): string => `/api/recordings/${encodeURIComponent(name)}`;

/** Keeps a recording, or leaves it to the recorder. */
export async function pin(name: string, pinned: boolean): Promise<void> {
  const { key } = access.peek();
  try {
    await post({ url: ORIGIN, key, name: CLIENT_NAME }, `${pathOf(name)}/pin`, { pinned });
    notify('', 'info');
  } catch (error) {
    notify(`Keep: ${(error as Error).message}`);
  }
  reading = false; // what is being read is of before
  await refresh();
}

/** Address of a file for a link; null where a key is needed, which a link cannot carry. */
export const linkOf = (name: string): string | null =>
  access.value.key === '' ? pathOf(name) : null;

async function fetched(path: string): Promise<Response> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${access.peek().key}` } });
  if (response.ok) return response;
  const answer = (await response.json()) as { readonly message?: string };
  throw new Error(answer.message ?? `${path} answered ${response.status}.`);
}

/** Downloads a file with the key of the page. */
export async function download(name: string): Promise<void> {
  try {
    notify(`Downloading ${name}.`, 'info');
    const blob = await (await fetched(pathOf(name))).blob();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    notify('', 'info');
  } catch (error) {
    notify(`Download: ${(error as Error).message}`);
  }
}

export const sceneOf = (name: string): Promise<RecordedScene> =>
  get<RecordedScene>(`${pathOf(name)}/scene`, PATIENCE_MS);

export async function framesOf(
  name: string,
  from_s: number,
  length_s: number,
): Promise<RecordedFrame[]> {
  const query = `from_s=${from_s.toFixed(3)}&length_s=${length_s.toFixed(3)}&hz=25`;
  const path = `${pathOf(name)}/frames?${query}`;
  const { key } = access.peek();
  const response = key === '' ? await plain(path) : await fetched(path);
  const { frames } = decode(await response.arrayBuffer()) as { frames: RecordedFrame[] };
  return frames;
}

async function plain(path: string): Promise<Response> {
  const response = await fetch(path);
  if (response.ok) return response;
  throw new Error(((await response.json()) as { message: string }).message);
}
