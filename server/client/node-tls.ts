/**
 * Certificates that a client in Node trusts. Names are checked, except when the service presents
 * the given certificate itself: that file identifies the service, and its names need not include
 * the address used.
 */
import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { text } from 'node:stream/consumers';
import type { FetchLike, TlsTrust } from './wire.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Options of a TLS connection. @throws Error for invalid certificates */
export function tlsOptions({ ca, certificate, key }: TlsTrust): ConnectionOptions {
  const given = (ca?.match(BLOCK) ?? []).map((one) => new X509Certificate(one).fingerprint256);
  return {
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    checkServerIdentity: (name, peer) =>
      given.includes(peer.fingerprint256) ? undefined : checkServerIdentity(name, peer),
  };
}

/** `fetch` over https with its own trust, as far as a client needs it; plain http is unchanged. */
export function trustingFetch(trust: TlsTrust): FetchLike {
  return (url, { method, headers, body, signal }) => {
    if (!url.startsWith('https:')) return fetch(url, { method, headers, body, signal });
    return new Promise((resolve, reject) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      const options = { method, headers: { ...headers, ...length }, signal, agent: false as const };
      const sent = request(url, { ...options, ...tlsOptions(trust) }, (response) => {
        const status = response.statusCode ?? 0;
        const json = async (): Promise<unknown> => JSON.parse(await text(response));
        resolve({ ok: status >= 200 && status < 300, status, json });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  };
}
