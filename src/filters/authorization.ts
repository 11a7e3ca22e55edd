import { forbiddenError } from '../authorization/forbidden.ts';
import type { Authorizer, AuthorizerResult } from '../request/attributes.ts';
import type { Filter } from '../request/context.ts';
import { attributesOf } from './attributes.ts';

/** Asks the authorizers whether the user may do this. @throws ApiError 403 */
export function authorizationFilter(authorizer: Authorizer, selectors: boolean): Filter {
  return (context, next) => {
    const attributes = attributesOf(context, selectors);
    context.attributes = attributes;
    const decide = (result: AuthorizerResult) => {
      if (result.decision !== 'allow') throw forbiddenError(attributes, result.reason);
      return next(context);
    };
    const result = authorizer.authorize(attributes);
    return result instanceof Promise ? result.then(decide) : decide(result);
  };
}
