import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../../model/generated/certificates-v1.ts';
import { setMember } from '../../../model/object.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { nameIsPathSegment } from '../../validation/names.ts';
import { validateSigningRequest, validateSigningRequestUpdate } from './signing-request-validation.ts';

/** Who asks is a fact of the request, not of its body. */
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

/** A condition keeps the time of its last transition as long as its status stays. */
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

const DECISIONS = ['Approved', 'Denied'];

/**
 * Writing a certificate does not decide: conditions of approval and denial stay as they were. What adds or
 * removes one is left as it was sent, for validation to refuse.
 */
function prepareStatus(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { now }: StrategyContext,
): void {
  object.spec = old.spec;
  object.status ??= {};
  for (const decision of DECISIONS) keepConditions(object.status, old, decision);
  setConditionTimes(object, old, now());
}

/** Puts the stored conditions of a type in the place of those that were sent, where they are as many. */
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
  object.spec = old.spec;
  object.status ??= {};
  object.status.certificate = old.status?.certificate;
  setConditionTimes(object, old, now());
}

export const signingRequestStrategy: Strategy = {
  validateName: nameIsPathSegment,
  prepareForCreate: recordRequester,
  prepareForUpdate(object: CertificateSigningRequest, old: CertificateSigningRequest) {
    object.spec = old.spec;
  },
  // What is asked for never changes: the whole specification is beyond ownership.
  resetFields: [['spec']],
  prepareForSubresource: { status: prepareStatus, approval: prepareApproval },
  validate: validateSigningRequest,
  validateUpdate: (object: CertificateSigningRequest, old: CertificateSigningRequest) =>
    validateSigningRequestUpdate(object, old, ''),
  validateSubresource: {
    status: (object: CertificateSigningRequest, old: CertificateSigningRequest) =>
      validateSigningRequestUpdate(object, old, 'status'),
    approval: (object: CertificateSigningRequest, old: CertificateSigningRequest) =>
      validateSigningRequestUpdate(object, old, 'approval'),
  },
  selectableFields: {
    'spec.signerName': ({ spec }) => (spec as CertificateSigningRequest['spec'])?.signerName ?? '',
  },
};
