/** The reason that is given for clearing a latched fault: it stands in the audit log and in the recording. */
import { Type } from 'typebox';

export const REASON_LENGTH = 200;

/** As a field of a request. */
export const ClearReason = Type.String({
  minLength: 1,
  maxLength: REASON_LENGTH,
  description:
    'Why a latched fault is cleared: must be given while there is one. Not blank, no control characters; blanks around it are left out.',
});

/** Checks what the schema does not. @returns the end of a sentence, or null */
export function reasonFault(reason: string | undefined): string | null {
  if (reason === undefined) return null;
  if (reason.trim() === '') return 'must not be blank.';
  return /\p{Cc}/u.test(reason) ? 'must not have control characters.' : null;
}
