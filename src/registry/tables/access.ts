import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import type { ClusterTrustBundle } from '../../model/generated/certificates-v1alpha1.ts';
import type { RoleBinding, Subject } from '../../model/generated/rbac-v1.ts';
import { formatDuration } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from './define.ts';
import { orNone } from './format.ts';

/** Table of RoleBindings and ClusterRoleBindings. */
export const roleBindings = table<RoleBinding>(
  [
    NAME,
    column('Role', 'The role that is granted.'),
    AGE,
    wide('Users', 'Users that have the role.'),
    wide('Groups', 'Groups that have the role.'),
    wide('ServiceAccounts', 'Service accounts that have the role.'),
  ],
  (object) => {
    const { roleRef, subjects } = object;
    const of = (kind: string, show: (subject: Subject) => string) =>
      (subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(show)
        .join(', ');
    return [
      nameOf(object),
      `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
      ageOf(object),
      of('User', ({ name = '' }) => name),
      of('Group', ({ name = '' }) => name),
      of('ServiceAccount', ({ namespace = '', name = '' }) => `${namespace}/${name}`),
    ];
  },
);

/** Formats the decision and the outcome of a signing request. */
function requestCondition({ status }: CertificateSigningRequest): string {
  const has = (conditionType: string) =>
    status?.conditions?.some(({ type }) => type === conditionType) === true;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return [decision, ...(has('Failed') ? ['Failed'] : []), ...(status?.certificate ? ['Issued'] : [])].join(
    ',',
  );
}

export const certificateSigningRequests = table<CertificateSigningRequest>(
  [
    NAME,
    AGE,
    column('SignerName', 'Requested signer.'),
    column('Requestor', 'User that created the request.'),
    column('RequestedDuration', 'Requested validity of the certificate.'),
    column('Condition', 'Decision, and whether the certificate was issued.'),
  ],
  (object) => {
    const { spec } = object;
    const duration =
      spec?.expirationSeconds === undefined ? '<none>' : formatDuration(spec.expirationSeconds * 1000);
    return [
      nameOf(object),
      ageOf(object),
      orNone(spec?.signerName),
      spec?.username ?? '',
      duration,
      requestCondition(object),
    ];
  },
);

export const clusterTrustBundles = table<ClusterTrustBundle>(
  [NAME, column('SignerName', 'Signer whose certificates it verifies.')],
  (object) => [nameOf(object), orNone(object.spec?.signerName)],
);
