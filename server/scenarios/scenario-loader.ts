/** Loads a scenario that a client asks for: one of the list and no other file. Authority is free afterwards. */
import { BerthError } from '../../src/base/errors.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import type { ScenarioList } from './scenario-list.ts';

/** What is asked for; what is left out stays as it is. Nothing at all goes back to the start. */
export interface LoadWish {
  readonly scenario?: string | undefined;
  readonly mode?: string | undefined;
}

/** Puts the service's own robot where a scenario begins. */
export type PlaceRobot = (scenario: string) => Promise<void>;

/** Refuses a scenario that this machine is too slow for. @throws BerthError */
export type CheckPace = (scenario: string) => Promise<void>;

/** What a service does beside the load itself; what is left out is not done. */
export interface LoadHelp {
  readonly placeRobot?: PlaceRobot;
  readonly checkPace?: CheckPace;
}

export class ScenarioLoader {
  readonly #runtime: Runtime;
  readonly #list: ScenarioList;
  readonly #help: LoadHelp;
  /** A loop of another load runs, without a holder of authority. */
  onLoaded: () => void = () => undefined;

  constructor(runtime: Runtime, list: ScenarioList, help: LoadHelp) {
    this.#runtime = runtime;
    this.#list = list;
    this.#help = help;
  }

  /** What a wish comes to, for the audit log. */
  meant({ scenario, mode }: LoadWish): { scenario: string; mode: string } {
    return {
      scenario: scenario ?? this.#runtime.scenario,
      mode: mode ?? this.#runtime.mode,
    };
  }

  /** @throws BerthError for a name that is not in the list, and why the scenario cannot be loaded now */
  async load(wish: LoadWish): Promise<void> {
    const { scenario, mode } = this.meant(wish);
    // the loaded one can be loaded again whatever became of the list
    if (wish.scenario !== undefined && this.#list.find(wish.scenario) === undefined) {
      const text = `No scenario is named "${wish.scenario}"; there are ${this.#list.names().join(', ')}.`;
      throw new BerthError('BERTH_UNKNOWN_NAME', text, { field: 'scenario' });
    }
    await this.#help.checkPace?.(scenario);
    await this.#runtime.load(scenario, mode);
    this.onLoaded();
    await this.#help.placeRobot?.(scenario);
  }
}
