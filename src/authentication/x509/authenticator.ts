import { createHash, type X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';
import { type Authenticated, AuthenticationError, type Authenticator } from '../../request/authenticator.ts';
import { authenticatedUser, CREDENTIAL_ID_KEY } from '../user.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { CLIENT_AUTHENTICATION, verifyChain } from './chain.ts';

/** A chain that was refused is not checked again for so long; it may become valid, or its authority known. */
const REFUSAL_MILLISECONDS = 10_000;

interface Verdict {
  readonly authorities: readonly Certificate[];
  readonly answer: Authenticated | Error;
  /** Milliseconds between which the answer holds. */
  readonly from: number;
  readonly until: number;
}

export interface ClientCertificateOptions {
  /** The authorities of now; another list makes every connection be checked anew. */
  readonly authorities: () => readonly Certificate[];
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

/**
 * Authenticates by client certificate: the common name is the user, each organization a group. A connection is checked once: the
 * verdict is kept with its list of certificates, so the same list must be given for all requests of a connection.
 */
export function clientCertificates({ authorities, now }: ClientCertificateOptions): Authenticator {
  const verdicts = new WeakMap<readonly PeerCertificate[], Verdict>();
  return {
    name: 'x509',
    authenticate({ peerCertificates }) {
      if (peerCertificates === undefined || peerCertificates.length === 0) return undefined;
      const time = now();
      const current = authorities();
      let verdict = verdicts.get(peerCertificates);
      if (verdict === undefined || verdict.authorities !== current || time < verdict.from || time > verdict.until) {
        verdict = judge(peerCertificates, current, time);
        verdicts.set(peerCertificates, verdict);
      }
      if (verdict.answer instanceof Error) throw verdict.answer;
      return verdict.answer;
    },
  };
}

function judge(peers: readonly PeerCertificate[], authorities: readonly Certificate[], now: number): Verdict {
  try {
    const [leaf, ...intermediates] = peers.map(({ raw }) => readCertificate(raw));
    const chain = verifyChain(leaf!, { authorities, intermediates, now, purpose: CLIENT_AUTHENTICATION });
    return {
      authorities,
      answer: { user: userOf(leaf!.x509) },
      from: Math.max(...chain.map(({ notBefore }) => notBefore)),
      until: Math.min(...chain.map(({ notAfter }) => notAfter)),
    };
  } catch (error) {
    return { authorities, answer: new AuthenticationError(`x509: ${(error as Error).message}`), from: now, until: now + REFUSAL_MILLISECONDS };
  }
}

/** Attributes of a subject; one that occurs several times is a list. */
type Subject = Readonly<Record<string, string | readonly string[] | undefined>>;

function userOf(x509: X509Certificate) {
  const subject = x509.toLegacyObject().subject as unknown as Subject | undefined;
  const name = listOf(subject?.CN).at(-1) ?? '';
  if (name === '') throw new Error('the subject has no common name');
  const hash = createHash('sha256').update(x509.raw).digest('hex');
  return authenticatedUser(name, '', listOf(subject?.O), new Map([[CREDENTIAL_ID_KEY, [`X509SHA256=${hash}`]]]));
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] => (value === undefined ? [] : typeof value === 'string' ? [value] : value);
