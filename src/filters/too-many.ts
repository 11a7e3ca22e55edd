import type { RequestContext } from '../request/context.ts';
import { respondText } from '../request/respond-text.ts';

/** Refuses a request with 429. @param retryAfter seconds */
export function refuseTooMany(context: RequestContext, retryAfter: number): void {
  context.exchange.setHeader('retry-after', String(retryAfter));
  respondText(context, 429, 'Too many requests, please try again later.');
}
