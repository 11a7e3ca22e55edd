import type { PeerCertificate } from 'node:tls';
import { type Certificate, readCertificate } from '../../pki/certificate.ts';
import { CLIENT_AUTHENTICATION, verifyChain } from '../../pki/verify-chain.ts';
import { AuthenticationError } from '../../request/authenticator.ts';

/** A chain that was refused is not checked again for so long; it may become valid, or its authority known. */
const REFUSAL_MILLISECONDS = 10_000;

interface Verdict<Answer> {
  readonly authorities: readonly Certificate[];
  readonly answer: Answer | AuthenticationError;
  /** Milliseconds between which the answer holds. */
  readonly from: number;
  readonly until: number;
}

export interface PeerVerifierOptions<Answer> {
  /** The authorities of now; another list makes every connection be checked anew. */
  readonly authorities: () => readonly Certificate[];
  /** Wall clock, milliseconds. */
  readonly now: () => number;
  /** What a verified certificate stands for. @throws Error when it stands for nothing */
  readonly describe: (leaf: Certificate) => Answer & object;
}

/**
 * Verifies what peers of connections present. A connection is checked once: the verdict is kept with its list
 * of certificates, so the same list must be given for all requests of a connection.
 * @returns a function that answers what `describe` made of the leaf, and throws AuthenticationError for a
 * chain that doesn't hold
 */
export function createPeerVerifier<Answer>({
  authorities,
  now,
  describe,
}: PeerVerifierOptions<Answer>): (peers: readonly PeerCertificate[]) => Answer {
  const verdicts = new WeakMap<readonly PeerCertificate[], Verdict<Answer>>();

  const judge = (
    peers: readonly PeerCertificate[],
    current: readonly Certificate[],
    time: number,
  ): Verdict<Answer> => {
    try {
      const [leaf, ...intermediates] = peers.map(({ raw }) => readCertificate(raw));
      const chain = verifyChain(leaf!, {
        authorities: current,
        intermediates,
        now: time,
        purpose: CLIENT_AUTHENTICATION,
      });
      return {
        authorities: current,
        answer: describe(leaf!),
        from: Math.max(...chain.map(({ notBefore }) => notBefore)),
        until: Math.min(...chain.map(({ notAfter }) => notAfter)),
      };
    } catch (error) {
      return {
        authorities: current,
        answer: new AuthenticationError(`x509: ${(error as Error).message}`),
        from: time,
        until: time + REFUSAL_MILLISECONDS,
      };
    }
  };

  return (peers) => {
    const time = now();
    const current = authorities();
    let verdict = verdicts.get(peers);
    if (
      verdict === undefined ||
      verdict.authorities !== current ||
      time < verdict.from ||
      time > verdict.until
    ) {
      verdict = judge(peers, current, time);
      verdicts.set(peers, verdict);
    }
    if (verdict.answer instanceof AuthenticationError) throw verdict.answer;
    return verdict.answer;
  };
}
