// Reading one Pod of 4 kB over HTTP/2 with a token.
import { many } from '../support/client.mjs';
import { rounds } from '../support/measure.mjs';
import { grantReader, PODS, pod } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';

const REQUESTS = 20_000;

export default async function get(table) {
  await withServer(async (server) => {
    await grantReader(server.admin);
    await server.admin.ask(PODS, { method: 'POST', body: JSON.stringify(pod(1)) });
    for (const [who, token] of [
      ['RBAC user', 'reader'],
      ['administrator', 'administrator'],
    ]) {
      const client = server.client(token);
      const { cpu, rate } = await rounds(server, 5, async () => {
        await many(REQUESTS, 64, () => client.ask(`${PODS}/pod-00001`));
        return REQUESTS;
      });
      table.row(`get a 4 kB Pod, ${who}`, cpu, 'µs CPU', 45);
      table.row(`get a 4 kB Pod, ${who}`, rate, 'per second');
      client.close();
    }
  });
}
