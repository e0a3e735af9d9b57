/** Small controls that work without the space bar, which is STOP: Enter presses them. */
import type { JSX } from 'preact';

export interface ChoiceProps<Key extends string> {
  readonly label: string;
  readonly options: readonly { readonly key: Key; readonly text: string; readonly hint: string }[];
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}

/** Selection of one of a few options, side by side. */
export function Choice<Key extends string>({
  label,
  options,
  chosen,
  onChoose,
}: ChoiceProps<Key>): JSX.Element {
  return (
    <div class="choice" role="group" aria-label={label}>
      <span class="choice-label">{label}</span>
      <div class="choice-row">
        {options.map(({ key, text, hint }) => (
          <button
            key={key}
            type="button"
            title={hint}
            aria-pressed={key === chosen}
            onClick={() => onChoose(key)}
          >
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

export interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly disabled?: boolean;
  readonly onToggle: () => void;
}

export function Switch({ label, on, disabled, onToggle }: SwitchProps): JSX.Element {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-label={label}
      aria-checked={on}
      disabled={disabled}
      onClick={onToggle}
    >
      {on ? 'on' : 'off'}
    </button>
  );
}

/** A lamp, lit or not. Its word and its shape show that as well as its colour. */
export function Lamp({
  lit,
  text,
  id,
}: {
  readonly lit: boolean;
  readonly text: string;
  readonly id?: string;
}): JSX.Element {
  return (
    <span class="lamp" data-lit={lit} id={id}>
      <span aria-hidden="true">{lit ? '●' : '○'}</span> {text}
    </span>
  );
}
