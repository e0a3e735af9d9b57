/** `berth/client` in Node: the same as in a browser, over `ws`, with the Origin that the service asks for. */
import { WebSocket } from 'ws';
import { usePlatformSocket } from './wire.ts';

export * from './browser.ts';

/** A page of the service has the service's own origin; so has this client. */
class OriginSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol, { origin: new URL(url.replace(/^ws/, 'http')).origin });
  }
}
usePlatformSocket(OriginSocket);
