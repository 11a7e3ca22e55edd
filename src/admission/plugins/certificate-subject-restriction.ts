import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import { readChildren, readElement, readObjectIdentifier, TAG } from '../../pki/der.ts';
import { readPem } from '../../pki/pem.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';
/** The attribute type `organizationName`. */
const ORGANIZATION = '2.5.4.10';

/**
 * Denies certificate requests for the group `system:masters`: the privileges of such a certificate could
 * never be revoked.
 */
export const certificateSubjectRestriction: BuiltinPlugin = {
  handles: (operation, group, resource, subresource) =>
    operation === 'CREATE' &&
    group === 'certificates.k8s.io' &&
    resource === 'certificatesigningrequests' &&
    subresource === '',
  validate(request) {
    const { signerName, request: encoded } = (request.object as CertificateSigningRequest).spec ?? {};
    if (signerName !== SIGNER) return;
    const der = derOf(encoded);
    const organizations = der === undefined ? undefined : organizationsOf(der);
    if (organizations === undefined)
      throw admissionForbidden(request, 'the certificate request could not be parsed');
    if (organizations.includes(MASTERS))
      throw admissionForbidden(request, `use of ${SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};

/** The DER of the PEM document in the base64 field. */
function derOf(encoded: string | Uint8Array = ''): Buffer | undefined {
  const pem =
    typeof encoded === 'string'
      ? Buffer.from(encoded, 'base64').toString('latin1')
      : Buffer.from(encoded).toString('latin1');
  return readPem(pem)[0]?.bytes;
}

/**
 * The organizations in the subject of a request (PKCS #10): request → information → version, subject.
 * @returns undefined for a request that cannot be parsed
 */
function organizationsOf(der: Buffer): string[] | undefined {
  try {
    const [information] = readChildren(readElement(der).content);
    const [, subject] = readChildren(information!.content);
    if (information!.tag !== TAG.sequence || subject!.tag !== TAG.sequence) return undefined;
    return readChildren(subject!.content).flatMap((set) =>
      readChildren(set.content).flatMap((attribute) => {
        const [type, value] = readChildren(attribute.content);
        if (type === undefined || value === undefined || readObjectIdentifier(type.content) !== ORGANIZATION)
          return [];
        // A BMPString has two bytes a character.
        const { tag, content } = value;
        return (tag === TAG.bmpString ? content.filter((_, index) => index % 2 === 1) : content).toString();
      }),
    );
  } catch {
    return undefined;
  }
}
