// Simulated nodes: 1,000 Pods of 4 kB that become Running, and 9,000 more, beside the same Pods on a server that does
// not simulate; what running Pods cost while nothing happens, in memory, and when they are deleted.
import { many } from '../support/client.mjs';
import { PODS, pod } from '../support/objects.mjs';
import { BenchServer } from '../support/server.mjs';

const FIRST = 1000;
const COUNT = Number(process.env.SIMULATION_COUNT ?? 10_000);
const NODES = 100;
/** Seconds of the idle measurement: kubelets renew each Lease every ten. */
const IDLE_SECONDS = 20;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export default async function simulation(table) {
  const alone = await measure([], COUNT);
  const simulated = await measure([`--simulate-nodes=${NODES}`], 0);
  const first = (simulated.first - alone.first) / FIRST;
  table.row('a Pod becomes Running, of the first 1,000', { value: first }, 'µs CPU', 800);
  const rest = (simulated.rest - alone.rest) / (COUNT - FIRST);
  table.row('a Pod becomes Running, of 9,000 more', { value: rest }, 'µs CPU', 400);
  table.row('creation of these Pods', { value: alone.rest / (COUNT - FIRST) }, 'µs CPU');
  table.row('deletion of a running Pod', { value: simulated.deletion }, 'µs CPU');
  table.row('memory of a running Pod on top', { value: simulated.bytes }, 'bytes', 2 * simulated.podBytes);
  const anonymous = simulated.anonymous / (COUNT - FIRST);
  table.row('the same, anonymous resident', { value: anonymous }, 'bytes', 2 * simulated.podBytes);
  table.row(`idle: ${COUNT} Pods, ${NODES} nodes`, { value: simulated.idle }, '% core', 1);
  table.row('idle: the same Pods, not simulated', { value: alone.idle }, '% core');
}

/** @param pending number of Pods that stay pending */
async function measure(flags, pending) {
  let server = new BenchServer(undefined, flags, { reportsMemory: true });
  try {
    await server.start();
    await pause(3000);
    const create = async (begin, end) => {
      const before = server.mainThread();
      await many(end - begin, 64, (index) => ask(server, PODS, 'POST', bound(begin + index)));
      if (pending === 0) await until(async () => (await unlike(server, 'Running')) === 0);
      await pause(500);
      return (server.mainThread() - before) * 1000;
    };
    const first = await create(0, FIRST);
    const rest = await create(FIRST, COUNT);
    const { body } = await ask(server, podPath(0), 'GET');
    await pause(5000);
    const begin = server.cpu();
    await pause(IDLE_SECONDS * 1000);
    const idle = (server.cpu() - begin) / IDLE_SECONDS / 10_000;
    const before = server.mainThread();
    await many(FIRST, 64, (index) => ask(server, podPath(index), 'DELETE'));
    if (pending === 0) await until(async () => (await number(server)) === COUNT - FIRST);
    await pause(500);
    const deletion = ((server.mainThread() - before) * 1000) / FIRST;
    const figures = { first, rest, idle, deletion, podBytes: body.length };
    if (pending > 0) return figures;
    // The same objects, served by a server that does not simulate and by one that does.
    const memory = [];
    for (const more of [[], flags]) {
      await server.kill();
      server = await new BenchServer(server, more, { reportsMemory: true }).start();
      await unlike(server, 'Running');
      await ask(server, '/api/v1/nodes?limit=1', 'GET');
      await pause(15_000);
      memory.push({ reachable: await server.reachableBytes(), anonymous: server.memory('RssAnon') });
    }
    const [without, simulated] = memory;
    return {
      ...figures,
      bytes: (simulated.reachable - without.reachable) / (COUNT - FIRST),
      anonymous: (simulated.anonymous - without.anonymous) * (1 << 20),
    };
  } finally {
    await server.remove();
  }
}

const podPath = (index) => `${PODS}/${pod(index).metadata.name}`;

function bound(index) {
  const { metadata, spec } = pod(index);
  return { metadata, spec: { ...spec, nodeName: `node-${index % NODES}` } };
}

const ask = ({ admin }, path, method, body) =>
  admin.ask(path, { method, keep: true, ...(body !== undefined && { body: JSON.stringify(body) }) });

/** How many Pods are in another phase: 0 or 1. */
async function unlike(server, phase) {
  const { body } = await ask(server, `${PODS}?limit=1&fieldSelector=status.phase!=${phase}`, 'GET');
  return JSON.parse(body).items.length;
}

async function number(server) {
  const { body } = await ask(server, `${PODS}?limit=1`, 'GET');
  return JSON.parse(body).metadata.remainingItemCount + 1;
}

async function until(isSo) {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await isSo()) return;
    await pause(100);
  }
  throw new Error('the Pods are not as expected after two minutes');
}
