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
  /** Whether an attribute of the subject is the uid of the user (`AllowParsingUserUIDFromCertAuth`). */
  readonly readsUid?: boolean;
  /** Called for each request with the remaining validity of its certificate, milliseconds. */
  readonly observe?: (remaining: number) => void;
}

/**
 * Authenticates by client certificate: the common name is the user name, each organization a group.
 */
export function clientCertificateAuthenticator({
  authorities,
  now,
  readsUid = false,
  observe,
}: ClientCertificateOptions): Authenticator {
  const verify = createPeerVerifier({
    authorities,
    now,
    describe: (leaf) => ({ authenticated: { user: userOf(leaf, readsUid) }, notAfter: leaf.notAfter }),
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

function userOf({ x509 }: Certificate, readsUid: boolean) {
  const { commonName, organizations, uids } = subjectOf(x509);
  if (commonName === '') throw new Error('the subject has no common name');
  const hash = createHash('sha256').update(x509.raw).digest('hex');
  return authenticatedUser(
    commonName,
    readsUid ? uidOf(uids) : '',
    organizations,
    new Map([[CREDENTIAL_ID_KEY, [`X509SHA256=${hash}`]]]),
  );
}

/** @throws Error for several, and for an empty one */
function uidOf(uids: readonly string[]): string {
  if (uids.length > 1) throw new Error(`expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  if (uids[0] === '') throw new Error('UID cannot be an empty string');
  return uids[0] ?? '';
}
