import type { Filter, Handler, RequestContext } from '../request/context.ts';

/**
 * THE order in which every request passes the filters, outermost first:
 *
 *   tracking        Audit-Id, Cache-Control
 *   request log     a line when the request has ended (-v=3)
 *   metrics         counts and times the request, when it has ended
 *   audit           ends the record of the request, whatever became of it (with --audit-policy-file)
 *   errors          whatever is thrown below becomes a Status
 *   HSTS, CORS      headers for browsers, where flags ask for them
 *   query           is it readable in full? 400
 *   deadline        `timeout` parameter and --request-timeout
 *   authentication  who is it? 401
 *   audit           begins the record of the request
 *   impersonation   acting as somebody else, where he may. 403
 *   priority        flow schema and priority level of the request; without fairness, --max-requests-inflight. 429
 *   authorization   may he? 403
 *   handler         the router
 */
export function composeFilters(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>((next, filter) => (context: RequestContext) => filter(context, next), handler);
}
