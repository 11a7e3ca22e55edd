import { type Approval, approvalOf } from '../../../kinds/apiextensions/approval.ts';
import { caBundleError } from '../../../kinds/validation/ca-bundle.ts';
import {
  type Condition,
  findCondition,
  hasCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from '../../../model/conditions.ts';
import type { CustomResourceDefinitionStatus } from '../../../model/generated/apiextensions-v1.ts';
import type { Definition } from './definition.ts';
import { acceptNames, sameNames, type UsedNames } from './names.ts';

const ACCEPTED_TEXT = 'the initial names have been accepted';
const ESTABLISHED: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: ACCEPTED_TEXT,
};
const NOT_ACCEPTED: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
const INVALID_BUNDLE: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};
const NON_STRUCTURAL = 'NonStructuralSchema';

/**
 * Returns the status that a definition should have: its accepted names, and the conditions NamesAccepted,
 * Established, KubernetesAPIApprovalPolicyConformant and NonStructuralSchema. Returns the same object if
 * nothing changes.
 * @param used the accepted names of its group
 * @param now RFC 3339 in seconds
 */
export function definitionStatus(
  definition: Definition,
  used: UsedNames,
  now: string,
): CustomResourceDefinitionStatus {
  let { status } = definition;
  const set = (condition: Condition): void => {
    if (!hasCondition(status.conditions, condition))
      status = { ...status, conditions: setCondition(status.conditions, condition, now) };
  };

  // While the wanted names are the accepted ones, conditions stay as they are, even if a client changed them.
  const accepted = status.acceptedNames ?? {};
  if (!sameNames(definition.names, accepted)) {
    const { acceptedNames, condition } = acceptNames(definition.names, accepted, used);
    if (!sameNames(acceptedNames, accepted) || !hasCondition(status.conditions, condition)) {
      if (!sameNames(acceptedNames, accepted)) status = { ...status, acceptedNames };
      set(condition);
      // A definition stays established when later names conflict.
      if (condition.status !== 'True' && findCondition(status.conditions, 'Established') === undefined)
        set(NOT_ACCEPTED);
    }
  }
  if (
    isConditionTrue(status.conditions, 'NamesAccepted') &&
    !isConditionTrue(status.conditions, 'Established')
  )
    set(caBundleError(definition.caBundle) === undefined ? ESTABLISHED : INVALID_BUNDLE);

  const approval = approvalCondition(definition);
  if (approval !== undefined) set(approval);
  if (definition.violations !== undefined)
    set({ type: NON_STRUCTURAL, status: 'True', reason: 'Violations', message: definition.violations });
  else if (findCondition(status.conditions, NON_STRUCTURAL) !== undefined)
    status = { ...status, conditions: removeCondition(status.conditions, NON_STRUCTURAL) };
  return status;
}

const APPROVAL_REASONS: Readonly<Record<Exclude<Approval, 'not needed'>, string>> = {
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
};

/** The condition of a definition in a protected group; undefined in other groups. */
function approvalCondition({ group, annotations }: Definition): Condition | undefined {
  const { approval, text } = approvalOf(group, annotations);
  if (approval === 'not needed') return undefined;
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: approval === 'approved' ? 'True' : 'False',
    reason: APPROVAL_REASONS[approval],
    message: text,
  };
}
