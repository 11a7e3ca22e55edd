import { X509Certificate } from 'node:crypto';
import { readPem } from '../../../pki/pem.ts';

/** Whether a base64 encoded CA bundle contains a certificate, and all its certificates can be parsed. */
export function hasCertificate(caBundle: string): boolean {
  const certificates = readPem(Buffer.from(caBundle, 'base64').toString('latin1')).filter(
    ({ label, hasHeaders }) => label === 'CERTIFICATE' && !hasHeaders,
  );
  try {
    for (const { text } of certificates) new X509Certificate(text);
  } catch {
    return false;
  }
  return certificates.length > 0;
}
