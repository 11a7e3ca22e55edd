import { X509Certificate } from 'node:crypto';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/** The PEM blocks of a text: label and the block itself. */
export function splitPem(text: string): { readonly label: string; readonly block: string }[] {
  return [...text.matchAll(BLOCK)].map((match) => ({ label: match[1]!, block: `${match[0]}\n` }));
}

/** The certificates of a text, in order; blocks that hold none are passed over. */
export function parseCertificates(text: string): X509Certificate[] {
  return splitPem(text)
    .filter(({ label }) => label === 'CERTIFICATE')
    .flatMap(({ block }) => {
      try {
        return [new X509Certificate(block)];
      } catch {
        return [];
      }
    });
}

/**
 * Certificate authorities of a file that a flag names. `purpose` is Kubernetes' name of the bundle:
 * `client-ca-bundle`, `request-header`.
 * @returns the PEM text of each certificate
 * @throws ConfigurationError when the file cannot be read or holds no certificate
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
