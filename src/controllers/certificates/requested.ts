import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import type { RequestedCertificate } from '../../pki/requested-certificate.ts';
import type { Resource } from '../../reconcile/client.ts';

export const SIGNING_REQUESTS: Resource = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
};

/** Built-in signers. */
export const SIGNER = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
  legacy: 'kubernetes.io/legacy-unknown',
} as const;

const NODE_PREFIX = 'system:node:';
const NODES = 'system:nodes';

/** Why the subject is not valid for a node certificate; undefined when it is. */
function nodeError({ commonName, organizations, emails, uris }: RequestedCertificate): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== NODES)
    return 'subject organization is not system:nodes';
  if (emails.length > 0) return 'email addresses are not allowed';
  if (uris.length > 0) return 'URI subject alternative names are not allowed';
  return commonName.startsWith(NODE_PREFIX)
    ? undefined
    : 'subject common name does not begin with system:node:';
}

const usagesMatch = (
  usages: readonly string[],
  needed: readonly string[],
  allowed: readonly string[],
): boolean =>
  needed.every((usage) => usages.includes(usage)) &&
  usages.every((usage) => needed.includes(usage) || allowed.includes(usage));

/** Why a request is not valid for a kubelet client certificate; undefined when it is. */
export function kubeletClientError(
  requested: RequestedCertificate,
  usages: readonly string[],
): string | undefined {
  const { hosts, addresses } = requested;
  const error = nodeError(requested);
  if (error !== undefined) return error;
  if (hosts.length > 0) return 'DNS subject alternative names are not allowed';
  if (addresses.length > 0) return 'IP subject alternative names are not allowed';
  return usagesMatch(usages, ['digital signature', 'client auth'], ['key encipherment'])
    ? undefined
    : 'usages did not match [client auth digital signature key encipherment]';
}

function kubeletServingError(requested: RequestedCertificate, usages: readonly string[]): string | undefined {
  const { hosts, addresses } = requested;
  const error = nodeError(requested);
  if (error !== undefined) return error;
  if (hosts.length + addresses.length === 0) return 'DNS or IP subjectAltName is required';
  return usagesMatch(usages, ['digital signature', 'server auth'], ['key encipherment'])
    ? undefined
    : 'usages did not match [digital signature key encipherment server auth]';
}

const clientError = (usages: readonly string[]): string | undefined =>
  usagesMatch(usages, ['client auth'], ['digital signature', 'key encipherment'])
    ? undefined
    : 'usages must be client auth, with digital signature and key encipherment at most';

/** Why a signer rejects a request; undefined when it accepts it. */
export function signerError(
  signer: string,
  requested: RequestedCertificate,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case SIGNER.client:
      return clientError(usages);
    case SIGNER.kubeletClient:
      return kubeletClientError(requested, usages);
    case SIGNER.kubeletServing:
      return kubeletServingError(requested, usages);
    default:
      return undefined;
  }
}

/** The PEM text of a request. */
export const requestPem = ({ spec }: CertificateSigningRequest): string =>
  Buffer.from(spec?.request ?? '', 'base64').toString('latin1');

export const hasCondition = ({ status }: CertificateSigningRequest, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
