import { parseFieldSelector } from '../model/field-selector.ts';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
} from '../model/generated/authorization-v1.ts';
import { parseLabelSelector } from '../model/label-selector.ts';
import type { SelectorAttributes, SelectorRequirement } from '../request/attributes.ts';

/**
 * The selector of a review as authorizer attributes. Unsupported requirements are dropped and reported as an
 * error: the decision then covers a superset of the requested objects, never less.
 */
export function fieldSelectorAttributes(
  selector: FieldSelectorAttributes | undefined,
): SelectorAttributes | undefined {
  if (selector === undefined) return undefined;
  if (selector.rawSelector) {
    return attempt(() =>
      parseFieldSelector(selector.rawSelector!).requirements.map(({ field, operator, value }) => ({
        key: field,
        operator: operator === '!=' ? 'NotIn' : 'In',
        values: [value],
      })),
    );
  }
  // Field selectors support exactly one value.
  return partition(
    selector,
    ({ operator, values }) => values.length === 1 && (operator === 'In' || operator === 'NotIn'),
  );
}

export function labelSelectorAttributes(
  selector: LabelSelectorAttributes | undefined,
): SelectorAttributes | undefined {
  if (selector === undefined) return undefined;
  if (selector.rawSelector) {
    return attempt(() =>
      parseLabelSelector(selector.rawSelector!).requirements.map(({ key, operator, values }) => ({
        key,
        operator: LABEL_OPERATORS[operator] ?? operator,
        values,
      })),
    );
  }
  return partition(selector, ({ operator }) => KNOWN_OPERATORS.has(operator));
}

const KNOWN_OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);
const LABEL_OPERATORS: Readonly<Record<string, string>> = {
  in: 'In',
  '=': 'In',
  '==': 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function attempt(parse: () => SelectorRequirement[]): SelectorAttributes {
  try {
    return { requirements: parse() };
  } catch (error) {
    return { requirements: [], error: error as Error };
  }
}

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
