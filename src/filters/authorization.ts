import type { Authorizer, AuthorizerResult } from '../request/attributes.ts';
import type { Filter, RequestContext } from '../request/context.ts';
import { attributesOf } from './attributes.ts';
import { rejectForbidden, respondAuthorizationError } from './authorization-errors.ts';

/**
 * Authorizes the request; an error of an authorizer counts only if no other one allows it.
 * @throws ApiError 403
 */
export function authorizationFilter(authorizer: Authorizer, selectors: boolean): Filter {
  return (context, next) => {
    const attributes = attributesOf(context, selectors);
    context.attributes = attributes;
    const decide = (result: AuthorizerResult) => {
      if (context.audit !== undefined) annotate(context, result);
      if (result.decision === 'allow') return next(context);
      return result.error === undefined
        ? rejectForbidden(context, attributes, result.reason)
        : respondAuthorizationError(context, result.error);
    };
    const result = authorizer.authorize(attributes);
    return result instanceof Promise ? result.then(decide) : decide(result);
  };
}

const DECISION = 'authorization.k8s.io/decision';
const REASON = 'authorization.k8s.io/reason';

function annotate({ annotations }: RequestContext, { decision, reason, error }: AuthorizerResult): void {
  if (decision !== 'allow' && error !== undefined) {
    annotations.set(REASON, 'internal error');
    return;
  }
  annotations.set(DECISION, decision === 'allow' ? 'allow' : 'forbid');
  annotations.set(REASON, reason);
}
