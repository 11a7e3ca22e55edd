import type { CacheRecord } from '../cache/record.ts';
import type { SimulatedNodes } from '../kubelets/connections.ts';
import type { Node, Pod } from '../model/generated/core-v1.ts';
import { KubeletServer } from '../nodes/answers/kubelet-server.ts';
import { MetricsApi } from '../nodes/metrics/metrics-api.ts';
import { usageOf } from '../nodes/metrics/usage.ts';
import { isOffline, isSimulated } from '../nodes/node-agent.ts';
import type { SimulationSettings } from '../nodes/settings.ts';
import { AddressTargets } from '../outbound/address-targets.ts';
import type { Address, Dialer } from '../outbound/dialer.ts';
import { DIRECT_EGRESS } from '../outbound/egress.ts';
import { joinHostPort } from '../outbound/failure-text.ts';
import { OutboundClient, type OutboundLimits } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { PodMetrics } from '../reconcile/pods/pod-usage.ts';
import type { Resources } from '../resources/resources.ts';
import type { StoredResource } from '../resources/stored-resource.ts';
import { prefixEnd } from '../storage/storage.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';

export interface SimulatedKubeletParts {
  readonly settings: Pick<SimulationSettings, 'allNodes' | 'logsContent'>;
  readonly resources: Resources;
  readonly clusterClock: Pick<ClusterClock, 'now'>;
  readonly limits: Pick<OutboundLimits, 'maximumRequests' | 'maximumWaiting'>;
}

/** The simulated kubelets of this process, and what they measure. */
export interface SimulatedKubelets extends SimulatedNodes {
  readonly podMetrics: PodMetrics;
  /** Serves the measurements. */
  readonly metrics: MetricsApi;
  close(): void;
}

/** Ends the names of Pods among the addresses inside the process. */
const POD_SUFFIX = '.pod';

/** The way to the kubelets that this process plays. A simulated node that names a kubelet port has another one. */
export function simulatedNodes({
  settings,
  resources,
  clusterClock,
  limits,
}: SimulatedKubeletParts): SimulatedKubelets {
  const { stored: nodes } = resources.internal('', 'nodes');
  const { stored: pods } = resources.internal('', 'pods');
  const nodeOf = (name: string): Node | undefined => {
    const record = nodes.cache.get(nodes.key('', name));
    return record && (nodes.decode(record) as Node);
  };
  const readPod = async (namespace: string, name: string): Promise<Pod | undefined> => {
    await pods.cache.waitFresh('latest');
    const record = pods.cache.get(pods.key(namespace, name));
    return record && (pods.decode(record) as Pod);
  };
  const server = new KubeletServer({
    readPod,
    logsContent: settings.logsContent,
    clock: processClock,
    now: clusterClock.now,
  });
  const has = (node: Node): boolean =>
    isSimulated(node, settings.allNodes) && (node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0) <= 0;
  const runs = (node: Node | undefined): boolean => node !== undefined && has(node) && !isOffline(node);
  const dialKubelet: Dialer = async (address) => {
    if (!runs(nodeOf(address.host))) throw refused(address);
    return server.connect();
  };
  const dialPod: Dialer = async ({ host, port }) => {
    const labels = host.slice(0, -POD_SUFFIX.length).split('.');
    const namespace = labels.pop()!;
    const pod = await readPod(namespace, labels.join('.'));
    const isThere = pod?.status?.phase === 'Running' && runs(nodeOf(pod.spec?.nodeName ?? ''));
    const connection = isThere ? server.connectPort(pod, port) : undefined;
    if (connection === undefined) throw refused({ host: pod?.status?.podIP ?? host, port });
    return connection;
  };
  const podMetrics: PodMetrics = (pod) => {
    const node = nodeOf(pod.spec?.nodeName ?? '');
    return runs(node) ? usageOf(pod, clusterClock.now()) : undefined;
  };
  const metrics = new MetricsApi(
    {
      pod: (namespace, name) => read<Pod>(pods, pods.key(namespace, name)),
      pods: (namespace) => all<Pod>(pods, namespace),
      node: nodeOf,
      nodes: () => all<Node>(nodes, ''),
      isSimulated: runs,
      async waitFresh() {
        await Promise.all([nodes.cache.waitFresh('latest'), pods.cache.waitFresh('latest')]);
      },
    },
    podMetrics,
    clusterClock.now,
  );
  const clients = [dialKubelet, dialPod].map(
    (dialer) => new OutboundClient({ ...limits, egress: { ...DIRECT_EGRESS, cluster: dialer } }),
  );
  const [kubelets, ports] = clients.map((client) => new AddressTargets(client, undefined));
  return {
    has,
    kubelets: kubelets!,
    podMetrics,
    metrics,
    podAt({ metadata = {}, spec }, port) {
      const node = nodeOf(spec?.nodeName ?? '');
      if (node === undefined || !has(node)) return undefined;
      return ports!.at({ host: `${metadata.name}.${metadata.namespace}${POD_SUFFIX}`, port });
    },
    close() {
      for (const client of clients) client.close();
    },
  };
}

function refused(address: Address): OutboundError {
  return new OutboundError(`dial tcp ${joinHostPort(address)}: connect: connection refused`, 'ECONNREFUSED');
}

function read<Kind>(stored: StoredResource, key: string): Kind | undefined {
  const record = stored.cache.get(key);
  return record && (stored.decode(record) as Kind);
}

/** The objects of a resource, or of a namespace, each decoded when it is taken. */
function* all<Kind>(stored: StoredResource, namespace: string): Generator<Kind, void> {
  const records: CacheRecord[] = [];
  const prefix = stored.key(namespace, '');
  stored.cache.current().scan(prefix, prefixEnd(prefix), (record) => {
    records.push(record);
    return true;
  });
  for (const record of records) yield stored.decode(record) as Kind;
}
