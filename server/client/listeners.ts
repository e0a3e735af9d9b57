/** Listeners of named events, typed by a map from event to content. */

/** Ends the calls of a listener. */
export type Unsubscribe = () => void;

export class Listeners<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Calls `listener` at every later event of that name. */
  on<Name extends keyof Events>(event: Name, listener: (value: Events[Name]) => void): Unsubscribe {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set.add(listener));
    return () => set.delete(listener);
  }

  emit<Name extends keyof Events>(event: Name, value: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(value as never);
  }
}
