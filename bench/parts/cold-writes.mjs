// Durable writes of ConfigMaps of 1 kB by a server that has just started.
import { many } from '../support/client.mjs';
import { coldRow, OPERATIONS } from '../support/cold.mjs';
import { Http1Client } from '../support/http1-client.mjs';
import { CONFIG_MAPS, configMap } from '../support/objects.mjs';

const create = (client, name) =>
  client.ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(configMap(name)) });

const path = (index) => `${CONFIG_MAPS}/item-${index}`;

/** Each is sent to an object that exists. */
const CHANGES = [
  [
    'update',
    150,
    (client, index) =>
      client.ask(path(index), { method: 'PUT', body: JSON.stringify(configMap(`item-${index}`, 'y')) }),
  ],
  [
    'merge patch',
    160,
    (client, index) =>
      client.ask(path(index), {
        method: 'PATCH',
        type: 'application/merge-patch+json',
        body: '{"data":{"round":"1"}}',
      }),
  ],
  [
    'apply',
    200,
    (client, index) =>
      client.ask(`${path(index)}?fieldManager=bench&force=true`, {
        method: 'PATCH',
        type: 'application/apply-patch+yaml',
        body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: { applied: String(index) } }),
      }),
  ],
  [
    'conflict (409)',
    80,
    (client, index) =>
      client.request(path(index), {
        method: 'PUT',
        body: JSON.stringify({ metadata: { name: `item-${index}`, resourceVersion: '1' } }),
      }),
  ],
  ['delete', 80, (client, index) => client.ask(path(index), { method: 'DELETE' })],
];

export default async function coldWrites(table) {
  for (const [concurrency, budget] of [
    [1, 600],
    [16, 130],
    [64, 90],
  ])
    await coldRow(
      table,
      { name: `cold: create, ${concurrency} at a time`, concurrency, budget },
      (server) => server.admin,
      (index, client) => create(client, `item-${index}`),
    );
  await coldRow(
    table,
    { name: 'cold: create, HTTP/1.1, 16 at a time', budget: 150 },
    (server) => new Http1Client(server.url, 'administrator', 16),
    (index, client) => create(client, `item-${index}`),
  );
  for (const [name, budget, change] of CHANGES)
    await coldRow(
      table,
      { name: `cold: ${name}, 16 at a time`, budget },
      async (server) => {
        await many(OPERATIONS, 32, (index) => create(server.admin, `item-${index}`));
        return server.admin;
      },
      (index, client) => change(client, index),
    );
}
