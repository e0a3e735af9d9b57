/** Shows the answer to a key under the header, and takes it away when a key works. */
import { DEADMAN_KEY } from '../../client/devices/key-axes.ts';
import { whyDeadman } from '../devices/deadman.tsx';
import { inUse, isKeyDown, onKey } from '../devices/hand.ts';
import { hash } from '../router.ts';
import { authority, holding, notification, notify, operator, status } from '../store.ts';
import { answerTo, keyName } from './key-answers.ts';

let shown = '';

/** Answers keys on the fly page. */
export function answerKeys(): void {
  onKey(({ code, key }) => {
    if (hash.peek() !== '#/fly' || status.peek() === null) return;
    const device = inUse.peek();
    const text = answerTo(code, keyName(code, key), {
      otherDevice: device === null || device.kind === 'keyboard' ? null : device.name,
      operates: operator.peek() !== null,
      holder: authority.peek().holder,
      holds: holding.peek(),
      shift: isKeyDown(DEADMAN_KEY),
      trouble: whyDeadman(),
      state: status.peek()?.state ?? '',
    });
    if (text !== '') notify(text, 'info');
    else if (shown !== '' && notification.peek().text === shown) notify('', 'info');
    shown = text;
  });
}
