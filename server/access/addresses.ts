/** Where the service listens: what may be reached from other machines, and that its two ports are two. */
import type { Settings } from '../../config/settings.ts';
import { usesTls } from '../../hil/access/tls.ts';
import { BerthError } from '../../src/base/errors.ts';

/** Whether a host name only reaches this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127[.]\d+[.]\d+[.]\d+$/.test(host);
}

type Listener = Pick<Settings['server'], 'host' | 'tls' | 'insecure'>;

/** Whether two listeners on one port would be in each other's way. */
function overlap(a: string, b: string): boolean {
  const everywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';
  return a === b || everywhere(a) || everywhere(b) || (isLoopback(a) && isLoopback(b));
}

/** Addresses that other machines can reach use TLS, unless the settings allow plain connections. */
function checkSecrecy(group: 'server' | 'robot', { host, tls, insecure }: Listener): void {
  if (isLoopback(host) || usesTls(tls) || insecure) return;
  const files = `${group}.tls.certificate and ${group}.tls.key`;
  throw new BerthError(
    'BERTH_TLS',
    `${group}.host: others can reach ${host}, and without TLS anybody on the way can listen; set ${files}, or ${group}.insecure: true where nobody else is on that network`,
    { field: `${group}.host` },
  );
}

/**
 * Addresses that other machines can reach must require a key and use TLS; two listeners need two ports.
 * @throws BerthError naming the setting
 */
export function checkAddresses({ server, robot }: Settings): void {
  if (Object.values(server.keys).length === 0 && !isLoopback(server.host)) {
    throw new BerthError(
      'BERTH_AUTH',
      `server.keys: at least one key is needed when server.host is ${server.host}, because others can reach it`,
      { field: 'server.keys' },
    );
  }
  checkSecrecy('server', server);
  if (robot.transport !== 'websocket') return;
  if (robot.key === '' && !isLoopback(robot.host)) {
    throw new BerthError(
      'BERTH_AUTH',
      `robot.key: a key is needed when robot.host is ${robot.host}, because others can reach it`,
      { field: 'robot.key' },
    );
  }
  checkSecrecy('robot', robot);
  if (server.port === robot.port && server.port !== 0 && overlap(server.host, robot.host)) {
    throw new BerthError(
      'BERTH_PORT_IN_USE',
      `server.port: ${server.port} is robot.port too; choose another for one of them (0: any free port)`,
      { field: 'server.port' },
    );
  }
}
