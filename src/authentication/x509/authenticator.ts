import { createHash } from 'node:crypto';
import type { Certificate } from '../../pki/certificate.ts';
import type { Authenticator } from '../../request/authenticator.ts';
import type { ProcessClock } from '../../time/clock.ts';
import { authenticatedUser, CREDENTIAL_ID_KEY } from '../user.ts';
import { createPeerVerifier } from './peers.ts';
import { subjectOf } from './subject.ts';

export interface ClientCertificateOptions {
  /** The current CAs; another array invalidates the cached results of connections. */
  readonly authorities: () => readonly Certificate[];
  /** Wall clock of the process, milliseconds. */
  readonly now: ProcessClock['now'];
  /** Called for each request with the remaining validity of its certificate, milliseconds. */
  readonly observe?: (remaining: number) => void;
}

/**
 * Authenticates by client certificate: the common name is the user name, each organization a group.
 * Certificates carry no uid in 1.32.
 */
export function clientCertificateAuthenticator({
  authorities,
  now,
  observe,
}: ClientCertificateOptions): Authenticator {
  const verify = createPeerVerifier({
    authorities,
    now,
    describe: (leaf) => ({ authenticated: { user: userOf(leaf) }, notAfter: leaf.notAfter }),
  });
  return {
    name: 'x509',
    authenticate({ peerCertificates }) {
      if (peerCertificates === undefined || peerCertificates.length === 0) return undefined;
      const { authenticated, notAfter } = verify(peerCertificates);
      observe?.(notAfter - now());
      return authenticated;
    },
  };
}

function userOf({ x509 }: Certificate) {
  const { commonName, organizations } = subjectOf(x509);
  if (commonName === '') throw new Error('the subject has no common name');
  const hash = createHash('sha256').update(x509.raw).digest('hex');
  return authenticatedUser(
    commonName,
    '',
    organizations,
    new Map([[CREDENTIAL_ID_KEY, [`X509SHA256=${hash}`]]]),
  );
}
