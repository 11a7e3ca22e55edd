import { once } from '../collections/once.ts';
import type { CertificateSigner } from '../controllers/certificates/signing.ts';
import { readTextFile } from '../files/files.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import { readPemSigningRequest } from '../pki/certificate-request.ts';
import type { KeyedCertificate } from '../pki/issue-certificate.ts';
import { createSigningAuthority } from '../pki/signing-authority.ts';

/** The options of the certificate signer. */
type CertificateSignerOptions = OptionSlice<
  'clusterSigningCertFile' | 'clusterSigningDuration' | 'clusterSigningKeyFile'
>;

/**
 * The CA pair that signs certificate requests: from the flags, else the server's own.
 * @throws ConfigurationError
 */
function signingPair(
  { clusterSigningCertFile, clusterSigningKeyFile }: CertificateSignerOptions,
  own: KeyedCertificate,
): { pair: KeyedCertificate; source: string } {
  if (clusterSigningCertFile === '') return { pair: own, source: "the server's own authority" };
  return {
    pair: { certificate: readTextFile(clusterSigningCertFile), key: readTextFile(clusterSigningKeyFile) },
    source: clusterSigningCertFile,
  };
}

/**
 * Creates the signer of the signing controller.
 * @param own the server's own authority, called when it is first needed
 * @throws ConfigurationError if the pair of the flags cannot sign
 */
export function certificateSigner(
  values: CertificateSignerOptions,
  own: () => KeyedCertificate,
): CertificateSigner {
  const authority = once(() => {
    const { pair, source } = signingPair(values, own());
    return createSigningAuthority(pair, source);
  });
  if (values.clusterSigningCertFile !== '') authority();
  return {
    read: readPemSigningRequest,
    sign(pem, usages, seconds, now) {
      const request = readPemSigningRequest(pem);
      request.checkSignature();
      return authority().issue(request, usages, seconds, now);
    },
    maximumSeconds: Math.floor(values.clusterSigningDuration / 1000),
  };
}
