import type { FlowControl } from '../flow-control/index.ts';
import type { Logger } from '../observability/log.ts';
import type { Histogram } from '../observability/metric-cells.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { Filter, Handler, RequestContext } from '../request/context.ts';
import { processClock } from '../time/clock.ts';
import type { AuditFilters } from './audit.ts';
import { type AuthenticationFilterOptions, authenticationFilter } from './authentication.ts';
import { authorizationFilter } from './authorization.ts';
import { bodyFilter } from './bodies.ts';
import { deadlineFilter } from './deadline.ts';
import { errorFilter } from './errors.ts';
import { impersonationFilter } from './impersonation.ts';
import { type InFlightLimits, maxInFlightFilter } from './max-in-flight.ts';
import { metricsFilter } from './metrics.ts';
import { priorityFilter } from './priority.ts';
import { queryFilter } from './query.ts';
import type { RequestCellsOptions } from './request-cells.ts';
import { requestLogFilter } from './request-log.ts';
import { shutdownFilter } from './shutdown.ts';
import { type RequestTracer, tracingFilter } from './tracing.ts';
import { trackingFilter } from './tracking.ts';
import { transportSecurityFilter } from './transport-security.ts';

/** Dependencies of the filters. */
export interface FilterParts extends Omit<RequestCellsOptions, 'metrics'>, AuthenticationFilterOptions {
  readonly logger: Logger;
  readonly metrics: ServerMetrics;
  /** Whether new requests are rejected now, with `--shutdown-send-retry-after`; undefined without the flag. */
  readonly rejectsAtShutdown: (() => boolean) | undefined;
  /** Undefined without `--tracing-config-file`. */
  readonly tracer: RequestTracer | undefined;
  /** The address of this server. */
  readonly advertised: { readonly host: string; readonly port: number };
  /** Undefined without an audit policy and backend. */
  readonly audit: AuditFilters | undefined;
  /** Directives of `--strict-transport-security-directives`; empty: no header. */
  readonly transportSecurity: readonly string[];
  /** The filter of `--cors-allowed-origins`, loaded only if the flag is set. */
  readonly cors: Filter | undefined;
  /** Milliseconds of `--request-timeout`. */
  readonly requestTimeout: number;
  readonly authorizer: Authorizer;
  /** Undefined where there are no faults. */
  readonly faults: Filter | undefined;
  /** Undefined with `--enable-priority-and-fairness=false`. */
  readonly flowControl: FlowControl | undefined;
  /** Limits for a server without priority and fairness. */
  readonly inFlightLimits: InFlightLimits;
  /** Gate ConstrainedImpersonation. */
  readonly constrainsImpersonation: boolean;
  /** Whether authorization attributes include selectors (gate AuthorizeWithSelectors). */
  readonly selectorAuthorization: boolean;
  /** Registers a function that stops a filter's timers at shutdown. */
  onStop(stop: () => void): void;
}

/** One filter of the chain. */
export interface FilterStep {
  readonly name: string;
  /** Files below `src/`, for the table in docs/lifecycle.md. */
  readonly files: readonly string[];
  readonly does: string;
  /** Responses that the filter sends itself; empty if it only passes requests on. */
  readonly ends: string;
  /** Creates the filter; undefined if the configuration does not enable it. */
  create(parts: FilterParts): Filter | undefined;
}

/**
 * The order of all filters, outermost first. The server builds its chain from this list, and `npx tsx
 * scripts/generate-tables.ts` the rows of the table in docs/lifecycle.md.
 */
