/**
 * Certificates for the tests of TLS, made when they are needed: X.509 v3 on the curve P-256, written in DER (ITU-T X.690) by the
 * structure of RFC 5280. Nothing but Node is asked for, and no private key lies in the repository.
 */
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';

/** One value: tag, length, contents. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const n = body.length;
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const TRUE = der(0x01, Buffer.from([0xff]));
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const ALTERNATIVE_NAME = oid(0x55, 0x1d, 0x11);
/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2. */
const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

const named = (name: string): Buffer =>
  sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));

/** GeneralizedTime, in seconds. */
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')));

const extension = (id: Buffer, critical: boolean, value: Buffer): Buffer =>
  sequence(id, ...(critical ? [TRUE] : []), der(0x04, value));

function alternativeNames(names: readonly string[]): Buffer {
  const general = names.map((name) =>
    isIP(name) === 4
      ? der(0x87, Buffer.from(name.split('.').map(Number)))
      : der(0x82, Buffer.from(name)),
  );
  return extension(ALTERNATIVE_NAME, false, sequence(...general));
}

/** A certificate with its private key, PEM, and what signs others with it. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
  readonly name: string;
}

export interface CertificateRequest {
  readonly name: string;
  /** DNS names and IPv4 addresses. */
  readonly hosts?: readonly string[];
  /** Default: an hour ago, and a day from now. */
  readonly from_ms?: number;
  readonly until_ms?: number;
  /** Signs for others. */
  readonly isRoot?: boolean;
  /** Who signs it; by default itself. */
  readonly signedBy?: Certificate;
}

const pem = (what: string, bytes: Buffer): string =>
  `-----BEGIN ${what}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${what}-----\n`;

/** Make one. */
export function makeCertificate(request: CertificateRequest): Certificate {
  const { name, hosts = ['localhost', '127.0.0.1'], isRoot = false, signedBy } = request;
  const { from_ms = Date.now() - 3.6e6, until_ms = Date.now() + 8.64e7 } = request;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer: KeyObject =
    signedBy === undefined ? pair.privateKey : createPrivateKey(signedBy.key);
  const serial = randomBytes(8);
  serial[0] = (serial[0] & 0x7f) | 0x40; // positive, and no leading zero
  const constraints = isRoot ? sequence(TRUE) : sequence();
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // v3
    der(0x02, serial),
    ECDSA_SHA256,
    named(signedBy?.name ?? name),
    sequence(time(from_ms), time(until_ms)),
    named(name),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension(BASIC_CONSTRAINTS, true, constraints), alternativeNames(hosts))),
  );
  const signature = sign('sha256', body, signer); // DER by default, as X.509 wants it
  const bits = der(0x03, Buffer.from([0]), signature);
  return {
    certificate: pem('CERTIFICATE', sequence(body, ECDSA_SHA256, bits)),
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    name,
  };
}
