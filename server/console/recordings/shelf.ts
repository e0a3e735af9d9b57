/** Recordings of the service: the list, and what the page does with a file. */
import { decode } from '@msgpack/msgpack';
import { signal } from '@preact/signals';
import type { Telemetry } from '../../client/messages.ts';
import { post } from '../../client/wire.ts';
import type { MarkedFault } from '../../../hil/contract/file-summary.ts';
import type { RecordingList } from '../../contract/recordings.ts';
import type { SceneDescription } from '../scene/description.ts';
import { access, CLIENT_NAME, get, notify, ORIGIN } from '../store.ts';

export interface RecordedScene extends SceneDescription {
  readonly mode: string;
  readonly start_ms: number;
  readonly length_s: number;
  readonly faults: readonly MarkedFault[];
}

export type RecordedFrame = { readonly at_s: number } & Required<
  Pick<Telemetry, 'scene' | 'state' | 'wrench'>
> &
  Pick<Telemetry, 'witnesses'>;

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

export const pathOf = (name: string): string => `/api/recordings/${encodeURIComponent(name)}`;

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

/** A path of the service, with the key of the page where it has one. */
async function fetched(path: string): Promise<Response> {
  const { key } = access.peek();
  const response = await fetch(
    path,
    key === '' ? {} : { headers: { authorization: `Bearer ${key}` } },
  );
  if (response.ok) return response;
  const answer = (await response.json()) as { readonly message?: string };
  throw new Error(answer.message ?? `${path} answered ${response.status}.`);
}

/** Downloads a file with the key of the page. */
export async function download(name: string, path: string = pathOf(name)): Promise<void> {
  try {
    notify(`Downloading ${name}.`, 'info');
    const blob = await (await fetched(path)).blob();
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

export const sceneOf = (path: string): Promise<RecordedScene> =>
  get<RecordedScene>(`${path}/scene`, PATIENCE_MS);

export async function framesOf(
  file: string,
  from_s: number,
  length_s: number,
): Promise<RecordedFrame[]> {
  const query = `from_s=${from_s.toFixed(3)}&length_s=${length_s.toFixed(3)}&hz=25`;
  const response = await fetched(`${file}/frames?${query}`);
  const { frames } = decode(await response.arrayBuffer()) as { frames: RecordedFrame[] };
  return frames;
}
