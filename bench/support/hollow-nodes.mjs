// Hollow nodes: what a kubelet and a kube-proxy ask of the server, without containers.
import { many } from './client.mjs';
import { pod } from './objects.mjs';

export const NODE_NAMESPACE = 'hollow';
const NODES = '/api/v1/nodes';
const NAMESPACED = `/api/v1/namespaces/${NODE_NAMESPACE}`;
export const NODE_PODS = `${NAMESPACED}/pods`;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const SLICES = `/apis/discovery.k8s.io/v1/namespaces/${NODE_NAMESPACE}/endpointslices`;
const ENDPOINTS = 10;

export const nodeName = (index) => `node-${index}`;
const named = (name) => `fieldSelector=metadata.name%3D${name}`;

export const hollowPod = (node, name) => {
  const { metadata, spec } = pod(node);
  return { metadata: { ...metadata, name }, spec: { ...spec, nodeName: nodeName(node) } };
};

const hollowNode = (index) => ({
  metadata: { name: nodeName(index), labels: { 'kubernetes.io/hostname': nodeName(index) } },
  spec: { podCIDR: `10.${index >> 8}.${index & 255}.0/24` },
});

const nodeStatus = (round) => ({
  status: {
    conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
      type,
      status: type === 'Ready' ? 'True' : 'False',
      reason: 'Hollow',
      message: `round ${round}`,
    })),
  },
});

const serviceName = (index) => `service-${index}`;

/** A slice of a Service; each round has other addresses. */
export function slice(index, round) {
  const name = serviceName(index);
  return {
    metadata: { name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: Array.from({ length: ENDPOINTS }, (_, endpoint) => ({
      addresses: [`10.${index & 255}.${round & 255}.${endpoint + 1}`],
      conditions: { ready: true },
    })),
  };
}

export const writeSlice = (client, index, round) =>
  client.ask(`${SLICES}/${serviceName(index)}`, { method: 'PUT', body: JSON.stringify(slice(index, round)) });

/** Makes the nodes with their Leases and Pods, what Pods mount, and Services with their slices. */
export async function createHollowNodes(client, { nodes, podsPerNode, services }) {
  const post = (path, object) => client.ask(path, { method: 'POST', body: JSON.stringify(object) });
  await post('/api/v1/namespaces', { metadata: { name: NODE_NAMESPACE } });
  await post(`${NAMESPACED}/configmaps`, { metadata: { name: 'settings' }, data: { a: 'b' } });
  await many(nodes, 32, async (index) => {
    const name = nodeName(index);
    await post(NODES, hollowNode(index));
    await post(LEASES, { metadata: { name }, spec: { holderIdentity: name, leaseDurationSeconds: 40 } });
  });
  await many(services, 32, async (index) => {
    const spec = { selector: { app: serviceName(index) }, ports: [{ name: 'http', port: 80 }] };
    await post(`${NAMESPACED}/services`, { metadata: { name: serviceName(index) }, spec });
    await post(SLICES, slice(index, 0));
  });
  await many(nodes * podsPerNode, 32, (index) => {
    const node = index % nodes;
    return post(NODE_PODS, hollowPod(node, `pod-${node}-${Math.floor(index / nodes)}`));
  });
}

/** Lists everything and then watches from there; `onEvents` receives the number of events in each chunk. */
async function inform(client, path, onEvents) {
  const question = path.includes('?') ? '&' : '?';
  const { body } = await client.ask(`${path}${question}resourceVersion=0`, { keep: true });
  const [, version] = /"resourceVersion":"(\d+)"/.exec(body.toString('latin1', 0, 400));
  const parameters = `watch=1&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=${version}`;
  await client.open(`${path}${question}${parameters}`, (chunk) => {
    let events = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events += 1;
    onEvents(events);
  });
}

/** What a kubelet watches, then what a kube-proxy does: 11 informers. */
const kubeletPaths = (name) => [
  `${NODES}?${named(name)}`,
  `/api/v1/pods?fieldSelector=spec.nodeName%3D${name}`,
  '/api/v1/services',
  '/apis/node.k8s.io/v1/runtimeclasses',
  '/apis/storage.k8s.io/v1/csidrivers',
  `${NAMESPACED}/configmaps?${named('settings')}`,
  `${NAMESPACED}/configmaps?${named('kube-root-ca.crt')}`,
  `${NAMESPACED}/secrets?${named('settings')}`,
];
const proxyPaths = (name) => [
  `${NODES}?${named(name)}`,
  '/api/v1/services?labelSelector=%21service.kubernetes.io%2Fheadless',
  '/apis/discovery.k8s.io/v1/endpointslices?labelSelector=%21service.kubernetes.io%2Fheadless',
];

/** A node with two connections: that of its kubelet and that of its kube-proxy. */
export class HollowNode {
  #round = 0;

  constructor(server, index, counts) {
    this.name = nodeName(index);
    this.counts = counts;
    this.kubelet = server.client();
    this.proxy = server.client();
  }

  /** Connects and opens the watches. */
  async start() {
    const open = (client, path, kind) =>
      inform(client, path, (events) => {
        this.counts[kind] += events;
      });
    await Promise.all([
      ...kubeletPaths(this.name).map((path) =>
        open(this.kubelet, path, path.includes('nodeName') ? 'pods' : 'others'),
      ),
      ...proxyPaths(this.name).map((path) =>
        open(this.proxy, path, path.includes('slices') ? 'slices' : 'others'),
      ),
    ]);
  }

  /** Renews the Lease and posts the status, as each node does every ten seconds. */
  async beat() {
    this.#round += 1;
    const patch = { method: 'PATCH', type: 'application/merge-patch+json' };
    const spec = { renewTime: new Date().toISOString().replace('Z', '000Z') };
    await this.kubelet.ask(`${LEASES}/${this.name}`, { ...patch, body: JSON.stringify({ spec }) });
    const type = 'application/strategic-merge-patch+json';
    const body = JSON.stringify(nodeStatus(this.#round));
    await this.kubelet.ask(`${NODES}/${this.name}/status`, { ...patch, type, body });
  }

  close() {
    this.kubelet.close();
    this.proxy.close();
  }
}
