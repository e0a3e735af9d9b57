/** Settings of TLS, the same for the pages and sockets (`server.tls`) and for the robot link (`robot.tls`). */
import { type Static, Type } from 'typebox';
import { strict } from './fields.ts';

export const TlsSchema = Type.Object(
  {
    /** PEM file with the certificate, then those that lead to its root; empty: no TLS. */
    certificate: Type.String({ default: '' }),
    /** PEM file with its private key. */
    key: Type.String({ default: '' }),
    /** PEM file with the roots of client certificates. */
    client_ca: Type.String({ default: '' }),
    /** Whether clients must present a certificate, and whether they are admitted without one. */
    client_certificates: Type.Union(
      [Type.Literal('none'), Type.Literal('optional'), Type.Literal('required')],
      { default: 'none' },
    ),
    /** Oldest supported version. */
    minimum_version: Type.Union([Type.Literal('1.2'), Type.Literal('1.3')], { default: '1.2' }),
  },
  { ...strict, default: {} },
);

/** One listener's TLS. */
export type TlsSettings = Static<typeof TlsSchema>;
