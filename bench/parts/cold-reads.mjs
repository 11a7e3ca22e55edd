// Reading one Pod of 4 kB from a server that has just started, and being refused.
import { coldRow } from '../support/cold.mjs';
import { Http1Client } from '../support/http1-client.mjs';
import { grantReader, PODS, pod } from '../support/objects.mjs';

const prepared = (client) => async (server) => {
  await grantReader(server.admin);
  await server.admin.ask(PODS, { method: 'POST', body: JSON.stringify(pod(1)) });
  return client(server);
};
const read = (_index, client) => client.ask(`${PODS}/pod-00001`);

export default async function coldReads(table) {
  await coldRow(
    table,
    { name: 'cold: get a 4 kB Pod, HTTP/2', budget: 20 },
    prepared((server) => server.client('reader')),
    read,
  );
  await coldRow(
    table,
    { name: 'cold: get a 4 kB Pod, HTTP/1.1', budget: 35 },
    prepared((server) => new Http1Client(server.url, 'reader', 16)),
    read,
  );
  await coldRow(
    table,
    { name: 'cold: get refused by RBAC', budget: 20 },
    prepared((server) => server.client('greedy')),
    (_index, client) => client.request(`${PODS}/pod-00001`),
  );
}
