import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../model/generated/certificates-v1.ts';
import { nameIsPathSegment } from '../../model/name-syntax.ts';
import { setMember } from '../../model/object.ts';
import { defineResource } from '../builtin-resource.ts';
import { textAt } from '../field-reader.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { formatDuration } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { orNone } from '../tables/format.ts';
import { validateSigningRequest, validateSigningRequestUpdate } from './signing-request-validation.ts';

/** Records the authenticated user as the requester; the body cannot set it. */
function recordRequester(object: CertificateSigningRequest, { user }: StrategyContext): void {
  object.spec ??= {};
  const { spec } = object;
  spec.username = user.name;
  spec.uid = user.uid;
  spec.groups = [...user.groups];
  delete spec.extra;
  if (user.extra.size === 0) return;
  spec.extra = {};
  for (const [key, values] of user.extra) setMember(spec.extra, key, [...values]);
}

/** Sets condition times; the transition time changes only with the status. */
function setConditionTimes(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  now: string,
): void {
  const keyOf = ({ type, status }: CertificateSigningRequestCondition): string =>
    JSON.stringify([type, status]);
  const before = new Map(
    [...(old.status?.conditions ?? [])].reverse().map((condition) => [keyOf(condition), condition]),
  );
  for (const condition of object.status?.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??= before.get(keyOf(condition))?.lastTransitionTime ?? now;
  }
}

/** Restores the stored spec. @returns the status of the update */
function statusToUpdate(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
): NonNullable<CertificateSigningRequest['status']> {
  object.spec = old.spec;
  object.status ??= {};
  return object.status;
}

const DECISIONS = ['Approved', 'Denied'];

/**
 * Prepares an update of `status`, which cannot change approval or denial: restores the stored conditions.
 * Validation rejects added and removed ones.
 */
function prepareStatus(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { now }: StrategyContext,
): void {
  const status = statusToUpdate(object, old);
  for (const decision of DECISIONS) keepConditions(status, old, decision);
  setConditionTimes(object, old, now());
}

/** Restores the stored conditions of a type if the update has the same number of them. */
function keepConditions(
  status: NonNullable<CertificateSigningRequest['status']>,
  old: CertificateSigningRequest,
  type: string,
): void {
  const isOfType = (condition: CertificateSigningRequestCondition): boolean => condition.type === type;
  const before = (old.status?.conditions ?? []).filter(isOfType);
  const { conditions = [] } = status;
  if (before.length === 0 || conditions.filter(isOfType).length !== before.length) return;
  let next = 0;
  status.conditions = conditions.map((condition) => {
    if (!isOfType(condition)) return condition;
    next += 1;
    return { ...before[next - 1]! };
  });
}

function prepareApproval(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { now }: StrategyContext,
): void {
  statusToUpdate(object, old).certificate = old.status?.certificate;
  setConditionTimes(object, old, now());
}

export const signingRequestStrategy: Strategy = {
  metadata: {
    validateName: nameIsPathSegment,
    checks: {
      update: ['whole', 'change'],
      through: { status: ['whole', 'change'], approval: ['whole', 'change'] },
    },
  },
  prepareForCreate: recordRequester,
  prepareForUpdate(object: CertificateSigningRequest, old: CertificateSigningRequest) {
    object.spec = old.spec;
  },
  // The spec is immutable, so no field manager owns it.
  resetFields: {
    '': [['spec'], ['status']],
    status: [['spec'], ['status', 'conditions']],
    approval: [['spec'], ['status', 'certificate']],
  },
  prepareForSubresource: { status: prepareStatus, approval: prepareApproval },
  validate: validateSigningRequest,
  validateUpdate: (object: CertificateSigningRequest, old: CertificateSigningRequest, context) =>
    validateSigningRequestUpdate(object, old, '', context),
  validateSubresource: {
    status: (object: CertificateSigningRequest, old: CertificateSigningRequest, context) =>
      validateSigningRequestUpdate(object, old, 'status', context),
    approval: (object: CertificateSigningRequest, old: CertificateSigningRequest, context) =>
      validateSigningRequestUpdate(object, old, 'approval', context),
  },
};

/** Formats the decision and the outcome of a signing request. */
function requestCondition({ status }: CertificateSigningRequest): string {
  const has = (conditionType: string) =>
    status?.conditions?.some(({ type }) => type === conditionType) === true;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return [decision, ...(has('Failed') ? ['Failed'] : []), ...(status?.certificate ? ['Issued'] : [])].join(
    ',',
  );
}

export const certificateSigningRequests = defineResource({
  group: 'certificates.k8s.io',
  versions: ['v1'],
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  shortNames: ['csr'],
  scope: 'Cluster',
  subresources: ['approval', 'status'],
  strategy: signingRequestStrategy,
  fieldSelectors: {
    'spec.signerName': textAt('spec', 'signerName'),
  },
  table: table<CertificateSigningRequest>(
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
  ),
});
