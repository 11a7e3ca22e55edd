import type { Node, Pod } from '../../model/generated/core-v1.ts';
import { type LabelSelector, parseLabelSelector, SelectorSyntaxError } from '../../model/label-selector.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '../../model/quantity.ts';
import { formatTime } from '../../model/time.ts';
import type { PodMetrics } from '../../reconcile/pods/pod-usage.ts';
import type { RequestContext } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { processClock } from '../../time/clock.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import { METRICS_GROUP, METRICS_VERSION } from './metrics-names.ts';

const API_VERSION = `${METRICS_GROUP}/${METRICS_VERSION}`;
const WINDOW = '15s';
/** Milliseconds of work between two turns of the event loop. */
const SLICE = 4;

/** Where the measured objects are. */
export interface MetricsObjects {
  pod(namespace: string, name: string): Pod | undefined;
  /** Pods of a namespace; empty: of all. Each is decoded when it is taken. */
  pods(namespace: string): Iterable<Pod>;
  node(name: string): Node | undefined;
  nodes(): Iterable<Node>;
  /** Whether the kubelet of a node is simulated here. */
  isSimulated(node: Node): boolean;
  /** Resolves when the objects are those of the store at the call. */
  waitFresh(): Promise<void>;
}

interface NodeUsage {
  readonly cpu: Quantity;
  readonly memory: Quantity;
}

const NO_USAGE: NodeUsage = { cpu: parseQuantity('0'), memory: parseQuantity('0Mi') };

/** Serves the usage of simulated nodes and their Pods, as a metrics server does it. */
export class MetricsApi {
  readonly #objects: MetricsObjects;
  readonly #usage: PodMetrics;
  readonly #now: () => number;

  /** @param usage of a Pod @param now the cluster's time in milliseconds */
  constructor(objects: MetricsObjects, usage: PodMetrics, now: () => number) {
    this.#objects = objects;
    this.#usage = usage;
    this.#now = now;
  }

  /** @throws ApiError */
  async handle(context: RequestContext): Promise<void> {
    const { info, exchange, query } = context;
    const { resource, pathName, namespace, subresource } = info;
    if (subresource !== '' || (resource !== 'nodes' && resource !== 'pods')) throw errors.pathNotFound();
    if (exchange.method !== 'GET' || info.verb === 'watch') throw errors.methodNotAllowed();
    const selector = readSelector(query.get('labelSelector'));
    await this.#objects.waitFresh();
    const body =
      pathName !== ''
        ? await this.#one(resource, namespace, pathName)
        : await this.#list(resource, namespace, selector);
    context.status = 200;
    exchange.respond(200, 'application/json', `${JSON.stringify(body)}\n`);
  }

  async #one(resource: string, namespace: string, name: string): Promise<object> {
    const found =
      resource === 'nodes'
        ? this.#nodeMetrics(this.#objects.node(name), await this.#usageByNode())
        : this.#podMetrics(this.#objects.pod(namespace, name));
    if (found === undefined) throw errors.notFound({ group: METRICS_GROUP, resource }, name);
    return found;
  }

  async #list(resource: string, namespace: string, selector: LabelSelector): Promise<object> {
    const items: object[] = [];
    const add = (object: Node | Pod, metricsOf: () => object | undefined): void => {
      const metrics = selector.matches(object.metadata?.labels ?? {}) ? metricsOf() : undefined;
      if (metrics !== undefined) items.push(metrics);
    };
    if (resource === 'nodes') {
      const usages = await this.#usageByNode();
      await inSlices(this.#objects.nodes(), (node) => add(node, () => this.#nodeMetrics(node, usages)));
    } else await inSlices(this.#objects.pods(namespace), (pod) => add(pod, () => this.#podMetrics(pod)));
    const kind = resource === 'nodes' ? 'NodeMetricsList' : 'PodMetricsList';
    return { kind, apiVersion: API_VERSION, metadata: {}, items };
  }

  async #usageByNode(): Promise<ReadonlyMap<string, NodeUsage>> {
    const usages = new Map<string, NodeUsage>();
    await inSlices(this.#objects.pods(''), (pod) => {
      const name = pod.spec?.nodeName ?? '';
      for (const { usage } of this.#usage(pod)?.containers ?? []) {
        const { cpu, memory } = usages.get(name) ?? NO_USAGE;
        usages.set(name, {
          cpu: addQuantities(cpu, parseQuantity(usage['cpu'] ?? '0')),
          memory: addQuantities(memory, parseQuantity(usage['memory'] ?? '0')),
        });
      }
    });
    return usages;
  }

  #podMetrics(pod: Pod | undefined): object | undefined {
    const usage = pod && this.#usage(pod);
    if (usage === undefined) return undefined;
    return {
      kind: 'PodMetrics',
      apiVersion: API_VERSION,
      metadata: this.#metadata(pod!),
      timestamp: formatTime(usage.at),
      window: WINDOW,
      containers: usage.containers,
    };
  }

  #nodeMetrics(node: Node | undefined, usages: ReadonlyMap<string, NodeUsage>): object | undefined {
    if (node === undefined || !this.#objects.isSimulated(node)) return undefined;
    const { cpu, memory } = usages.get(node.metadata?.name ?? '') ?? NO_USAGE;
    return {
      kind: 'NodeMetrics',
      apiVersion: API_VERSION,
      metadata: this.#metadata(node),
      timestamp: formatTime(this.#now()),
      window: WINDOW,
      usage: { cpu: formatQuantity(cpu), memory: formatQuantity(memory) },
    };
  }

  #metadata({ metadata = {} }: Pick<Pod, 'metadata'>): object {
    const { name, namespace, labels } = metadata;
    return {
      name,
      ...(namespace !== undefined && { namespace }),
      creationTimestamp: formatTime(this.#now()),
      ...(labels !== undefined && { labels }),
    };
  }
}

/** @throws ApiError 400 */
function readSelector(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw errors.badRequest(error.message);
    throw error;
  }
}

/** Handles items one after the other, with turns of the event loop between them. */
async function inSlices<Item>(items: Iterable<Item>, handle: (item: Item) => void): Promise<void> {
  let slice = processClock.monotonic();
  for (const item of items) {
    handle(item);
    if (processClock.monotonic() - slice <= SLICE) continue;
    await yieldToEventLoop();
    slice = processClock.monotonic();
  }
}
