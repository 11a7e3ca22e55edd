// What kubelets ask for: the Pods of one node of many, and the events of these.
import { many } from '../support/client.mjs';
import { rounds, until } from '../support/measure.mjs';
import { PODS, pod } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';

const NODES = 500;
const PER_NODE = 20;
const COUNT = NODES * PER_NODE;
const CHANGES = 200;

const podOnNode = (index) => {
  const one = pod(index);
  return { ...one, spec: { ...one.spec, nodeName: `node-${index % NODES}` } };
};
const ofNode = (index) => `fieldSelector=spec.nodeName%3Dnode-${index % NODES}`;

/** The nodes do not exist: nothing may look after their Pods. */
const FLAGS = ['--controllers=-*'];

export default async function selected(table) {
  await withServer(async (server) => {
    await many(COUNT, 32, (index) =>
      server.admin.ask(PODS, { method: 'POST', body: JSON.stringify(podOnNode(index)) }),
    );
    // The first ones scan, and have the index made.
    for (let index = 0; index < 20; index += 1) await server.admin.ask(`${PODS}?${ofNode(index)}`);
    const lists = await rounds(server, 5, async () => {
      await many(NODES, 1, (index) => server.admin.ask(`${PODS}?${ofNode(index)}`));
      return NODES * 1000;
    });
    table.row(`list the ${PER_NODE} Pods of one node of ${COUNT} Pods`, lists.cpu, 'ms CPU', 1);
    let events = 0;
    const count = (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events += 1;
    };
    const clients = Array.from({ length: 10 }, () => server.client());
    await Promise.all(
      Array.from({ length: NODES }, (_, index) =>
        clients[index % 10].open(`${PODS}?watch=1&${ofNode(index)}`, count),
      ),
    );
    await until(() => events >= COUNT);
    let delivered = events;
    const changes = await rounds(server, 5, async (round) => {
      await many(CHANGES, 1, (index) => {
        const labels = JSON.stringify({ metadata: { labels: { round: `r${round}.${index}` } } });
        const { name } = pod(index).metadata;
        return server.admin.ask(`${PODS}/${name}`, {
          method: 'PATCH',
          body: labels,
          type: 'application/merge-patch+json',
        });
      });
      delivered += CHANGES;
      await until(() => events >= delivered);
      return CHANGES;
    });
    table.row(`patch a Pod, ${NODES} watches of one node each`, changes.cpu, 'µs CPU', 5000);
    for (const client of clients) client.close();
  }, FLAGS);
}
