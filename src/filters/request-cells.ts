import { LabelTree } from '../observability/label-tree.ts';
import type { Counter, Gauge, Histogram } from '../observability/metric-cells.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { RequestContext } from '../request/context.ts';
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

/** The metrics of requests with the same labels, looked up once. */
export interface RequestCells {
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

export interface RequestCellsOptions {
  readonly metrics: ServerMetrics;
  /** Finds a served resource; unknown resources do not become labels. */
  readonly find: (group: string, version: string, resource: string) => KnownResource | undefined;
  /** Reports resources that are no longer served; their series are removed. */
  readonly onRemoval: (listener: (removed: KnownResource) => void) => void;
  /** Whether a non-resource path may become a label. */
  readonly isKnownPath: (path: string) => boolean;
}

/** The metrics of requests by their labels. */
export class RequestCellsByLabels {
  readonly #options: RequestCellsOptions;
  readonly #kinds = new LabelTree<RequestCells>(8);

  constructor(options: RequestCellsOptions) {
    this.#options = options;
    options.onRemoval((removed) => this.#remove(removed));
  }

  of(context: RequestContext): RequestCells {
    const { info } = context;
    const { find, isKnownPath } = this.#options;
    const row = info.isResource ? find(info.group, info.version, info.resource) : undefined;
    const [path, component] = info.isResource ? ['', API_SERVER] : pathLabels(info.path, isKnownPath);
    const verb = verbLabel(context);
    const dryRun = dryRunLabel(context.query);
    const { group, version, resource } = row ?? NO_RESOURCE;
    const subresource = row === undefined ? path : knownSubresource(row, info.subresource);
    const scope = row === undefined ? '' : scopeLabel(info);
    const labels = [verb, dryRun, group, version, resource, subresource, scope, component];
    const known = this.#kinds.find(labels);
    if (known !== undefined) return known;
    const cells = this.#create(context, labels, row);
    return this.#kinds.size < MAXIMUM_KINDS ? this.#kinds.add(labels, cells) : cells;
  }

  #create({ info }: RequestContext, labels: readonly string[], row: KnownResource | undefined): RequestCells {
    const { metrics } = this.#options;
    const [verb = '', , ...rest] = labels;
    const bodyVerb = BODY_VERBS.get(info.verb);
    return {
      labels,
      duration: metrics.requestDuration.with(...labels),
      objective: info.verb === 'watch' ? undefined : metrics.objectiveDuration.with(verb, ...rest),
      sizes: isSized(verb, row) ? metrics.responseSizes.with(verb, ...rest) : undefined,
      longRunning: isLongRunning(info) ? metrics.longRunning.with(verb, ...rest) : undefined,
      byCode: new Map(),
      bodySizes:
        row === undefined || bodyVerb === undefined
          ? undefined
          : metrics.requestBodySizes.with(...Object.values(metrics.resourceLabels.ofBody(row)), bodyVerb),
    };
  }

  /** Removes the series of a resource that is no longer served. */
  #remove({ group, version, resource }: KnownResource): void {
    const { metrics } = this.#options;
    this.#kinds.remove([undefined, undefined, group, version, resource]);
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
    metrics.requestBodySizes.remove(metrics.resourceLabels.ofBody({ group, resource }));
    // Its series have no group: those of a kind with the same plural name start again.
    metrics.selfRequests.remove({ resource });
  }
}

/** Whether the body of a request with a verb is measured. */
export const hasMeasuredBody = (verb: string): boolean => BODY_VERBS.has(verb);

/** Whether responses are measured. A watch of a built-in kind is served as a list, one of a custom kind is not. */
const isSized = (verb: string, row: KnownResource | undefined): boolean =>
  verb === 'GET' || verb === 'LIST' || (verb === 'WATCH' && row?.customKind === undefined);

/** The label of a subresource. */
export const knownSubresource = (row: KnownResource, name: string): string =>
  name === '' || row.subresources.some((one) => one.name === name) ? name : 'unexpected';