export const FILTERS: readonly FilterStep[] = [
  {
    name: 'tracking',
    files: ['filters/tracking.ts'],
    does: '`Audit-Id` and `Cache-Control` headers',
    ends: '',
    create: () => trackingFilter,
  },
  {
    name: 'tracing',
    files: ['filters/tracing.ts', 'tracing/'],
    does: 'begins the spans of the request; exports them with `--tracing-config-file`, logs those of a slow request at `--v=2`',
    ends: '',
    create: ({ tracer, logger, advertised }) => tracingFilter(tracer, logger, advertised),
  },
  {
    name: 'request log',
    files: ['filters/request-log.ts'],
    does: 'logs a line when the request has ended (`-v=3`)',
    ends: '',
    create: ({ logger }) => requestLogFilter(logger),
  },
  {
    name: 'metrics',
    files: ['filters/metrics.ts'],
    does: 'counts the request and observes its duration and size when it has ended',
    ends: '',
    create: metricsFilter,
  },
  {
    name: 'audit, end',
    files: ['filters/audit.ts'],
    does: 'with `--audit-policy-file`: ends the audit event of the request, whatever its result',
    ends: '',
    create: ({ audit }) => audit?.end,
  },
  {
    name: 'errors',
    files: ['filters/errors.ts'],
    does: 'converts errors that are thrown below into a Status',
    ends: 'the Status of the error; 500 and a log entry with the stack for an internal error; nothing when the client has disconnected',
    create: ({ logger }) => errorFilter(logger),
  },
  {
    name: 'audit, refusal',
    files: ['filters/audit.ts'],
    does: 'records a request that ends before its user is known',
    ends: '',
    create: ({ audit }) => audit?.refusal,
  },
  {
    name: 'shutdown',
    files: ['filters/shutdown.ts'],
    does: 'with `--shutdown-send-retry-after`: rejects new requests while the server drains',
    ends: '429 as text',
    create: ({ rejectsAtShutdown }) => rejectsAtShutdown && shutdownFilter(rejectsAtShutdown),
  },
  {
    name: 'HSTS',
    files: ['filters/transport-security.ts'],
    does: '`Strict-Transport-Security` header of `--strict-transport-security-directives`',
    ends: '',
    create: ({ transportSecurity }) =>
      transportSecurity.length === 0 ? undefined : transportSecurityFilter(transportSecurity),
  },
  {
    name: 'CORS',
    files: ['filters/cors.ts'],
    does: 'headers for the origins of `--cors-allowed-origins`',
    ends: '204 for a preflight request',
    create: ({ cors }) => cors,
  },
  {
    name: 'query',
    files: ['filters/query.ts'],
    does: 'rejects a query with a malformed escape or a `;`: ignoring a pair would widen the request',
    ends: '400 BadRequest',
    create: () => queryFilter,
  },
  {
    name: 'deadline',
    files: ['filters/deadline.ts'],
    does: '`timeout` parameter and `--request-timeout`; none for watches and upgrades',
    ends: '504 as text; 400 for a malformed `timeout`',
    create({ requestTimeout, onStop }) {
      const { filter, stop } = deadlineFilter(requestTimeout);
      onStop(stop);
      return filter;
    },
  },
  {
    name: 'authentication',
    files: ['filters/authentication.ts', 'authentication/'],
    does: 'client certificate, authenticating proxy, then bearer tokens (file, service account, bootstrap, OpenID Connect, webhook), then anonymous',
    ends: '401 Unauthorized',
    create: authenticationFilter,
  },
  {
    name: 'bodies',
    files: ['filters/bodies.ts', 'request/body-budget.ts'],
    does: 'bounds the bytes of request bodies in memory, read or not: 64 MB of one user, 256 MB in all, above which the longest stalled bodies of the user with the highest usage are dropped',
    ends: '429 while a body is read',
    create: bodyFilter,
  },
  {
    name: 'audit, begin',
    files: ['filters/audit.ts'],
    does: 'begins the audit event: stage `RequestReceived`',
    ends: '500 when a blocking backend rejects the event',
    create: ({ audit }) => audit?.begin,
  },
  {
    name: 'impersonation',
    files: ['filters/impersonation.ts', 'filters/impersonation-modes.ts'],
    does: 'acts as the user of the `Impersonate-*` headers, if the caller has the permission',
    ends: '403 Forbidden; 400',
    create: ({ authorizer, constrainsImpersonation, selectorAuthorization }) =>
      impersonationFilter(authorizer, {
        isConstrained: constrainsImpersonation,
        selectors: selectorAuthorization,
      }),
  },
  {
    name: 'priority',
    files: ['filters/priority.ts', 'flow-control/', 'filters/max-in-flight.ts'],
    does: 'lets the request wait until its priority level has seats for it, and sets headers with the level and the flow schema; with `--enable-priority-and-fairness=false` limits the requests in flight instead',
    ends: '429 as text: the queue is full, or the wait took a quarter of the request time',
    create: ({ flowControl, requestTimeout, inFlightLimits, metrics }) =>
      flowControl === undefined
        ? maxInFlightFilter(inFlightLimits, metrics.flowControl)
        : priorityFilter(flowControl, requestTimeout),
  },
  {
    name: 'authorization',
    files: ['filters/authorization.ts', 'authorization/'],
    does: 'runs the authorizers in their order (`--authorization-mode`, or the file of `--authorization-config`); the first decision counts',
    ends: '403 Forbidden; 500 as text when an authorizer failed and none allows',
    create: ({ authorizer, selectorAuthorization }) => authorizationFilter(authorizer, selectorAuthorization),
  },
  {
    name: 'faults',
    files: ['faults/'],
    does: 'with `--faults`, and in clusters of tests: lets the faults happen that rules decide',
    ends: 'the status of a rule, or a connection that is cut',
    create: ({ faults }) => faults,
  },
];

/** Filters whose time is measured, with their label. */
const MEASURED: ReadonlyMap<string, string> = new Map([
  ['authentication', 'authentication'],
  ['audit, begin', 'audit'],
  ['impersonation', 'impersonation'],
  ['priority', 'priorityandfairness'],
  ['authorization', 'authorization'],
]);

/** Measures the time until a filter passes a request on. */
function measureFilter(filter: Filter, seconds: Histogram): Filter {
  return (context, next) => {
    const started = processClock.monotonic();
    return filter(context, (passed) => {
      seconds.observe((processClock.monotonic() - started) / 1000);
      return next(passed);
    });
  };
}

/** Creates the filters that a configuration enables, around a handler. */
export function createFilterChain(parts: FilterParts, handler: Handler): Handler {
  return composeFilters(
    FILTERS.flatMap((step) => {
      const filter = step.create(parts);
      const label = MEASURED.get(step.name);
      if (filter === undefined) return [];
      return label === undefined ? filter : measureFilter(filter, parts.metrics.filterDuration.with(label));
    }),
    handler,
  );
}

/** Wraps a handler in filters, the first one outermost. */
export function composeFilters(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>(
    (next, filter) => (context: RequestContext) => filter(context, next),
    handler,
  );
}
