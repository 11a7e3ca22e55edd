import type { CrossVersionObjectReference } from '../../model/generated/autoscaling-v2.ts';
import { groupResourceOf, parseApiVersion } from '../../model/object.ts';
import { formatLabelSelector } from '../../model/object-label-selector.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import type { Client } from '../../reconcile/client.ts';
import type { PodUsage } from '../../reconcile/pods/pod-usage.ts';
import { noMatches, type ServedKinds } from '../../reconcile/scale.ts';
import { parseMilliseconds } from '../../time/duration.ts';
import type { Metrics, NamedMetric, PodMetricsByName, PodSelection } from './metrics.ts';
import { resourceMetrics, thousandths } from './resource-metrics.ts';

const CUSTOM = 'custom.metrics.k8s.io';
const CUSTOM_VERSIONS = ['v1beta2', 'v1beta1'];
/** Length of a measurement that does not say it, milliseconds. */
const DEFAULT_WINDOW = 60_000;

interface PodMetricsObject {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly timestamp?: string;
  readonly window?: string;
  readonly containers?: readonly {
    readonly name?: string;
    readonly usage?: Readonly<Record<string, string>>;
  }[];
}

interface CustomValue {
  readonly describedObject?: { readonly name?: string };
  readonly timestamp?: string;
  readonly windowSeconds?: number;
  readonly value?: string;
}

interface List<Item> {
  readonly items?: readonly Item[];
}

export interface ApiMetricsOptions {
  readonly client: Pick<Client, 'read'>;
  /** Whether an extension server is registered for a version of a group. */
  readonly isServed: (group: string, version: string) => boolean;
  readonly kinds: ServedKinds;
}

/** Measurements of the extension servers of metrics.k8s.io, custom.metrics.k8s.io and external.metrics.k8s.io. */
export class ApiMetrics implements Metrics {
  readonly #options: ApiMetricsOptions;

  constructor(options: ApiMetricsOptions) {
    this.#options = options;
  }

  async resource(
    { namespace, selector }: PodSelection,
    resource: string,
    container?: string,
  ): Promise<PodMetricsByName> {
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
    const items = await this.#items<PodMetricsObject>('resource', path, { labelSelector: selector });
    return resourceMetrics(
      items.map((item) => usageOf(item, namespace)),
      resource,
      container,
    );
  }

  async pods(
    { namespace, selector }: PodSelection,
    { name, selector: labels }: NamedMetric,
  ): Promise<PodMetricsByName> {
    const path = `${this.#customRoot()}/namespaces/${namespace}/pods/*/${encodeURIComponent(name)}`;
    const query = { labelSelector: selector, metricLabelSelector: formatLabelSelector(labels) };
    const items = await this.#items<CustomValue>('custom', path, query);
    return new Map(
      items.map(({ describedObject, timestamp, windowSeconds, value = '0' }) => [
        describedObject?.name ?? '',
        {
          value: thousandths(value),
          at: timestamp === undefined ? 0 : timeToMilliseconds(timestamp),
          window: windowSeconds === undefined ? DEFAULT_WINDOW : windowSeconds * 1000,
        },
      ]),
    );
  }

  async object(
    namespace: string,
    { apiVersion = '', kind = '', name = '' }: CrossVersionObjectReference,
    metric: NamedMetric,
  ): Promise<bigint> {
    const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
    const isNamespace = group === '' && kind === 'Namespace';
    const served = this.#options.kinds.find(group, kind);
    const found = served.find((one) => one.version === version) ?? served[0];
    if (found === undefined) throw new Error(failure('custom', noMatches(group, kind, version)));
    const described = isNamespace
      ? `namespaces/${encodeURIComponent(name)}/metrics`
      : `namespaces/${namespace}/${groupResourceOf(group, found.resource)}/${encodeURIComponent(name)}`;
    const path = `${this.#customRoot()}/${described}/${encodeURIComponent(metric.name)}`;
    const [first] = await this.#items<CustomValue>('custom', path, {
      metricLabelSelector: formatLabelSelector(metric.selector),
    });
    return thousandths(first!.value ?? '0');
  }

  async external(namespace: string, { name, selector }: NamedMetric): Promise<bigint> {
    const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${encodeURIComponent(name)}`;
    const items = await this.#items<CustomValue>('external', path, {
      labelSelector: formatLabelSelector(selector),
    });
    return items.reduce((sum, { value = '0' }) => sum + thousandths(value), 0n);
  }

  #customRoot(): string {
    const version = CUSTOM_VERSIONS.find((one) => this.#options.isServed(CUSTOM, one));
    if (version === undefined)
      throw new Error(failure('custom', new Error(`no custom metrics API (${CUSTOM}) registered`)));
    return `/apis/${CUSTOM}/${version}`;
  }

  /** The items of a list that has some. */
  async #items<Item>(
    api: string,
    path: string,
    query: Readonly<Record<string, string>>,
  ): Promise<readonly Item[]> {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
    let list: List<Item>;
    try {
      list = (await this.#options.client.read(path, given)) as List<Item>;
    } catch (error) {
      throw new Error(failure(api, error as Error), { cause: error });
    }
    if ((list.items ?? []).length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
    return list.items!;
  }
}

const failure = (api: string, { message }: Error): string =>
  `unable to fetch metrics from ${api} metrics API: ${message}`;

const usageOf = (
  { metadata, timestamp, window, containers = [] }: PodMetricsObject,
  namespace: string,
): PodUsage => ({
  pod: metadata?.name ?? '',
  namespace,
  at: timestamp === undefined ? 0 : timeToMilliseconds(timestamp),
  window: window === undefined ? DEFAULT_WINDOW : parseMilliseconds(window),
  containers: containers.map(({ name = '', usage = {} }) => ({ name, usage })),
});
