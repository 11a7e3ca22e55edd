// What controllers cost: 20,000 Pods and as many ConfigMaps, with a quota that counts them, while the controllers of
// garbage collection, quotas and namespaces follow them, and while none does. Then the same objects after a restart.
import { many } from '../support/client.mjs';
import { rounds } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap, NAMESPACE, PODS, pod } from '../support/objects.mjs';
import { BenchServer } from '../support/server.mjs';

const COUNT = Number(process.env.CONTROLLERS_COUNT ?? 20_000);
const UPDATES = 4000;
const FOLLOWED = '--controllers=garbage-collector-controller,resourcequota-controller,namespace-controller';
const QUOTAS = `/api/v1/namespaces/${NAMESPACE}/resourcequotas`;
const MERGE = 'application/merge-patch+json';
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export default async function controllers(table) {
  await measure(table, 'without controllers', []);
  await measure(table, 'with controllers', [FOLLOWED]);
}

async function measure(table, how, flags) {
  const options = { reportsMemory: true };
  let server = new BenchServer(undefined, flags, options);
  try {
    await server.start();
    await settle(server);
    const empty = await server.reachableBytes();
    const { admin } = server;
    const create = (path, object) => admin.ask(path, { method: 'POST', body: JSON.stringify(object) });
    await many(COUNT, 64, (index) => create(PODS, pod(index)));
    await many(COUNT, 64, (index) => create(CONFIG_MAPS, configMap(`map-${index}`)));
    const hard = { pods: '100000', 'requests.cpu': '100000', 'count/configmaps': '100000' };
    await create(QUOTAS, { metadata: { name: 'all' }, spec: { hard } });
    await settle(server);
    bytesPerObject(table, `bytes per object ${how}`, await server.reachableBytes(), empty);
    const load = (pathOf) => async (round) => {
      const body = JSON.stringify({ metadata: { annotations: { round: String(round) } } });
      await many(UPDATES, 64, (index) => admin.ask(pathOf(index), { method: 'PATCH', type: MERGE, body }));
      await settle(server);
      return UPDATES;
    };
    const { cpu: pods } = await rounds(server, 3, load(podPath));
    table.row(`change of a Pod ${how}`, pods, 'µs CPU');
    const { cpu: maps } = await rounds(
      server,
      3,
      load((index) => `${CONFIG_MAPS}/map-${index}`),
    );
    table.row(`change of a ConfigMap ${how}`, maps, 'µs CPU');
    await settle(server);
    bytesPerObject(table, `bytes per object ${how}, then`, await server.reachableBytes(), empty);
    await server.kill();
    server = await new BenchServer(server, flags, options).start();
    const started = server.cpu();
    await settle(server);
    table.row(`restart ${how}`, { value: server.readyMilliseconds }, 'ms wall');
    table.row(`CPU of that restart ${how}`, { value: started / 1000 }, 'ms CPU');
    table.row(`CPU until it is idle ${how}`, { value: server.cpu() / 1000 }, 'ms CPU');
    bytesPerObject(table, `bytes per object after it ${how}`, await server.reachableBytes(), empty);
  } finally {
    await server.remove();
  }
}

const podPath = (index) => `${PODS}/pod-${String(index).padStart(5, '0')}`;

const bytesPerObject = (table, name, bytes, empty) =>
  table.row(name, { value: (bytes - empty) / (2 * COUNT) }, 'bytes');

/** Waits until the server has worked for less than a tenth of a second. */
async function settle(server) {
  for (;;) {
    const before = server.mainThread();
    await pause(1000);
    if (server.mainThread() - before < 100) return;
  }
}
