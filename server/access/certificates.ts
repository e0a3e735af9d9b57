/**
 * Certificates of both listeners while the service runs: read again when a file of theirs changes or on request, and exchanged
 * for later connections. What cannot be used is reported, written down, and leaves the old one in use.
 */
import { unwatchFile, watchFile } from 'node:fs';
import type { Settings } from '../../config/settings.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { readTls, type TlsGroup, type TlsMaterial, usesTls } from '../../hil/access/tls.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { AuditSink } from '../audit/audit-sink.ts';
import type { ServerCounters } from '../metrics/metrics-families.ts';
import type { TlsContext } from './tls-context.ts';

/** How often files are checked, ms; polled, for a renewed file is another file of the same name, often behind a link. */
const CHECK_MS = 2000;
/** From the first change to the reading, ms: certificate and key are two files. */
const SETTLE_MS = 500;

export interface CertificateParts {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly tls: TlsContext | null;
  readonly counters: ServerCounters;
  readonly audit: AuditSink;
  /** A line for the log of the service. */
  readonly onNote: (text: string) => void;
}

export class Certificates {
  readonly #parts: CertificateParts;
  readonly #inUse = new Map<TlsGroup, TlsMaterial>();
  readonly #files: string[] = [];
  readonly #changed = (): void => {
    this.#timer ??= setTimeout(() => this.reload(), SETTLE_MS).unref();
  };
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: CertificateParts) {
    this.#parts = parts;
    const { server, robot } = parts.settings;
    if (parts.tls !== null) this.#use('server.tls', parts.tls.material);
    if (robot.transport === 'websocket') {
      const material = readTls('robot.tls', robot.tls);
      if (material !== null) this.#use('robot.tls', material);
    }
    for (const { certificate, key, client_ca } of [server.tls, robot.tls]) {
      this.#files.push(...[certificate, key, client_ca].filter((file) => file !== ''));
    }
    const options = { interval: CHECK_MS, persistent: false };
    for (const file of this.#files) watchFile(file, options, this.#changed);
  }

  /** Read the files again. @returns what was exchanged */
  reload(): TlsGroup[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { settings, tls, runtime } = this.#parts;
    const server = this.#exchange('server.tls', settings.server.tls, (fresh) =>
      tls?.exchange(fresh),
    );
    const robot = this.#exchange('robot.tls', settings.robot.tls, (fresh) =>
      runtime.exchangeTls?.(fresh),
    );
    return [...server, ...robot];
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const file of this.#files) unwatchFile(file, this.#changed);
  }

  #use(group: TlsGroup, material: TlsMaterial): void {
    this.#inUse.set(group, material);
    const listener = group === 'server.tls' ? 'server' : 'robot';
    const { counters } = this.#parts;
    counters.set('tls_certificate_expiry_timestamp_seconds', material.expires_ms / 1000, listener);
  }

  #exchange(
    group: TlsGroup,
    settings: Settings['server']['tls'],
    exchange: (fresh: TlsMaterial) => void,
  ): TlsGroup[] {
    const old = this.#inUse.get(group);
    if (old === undefined || !usesTls(settings)) return [];
    const { audit, onNote, counters } = this.#parts;
    const written = { actor: 'server', action: 'tls.reload' };
    try {
      const fresh = readTls(group, settings)!;
      if (JSON.stringify(fresh) === JSON.stringify(old)) return [];
      exchange(fresh);
      this.#use(group, fresh);
      const until = new Date(fresh.expires_ms).toISOString();
      audit.write({
        ...written,
        result: 'ok',
        detail: { setting: group, fingerprint: fresh.fingerprint, until },
      });
      onNote(`${group}: a new certificate is in use, valid until ${until}`);
      return [group];
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      counters.add('tls_reload_failures_total', 1, group === 'server.tls' ? 'server' : 'robot');
      audit.write({ ...written, result: error.code, detail: { setting: group } });
      onNote(`${error.message}; the old certificate stays in use`);
      return [];
    }
  }
}
