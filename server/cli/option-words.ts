/** What is wrong with an option, in the words of the command line: Node's own sentences name neither what is near nor what is allowed. */
import { nearest } from '../../config/read.ts';

/** Options that a usage names; what it says of other commands is in quotes. */
export function optionsOf(usage: string): string[] {
  const plain = usage.replaceAll(/"[^"]*"/g, '');
  return [...new Set(plain.match(/--[a-z][a-z-]*/g) ?? [])];
}

/** The sentence for an error of `parseArgs`; null for any other error. */
export function optionWords(error: unknown, usage: string): string | null {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const option = /'(-[^' ]*)/.exec(message)?.[1] ?? '';
  const long = /(--[^' ,]+)/.exec(message)?.[1] ?? option;
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return `${option} is no option; ${allowed(option, optionsOf(usage))}`;
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      if (message.includes('does not take')) return `${long} takes no value; write ${long} alone`;
      return message.includes('ambiguous')
        ? `${long} has no value before the next option; write ${long}=VALUE for one that begins with "-"`
        : `${long} has no value; write ${long} VALUE`;
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return `"${/'([^']*)'/.exec(message)?.[1] ?? ''}" is no option; allowed: ${optionsOf(usage).join(', ')}`;
    default:
      return null;
  }
}

function allowed(option: string, known: readonly string[]): string {
  const near = nearest(option, known);
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return `allowed: ${known.length > 0 ? known.join(', ') : 'none'}`;
}
