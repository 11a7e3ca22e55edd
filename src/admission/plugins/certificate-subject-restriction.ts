import type { AdmissionPlugin } from '../../request/admission.ts';
import { admissionForbidden } from '../forbidden.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';
/** Tag, length and value of the attribute type `organizationName` (2.5.4.10). */
const ORGANIZATION = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x0a]);
const SEQUENCE = 0x30;

/**
 * Nobody gets a certificate that makes him a member of `system:masters`: what it allows could never be taken
 * back.
 */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  handles: (operation, group, resource, subresource) =>
    operation === 'CREATE' &&
    group === 'certificates.k8s.io' &&
    resource === 'certificatesigningrequests' &&
    subresource === '',
  validate(request) {
    const { signerName, request: encoded } = (request.object!.spec ?? {}) as {
      signerName?: string;
      request?: string;
    };
    if (signerName !== SIGNER) return;
    const subject = subjectOf(derOf(encoded));
    if (subject === undefined) throw admissionForbidden(request, 'the certificate request could not be read');
    if (organizations(subject).includes(MASTERS))
      throw admissionForbidden(request, `use of ${SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};

/** The bytes in the PEM text that the field holds in base64. */
function derOf(encoded: string | Uint8Array = ''): Buffer {
  const pem =
    typeof encoded === 'string'
      ? Buffer.from(encoded, 'base64').toString('latin1')
      : Buffer.from(encoded).toString('latin1');
  return Buffer.from(/-----BEGIN [^-]+-----([^-]*)-----END/.exec(pem)?.[1] ?? '', 'base64');
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** Offset of what follows. */
  readonly end: number;
}

/** The element at an offset; undefined where there is no whole one. */
function elementAt(der: Buffer, offset: number): Element | undefined {
  const tag = der[offset];
  const first = der[offset + 1];
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4 || offset + 2 + lengthBytes > der.length) return undefined;
  const length =
    lengthBytes === 0 ? (first < 0x80 ? first : Number.NaN) : der.readUIntBE(offset + 2, lengthBytes);
  const start = offset + 2 + lengthBytes;
  return start + length <= der.length
    ? { tag, content: der.subarray(start, start + length), end: start + length }
    : undefined;
}

/** The subject of a request: request → information → version, subject. */
function subjectOf(der: Buffer): Buffer | undefined {
  const information = elementAt(elementAt(der, 0)?.content ?? der, 0);
  const version = information?.tag === SEQUENCE ? elementAt(information.content, 0) : undefined;
  const subject = version === undefined ? undefined : elementAt(information!.content, version.end);
  return subject?.tag === SEQUENCE ? subject.content : undefined;
}

/** Values of its organizations: sets of pairs of type and value. */
function organizations(subject: Buffer): string[] {
  const found: string[] = [];
  for (let set = elementAt(subject, 0); set !== undefined; set = elementAt(subject, set.end)) {
    for (let pair = elementAt(set.content, 0); pair !== undefined; pair = elementAt(set.content, pair.end)) {
      if (!pair.content.subarray(0, ORGANIZATION.length).equals(ORGANIZATION)) continue;
      const value = elementAt(pair.content, ORGANIZATION.length);
      // A BMPString has two bytes a character.
      if (value !== undefined)
        found.push(
          (value.tag === 0x1e
            ? value.content.filter((_, index) => index % 2 === 1)
            : value.content
          ).toString(),
        );
    }
  }
  return found;
}
