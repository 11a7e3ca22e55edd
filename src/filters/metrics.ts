import { DEPRECATED_ANNOTATION, REMOVED_RELEASE_ANNOTATION } from '../kinds/deprecation.ts';
import { groupResourceOf } from '../model/object.ts';
import { HighWater } from '../observability/high-water.ts';
import { LabelTree } from '../observability/label-tree.ts';
import type { Counter, Gauge, Histogram } from '../observability/metric-cells.ts';
import type { MetricsRegistry, Reading } from '../observability/metrics.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { webhookMilliseconds } from '../observability/webhook-time.ts';
import { type Filter, type RequestContext, whenEnded } from '../request/context.ts';
import { processClock } from '../time/clock.ts';
import { isLongRunning } from './long-running.ts';
import { API_SERVER, dryRunLabel, pathLabels, scopeLabel, verbLabel } from './request-labels.ts';

/** The label values of a resource. */
export interface KnownResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresources: readonly { readonly name: string }[];
  /** Present for a custom resource. */
  readonly customKind?: object;
}

export interface MetricsFilterOptions {
  readonly metrics: ServerMetrics;
  /** Finds a served resource; unknown resources do not become labels. */
  readonly find: (group: string, version: string, resource: string) => KnownResource | undefined;
  /** Reports resources that are no longer served; their series are removed. */
  readonly onRemoval: (listener: (removed: KnownResource) => void) => void;
  /** Whether a non-resource path may become a label. */
  readonly isKnownPath: (path: string) => boolean;
}

/** The metrics of requests with the same labels, looked up once. */
interface RequestCells {
  /** Labels of `apiserver_request_duration_seconds`, in order. */
  readonly labels: readonly string[];
  readonly duration: Histogram;
  readonly objective: Histogram | undefined;
  readonly sizes: Histogram | undefined;
  readonly longRunning: Gauge | undefined;
  readonly byCode: Map<number, Counter>;
  /** Undefined for a request without a body. */
  readonly bodySizes: Histogram | undefined;
}

const NO_RESOURCE = { group: '', version: '', resource: '' };
const VALIDATED_VERBS = new Set(['POST', 'PUT', 'PATCH', 'APPLY']);
const VALIDATION_LEVELS = new Set(['', 'Ignore', 'Warn', 'Strict']);
/** The verbs whose bodies are measured, as their label shows them. */
const BODY_VERBS: ReadonlyMap<string, string> = new Map([
  ['create', 'create'],
  ['update', 'update'],
  ['patch', 'patch'],
  ['delete', 'delete'],
  ['deletecollection', 'delete_collection'],
]);
/** Limit on cached label combinations; others are looked up per request. */
const MAXIMUM_KINDS = 5000;

