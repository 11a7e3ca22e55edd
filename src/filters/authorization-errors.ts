import { forbiddenError } from '../authorization/forbidden.ts';
import { sentTarget } from '../connection/exchange.ts';
import type { Attributes } from '../request/attributes.ts';
import type { RequestContext } from '../request/context.ts';
import { respondText } from '../request/respond-text.ts';

/**
 * Rejects a request that no authorizer allowed. Disables content sniffing, since the response contains names
 * from the client.
 * @throws ApiError 403
 */
export function rejectForbidden({ exchange }: RequestContext, attributes: Attributes, reason: string): never {
  exchange.setHeader('x-content-type-options', 'nosniff');
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
