import type { KeyedCertificate } from '../../config/certificates/x509.ts';
import { readTextFile } from '../../config/files.ts';
import type { FlagValues } from '../../config/flags/table.ts';
import type { CertificateSigner } from '../../controllers/certificates/signing.ts';
import { signingAuthority } from './authority.ts';
import { readSigningRequest } from './signing-request.ts';

/** The pair that signs certificate requests: what the flags name, else the server's own. @throws ConfigurationError */
function signingPair({ clusterSigningCertFile, clusterSigningKeyFile }: FlagValues, own: KeyedCertificate): { pair: KeyedCertificate; shown: string } {
  if (clusterSigningCertFile === '') return { pair: own, shown: "the server's own authority" };
  return { pair: { certificate: readTextFile(clusterSigningCertFile), key: readTextFile(clusterSigningKeyFile) }, shown: clusterSigningCertFile };
}

/** What signs for the signing controller. @throws ConfigurationError when the pair can't sign */
export function certificateSigner(values: FlagValues, own: KeyedCertificate): CertificateSigner {
  const { pair, shown } = signingPair(values, own);
  const authority = signingAuthority(pair, shown);
  return {
    read: readSigningRequest,
    sign(pem, usages, seconds, now) {
      const request = readSigningRequest(pem);
      request.checkSignature();
      return authority.issue(request, usages, seconds, now);
    },
    longest: Math.floor(values.clusterSigningDuration / 1000),
  };
}
