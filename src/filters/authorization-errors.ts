import { forbiddenError } from '../authorization/forbidden.ts';
import { sentTarget } from '../connection/exchange.ts';
import type { Attributes } from '../request/attributes.ts';
import type { RequestContext } from '../request/context.ts';
import { respondText } from '../request/respond-text.ts';

/** Disables content sniffing, for a response that contains names from the client. */
export const disableSniffing = ({ exchange }: RequestContext): void =>
  exchange.setHeader('x-content-type-options', 'nosniff');

/**
 * Rejects a request that no authorizer allowed.
 * @throws ApiError 403
 */
export function rejectForbidden(context: RequestContext, attributes: Attributes, reason: string): never {
  disableSniffing(context);
  throw forbiddenError(attributes, reason);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Responds with an authorization error: an authorizer failed, and no other one allowed the request. */
export function respondAuthorizationError(context: RequestContext, error: Error): void {
  const text = `Internal Server Error: ${JSON.stringify(sentTarget(context.exchange))}: ${error.message}`;
  respondText(
    context,
    500,
    text.replace(/[&<>]/g, (character) => ENTITIES[character]!),
  );
}
