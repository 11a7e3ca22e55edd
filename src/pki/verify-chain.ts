import { BinnacleError } from '../errors/binnacle-error.ts';
import { type Certificate, EXTENSION, pathLength } from './certificate.ts';

/** Maximum length of a chain, and maximum signature checks per verification. */
const DEPTH_LIMIT = 10;
const SIGNATURE_LIMIT = 100;

/** Purposes of a certificate (extended key usage). */
export const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const ANY_PURPOSE = '2.5.29.37.0';

/**
 * Extensions that this module or the platform checks, or that do not restrict the use of a certificate.
 */
const HANDLED_EXTENSIONS: ReadonlySet<string> = new Set([
  ...Object.values(EXTENSION),
  '2.5.29.14',
  '2.5.29.35',
  '2.5.29.37',
  '2.5.29.31',
  '2.5.29.32',
  '1.3.6.1.5.5.7.1.1',
]);

/** Signature algorithms with broken hashes: MD5 and SHA-1, with RSA and ECDSA. */
const WEAK_SIGNATURES: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10045.4.1',
  '1.3.14.3.2.29',
]);

export class CertificateError extends BinnacleError {
  override name = 'CertificateError';
  readonly code = 'ERR_BINNACLE_CERTIFICATE';
}

export interface ChainOptions {
  readonly authorities: readonly Certificate[];
  /** Intermediate certificates that the peer sent. */
  readonly intermediates: readonly Certificate[];
  /** Wall clock, milliseconds. */
  readonly now: number;
  readonly purpose: string;
}

/**
 * Builds a chain from the leaf to a CA in which every certificate is valid now, allowed for the purpose and
 * signed by the next one, which must be a CA.
 * @returns the chain, leaf first
 * @throws CertificateError with the last failure when there is no valid chain
 */
export function verifyChain(
  leaf: Certificate,
  { authorities, intermediates, now, purpose }: ChainOptions,
): readonly Certificate[] {
  let signatures = 0;
  let failure = 'certificate signed by unknown authority';

  const isUsable = (certificate: Certificate): boolean => {
    const error = errorOf(certificate, now, purpose);
    if (error !== undefined) failure = error;
    return error === undefined;
  };

  const isIssuedBy = (certificate: Certificate, issuer: Certificate, below: number): boolean => {
    if (!issuer.x509.ca || !certificate.x509.checkIssued(issuer.x509)) return false;
    if (
      below > (pathLength(issuer) ?? below) ||
      (issuer.extensions.has(EXTENSION.nameConstraints) && leaf.extensions.has(EXTENSION.alternativeNames))
    ) {
      failure = 'a certificate is not authorized to sign this one';
      return false;
    }
    signatures += 1;
    if (signatures > SIGNATURE_LIMIT) throw new CertificateError('too many signatures to check');
    if (WEAK_SIGNATURES.has(certificate.signatureAlgorithm)) {
      failure = 'a certificate has an insecure signature';
      return false;
    }
    return certificate.x509.verify(issuer.x509.publicKey);
  };

  const extend = (chain: readonly Certificate[]): readonly Certificate[] | undefined => {
    const last = chain.at(-1)!;
    if (!isUsable(last)) return undefined;
    if (authorities.some(({ x509 }) => x509.raw.equals(last.x509.raw))) return chain;
    if (chain.length >= DEPTH_LIMIT) return undefined;
    for (const issuer of [...authorities, ...intermediates]) {
      if (
        chain.some(({ x509 }) => x509.raw.equals(issuer.x509.raw)) ||
        !isIssuedBy(last, issuer, chain.length - 1)
      )
        continue;
      const found = extend([...chain, issuer]);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const chain = extend([leaf]);
  if (chain === undefined) throw new CertificateError(failure);
  return chain;
}

/** Why a certificate is not acceptable in a chain for the purpose; undefined when it is. */
function errorOf(
  { x509, notBefore, notAfter, extensions }: Certificate,
  now: number,
  purpose: string,
): string | undefined {
  if (!(notBefore <= now && now <= notAfter)) return 'certificate has expired or is not yet valid';
  for (const [id, { critical }] of extensions)
    if (critical && !HANDLED_EXTENSIONS.has(id)) return `unhandled critical extension ${id}`;
  const purposes: readonly string[] = x509.keyUsage ?? [];
  return purposes.length === 0 || purposes.includes(purpose) || purposes.includes(ANY_PURPOSE)
    ? undefined
    : 'certificate specifies an incompatible key usage';
}
