// Hollow nodes, each with two connections and 11 watches: what one costs to open, and what all cost while they renew
// their Leases, post their statuses and have Pods replaced. `NODES_COUNT` says how many, `NODES_SECONDS` for how long.
import { many } from '../support/client.mjs';
import { createHollowNodes, HollowNode, hollowPod, NODE_PODS, writeSlice } from '../support/hollow-nodes.mjs';
import { until } from '../support/measure.mjs';
import { withServer } from '../support/server.mjs';

const NODES = Number(process.env.NODES_COUNT ?? 250);
const SECONDS = Number(process.env.NODES_SECONDS ?? 20);
const PODS_PER_NODE = 30;
const SERVICES = Math.ceil(NODES / 10);
/** Nodes that connect at the same time. */
const AT_ONCE = 4;
const BEAT_SECONDS = 10;
/** A slice changes once a second for so many nodes. */
const NODES_PER_SLICE = 250;
/** A Pod is replaced once a second for so many nodes. */
const NODES_PER_POD = 50;
const BUDGETS = { open: NODES <= 250 ? 6 : 7, cores: NODES <= 250 ? 0.08 : 0.3 };

/** Runs `action(index)` `rate` times a second for a time, whether earlier ones have ended or not; returns how often. */
async function paced(rate, seconds, action) {
  const begun = performance.now();
  const running = [];
  for (let index = 0; index < rate * seconds; index += 1) {
    const wait = begun + (index * 1000) / rate - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    running.push(action(index));
  }
  await Promise.all(running);
  return running.length;
}

/** Replaces a Pod of a node: one more with a status, and without it again. */
async function replacePod(client, index) {
  const name = `churn-${index}`;
  await client.ask(NODE_PODS, { method: 'POST', body: JSON.stringify(hollowPod(index % NODES, name)) });
  const body = JSON.stringify({ status: { phase: 'Running', podIP: '10.0.0.1' } });
  const type = 'application/merge-patch+json';
  await client.ask(`${NODE_PODS}/${name}/status`, { method: 'PATCH', type, body });
  await client.ask(`${NODE_PODS}/${name}?gracePeriodSeconds=0`, { method: 'DELETE' });
}

/** Events that watches of a Pod's node get for {@link replacePod}. */
const EVENTS_PER_POD = 3;

export default async function nodes(table) {
  const counts = { pods: 0, slices: 0, others: 0 };
  await withServer(
    async (server) => {
      await createHollowNodes(server.admin, { nodes: NODES, podsPerNode: PODS_PER_NODE, services: SERVICES });
      const all = Array.from({ length: NODES }, (_, index) => new HollowNode(server, index, counts));
      const before = server.cpu();
      await many(NODES, AT_ONCE, (index) => all[index].start());
      const opening = (server.cpu() - before) / NODES / 1000;
      table.row(`open one of ${NODES} hollow nodes`, { value: opening }, 'ms CPU', BUDGETS.open);

      const cpu = server.cpu();
      const started = performance.now();
      const [, replaced, slices] = await Promise.all([
        paced(NODES / BEAT_SECONDS, SECONDS, (index) => all[index % NODES].beat()),
        paced(NODES / NODES_PER_POD, SECONDS, (index) => replacePod(server.admin, index)),
        paced(NODES / NODES_PER_SLICE, SECONDS, (index) =>
          writeSlice(server.admin, index % SERVICES, index + 1),
        ),
      ]);
      const expected = { pods: replaced * EVENTS_PER_POD, slices: slices * NODES };
      await until(() => counts.pods >= expected.pods && counts.slices >= expected.slices);
      const seconds = (performance.now() - started) / 1000;
      const cores = (server.cpu() - cpu) / 1e6 / seconds;
      table.row(`${NODES} hollow nodes, steady`, { value: cores }, 'cores', BUDGETS.cores);
      table.row(`${NODES} hollow nodes, events`, { value: (counts.pods + counts.slices) / seconds }, '/s');
      table.row(`${NODES} hollow nodes, seconds for ${SECONDS}`, { value: seconds }, 's');
      table.row(`${NODES} hollow nodes, memory`, { value: server.memory() }, 'MB');
      for (const node of all) node.close();
    },
    ['--controllers=-*'],
  );
}
