// A storm of one user: 64 clients list 20 MB of Pods again and again, while 4 clients of another user read one
// object of 1 kB and write another; for 30 seconds, with priority and fairness and without. The server runs in
// a process of its own, the greedy clients in a thread. The CPU figures are what the server's main thread worked
// while a polite request was open: they do not depend on what else the machine does.
import { Worker } from 'node:worker_threads';
import { many } from '../support/client.mjs';
import { CONFIG_MAPS, configMap, PODS, pod } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';

const SECONDS = Number(process.env.STORM_SECONDS ?? 30);
const GREEDY = 64;
const POLITE = 4;
const OBJECTS = 5000;
const BUDGET_MILLISECONDS = 100;
const WARM_UP_SECONDS = 3;

const percentile = (sorted, part) => ({
  value: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))],
});
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Two users with all rights, in the levels of ordinary users. */
async function prepare({ admin }) {
  const subjects = ['greedy', 'polite'].map((name) => ({
    kind: 'User',
    apiGroup: 'rbac.authorization.k8s.io',
    name,
  }));
  await admin.ask('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    method: 'POST',
    body: JSON.stringify({
      metadata: { name: 'storm' },
      subjects,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    }),
  });
  await many(OBJECTS, 64, (index) => admin.ask(PODS, { method: 'POST', body: JSON.stringify(pod(index)) }));
  for (const name of ['read', ...Array.from({ length: POLITE }, (_, index) => `written-${index}`)])
    await admin.ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(configMap(name)) });
}

/** Sends requests of one polite client until `end`; records milliseconds per request. */
async function bePolite(server, index, end, times) {
  const client = server.client('polite');
  const timed = async (kind, request) => {
    const started = performance.now();
    const worked = server.mainThread();
    const { status } = await request();
    if (status === 429) times.refused += 1;
    else if (status >= 400) throw new Error(`a polite ${kind} got ${status}`);
    times[kind].push(performance.now() - started);
    times.cpu[kind].push(server.mainThread() - worked);
  };
  const type = 'application/merge-patch+json';
  for (let round = 0; performance.now() < end; round += 1) {
    await timed('read', () => client.request(`${CONFIG_MAPS}/read`));
    const body = JSON.stringify({ data: { round: String(round) } });
    await timed('write', () =>
      client.request(`${CONFIG_MAPS}/written-${index}`, { method: 'PATCH', type, body }),
    );
    await pause(20);
  }
  client.close();
}

async function storm(table, name, flags) {
  await withServer(async (server) => {
    await prepare(server);
    const before = server.memory();
    const workerData = { url: server.url, token: 'greedy', clients: GREEDY, path: PODS };
    const worker = new Worker(new URL('../support/greedy.mjs', import.meta.url), { workerData });
    await pause(WARM_UP_SECONDS * 1000);
    const warm = server.memory();
    const times = { read: [], write: [], cpu: { read: [], write: [] }, refused: 0 };
    const end = performance.now() + SECONDS * 1000;
    await Promise.all(Array.from({ length: POLITE }, (_, index) => bePolite(server, index, end, times)));
    const counts = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage('stop');
    const { answered, refused, bytes } = await counts;
    await worker.terminate();
    for (const kind of ['read', 'write']) {
      const sorted = times[kind].sort((left, right) => left - right);
      table.row(`storm ${name}: polite ${kind}, median`, percentile(sorted, 0.5), 'ms');
      const budget = name === 'with fairness' ? BUDGET_MILLISECONDS : undefined;
      table.row(`storm ${name}: polite ${kind}, 99th`, percentile(sorted, 0.99), 'ms', budget);
      table.row(`storm ${name}: polite ${kind}, maximum`, percentile(sorted, 1), 'ms');
      const cpu = times.cpu[kind].sort((left, right) => left - right);
      table.row(`storm ${name}: polite ${kind}, 99th, CPU`, percentile(cpu, 0.99), 'ms', budget);
    }
    table.row(`storm ${name}: polite requests`, { value: times.read.length + times.write.length }, '');
    const none = name === 'with fairness' ? 0 : undefined;
    table.row(`storm ${name}: polite refused`, { value: times.refused }, '', none);
    table.row(`storm ${name}: greedy lists`, { value: answered }, '');
    table.row(`storm ${name}: greedy refused`, { value: refused }, '');
    table.row(`storm ${name}: greedy bytes`, { value: bytes / 1e6 / (SECONDS + WARM_UP_SECONDS) }, 'MB/s');
    table.row(`storm ${name}: memory before`, { value: before }, 'MB');
    table.row(`storm ${name}: memory after 3 s`, { value: warm }, 'MB');
    table.row(`storm ${name}: memory at the end`, { value: server.memory() }, 'MB');
    table.row(`storm ${name}: memory, most`, { value: server.memory('VmHWM') }, 'MB');
  }, flags);
}

export default async function stormPart(table) {
  await storm(table, 'with fairness', []);
  await storm(table, 'without', ['--enable-priority-and-fairness=false']);
}
