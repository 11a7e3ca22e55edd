import { quote } from '../errors/quote.ts';
import type { Attributes } from '../request/attributes.ts';
import type { ApiError } from '../status/api-error.ts';
import { errors } from '../status/errors.ts';

/** The 403 of a denied request. @param reason of the authorizers, usually empty */
export function forbiddenError(attributes: Attributes, reason: string): ApiError {
  const { user, verb, isResource, group, resource, subresource, namespace, name, path } = attributes;
  const action = `User ${quote(user.name)} cannot ${verb}`;
  const suffix = reason === '' ? '' : `: ${reason}`;
  if (!isResource)
    return errors.forbidden({ group: '', resource: '' }, '', `${action} path ${quote(path)}${suffix}`);
  const target = quote(subresource === '' ? resource : `${resource}/${subresource}`);
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return errors.forbidden(
    { group, resource },
    name,
    `${action} resource ${target} in API group ${quote(group)} ${scope}${suffix}`,
  );
}
