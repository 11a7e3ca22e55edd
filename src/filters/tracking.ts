import { randomUUID } from 'node:crypto';
import type { Filter } from '../request/context.ts';

/** What a header of HTTP can contain, and a log line. */
const AUDIT_ID = /^[\x20-\x7e]{1,4096}$/;

/** Outermost filter: sets `Audit-Id` and `Cache-Control` on every response. */
export const trackingFilter: Filter = (context, next) => {
  const { exchange } = context;
  const given = exchange.header('audit-id');
  context.auditId = given !== undefined && AUDIT_ID.test(given) ? given : randomUUID();
  exchange.setHeader('audit-id', context.auditId);
  exchange.setHeader('cache-control', 'no-cache, private');
  return next(context);
};
