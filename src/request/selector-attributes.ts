import { parseFieldSelector } from '../model/field-selector.ts';
import { type LabelRequirement, parseLabelSelector } from '../model/label-selector.ts';
import type { SelectorAttributes, SelectorRequirement } from './attributes.ts';

const OPERATORS: Readonly<Record<LabelRequirement['operator'], string>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
  gt: 'Gt',
  lt: 'Lt',
};

/** The requirements of a field selector; without any and with the error if it cannot be parsed. */
export const fieldSelectorAttributes = (text: string): SelectorAttributes =>
  attempt(() =>
    parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '!=' ? 'NotIn' : 'In',
      values: [value],
    })),
  );

/** The same for a label selector. */
export const labelSelectorAttributes = (text: string): SelectorAttributes =>
  attempt(() =>
    parseLabelSelector(text).requirements.map(({ key, operator, values }) => ({
      key,
      operator: OPERATORS[operator],
      values,
    })),
  );

function attempt(parse: () => readonly SelectorRequirement[]): SelectorAttributes {
  try {
    return { requirements: parse() };
  } catch (error) {
    return { requirements: [], error: error as Error };
  }
}
