// 1,000 Pods on 50 nodes, all of whose kubelets post statuses at once, on a server that gets a fifth of a core:
// its process is stopped for 80 of each 100 milliseconds. A controller manager renews its Lease every two seconds,
// with the deadline of leader election, and new clients connect. The kubelets run in a thread.
import { connect } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { many } from '../support/client.mjs';
import { PODS, pod } from '../support/objects.mjs';
import { NODES, withServer } from '../support/server.mjs';

const SECONDS = Number(process.env.BURST_SECONDS ?? 30);
const PODS_PER_NODE = 20;
const RUN_MILLISECONDS = 20;
const STOP_MILLISECONDS = 80;
const RENEW_MILLISECONDS = 2000;
const CONNECT_MILLISECONDS = 500;
/** The deadline of a renewal, and of a handshake. */
const BUDGET_MILLISECONDS = 10_000;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const spread = (times) => {
  const sorted = [...times].sort((left, right) => left - right);
  return { value: sorted[Math.floor(sorted.length / 2)], least: sorted[0], most: sorted.at(-1) };
};

async function prepare({ admin }) {
  await admin.ask('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    method: 'POST',
    body: JSON.stringify({
      metadata: { name: 'burst' },
      subjects: [
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:nodes' },
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'system:kube-controller-manager' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    }),
  });
  await many(NODES * PODS_PER_NODE, 64, (index) =>
    admin.ask(PODS, { method: 'POST', body: JSON.stringify(pod(index)) }),
  );
  await admin.ask(LEASES, {
    method: 'POST',
    body: JSON.stringify({ metadata: { name: 'elector' }, spec: { holderIdentity: 'elector' } }),
  });
}

/** Stops and continues a process; returns a function that ends this and leaves it running. */
function throttle(process_) {
  let timer;
  const run = () => {
    process_.kill('SIGCONT');
    timer = setTimeout(stop, RUN_MILLISECONDS);
  };
  const stop = () => {
    process_.kill('SIGSTOP');
    timer = setTimeout(run, STOP_MILLISECONDS);
  };
  run();
  return () => {
    clearTimeout(timer);
    process_.kill('SIGCONT');
  };
}

async function renew(server, end) {
  const client = server.client('elector');
  const times = [];
  while (performance.now() < end) {
    const started = performance.now();
    const body = JSON.stringify({ spec: { renewTime: new Date().toISOString().replace('Z', '000Z') } });
    await client.ask(`${LEASES}/elector`, { method: 'PATCH', type: 'application/merge-patch+json', body });
    times.push(performance.now() - started);
    await pause(RENEW_MILLISECONDS);
  }
  client.close();
  return times;
}

async function connectAgain(server, end) {
  const { hostname, port } = new URL(server.url);
  const times = [];
  while (performance.now() < end) {
    const started = performance.now();
    await new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, resolve);
      socket.on('error', reject).on('secureConnect', () => socket.destroy());
    });
    times.push(performance.now() - started);
    await pause(CONNECT_MILLISECONDS);
  }
  return times;
}

export default async function burstPart(table) {
  await withServer(async (server) => {
    await prepare(server);
    const names = Array.from({ length: NODES * PODS_PER_NODE }, (_, index) => pod(index).metadata.name);
    const pods = Array.from({ length: NODES }, (_, node) =>
      names.slice(node * PODS_PER_NODE, (node + 1) * PODS_PER_NODE),
    );
    const release = throttle(server.child);
    try {
      const workerData = { url: server.url, pods };
      const worker = new Worker(new URL('../support/kubelets.mjs', import.meta.url), { workerData });
      const failure = new Promise((_, reject) => worker.once('error', reject));
      const end = performance.now() + SECONDS * 1000;
      const [renewals, handshakes] = await Promise.race([
        Promise.all([renew(server, end), connectAgain(server, end)]),
        failure,
      ]);
      worker.postMessage('stop');
      const stored = await Promise.race([new Promise((resolve) => worker.once('message', resolve)), failure]);
      await worker.terminate();
      const worst = (times) => ({ value: Math.max(...times) });
      table.row('burst: renewal of a Lease', spread(renewals), 'ms');
      table.row('burst: renewal of a Lease, worst', worst(renewals), 'ms', BUDGET_MILLISECONDS);
      table.row('burst: TLS handshake', spread(handshakes), 'ms');
      table.row('burst: TLS handshake, worst', worst(handshakes), 'ms', BUDGET_MILLISECONDS);
      table.row('burst: statuses stored', { value: stored / SECONDS }, '/s');
    } finally {
      release();
    }
  });
}
