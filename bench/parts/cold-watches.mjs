// Watches of a server that has just started: opened one after the other, informers at once, and events.
import { many } from '../support/client.mjs';
import { coldRow } from '../support/cold.mjs';
import { until } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';
import { createPods } from './list.mjs';

const OPENED = 600;
/** A connection has a limited number of streams. */
const SESSIONS = 10;
const INFORMERS = 100;
const WATCHERS = 100;
const CHANGES = 600;
const ALL_PODS = '/api/v1/pods';

/** Lists everything and then watches from there, as informers do. */
async function inform(client, received) {
  const { body } = await client.ask(`${ALL_PODS}?resourceVersion=0`, { keep: true });
  const [, version] = /"resourceVersion":"(\d+)"/.exec(body.toString('latin1', 0, 400));
  const parameters = `watch=1&allowWatchBookmarks=true&resourceVersion=${version}`;
  await client.open(`${ALL_PODS}?${parameters}`, received);
}

async function events(table) {
  await withServer(async (server) => {
    await server.admin.ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(configMap('watched')) });
    let received = 0;
    const count = (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) received += 1;
    };
    await many(WATCHERS, 10, () => server.admin.open(`${CONFIG_MAPS}?watch=1`, count));
    await until(() => received >= WATCHERS);
    let before = 0;
    for (let change = 0; change < CHANGES; change += 1) {
      if (change === CHANGES / 6) {
        await until(() => received >= WATCHERS * (change + 1));
        before = server.cpu();
      }
      await server.admin.ask(`${CONFIG_MAPS}/watched`, {
        method: 'PUT',
        body: JSON.stringify(configMap('watched', `${change}.`)),
      });
    }
    await until(() => received >= WATCHERS * (CHANGES + 1));
    const each = (server.cpu() - before) / ((CHANGES * 5) / 6) / WATCHERS;
    table.row(`cold: event to one of ${WATCHERS} watches, with its update`, { value: each }, 'µs CPU');
  });
}

export default async function coldWatches(table) {
  await coldRow(
    table,
    { name: 'cold: open a watch', count: OPENED, concurrency: 1, budget: 40 },
    async (server) => {
      const { body } = await server.admin.ask(`${CONFIG_MAPS}?limit=1`, { keep: true });
      const clients = Array.from({ length: SESSIONS }, () => server.client());
      return { clients, version: JSON.parse(body).metadata.resourceVersion };
    },
    (index, { clients, version }) =>
      clients[index % SESSIONS].open(`${CONFIG_MAPS}?watch=1&resourceVersion=${version}`, () => undefined),
  );
  await coldRow(
    table,
    {
      name: `cold: ${INFORMERS} informers at once, each`,
      count: INFORMERS,
      concurrency: INFORMERS,
      unit: 'ms',
      budget: 2,
    },
    async (server) => {
      await createPods(server, 300);
      return server;
    },
    (_index, server) => inform(server.client(), () => undefined),
  );
  await events(table);
}
