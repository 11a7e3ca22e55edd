import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { RequestedCertificate } from '../../pki/requested-certificate.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { hasCondition, kubeletClientError, requestPem, SIGNER, SIGNING_REQUESTS } from './requested.ts';

const REVIEWS: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
};

/**
 * Approves kubelet client certificate requests of users that are authorized for automatic approval.
 * @param read parses a certificate request; throws for an invalid one
 */
export function approvingController(
  parts: NamedContext,
  read: (pem: string) => RequestedCertificate,
): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const requests = parts.objects(SIGNING_REQUESTS);
  const queue = controllerQueue(parts, name, async (key) => {
    const request = requests.get(key) as CertificateSigningRequest | undefined;
    if (
      request === undefined ||
      request.status?.certificate ||
      hasCondition(request, 'Approved') ||
      hasCondition(request, 'Denied')
    )
      return 'done';
    const permissions = permissionsFor(request, read);
    for (const { subresource, message } of permissions) {
      if (!(await isAllowed(client, request, subresource))) continue;
      const now = formatTime(parts.clusterClock.now());
      const condition = {
        type: 'Approved',
        status: 'True',
        reason: 'AutoApproved',
        message,
        lastUpdateTime: now,
        lastTransitionTime: now,
      };
      const status = { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] };
      await client.update(SIGNING_REQUESTS, { ...request, status }, { subresource: 'approval' });
      return 'done';
    }
    return 'done';
  });
  requests.onChange((key, request) => {
    if (request !== undefined) queue.add(key);
  });
  return { name, sources: [requests], queue };
}

const SELF = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const ANY = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

/**
 * The permissions of which any one approves a request: for a node that renews its own certificate, or for a
 * bootstrapping kubelet.
 */
function permissionsFor(
  request: CertificateSigningRequest,
  read: (pem: string) => RequestedCertificate,
): readonly (typeof SELF)[] {
  if (request.spec?.signerName !== SIGNER.kubeletClient) return [];
  let requested: RequestedCertificate;
  try {
    requested = read(requestPem(request));
  } catch {
    return [];
  }
  if (kubeletClientError(requested, request.spec.usages ?? []) !== undefined) return [];
  return request.spec.username === requested.commonName ? [SELF, ANY] : [ANY];
}

async function isAllowed(
  client: Client,
  { spec = {} }: CertificateSigningRequest,
  subresource: string,
): Promise<boolean> {
  const { username: user = '', uid = '', groups = [], extra = {} } = spec;
  const resourceAttributes = {
    group: SIGNING_REQUESTS.group,
    resource: SIGNING_REQUESTS.resource,
    verb: 'create',
    subresource,
    version: '*',
  };
  const review = await client.create(REVIEWS, { spec: { user, uid, groups, extra, resourceAttributes } });
  return (review['status'] as { allowed?: boolean } | undefined)?.allowed === true;
}
