/** TLS of the web face: options for its https server, and certificates that are exchanged while it serves. */
import type { ServerOptions } from 'node:https';
import { createSecureContext, type SecureContext, type Server } from 'node:tls';
import {
  contextOptions,
  cutUnproven,
  listenerOptions,
  type TlsMaterial,
} from '../../hil/access/tls.ts';

/** TLS options and certificates of the web server. Open connections keep the certificate that they began with. */
export class TlsContext {
  /** For `https` of Fastify. A server on `localhost` has a second listener, which has the name of its caller to choose by. */
  readonly options: ServerOptions;
  #material: TlsMaterial;
  #context: SecureContext;
  #server: Server | null = null;

  constructor(material: TlsMaterial) {
    this.#material = material;
    this.#context = createSecureContext(contextOptions(material));
    this.options = {
      ...listenerOptions(material),
      SNICallback: (_name, done) => done(null, this.#context),
    };
  }

  /** Certificate and key of new connections. */
  get material(): TlsMaterial {
    return this.#material;
  }

  /** The server that was made with the options. */
  attach(server: Server): void {
    this.#server = server;
    server.on('secureConnection', cutUnproven);
  }

  /** Another certificate for later connections. */
  exchange(material: TlsMaterial): void {
    this.#material = material;
    this.#context = createSecureContext(contextOptions(material));
    this.#server?.setSecureContext(contextOptions(material));
  }
}
