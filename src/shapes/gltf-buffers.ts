/** Numbers of a glTF file: the parts of a .glb, buffers inside a .gltf, and what accessors cut out of them. */
import {
  asCount,
  asList,
  asObject,
  type Json,
  type JsonObject,
  optionalIndex,
} from './gltf-json.ts';
import { refuse, shown } from './mesh-lines.ts';

/** Bytes of each buffer, by its index. */
export type GltfBuffers = readonly Uint8Array[];

/** "glTF", "JSON" and "BIN\0" as little-endian numbers. */
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
/** Bytes of the header of the file, and of that of a chunk. */
const HEADER = 12;
const CHUNK = 8;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INSIDE = /^data:[a-z0-9.+/-]*;base64,([A-Za-z0-9+/]*={0,2})$/i;

interface Component {
  readonly bytes: number;
  read(view: DataView, at: number): number;
}
/** Whole numbers of indices, and the 32-bit floats of positions. */
const FLOAT = 5126;
const COMPONENTS: Readonly<Record<number, Component>> = {
  5121: { bytes: 1, read: (view, at) => view.getUint8(at) },
  5123: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  [FLOAT]: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
};

/** The description and the buffers of a .glb or .gltf file. @throws BerthError */
export function openGltf(
  bytes: Uint8Array,
  name: string,
): { readonly root: JsonObject; readonly buffers: GltfBuffers } {
  const { text, binary } = /[.]glb$/i.test(name)
    ? chunks(bytes, name)
    : { text: bytes, binary: null };
  const root = asObject(parsed(text, name), 'file', name);
  const { version } = asObject(root.asset, 'asset', name);
  if (typeof version !== 'string' || !version.startsWith('2.')) {
    throw refuse(
      name,
      'asset.version',
      `is ${shown(JSON.stringify(version ?? null))}; allowed: 2.0`,
    );
  }
  const buffers = asList(root.buffers, 'buffers', name).map((entry, k) => {
    const where = `buffers[${k}]`;
    const about = asObject(entry, where, name);
    const length = asCount(about.byteLength, null, `${where}.byteLength`, name);
    const content = about.uri === undefined && k === 0 ? binary : inside(about.uri, where, name);
    if (content !== null && content.length >= length) return content.subarray(0, length);
    const has = content === null ? 'the file has no binary part' : `there are ${content.length}`;
    throw refuse(name, where, `announces ${length} bytes, but ${has}`);
  });
  return { root, buffers };
}

function parsed(text: Uint8Array, name: string): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) as Json;
  } catch (error) {
    const words = error instanceof Error ? error.message : 'it cannot be read';
    throw refuse(name, 'description', `is no JSON: ${shown(words)}`);
  }
}

/** The two parts of a .glb file. */
function chunks(
  bytes: Uint8Array,
  name: string,
): { readonly text: Uint8Array; readonly binary: Uint8Array | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER + CHUNK || view.getUint32(0, true) !== MAGIC) {
    throw refuse(name, 'byte 0', 'does not start with "glTF" and a part of JSON');
  }
  const version = view.getUint32(4, true);
  if (version !== 2) throw refuse(name, 'byte 4', `is of version ${version}; allowed: 2`);
  const announced = view.getUint32(8, true);
  if (announced !== bytes.length) {
    throw refuse(name, 'byte 8', `announces ${announced} bytes, but the file has ${bytes.length}`);
  }
  const found: { kind: number; content: Uint8Array }[] = [];
  for (let at = HEADER; at < bytes.length; ) {
    const left = bytes.length - at - CHUNK;
    const length = left < 0 ? 0 : view.getUint32(at, true);
    if (left < length) throw refuse(name, `byte ${at}`, 'a part runs beyond the end of the file');
    const content = bytes.subarray(at + CHUNK, at + CHUNK + length);
    found.push({ kind: view.getUint32(at + 4, true), content });
    at += CHUNK + length;
  }
  if (found[0].kind !== JSON_CHUNK) throw refuse(name, 'byte 16', 'the first part is not JSON');
  const second = found.length > 1 && found[1].kind === BINARY_CHUNK ? found[1].content : null;
  return { text: found[0].content, binary: second };
}

/** Bytes of a buffer that stands in the file as text. */
function inside(uri: Json | undefined, where: string, name: string): Uint8Array | null {
  if (uri === undefined) return null;
  const match = typeof uri === 'string' ? INSIDE.exec(uri) : null;
  if (match === null) {
    throw refuse(
      name,
      `${where}.uri`,
      `the numbers are in another file, ${shown(JSON.stringify(uri))}; export one .glb file`,
    );
  }
  const digits = match[1].replace(/=+$/, '');
  const out = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const digit of digits) {
    held = ((held << 6) | DIGITS.indexOf(digit)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out[at++] = (held >> bits) & 0xff;
  }
  return out;
}

/** The numbers of an accessor of one type: positions are 32-bit floats, indices whole numbers. @throws BerthError */
export function accessorNumbers(
  root: JsonObject,
  buffers: GltfBuffers,
  value: Json | undefined,
  type: 'VEC3' | 'SCALAR',
  where: string,
  name: string,
): number[] {
  const accessors = asList(root.accessors, 'accessors', name);
  const index = optionalIndex(value, accessors.length, where, name);
  if (index === null) throw refuse(name, where, 'is missing');
  const place = `accessors[${index}]`;
  const about = asObject(accessors[index], place, name);
  if (about.sparse !== undefined) throw refuse(name, `${place}.sparse`, 'is not read');
  const kind = asCount(about.componentType, null, `${place}.componentType`, name);
  const isFloat = kind === FLOAT;
  const component = isFloat === (type === 'VEC3') ? COMPONENTS[kind] : undefined;
  if (about.type !== type || component === undefined) {
    const allowed = type === 'VEC3' ? 'VEC3 of floats (5126)' : 'SCALAR of 5121, 5123 or 5125';
    const got = shown(JSON.stringify([about.type ?? null, kind]));
    throw refuse(name, place, `is ${got}; allowed for ${where}: ${allowed}`);
  }
  const views = asList(root.bufferViews, 'bufferViews', name);
  const viewIndex = optionalIndex(about.bufferView, views.length, `${place}.bufferView`, name);
  if (viewIndex === null) throw refuse(name, `${place}.bufferView`, 'is missing');
  const viewAt = `bufferViews[${viewIndex}]`;
  const slice = asObject(views[viewIndex], viewAt, name);
  const buffer = optionalIndex(slice.buffer, buffers.length, `${viewAt}.buffer`, name);
  if (buffer === null) throw refuse(name, `${viewAt}.buffer`, 'is missing');
  const width = type === 'VEC3' ? 3 : 1;
  const element = width * component.bytes;
  const stride = asCount(slice.byteStride, element, `${viewAt}.byteStride`, name);
  const count = asCount(about.count, null, `${place}.count`, name);
  const from =
    asCount(slice.byteOffset, 0, `${viewAt}.byteOffset`, name) +
    asCount(about.byteOffset, 0, `${place}.byteOffset`, name);
  const bytes = buffers[buffer];
  const end = count === 0 ? from : from + (count - 1) * stride + element;
  if (stride < element || end > bytes.length) {
    throw refuse(name, place, `runs to byte ${end} of a buffer of ${bytes.length}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers: number[] = new Array<number>(width * count);
  for (let k = 0; k < count; k++) {
    for (let part = 0; part < width; part++) {
      numbers[width * k + part] = component.read(view, from + k * stride + part * component.bytes);
    }
  }
  return numbers;
}
