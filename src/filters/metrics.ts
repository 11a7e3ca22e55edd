import { DEPRECATED_ANNOTATION, REMOVED_RELEASE_ANNOTATION } from '../kinds/deprecation.ts';
import { webhookMilliseconds } from '../observability/webhook-time.ts';
import { type Filter, type RequestContext, whenEnded } from '../request/context.ts';
import { processClock } from '../time/clock.ts';
import { InFlightRequests } from './in-flight-metric.ts';
import { isLongRunning } from './long-running.ts';
import {
  hasMeasuredBody,
  knownSubresource,
  type RequestCells,
  RequestCellsByLabels,
  type RequestCellsOptions,
} from './request-cells.ts';

const VALIDATED_VERBS = new Set(['POST', 'PUT', 'PATCH', 'APPLY']);
const VALIDATION_LEVELS = new Set(['', 'Ignore', 'Warn', 'Strict']);

/** Records the count, duration and concurrency of requests. */
export function metricsFilter(options: RequestCellsOptions): Filter {
  const cellsByLabels = new RequestCellsByLabels(options);
  const inFlight = new InFlightRequests(options.metrics.registry);
  return (context, next) => {
    const cells = cellsByLabels.of(context);
    const leave = cells.longRunning === undefined ? inFlight.enter(context) : undefined;
    cells.longRunning?.add(1);
    return whenEnded(next, context, () => {
      cells.longRunning?.add(-1);
      leave?.();
      record(context, cells, options);
    });
  };
}

/** Records a request that has ended. */
function record(context: RequestContext, cells: RequestCells, options: RequestCellsOptions): void {
  const { metrics, find } = options;
  const { status } = context;
  let counter = cells.byCode.get(status);
  if (counter === undefined) {
    // The resource may have been removed during the request.
    const [, , group = '', version = '', resource = ''] = cells.labels;
    if (resource !== '' && find(group, version, resource) === undefined) return;
    counter = metrics.requests.with(...cells.labels, String(status));
    cells.byCode.set(status, counter);
  }
  counter.add();
  const seconds = (processClock.monotonic() - context.arrived) / 1000;
  cells.duration.observe(seconds);
  cells.objective?.observe(seconds - waitedMilliseconds(context) / 1000);
  cells.sizes?.observe(context.exchange.sentBytes);
  cells.bodySizes?.observe(Number(context.exchange.header('content-length') ?? 0) || 0);
  recordEnd(context, cells, seconds, options);
  if (context.annotations.has(DEPRECATED_ANNOTATION)) recordDeprecated(context, options);
}

/** Records what became of a request besides its response. */
function recordEnd(
  context: RequestContext,
  { labels }: RequestCells,
  seconds: number,
  { metrics }: RequestCellsOptions,
): void {
  const { exchange, info, query, status } = context;
  const [verb = '', , group = '', version = '', resource = '', subresource = '', scope = '', component = ''] =
    labels;
  if (exchange.protocol === 'in-process') metrics.selfRequests.with(verb, resource, subresource).add();
  else if (exchange.closed && !exchange.responded && !isLongRunning(info))
    metrics.aborts.with(verb, group, version, resource, subresource, scope).add();
  // A 429 of an eviction comes from a disruption budget, not from the protection against overload.
  const isRefused = status === 429 && subresource !== 'eviction';
  if (isRefused || (status === 504 && context.deadline <= processClock.monotonic()))
    metrics.terminations
      .with(verb, group, version, resource, subresource, scope, component, String(status))
      .add();
  if (VALIDATED_VERBS.has(verb) && resource !== '') {
    const level = query.get('fieldValidation');
    metrics.fieldValidationDuration.with(VALIDATION_LEVELS.has(level) ? level : 'invalid').observe(seconds);
  }
}

/** Records the use of a deprecated API; only for requests that reached their handler. */
function recordDeprecated(
  { info, annotations }: RequestContext,
  { metrics, find }: RequestCellsOptions,
): void {
  const row = find(info.group, info.version, info.resource);
  if (row === undefined) return;
  const release = annotations.get(REMOVED_RELEASE_ANNOTATION) ?? '';
  metrics.deprecatedApis
    .with(row.group, row.version, row.resource, knownSubresource(row, info.subresource), release)
    .set(1);
}

/** Time that does not count for the objective: in the queue, and in webhooks. */
function waitedMilliseconds({ info, span, queueMilliseconds }: RequestContext): number {
  if (span === undefined || !hasMeasuredBody(info.verb)) return queueMilliseconds;
  return queueMilliseconds + webhookMilliseconds(span);
}
