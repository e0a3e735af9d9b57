/** `berth/client` in Node: as in a browser, over `ws`, with the Origin that the service requires. */
import { WebSocket } from 'ws';
import { tlsOptions, trustingFetch } from './node-tls.ts';
import { usePlatformSocket, useTrustingPlatform } from './wire.ts';

export * from './browser.ts';

/** Origin of the service, which a page of the service would have. */
const originOf = (url: string): string => new URL(url.replace(/^ws/, 'http')).origin;

class OriginSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol, { origin: originOf(url) });
  }
}
usePlatformSocket(OriginSocket);
useTrustingPlatform((trust) => ({
  WebSocket: class extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol, { origin: originOf(url), ...tlsOptions(trust) });
    }
  },
  fetch: trustingFetch(trust),
}));
