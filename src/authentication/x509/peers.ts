import type { X509Certificate } from 'node:crypto';
import { type Certificate, readCertificate } from '../../pki/certificate.ts';
import { CLIENT_AUTHENTICATION, verifyChain } from '../../pki/verify-chain.ts';
import { AuthenticationError } from '../../request/authenticator.ts';
import type { ProcessClock } from '../../time/clock.ts';

/** Time to live of a rejection: the chain may become valid, or its CA known. */
const REJECTION_MILLISECONDS = 10_000;

interface Verification<Result> {
  readonly authorities: readonly Certificate[];
  readonly result: Result | AuthenticationError;
  /** Validity of the result, milliseconds. */
  readonly from: number;
  readonly until: number;
}

export interface PeerVerifierOptions<Result> {
  /** The current CAs; another array invalidates the cached results of connections. */
  readonly authorities: () => readonly Certificate[];
  /** Wall clock of the process, milliseconds. */
  readonly now: ProcessClock['now'];
  /** Maps a verified certificate to a result. @throws Error for an unacceptable certificate */
  readonly describe: (leaf: Certificate) => Result & object;
}

/**
 * Verifies peer certificates. The result is cached by the array of certificates, so all requests of a
 * connection must pass the same array.
 * @returns a function that returns the result of `describe` for the leaf, and throws AuthenticationError for
 * an invalid chain
 */
export function createPeerVerifier<Result>({
  authorities,
  now,
  describe,
}: PeerVerifierOptions<Result>): (peers: readonly X509Certificate[]) => Result {
  const verifications = new WeakMap<readonly X509Certificate[], Verification<Result>>();

  const verifyPeers = (
    peers: readonly X509Certificate[],
    current: readonly Certificate[],
    time: number,
  ): Verification<Result> => {
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
        result: describe(leaf!),
        from: Math.max(...chain.map(({ notBefore }) => notBefore)),
        until: Math.min(...chain.map(({ notAfter }) => notAfter)),
      };
    } catch (error) {
      return {
        authorities: current,
        result: new AuthenticationError(`x509: ${(error as Error).message}`),
        from: time,
        until: time + REJECTION_MILLISECONDS,
      };
    }
  };

  return (peers) => {
    const time = now();
    const current = authorities();
    let verification = verifications.get(peers);
    if (
      verification === undefined ||
      verification.authorities !== current ||
      time < verification.from ||
      time > verification.until
    ) {
      verification = verifyPeers(peers, current, time);
      verifications.set(peers, verification);
    }
    if (verification.result instanceof AuthenticationError) throw verification.result;
    return verification.result;
  };
}
