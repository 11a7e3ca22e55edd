import { forbiddenError } from '../authorization/forbidden.ts';
import type { Attributes } from '../request/attributes.ts';
import type { RequestContext } from '../request/context.ts';

/**
 * Refuses a request that no authorizer allowed. Browsers must not guess at the answer, since names in it come
 * from the client.
 * @throws ApiError 403
 */
export function refuse({ exchange }: RequestContext, attributes: Attributes, reason: string): never {
  exchange.setHeader('x-content-type-options', 'nosniff');
  throw forbiddenError(attributes, reason);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Answers that no decision could be had: an authorizer failed, and none that was asked allows the request.
 */
export function respondAuthorizationError(context: RequestContext, error: Error): void {
  const { exchange } = context;
  const text = `Internal Server Error: ${JSON.stringify(exchange.target)}: ${error.message}`;
  context.status = 500;
  exchange.setHeader('x-content-type-options', 'nosniff');
  exchange.respond(
    500,
    'text/plain; charset=utf-8',
    `${text.replace(/[&<>]/g, (character) => ENTITIES[character]!)}\n`,
  );
}
