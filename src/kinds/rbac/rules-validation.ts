import type { PolicyRule } from '../../model/generated/rbac-v1.ts';
import { type FieldError, invalidFormatted, required } from '../../status/field-error.ts';
import { formatGoStrings } from '../validation/format-value.ts';

const MIXED = 'rules cannot apply to both regular resources and non-resource URLs';
const NAMESPACED = 'namespaced rules cannot apply to non-resource URLs';

/** Validates a rule: it has resources or non-resource URLs; the latter are not namespaced. */
function validateRule(
  { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule,
  field: string,
  namespaced: boolean,
): FieldError[] {
  const errors: FieldError[] =
    verbs.length === 0 ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : [];
  if (nonResourceURLs.length > 0) {
    const reject = (text: string): FieldError =>
      invalidFormatted(`${field}.nonResourceURLs`, formatGoStrings(nonResourceURLs), text);
    if (namespaced) errors.push(reject(NAMESPACED));
    if (apiGroups.length + resources.length + resourceNames.length > 0) errors.push(reject(MIXED));
    return errors;
  }
  if (apiGroups.length === 0)
    errors.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  if (resources.length === 0)
    errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

export const validateRules = (rules: readonly PolicyRule[] | undefined, namespaced: boolean): FieldError[] =>
  (rules ?? []).flatMap((rule, index) => validateRule(rule, `rules[${index}]`, namespaced));
