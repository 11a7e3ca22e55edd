import type { Attributes } from '../request/attributes.ts';
import type { ApiError } from '../status/api-error.ts';
import { errors } from '../status/errors.ts';

/** The 403 of a request that no authorizer allowed. `reason` is what the authorizers gave, empty mostly. */
export function forbiddenError(attributes: Attributes, reason: string): ApiError {
  const { user, verb, isResource, group, resource, subresource, namespace, name, path } = attributes;
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  const why = reason === '' ? '' : `: ${reason}`;
  if (!isResource)
    return errors.forbidden({ group: '', resource: '' }, '', `${who} path ${JSON.stringify(path)}${why}`);
  const what = JSON.stringify(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return errors.forbidden(
    { group, resource },
    name,
    `${who} resource ${what} in API group ${JSON.stringify(group)} ${where}${why}`,
  );
}
