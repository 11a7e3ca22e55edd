import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import type { RequestedCertificate } from '../../pki/requested-certificate.ts';
import type { Resource } from '../client.ts';

export const SIGNING_REQUESTS: Resource = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
};

/** Signers of the cluster itself. */
export const SIGNER = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
  legacy: 'kubernetes.io/legacy-unknown',
} as const;

const NODE_PREFIX = 'system:node:';
const NODES = 'system:nodes';

/** What forbids a certificate of a node; undefined: nothing. */
function nodeFault({ commonName, organizations, emails, uris }: RequestedCertificate): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== NODES)
    return 'subject organization is not system:nodes';
  if (emails.length > 0) return 'email addresses are not allowed';
  if (uris.length > 0) return 'URI subject alternative names are not allowed';
  return commonName.startsWith(NODE_PREFIX)
    ? undefined
    : 'subject common name does not begin with system:node:';
}

const only = (usages: readonly string[], needed: readonly string[], allowed: readonly string[]): boolean =>
  needed.every((usage) => usages.includes(usage)) &&
  usages.every((usage) => needed.includes(usage) || allowed.includes(usage));

/** Why this is no request of a kubelet for its client certificate; undefined: it is one. */
export function kubeletClientError(
  requested: RequestedCertificate,
  usages: readonly string[],
): string | undefined {
  const { hosts, addresses } = requested;
  const fault = nodeFault(requested);
  if (fault !== undefined) return fault;
  if (hosts.length > 0) return 'DNS subject alternative names are not allowed';
  if (addresses.length > 0) return 'IP subject alternative names are not allowed';
  return only(usages, ['digital signature', 'client auth'], ['key encipherment'])
    ? undefined
    : 'usages did not match [client auth digital signature key encipherment]';
}

function kubeletServingFault(requested: RequestedCertificate, usages: readonly string[]): string | undefined {
  const { hosts, addresses } = requested;
  const fault = nodeFault(requested);
  if (fault !== undefined) return fault;
  if (hosts.length + addresses.length === 0) return 'DNS or IP subjectAltName is required';
  return only(usages, ['digital signature', 'server auth'], ['key encipherment'])
    ? undefined
    : 'usages did not match [digital signature key encipherment server auth]';
}

const clientFault = (usages: readonly string[]): string | undefined =>
  only(usages, ['client auth'], ['digital signature', 'key encipherment'])
    ? undefined
    : 'usages must be client auth, with digital signature and key encipherment at most';

/** Why a signer will not sign a request; undefined: it will. */
export function signerError(
  signer: string,
  requested: RequestedCertificate,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case SIGNER.client:
      return clientFault(usages);
    case SIGNER.kubeletClient:
      return kubeletClientError(requested, usages);
    case SIGNER.kubeletServing:
      return kubeletServingFault(requested, usages);
    default:
      return undefined;
  }
}

/** The text of the request in base64. */
export const requestPem = ({ spec }: CertificateSigningRequest): string =>
  Buffer.from(spec?.request ?? '', 'base64').toString('latin1');

export const hasCondition = ({ status }: CertificateSigningRequest, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
