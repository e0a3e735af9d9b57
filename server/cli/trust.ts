/**
 * Options of commands that connect over TLS: trusted roots, and the certificate that the command
 * presents.
 */
import { readFileSync } from 'node:fs';
import { BerthError } from '../../src/base/errors.ts';
import type { TlsTrust } from '../client/node.ts';

/** For `parseArgs`. */
export const TRUST_OPTIONS = {
  ca: { type: 'string' },
  certificate: { type: 'string' },
  'certificate-key': { type: 'string' },
} as const;

type TrustValues = { readonly [Name in keyof typeof TRUST_OPTIONS]?: string | undefined };

function read(option: keyof TrustValues, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const why = (cause as Error).message;
    throw new BerthError('BERTH_MISSING_FILE', `--${option}: ${file} cannot be read (${why})`, {
      field: option,
      cause,
    });
  }
  if (text.includes('-----BEGIN ')) return text;
  throw new BerthError('BERTH_USAGE', `--${option}: ${file} is no PEM file`, { field: option });
}

/**
 * Certificates and keys of the files; undefined without any. @throws BerthError naming option and
 * file
 */
export function readTrust(values: TrustValues): TlsTrust | undefined {
  const ca = read('ca', values.ca);
  const certificate = read('certificate', values.certificate);
  const key = read('certificate-key', values['certificate-key']);
  if ((certificate === undefined) !== (key === undefined)) {
    const text = '--certificate and --certificate-key belong together; one of them is missing';
    throw new BerthError('BERTH_USAGE', text, { field: 'certificate' });
  }
  if (ca === undefined && certificate === undefined) return undefined;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
  };
}
