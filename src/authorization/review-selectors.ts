import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
} from '../model/generated/authorization-v1.ts';
import type { SelectorAttributes, SelectorRequirement } from '../request/attributes.ts';
import { fieldSelectorAttributes, labelSelectorAttributes } from '../request/selector-attributes.ts';

/**
 * The selector of a review as authorizer attributes. Unsupported requirements are dropped and reported as an
 * error: the decision then covers a superset of the requested objects, never less.
 */
export function reviewedFieldSelector(
  selector: FieldSelectorAttributes | undefined,
): SelectorAttributes | undefined {
  if (selector === undefined) return undefined;
  if (selector.rawSelector) {
    return fieldSelectorAttributes(selector.rawSelector);
  }
  // Field selectors support exactly one value.
  return partition(
    selector,
    ({ operator, values }) => values.length === 1 && (operator === 'In' || operator === 'NotIn'),
  );
}

export function reviewedLabelSelector(
  selector: LabelSelectorAttributes | undefined,
): SelectorAttributes | undefined {
  if (selector === undefined) return undefined;
  if (selector.rawSelector) {
    return labelSelectorAttributes(selector.rawSelector);
  }
  return partition(selector, ({ operator }) => KNOWN_OPERATORS.has(operator));
}

const KNOWN_OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);
function partition(
  { requirements = [] }: LabelSelectorAttributes,
  isSupported: (requirement: SelectorRequirement) => boolean,
): SelectorAttributes {
  const all = requirements.map(({ key = '', operator = '', values = [] }) => ({ key, operator, values }));
  const supported = all.filter(isSupported);
  return supported.length === all.length
    ? { requirements: all }
    : { requirements: supported, error: new Error('a requirement is not supported') };
}
