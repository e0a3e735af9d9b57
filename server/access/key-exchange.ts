/**
 * Keys of fresh settings, taken while the service runs: tickets and sockets of a key that is changed or gone end, and that
 * is written down. The robot's key is taken when nothing moves, for its session has to begin anew.
 */
import type { Settings } from '../../config/settings.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { BerthError } from '../../src/base/errors.ts';
import { checkAddresses } from './addresses.ts';
import type { AuditSink } from '../audit/audit-sink.ts';
import type { AccessControl } from './auth.ts';
import type { KeyGuesses } from '../../hil/access/key-guesses.ts';

export interface KeyExchangeParts {
  readonly access: AccessControl;
  readonly runtime: Runtime;
  readonly audit: AuditSink;
  readonly guesses: KeyGuesses;
  /** Ends sockets whose key is right no more. @returns how many */
  readonly endSockets: () => number;
  /** A loop that begins anew has no holder. */
  readonly dropAuthority: () => void;
}

export class KeyExchange {
  readonly #parts: KeyExchangeParts;

  constructor(parts: KeyExchangeParts) {
    this.#parts = parts;
  }

  /**
   * Take the keys of `fresh` into `settings`, which all else reads.
   * @returns lines for the log of the service
   * @throws BerthError when the fresh keys would leave an address open; then none is taken
   */
  async exchange(settings: Settings, fresh: Settings): Promise<string[]> {
    const { server, robot } = settings;
    checkAddresses({
      ...settings,
      server: { ...server, keys: fresh.server.keys },
      robot: { ...robot, key: fresh.robot.key },
    });
    return [...this.#roleKeys(settings, fresh), ...(await this.#robotKey(settings, fresh))];
  }

  #roleKeys(settings: Settings, fresh: Settings): string[] {
    const { access, audit, guesses, endSockets } = this.#parts;
    const changed = access.exchangeKeys(fresh.server.keys);
    if (changed.length === 0) return [];
    settings.server.keys = fresh.server.keys;
    guesses.forget();
    const sockets = endSockets();
    const detail = { roles: changed, sockets };
    audit.write({ actor: 'server', action: 'keys.change', result: 'ok', detail });
    return [`server.keys: new keys of ${changed.join(', ')}; ${sockets} sockets of old ones ended`];
  }

  async #robotKey(settings: Settings, fresh: Settings): Promise<string[]> {
    const { runtime, audit, dropAuthority } = this.#parts;
    const { key } = fresh.robot;
    if (key === settings.robot.key || settings.robot.transport === 'none') return [];
    const detail = { setting: 'robot.key' };
    const written = { actor: 'server', action: 'keys.change', detail };
    try {
      if (settings.robot.emulate) {
        const text = 'robot.key: the emulated robot of this service has the old one; start again';
        throw new BerthError('BERTH_WRONG_STATE', text, { field: 'robot.key' });
      }
      await runtime.exchangeRobotKey?.(key);
      dropAuthority();
      settings.robot.key = key;
      audit.write({ ...written, result: 'ok' });
      return ['robot.key: a new key; the robot has to connect with it'];
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      audit.write({ ...written, result: error.code });
      return [`${error.message}; the old key stays`];
    }
  }
}
