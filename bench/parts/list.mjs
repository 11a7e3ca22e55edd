// Lists over 5,000 Pods of 4 kB.
import { many } from '../support/client.mjs';
import { rounds } from '../support/measure.mjs';
import { PODS, pod } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';

const COUNT = 5000;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

export async function createPods(server, count, object = pod) {
  await many(count, 32, (index) =>
    server.admin.ask(PODS, { method: 'POST', body: JSON.stringify(object(index)) }),
  );
}

export async function inPages(client, size) {
  let token = '';
  do {
    const { body } = await client.ask(`${PODS}?limit=${size}&continue=${encodeURIComponent(token)}`, {
      keep: true,
    });
    // The token precedes the items; decoding 2 MB to find it would measure this client.
    token = /"continue":"([^"]*)"/.exec(body.toString('latin1', 0, 400))?.[1] ?? '';
  } while (token !== '');
}

export default async function list(table) {
  await withServer(async (server) => {
    await createPods(server, COUNT);
    const { bytes } = await server.admin.ask(PODS);
    const kinds = [
      [`JSON, ${(bytes / 1e6).toFixed(0)} MB`, 30, () => server.admin.ask(PODS)],
      ['protobuf', 25, () => server.admin.ask(PODS, { accept: PROTOBUF })],
      ['1 % by label', 1, () => server.admin.ask(`${PODS}?labelSelector=slot%3D7`)],
      ['as a table', 60, () => server.admin.ask(PODS, { accept: TABLE })],
      ['pages of 500', 40, () => inPages(server.admin, 500)],
    ];
    for (const [name, budget, run] of kinds) {
      const times = name.startsWith('1 %') ? 200 : 10;
      const { cpu } = await rounds(server, 5, async () => {
        await many(times, 1, run);
        return times * 1000;
      });
      table.row(`list ${COUNT} Pods, ${name}`, cpu, 'ms CPU', budget);
    }
    table.row('memory with 5000 Pods after lists', { value: server.memory() }, 'MB RSS', 400);
  });
}
