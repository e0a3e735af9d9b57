/**
 * Certificate and key of a listener, read from the files that its settings name. What is wrong with one is reported with
 * setting, file and cause, before anything listens; after a reload the old ones stay in use instead.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type TlsOptions, TLSSocket } from 'node:tls';
import type { TlsSettings } from '../../config/tls-schema.ts';
import { BerthError, type BerthErrorCode } from '../../src/base/errors.ts';

/** Whose TLS, as the settings name it. */
export type TlsGroup = 'server.tls' | 'robot.tls';

/** What a listener needs; plain data, so that it can go to a worker. */
export interface TlsMaterial {
  readonly certificate: string;
  readonly key: string;
  /** Roots of client certificates; '' none is asked for. */
  readonly clientCa: string;
  readonly clientCertificates: TlsSettings['client_certificates'];
  readonly minimumVersion: TlsSettings['minimum_version'];
  /** SHA-256 of the certificate, as browsers show it. */
  readonly fingerprint: string;
  /** End of its validity, ms since 1970. */
  readonly expires_ms: number;
}

/** Whether a listener uses TLS. */
export function usesTls(settings: TlsSettings): boolean {
  return settings.certificate !== '';
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @throws BerthError `group.field: FILE … ` */
function fail(
  code: BerthErrorCode,
  group: TlsGroup,
  field: keyof TlsSettings,
  text: string,
  cause?: unknown,
): never {
  throw new BerthError(code, `${group}.${field}: ${text}`, { field: `${group}.${field}`, cause });
}

function readFile(group: TlsGroup, field: keyof TlsSettings, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') fail('BERTH_MISSING_FILE', group, field, `there is no file "${file}"`);
    return fail('BERTH_MISSING_FILE', group, field, `${file} cannot be read (${message})`, cause);
  }
}

function readCertificates(group: TlsGroup, field: keyof TlsSettings, file: string) {
  const text = readFile(group, field, file);
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) {
    const form = 'expected PEM, "-----BEGIN CERTIFICATE-----"';
    fail('BERTH_TLS', group, field, `${file} holds no certificate; ${form}`);
  }
  try {
    return { text, certificates: blocks.map((block) => new X509Certificate(block)) };
  } catch (cause) {
    const what = (cause as Error).message;
    return fail('BERTH_TLS', group, field, `${file} holds a damaged certificate (${what})`, cause);
  }
}

function readKey(group: TlsGroup, file: string): { text: string; key: KeyObject } {
  const text = readFile(group, 'key', file);
  try {
    return { text, key: createPrivateKey(text) };
  } catch (cause) {
    const locked = text.includes('ENCRYPTED');
    const what = locked
      ? 'is locked by a passphrase; give a key without one, in a file that only the service can read'
      : 'holds no private key; expected PEM, "-----BEGIN PRIVATE KEY-----"';
    return fail('BERTH_TLS', group, 'key', `${file} ${what}`, cause);
  }
}

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/**
 * What the settings name; null without TLS.
 * @param now_ms wall clock, for the validity
 * @throws BerthError naming setting, file and what is wrong with it
 */
export function readTls(
  group: TlsGroup,
  settings: TlsSettings,
  now_ms: number = Date.now(),
): TlsMaterial | null {
  const { certificate, key, client_ca, client_certificates, minimum_version } = settings;
  if (certificate === '') {
    for (const field of ['key', 'client_ca'] as const) {
      if (settings[field] !== '') {
        const text = `is empty; allowed with ${group}.${field} ${settings[field]}: a PEM file`;
        fail('BERTH_MISSING_FIELD', group, 'certificate', text);
      }
    }
    if (client_certificates === 'none') return null;
    const text = `is empty; allowed with ${group}.client_certificates ${client_certificates}: a PEM file`;
    fail('BERTH_MISSING_FIELD', group, 'certificate', text);
  }
  if (key === '') {
    const text = `is empty; allowed with ${group}.certificate ${certificate}: the PEM file of its private key`;
    fail('BERTH_MISSING_FIELD', group, 'key', text);
  }
  const chain = readCertificates(group, 'certificate', certificate);
  const own = chain.certificates[0];
  const secret = readKey(group, key);
  if (!own.checkPrivateKey(secret.key)) {
    const text = `${key} does not belong to the certificate in ${certificate}`;
    fail('BERTH_MISMATCH', group, 'key', text);
  }
  const [from_ms, expires_ms] = [Date.parse(own.validFrom), Date.parse(own.validTo)];
  if (now_ms > expires_ms) {
    const text = `${certificate} has expired: valid until ${day(expires_ms)} UTC, now ${day(now_ms)}`;
    fail('BERTH_TLS', group, 'certificate', text);
  }
  if (now_ms < from_ms) {
    const text = `${certificate} is not valid yet: from ${day(from_ms)} UTC, now ${day(now_ms)}`;
    fail('BERTH_TLS', group, 'certificate', text);
  }
  if (client_certificates !== 'none' && client_ca === '') {
    const text = `is empty; allowed with client_certificates ${client_certificates}: the PEM file of their roots`;
    fail('BERTH_MISSING_FIELD', group, 'client_ca', text);
  }
  if (client_certificates === 'none' && client_ca !== '') {
    const text = `is none; allowed with ${group}.client_ca ${client_ca}: optional, required`;
    fail('BERTH_MISMATCH', group, 'client_certificates', text);
  }
  const clientCa = client_ca === '' ? '' : readCertificates(group, 'client_ca', client_ca).text;
  const material: TlsMaterial = {
    certificate: chain.text,
    key: secret.text,
    clientCa,
    clientCertificates: client_certificates,
    minimumVersion: minimum_version,
    fingerprint: own.fingerprint256,
    expires_ms,
  };
  try {
    createSecureContext(contextOptions(material));
  } catch (cause) {
    const text = `${certificate} is refused by OpenSSL (${(cause as Error).message})`;
    fail('BERTH_TLS', group, 'certificate', text, cause);
  }
  return material;
}

/** What can be exchanged while a listener serves: for `setSecureContext`. */
export function contextOptions(material: TlsMaterial): TlsOptions {
  const { certificate, key, clientCa, minimumVersion } = material;
  return {
    cert: certificate,
    key,
    ...(clientCa === '' ? {} : { ca: clientCa }),
    minVersion: `TLSv${minimumVersion}`,
  };
}

/** Options of an https server. HTTP/2 is not supported. */
export function listenerOptions(material: TlsMaterial): TlsOptions {
  return {
    ...contextOptions(material),
    requestCert: material.clientCertificates !== 'none',
    rejectUnauthorized: material.clientCertificates === 'required',
    ALPNProtocols: ['http/1.1'],
  };
}

/** For a server's `secureConnection`: where certificates are optional, one that does not prove itself is worse than none. */
export function cutUnproven(socket: TLSSocket): void {
  const shown = Object.keys(socket.getPeerCertificate()).length > 0;
  if (shown && !socket.authorized) socket.destroy();
}

/** Common name of the certificate that a client has shown and proven; null without. */
export function clientName(socket: unknown): string | null {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null;
  const { subject } = socket.getPeerCertificate() as { subject?: { CN?: string } };
  return subject?.CN?.slice(0, 64) ?? null;
}
