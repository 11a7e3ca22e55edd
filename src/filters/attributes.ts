import { parseFieldSelector } from '../model/field-selector.ts';
import { type LabelRequirement, parseLabelSelector } from '../model/label-selector.ts';
import type { Attributes, SelectorAttributes } from '../request/attributes.ts';
import type { RequestContext } from '../request/context.ts';

const SELECTED_VERBS = new Set(['list', 'watch', 'deletecollection']);
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

/**
 * Returns the authorization attributes of a request.
 * @param selectors whether they include selectors (AuthorizeWithSelectors)
 */
export function attributesOf({ info, user, query }: RequestContext, selectors: boolean): Attributes {
  const { isResource, path, verb, group, version, resource, subresource, namespace, name } = info;
  const attributes: Attributes = {
    user,
    verb,
    isResource,
    path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  };
  if (!selectors || query.empty || !isResource || !SELECTED_VERBS.has(verb)) return attributes;
  return {
    ...attributes,
    ...fieldSelectorOf(query.get('fieldSelector')),
    ...labelSelectorOf(query.get('labelSelector')),
  };
}

function fieldSelectorOf(text: string): { fieldSelector?: SelectorAttributes } {
  if (text === '') return {};
  try {
    return {
      fieldSelector: {
        requirements: parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
          key: field,
          operator: operator === '!=' ? 'NotIn' : 'In',
          values: [value],
        })),
      },
    };
  } catch (error) {
    return { fieldSelector: { requirements: [], error: error as Error } };
  }
}

function labelSelectorOf(text: string): { labelSelector?: SelectorAttributes } {
  if (text === '') return {};
  try {
    return {
      labelSelector: {
        requirements: parseLabelSelector(text).requirements.map(({ key, operator, values }) => ({
          key,
          operator: OPERATORS[operator],
          values,
        })),
      },
    };
  } catch (error) {
    return { labelSelector: { requirements: [], error: error as Error } };
  }
}
