import type { Attributes } from '../request/attributes.ts';
import type { RequestContext } from '../request/context.ts';
import { fieldSelectorAttributes, labelSelectorAttributes } from '../request/selector-attributes.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const SELECTED_VERBS = new Set(['list', 'watch', 'deletecollection']);

/**
 * Returns the authorization attributes of a request.
 * @param selectors whether they include selectors (AuthorizeWithSelectors)
 */
export function attributesOf({ info, user, query }: RequestContext, selectors: boolean): Attributes {
  const { isResource, path, verb, group, version, resource, subresource, namespace, name } = info;
  const attributes: Writable<Attributes> = {
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
  const fieldSelector = query.get('fieldSelector');
  const labelSelector = query.get('labelSelector');
  if (fieldSelector !== '') attributes.fieldSelector = fieldSelectorAttributes(fieldSelector);
  if (labelSelector !== '') attributes.labelSelector = labelSelectorAttributes(labelSelector);
  return attributes;
}