/** Records the count, duration and concurrency of requests. */
export function metricsFilter({ metrics, find, onRemoval, isKnownPath }: MetricsFilterOptions): Filter {
  const kinds = new LabelTree<RequestCells>(8);
  const inFlight = new InFlightRequests(metrics.registry);
  onRemoval(({ group, version, resource }) => {
    kinds.remove([undefined, undefined, group, version, resource]);
    for (const family of [
      metrics.requests,
      metrics.requestDuration,
      metrics.objectiveDuration,
      metrics.responseSizes,
      metrics.longRunning,
      metrics.deprecatedApis,
      metrics.aborts,
      metrics.terminations,
    ])
      family.remove({ group, version, resource });
    metrics.requestBodySizes.remove({ resource: groupResourceOf(group, resource) });
    // Its series have no group: those of a kind with the same plural name start again.
    metrics.selfRequests.remove({ resource });
  });

  const cellsOf = (context: RequestContext): RequestCells => {
    const { info } = context;
    const row = info.isResource ? find(info.group, info.version, info.resource) : undefined;
    const [path, component] = info.isResource ? ['', API_SERVER] : pathLabels(info.path, isKnownPath);
    const verb = verbLabel(context);
    const dryRun = dryRunLabel(context.query);
    const { group, version, resource } = row ?? NO_RESOURCE;
    const subresource = row === undefined ? path : knownSubresource(row, info.subresource);
    const labels = [
      verb,
      dryRun,
      group,
      version,
      resource,
      subresource,
      row === undefined ? '' : scopeLabel(info),
      component,
    ];
    const known = kinds.find(labels);
    if (known !== undefined) return known;
    const rest = labels.slice(2);
    const longRunning = isLongRunning(info);
    const cells: RequestCells = {
      labels,
      duration: metrics.requestDuration.with(...labels),
      objective: info.verb === 'watch' ? undefined : metrics.objectiveDuration.with(verb, ...rest),
      sizes: isSized(verb, row) ? metrics.responseSizes.with(verb, ...rest) : undefined,
      longRunning: longRunning ? metrics.longRunning.with(verb, ...rest) : undefined,
      byCode: new Map(),
      bodySizes: bodySizesOf(context, row),
    };
    return kinds.size < MAXIMUM_KINDS ? kinds.add(labels, cells) : cells;
  };

  const bodySizesOf = ({ info }: RequestContext, row: KnownResource | undefined): Histogram | undefined => {
    const verb = BODY_VERBS.get(info.verb);
    if (row === undefined || verb === undefined) return undefined;
    return metrics.requestBodySizes.with(groupResourceOf(row.group, row.resource), verb);
  };

  /** What became of a request besides its response. */
  const noteEnd = (context: RequestContext, { labels }: RequestCells, seconds: number): void => {
    const { exchange, info, query, status } = context;
    const [
      verb = '',
      ,
      group = '',
      version = '',
      resource = '',
      subresource = '',
      scope = '',
      component = '',
    ] = labels;
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
  };

  /** Records the use of a deprecated API; only for requests that reached their handler. */
  const noteDeprecated = ({ info, annotations }: RequestContext): void => {
    const row = find(info.group, info.version, info.resource);
    if (row === undefined) return;
    const release = annotations.get(REMOVED_RELEASE_ANNOTATION) ?? '';
    metrics.deprecatedApis
      .with(row.group, row.version, row.resource, knownSubresource(row, info.subresource), release)
      .set(1);
  };

  const finish = (context: RequestContext, cells: RequestCells): void => {
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
    noteEnd(context, cells, seconds);
    if (context.annotations.has(DEPRECATED_ANNOTATION)) noteDeprecated(context);
  };

  return (context, next) => {
    const cells = cellsOf(context);
    const leave = cells.longRunning === undefined ? inFlight.enter(context) : undefined;
    cells.longRunning?.add(1);
    return whenEnded(next, context, () => {
      cells.longRunning?.add(-1);
      leave?.();
      finish(context, cells);
    });
  };
}

/** Time that does not count for the objective: in the queue, and in webhooks. */
function waitedMilliseconds({ info, span, queueMilliseconds }: RequestContext): number {
  if (span === undefined || !BODY_VERBS.has(info.verb)) return queueMilliseconds;
  return queueMilliseconds + webhookMilliseconds(span);
}

/** Whether responses are measured. A watch of a built-in kind is served as a list, one of a custom kind is not. */
const isSized = (verb: string, row: KnownResource | undefined): boolean =>
  verb === 'GET' || verb === 'LIST' || (verb === 'WATCH' && row?.customKind === undefined);

const knownSubresource = (row: KnownResource, name: string): string =>
  name === '' || row.subresources.some((one) => one.name === name) ? name : 'unexpected';

const READING_VERBS = new Set(['get', 'list', 'watch', 'head', 'options']);

/** Requests in flight per kind; reports the maximum of the last second. */
class InFlightRequests {
  readonly #readOnly = new HighWater();
  readonly #mutating = new HighWater();
  readonly #leaveReadOnly = () => this.#readOnly.change(-1, processClock.monotonic());
  readonly #leaveMutating = () => this.#mutating.change(-1, processClock.monotonic());

  constructor(registry: MetricsRegistry) {
    const read = (): Reading[] => {
      const now = processClock.monotonic();
      return [
        [['mutating'], this.#mutating.read(now)],
        [['readOnly'], this.#readOnly.read(now)],
      ];
    };
    const help =
      'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.';
    registry.observe(
      { name: 'apiserver_current_inflight_requests', help, stability: 'STABLE', labels: ['request_kind'] },
      'gauge',
      read,
    );
  }

  /** @returns a function to call when the request has ended */
  enter({ info, arrived }: RequestContext): () => void {
    const reading = READING_VERBS.has(info.verb);
    (reading ? this.#readOnly : this.#mutating).change(1, arrived);
    return reading ? this.#leaveReadOnly : this.#leaveMutating;
  }
}
