import type { AuthorizationDecision, AuthorizationQuery, AuthorizationSource } from '../../cel/index.ts';
import { cachingSource } from '../../cel/index.ts';
import {
  type Attributes,
  type Authorizer,
  type AuthorizerResult,
  NO_RESOURCE,
} from '../../request/attributes.ts';
import { fieldSelectorAttributes, labelSelectorAttributes } from '../../request/selector-attributes.ts';
import { serviceAccountUser, type UserInfo } from '../../request/user.ts';

/** The decisions that the expressions of one request ask for; each is made once. */
export const authorizationSource = (authorizer: Authorizer, user: UserInfo): AuthorizationSource =>
  cachingSource((query) => {
    const result = authorizer.authorize(attributesOf(query, user));
    return result instanceof Promise ? result.then(decisionOf) : decisionOf(result);
  });

const decisionOf = ({ decision, reason, error }: AuthorizerResult): AuthorizationDecision => ({
  allowed: decision === 'allow',
  reason,
  error: error?.message,
});

function attributesOf(query: AuthorizationQuery, requester: UserInfo): Attributes {
  const { serviceAccount, verb, path, group, resource, subresource, namespace, name } = query;
  const user =
    serviceAccount === undefined
      ? requester
      : serviceAccountUser(serviceAccount.namespace, serviceAccount.name);
  if (path !== undefined) return { ...NO_RESOURCE, user, verb, isResource: false, path };
  const fields = query.fieldSelector === undefined ? undefined : fieldSelectorAttributes(query.fieldSelector);
  const labels = query.labelSelector === undefined ? undefined : labelSelectorAttributes(query.labelSelector);
  return {
    user,
    verb,
    isResource: true,
    path: '',
    group,
    version: '*',
    resource,
    subresource,
    namespace,
    name,
    ...(fields === undefined || fields.error !== undefined ? {} : { fieldSelector: fields }),
    ...(labels === undefined || labels.error !== undefined ? {} : { labelSelector: labels }),
  };
}
