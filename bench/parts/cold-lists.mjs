// Lists over 5,000 Pods of 4 kB by a server that has answered no list before.
import { coldRow } from '../support/cold.mjs';
import { PODS, pod } from '../support/objects.mjs';
import { createPods, inPages } from './list.mjs';

const COUNT = 5000;
const FEW = 30;
const MANY = 300;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const whole = (options) => (client) => client.ask(`${PODS}?resourceVersion=0`, options);

const LISTS = [
  ['JSON', 18, FEW, whole({})],
  ['protobuf', 12, FEW, whole({ accept: PROTOBUF })],
  ['Table', 20, FEW, whole({ accept: TABLE })],
  ['JSON, gzip', 10, FEW, whole({ compression: 'gzip' })],
  ['pages of 500', 22, FEW, (client) => inPages(client, 500)],
  ['1 % by label', 0.35, MANY, (client) => client.ask(`${PODS}?labelSelector=slot%3D7`)],
  ['2 % by field', 0.4, MANY, (client) => client.ask(`${PODS}?fieldSelector=spec.nodeName%3Dnode-7`)],
];

export default async function coldLists(table) {
  for (const [name, budget, count, list] of LISTS)
    await coldRow(
      table,
      { name: `cold: list ${COUNT} Pods, ${name}`, budget, count, concurrency: 1, unit: 'ms' },
      async (server) => {
        await createPods(server, COUNT, podOnNode);
        return server.admin;
      },
      (_index, client) => list(client),
    );
}

/** One Pod in fifty is on `node-7`, which does not exist: nothing looks after its Pods. */
function podOnNode(index) {
  const one = pod(index);
  return { ...one, spec: { ...one.spec, nodeName: `node-${index % 50}` } };
}
