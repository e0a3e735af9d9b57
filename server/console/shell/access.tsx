/** Role key: needed for services with keys, stored in the memory of this page only. */
import { effect, signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Role } from '../../client/messages.ts';
import { connect } from '../connect.ts';
import { access, keyNeeded, notify } from '../store.ts';

const open = signal(false);
effect(() => {
  if (keyNeeded.value) open.value = true;
});

export function AccessButton(): JSX.Element {
  return (
    <div class="access">
      <button
        id="access"
        class="quiet"
        type="button"
        aria-expanded={open.value}
        aria-controls="key-form"
        onClick={() => (open.value = !open.value)}
      >
        Access
      </button>
      {open.value ? <KeyForm /> : null}
    </div>
  );
}

function KeyForm(): JSX.Element {
  const use = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    access.value = { key: form.get('key') as string, role: form.get('role') as Role };
    notify('', 'info');
    open.value = false;
    connect();
  };
  return (
    <form id="key-form" onSubmit={use}>
      <label>
        Key (kept in this page only)
        <input name="key" type="password" autocomplete="off" defaultValue={access.value.key} />
      </label>
      <label>
        As
        <select name="role" defaultValue={access.value.role}>
          <option value="viewer">viewer: look and stop</option>
          <option value="operator">operator: fly</option>
          <option value="supervisor">supervisor: take over</option>
        </select>
      </label>
      <button type="submit">Use</button>
    </form>
  );
}
