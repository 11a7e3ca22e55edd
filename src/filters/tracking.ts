import { randomUUID } from 'node:crypto';
import { type Filter, type RequestContext, whenSettled } from '../request/context.ts';

const AUDIT_ID = /^[\x21-\x7e]{1,64}$/;

/** Requests being served, so that the server can drain. */
export class InFlight {
  readonly requests = new Set<RequestContext>();
  #idle: (() => void) | undefined;

  add(context: RequestContext): void {
    this.requests.add(context);
  }

  delete(context: RequestContext): void {
    this.requests.delete(context);
    if (this.requests.size === 0) this.#idle?.();
  }

  /** Resolves when no request is being served. */
  idle(): Promise<void> {
    return this.requests.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#idle = resolve;
        });
  }
}

/** Outermost: headers of every answer, and the set of requests in flight. */
export function trackingFilter(inFlight: InFlight): Filter {
  return (context, next) => {
    const { exchange } = context;
    const given = exchange.header('audit-id');
    context.auditId = given !== undefined && AUDIT_ID.test(given) ? given : randomUUID();
    exchange.setHeader('audit-id', context.auditId);
    exchange.setHeader('cache-control', 'no-cache, private');
    inFlight.add(context);
    return whenSettled(next(context), () => inFlight.delete(context));
  };
}
