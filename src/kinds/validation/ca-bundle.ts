import { X509Certificate } from 'node:crypto';
import { readPem } from '../../pki/pem.ts';

/**
 * Returns why a base64 encoded CA bundle has no certificate that can be parsed; undefined if it has one, or
 * is empty.
 */
export function caBundleError(caBundle: string): string | undefined {
  if (caBundle === '') return undefined;
  const blocks = readPem(Buffer.from(caBundle, 'base64').toString('latin1'));
  if (blocks.length === 0) return 'unable to parse bytes as PEM block';
  const certificates = blocks.filter(({ label, hasHeaders }) => label === 'CERTIFICATE' && !hasHeaders);
  if (certificates.length === 0) return 'no valid certificate authority data seen';
  return certificates.some(({ text }) => isCertificate(text))
    ? undefined
    : 'failed to parse certificate: x509: malformed certificate';
}

/** Whether a certificate, in PEM or DER, can be parsed. */
export function isCertificate(encoded: string | Buffer): boolean {
  try {
    new X509Certificate(encoded);
    return true;
  } catch {
    return false;
  }
}
