// One change delivered to 1,000 watchers.
import { rounds, until } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';

const WATCHERS = 1000;
const SESSIONS = 10;
const CHANGES = 100;

export default async function watch(table) {
  await withServer(async (server) => {
    await server.admin.ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(configMap('watched')) });
    let events = 0;
    const count = (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events += 1;
    };
    const clients = Array.from({ length: SESSIONS }, () => server.client());
    await Promise.all(
      Array.from({ length: WATCHERS }, (_, index) =>
        clients[index % SESSIONS].open(`${CONFIG_MAPS}?watch=1`, count),
      ),
    );
    await until(() => events >= WATCHERS);
    let delivered = events;
    const { cpu, rate } = await rounds(server, 5, async (round) => {
      for (let change = 0; change < CHANGES; change += 1)
        await server.admin.ask(`${CONFIG_MAPS}/watched`, {
          method: 'PUT',
          body: JSON.stringify(configMap('watched', `${round}.${change}.`)),
        });
      delivered += WATCHERS * CHANGES;
      await until(() => events >= delivered);
      return WATCHERS * CHANGES;
    });
    table.row('watch: one delivery of 1,000', cpu, 'µs CPU', 5);
    table.row('watch: deliveries', rate, 'per second');
    table.row('memory with 1,000 watchers', { value: server.memory() }, 'MB RSS', 250);
    for (const client of clients) client.close();
  });
}
