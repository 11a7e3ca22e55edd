// Durable writes of ConfigMaps of 1 kB.
import { many } from '../support/client.mjs';
import { rounds } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';

export default async function write(table) {
  await withServer(async (server) => {
    const client = server.admin;
    const report = (name, { cpu, rate }, budget) => {
      table.row(name, cpu, 'µs CPU', budget);
      table.row(name, rate, 'per second');
    };
    const load = (prefix, count, concurrency, request) => async (round) => {
      await many(count, concurrency, (index) => request(`${prefix}-${round + 1}-${index}`, round));
      return count;
    };
    const create = (name) =>
      client.ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(configMap(name)) });
    report(
      'create a 1 kB ConfigMap, 1 at a time',
      await rounds(server, 5, load('one', 2000, 1, create)),
      500,
    );
    report('create, 16 at a time', await rounds(server, 5, load('many', 8000, 16, create)), 250);
    const put = (name, round) =>
      client.ask(`${CONFIG_MAPS}/${name}`, {
        method: 'PUT',
        body: JSON.stringify(configMap(name, String(round + 2))),
      });
    report('update, 16 at a time', await rounds(server, 5, load('many', 8000, 16, put)), 300);
    const merge = (name, round) =>
      client.ask(`${CONFIG_MAPS}/${name}`, {
        method: 'PATCH',
        type: 'application/merge-patch+json',
        body: `{"data":{"round":"${round}"}}`,
      });
    report('merge patch, 16 at a time', await rounds(server, 5, load('many', 8000, 16, merge)), 300);
    const remove = (name) => client.ask(`${CONFIG_MAPS}/${name}`, { method: 'DELETE' });
    report('delete, 16 at a time', await rounds(server, 5, load('many', 8000, 16, remove)), 300);
  });
}
