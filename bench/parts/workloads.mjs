// What controllers and the scheduler cost: with nothing to do, for 1,000 pending Pods that get nodes, and for 1,000
// Deployments of 3 replicas that are rolled out on simulated nodes, scaled up to 10,000 Pods, and then idle.
import { many } from '../support/client.mjs';
import { NAMESPACE, PODS, pod } from '../support/objects.mjs';
import { BenchServer } from '../support/server.mjs';

const COUNT = Number(process.env.WORKLOADS_COUNT ?? 1000);
const REPLICAS = 3;
const MORE_REPLICAS = 10;
const NODES = 100;
const IDLE_SECONDS = 30;
const NODE_PATH = '/api/v1/nodes';
const SCHEDULER_LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const SERVICES = `/api/v1/namespaces/${NAMESPACE}/services`;
const MERGE = 'application/merge-patch+json';
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export default async function workloads(table) {
  const none = await idleWithoutObjects('-*');
  const all = await idleWithoutObjects('*');
  table.row('controllers without objects', { value: Math.max(0, all - none) }, 'ms CPU/s', 1);
  table.row('the rest of such a server', { value: none }, 'ms CPU/s');
  await schedule(table);
  await rollOut(table);
}

/** Milliseconds of processor time a second. */
async function idleWithoutObjects(controllers) {
  const server = new BenchServer(undefined, [`--controllers=${controllers}`]);
  try {
    await server.start();
    await pause(40_000);
    return await idle(server);
  } finally {
    await server.remove();
  }
}

async function idle(server) {
  const before = server.mainThread();
  await pause(IDLE_SECONDS * 1000);
  return (server.mainThread() - before) / IDLE_SECONDS;
}

/** Waits until events are written and garbage is collected: less than a tenth of the processor in five seconds. */
async function settle(server) {
  for (let tries = 0; tries < 60; tries += 1) {
    const before = server.mainThread();
    await pause(5000);
    if (server.mainThread() - before < 500) break;
  }
  await pause(20_000);
}

/** The nodes have no kubelets, so that only the scheduler works. It waits while another one holds its Lease. */
async function schedule(table) {
  const server = new BenchServer(undefined, ['--controllers=*,-node-lifecycle-controller']);
  try {
    await server.start();
    await many(NODES, 16, (index) => createNode(server, `node-${index}`));
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'bench', leaseDurationSeconds: 3600, acquireTime: renewTime, renewTime };
    await ask(server, SCHEDULER_LEASE, 'POST', { metadata: { name: 'kube-scheduler' }, spec });
    const created = server.mainThread();
    await many(COUNT, 64, (index) => ask(server, PODS, 'POST', pendingPod(index)));
    table.row(`creation of ${COUNT} Pods`, { value: server.mainThread() - created }, 'ms CPU');
    await pause(3000);
    const before = server.mainThread();
    const begin = performance.now();
    await ask(server, `${SCHEDULER_LEASE}/kube-scheduler`, 'DELETE');
    await until(async () => (await number(server, `${PODS}?limit=1&fieldSelector=spec.nodeName=`)) === 0);
    await pause(500);
    const wall = performance.now() - begin - 500;
    table.row(`${COUNT} Pods get nodes`, { value: server.mainThread() - before }, 'ms CPU', COUNT);
    table.row('the same', { value: wall }, 'ms wall');
  } finally {
    await server.remove();
  }
}

async function createNode(server, name) {
  await ask(server, NODE_PATH, 'POST', { metadata: { name } });
  const resources = { cpu: '8', memory: '16Gi', pods: '110' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  const status = { capacity: resources, allocatable: resources, conditions };
  await server.admin.ask(`${NODE_PATH}/${name}/status`, {
    method: 'PATCH',
    type: MERGE,
    body: JSON.stringify({ status }),
  });
  await server.admin.ask(`${NODE_PATH}/${name}`, {
    method: 'PATCH',
    type: MERGE,
    body: JSON.stringify({ spec: { taints: null } }),
  });
}

async function rollOut(table) {
  const server = new BenchServer(undefined, [
    '--controllers=*',
    `--simulate-nodes=${NODES}`,
    '--service-cluster-ip-range=10.96.0.0/16',
  ]);
  try {
    await server.start();
    await pause(3000);
    const measured = async (name, replicas, work) => {
      const before = server.mainThread();
      const begin = performance.now();
      await many(COUNT, 64, work);
      await until(async () => {
        const { body } = await ask(server, DEPLOYMENTS, 'GET');
        return JSON.parse(body).items.every((one) => isRolledOut(one, replicas));
      });
      const wall = performance.now() - begin;
      const budget = replicas === REPLICAS ? COUNT * 20 : undefined;
      table.row(name, { value: server.mainThread() - before }, 'ms CPU', budget);
      table.row('the same', { value: wall }, 'ms wall', budget);
    };
    await measured(`${COUNT} Deployments of ${REPLICAS} Pods, with Services`, REPLICAS, async (index) => {
      await ask(server, SERVICES, 'POST', service(index));
      await ask(server, DEPLOYMENTS, 'POST', deployment(index));
    });
    await measured(`the same Deployments, scaled to ${MORE_REPLICAS}`, MORE_REPLICAS, (index) =>
      server.admin.ask(`${DEPLOYMENTS}/web-${index}`, {
        method: 'PATCH',
        type: MERGE,
        body: JSON.stringify({ spec: { replicas: MORE_REPLICAS } }),
      }),
    );
    await settle(server);
    const pods = COUNT * MORE_REPLICAS;
    table.row(`idle: these ${pods} Pods, ${NODES} nodes`, { value: (await idle(server)) / 10 }, '% core', 1);
  } finally {
    await server.remove();
  }
}

const isRolledOut = ({ metadata, status }, replicas) =>
  status?.observedGeneration === metadata.generation &&
  status.updatedReplicas === replicas &&
  status.replicas === replicas &&
  status.availableReplicas === replicas;

const requests = { cpu: '50m', memory: '64Mi' };

function pendingPod(index) {
  const { metadata } = pod(index);
  return { metadata, spec: { containers: [{ name: 'main', image: 'app:1', resources: { requests } }] } };
}

function deployment(index) {
  const labels = { app: `web-${index}` };
  return {
    metadata: { name: `web-${index}`, labels },
    spec: {
      replicas: REPLICAS,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'app:1', resources: { requests } }] },
      },
    },
  };
}

const service = (index) => ({
  metadata: { name: `web-${index}` },
  spec: { selector: { app: `web-${index}` }, ports: [{ port: 80, targetPort: 8080 }] },
});

const ask = ({ admin }, path, method, body) =>
  admin.ask(path, { method, keep: true, ...(body !== undefined && { body: JSON.stringify(body) }) });

async function number(server, path) {
  const { metadata, items } = JSON.parse((await ask(server, path, 'GET')).body);
  return items.length + (metadata.remainingItemCount ?? 0);
}

async function until(isSo) {
  for (let tries = 0; tries < 4500; tries += 1) {
    if (await isSo()) return;
    await pause(200);
  }
  throw new Error('the objects are not as expected after fifteen minutes');
}
