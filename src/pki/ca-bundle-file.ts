import { X509Certificate } from 'node:crypto';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import { readPem } from './pem.ts';

/** The certificates of a PEM document, in order; other and unreadable blocks are skipped. */
export function parseCertificates(text: string): X509Certificate[] {
  return readPem(text)
    .filter(({ label }) => label === 'CERTIFICATE')
    .flatMap(({ bytes }) => {
      try {
        return [new X509Certificate(bytes)];
      } catch {
        return [];
      }
    });
}

/**
 * Reads the CA bundle that a flag names. `purpose` is the bundle's name in kube-apiserver:
 * `client-ca-bundle`, `request-header`.
 * @returns the PEM text of each certificate
 * @throws ConfigurationError when the file cannot be read or has no certificate
 */
export function readCaBundleFile(purpose: string, file: string): string[] {
  const certificates = parseCertificates(readTextFile(file));
  if (certificates.length === 0) {
    throw new ConfigurationError(
      `error loading CA bundle for ${JSON.stringify(`${purpose}::${file}`)}: data does not contain any valid RSA or ECDSA certificates`,
    );
  }
  return certificates.map((certificate) => certificate.toString());
}
