import { type Certificate, EXTENSION, pathLength } from './certificate.ts';

/** Longest way from a leaf to an authority, and the most signatures checked in search of one. */
const DEPTH_LIMIT = 10;
const SIGNATURE_LIMIT = 100;

/** Purposes of a certificate (extended key usage). */
export const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const ANY_PURPOSE = '2.5.29.37.0';

/**
 * Extensions that are either checked here or by the platform, or say nothing that limits the use of a
 * certificate.
 */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  ...Object.values(EXTENSION),
  '2.5.29.14',
  '2.5.29.35',
  '2.5.29.37',
  '2.5.29.31',
  '2.5.29.32',
  '1.3.6.1.5.5.7.1.1',
]);

/** Signatures with hashes for which collisions are known: MD5 and SHA-1, with RSA and ECDSA. */
const WEAK_SIGNATURES: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10045.4.1',
  '1.3.14.3.2.29',
]);

export class CertificateError extends Error {
  override name = 'CertificateError';
}

export interface ChainOptions {
  readonly authorities: readonly Certificate[];
  /** Certificates the peer sent along. */
  readonly intermediates: readonly Certificate[];
  /** Wall clock, milliseconds. */
  readonly now: number;
  readonly purpose: string;
}

/**
 * Finds a way from the leaf to an authority along which every certificate is valid now, may issue, may be
 * used for the purpose and is signed by the next.
 * @returns the chain, leaf first
 * @throws CertificateError with the last obstacle when there is none
 */
export function verifyChain(
  leaf: Certificate,
  { authorities, intermediates, now, purpose }: ChainOptions,
): readonly Certificate[] {
  let signatures = 0;
  let obstacle = 'certificate signed by unknown authority';

  const isUsable = (certificate: Certificate): boolean => {
    const fault = faultOf(certificate, now, purpose);
    if (fault !== undefined) obstacle = fault;
    return fault === undefined;
  };

  const isIssuedBy = (certificate: Certificate, issuer: Certificate, below: number): boolean => {
    if (!issuer.x509.ca || !certificate.x509.checkIssued(issuer.x509)) return false;
    if (
      below > (pathLength(issuer) ?? below) ||
      (issuer.extensions.has(EXTENSION.nameConstraints) && leaf.extensions.has(EXTENSION.alternativeNames))
    ) {
      obstacle = 'a certificate is not authorized to sign this one';
      return false;
    }
    signatures += 1;
    if (signatures > SIGNATURE_LIMIT) throw new CertificateError('too many signatures to check');
    if (WEAK_SIGNATURES.has(certificate.signatureAlgorithm)) {
      obstacle = 'a certificate has an insecure signature';
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
  if (chain === undefined) throw new CertificateError(obstacle);
  return chain;
}

/** Why a certificate can't stand in a chain for the purpose, whoever issued it. */
function faultOf(
  { x509, notBefore, notAfter, extensions }: Certificate,
  now: number,
  purpose: string,
): string | undefined {
  if (!(notBefore <= now && now <= notAfter)) return 'certificate has expired or is not yet valid';
  for (const [id, { critical }] of extensions)
    if (critical && !UNDERSTOOD.has(id)) return `unhandled critical extension ${id}`;
  const purposes: readonly string[] = x509.keyUsage ?? [];
  return purposes.length === 0 || purposes.includes(purpose) || purposes.includes(ANY_PURPOSE)
    ? undefined
    : 'certificate specifies an incompatible key usage';
}
