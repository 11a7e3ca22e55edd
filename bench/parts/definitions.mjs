// Custom kinds: definitions, the start with many of them, and their objects beside built-in ones.
import { many } from '../support/client.mjs';
import { customObject, DEFINITIONS, establish, largeDefinition, objectsOf } from '../support/definitions.mjs';
import { inTurns, median, summary, until } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap } from '../support/objects.mjs';
import { BenchServer, withServer } from '../support/server.mjs';

const DEFINED = 300;
const LISTED = 5000;
const ROUNDS = 5;
/** Noise of two equal measurements. */
const EQUAL = 1.15;

const exact = (value) => ({ value });

export default async function definitions(table) {
  await defined(table);
  await retained(table);
  await objects(table);
}

/** Memory of definitions of 65 kB after a restart, before and after the first request for their objects. */
async function retained(table) {
  const [few, many] = [20, 220];
  let server = await new BenchServer().start();
  const sizes = [];
  let afterUse = 0;
  try {
    let created = 0;
    for (const count of [few, many]) {
      for (; created < count; created += 1)
        await server.admin.ask(DEFINITIONS, {
          method: 'POST',
          body: JSON.stringify(largeDefinition(created)),
        });
      await server.kill();
      server = await new BenchServer(server, [], { reportsMemory: true }).start();
      sizes.push(await server.reachableBytes());
    }
    for (let index = 0; index < many; index += 1) await server.admin.ask(objectsOf(index));
    afterUse = await server.reachableBytes();
  } finally {
    await server.remove();
  }
  const bytes = JSON.stringify(largeDefinition(few)).length;
  const unused = (sizes[1] - sizes[0]) / (many - few);
  const used = unused + (afterUse - sizes[1]) / many;
  table.row('memory of an unused definition, times its JSON', exact(unused / bytes), '', 2);
  table.row('the same after its first use', exact(used / bytes), '', 12);
}

/** Definitions created until all are established, the first request of each kind, and the start with them. */
async function defined(table) {
  const [established, first, both] = [[], [], []];
  for (let round = 0; round < 3; round += 1)
    await withServer(async (server) => {
      await establish(server.admin, 0, 20);
      const start = server.cpu();
      await establish(server.admin, 20, DEFINED);
      const middle = server.cpu();
      for (let index = 20; index < 20 + DEFINED; index += 1) await server.admin.ask(objectsOf(index));
      const end = server.cpu();
      established.push((middle - start) / 1000 / DEFINED);
      first.push((end - middle) / 1000 / DEFINED);
      both.push((end - start) / 1000 / DEFINED);
    });
  table.row(`${DEFINED} definitions until Established, each`, summary(established), 'ms CPU');
  table.row('first GET of each kind', summary(first), 'ms CPU');
  table.row('both', summary(both), 'ms CPU', 3);

  const empty = await restarts(0);
  const full = await restarts(DEFINED);
  table.row('start of an empty cluster again', summary(empty), 'ms wall');
  table.row(`start with ${DEFINED} definitions stored`, summary(full), 'ms wall');
  table.row('difference of the medians', exact(median(full) - median(empty)), 'ms wall', 150);
}

/** Times in which a server with this number of definitions starts again. */
async function restarts(count) {
  let server = new BenchServer();
  const times = [];
  try {
    await server.start();
    if (count > 0) await establish(server.admin, 0, count);
    for (let round = 0; round < ROUNDS; round += 1) {
      await server.kill();
      server = new BenchServer(server);
      await server.start();
      times.push(server.readyMilliseconds);
    }
  } finally {
    await server.remove();
  }
  return times;
}

/** Requests for custom objects and for ConfigMaps of the same size, in turns. */
async function objects(table) {
  await withServer(async (server) => {
    const client = server.admin;
    await establish(client, 0, 1);
    const kinds = [
      { name: 'custom', path: objectsOf(0), make: (name) => customObject(0, name) },
      { name: 'ConfigMap', path: CONFIG_MAPS, make: (name) => configMap(name) },
    ];
    const compare = async (title, load, unit, budget, limit) => {
      const [custom, builtin] = (await inTurns(server, ROUNDS, kinds.map(load))).map(({ cpu }) => cpu);
      table.row(`${title}, custom`, custom, unit, budget);
      table.row(`${title}, ConfigMap`, builtin, unit);
      table.row(`${title}, ratio`, exact(custom.value / builtin.value), '', limit);
    };
    const create =
      ({ path, make }) =>
      async (round) => {
        const count = 4000;
        await many(count, 16, (index) =>
          client.ask(path, { method: 'POST', body: JSON.stringify(make(`many-${round + 1}-${index}`)) }),
        );
        return count;
      };
    await compare('create of 1 kB, 16 at a time', create, 'µs CPU', 350, 1.3);
    for (const { path, make } of kinds) {
      await client.ask(path, { method: 'DELETE' });
      await many(LISTED, 16, (index) =>
        client.ask(path, { method: 'POST', body: JSON.stringify(make(`listed-${index}`)) }),
      );
    }
    const get =
      ({ path }) =>
      async () => {
        await many(8000, 16, (index) => client.ask(`${path}/listed-${index % LISTED}`));
        return 8000;
      };
    await compare('GET', get, 'µs CPU', undefined, EQUAL);
    const list =
      ({ path }) =>
      async () => {
        for (let index = 0; index < 30; index += 1) await client.ask(path);
        return 30;
      };
    await compare(`LIST of ${LISTED}`, list, 'µs CPU', undefined, EQUAL);
    await compare(
      'watch delivery to 100 watchers',
      (kind) => delivery(server, kind),
      'µs CPU',
      undefined,
      EQUAL,
    );
  });
}

/** CPU per delivered event of created objects, with the creation. */
function delivery(server, { path, make }) {
  const [WATCHERS, EVENTS] = [100, 200];
  return async (round) => {
    const client = server.client();
    let events = 0;
    const streams = await Promise.all(
      Array.from({ length: WATCHERS }, () =>
        client.open(`${path}?watch=1&resourceVersion=0&labelSelector=round%3Dr${round}`, (chunk) => {
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events += 1;
        }),
      ),
    );
    await many(EVENTS, 16, (index) => {
      const object = make(`watched-${round + 1}-${index}`);
      object.metadata.labels = { round: `r${round}` };
      return server.admin.ask(path, { method: 'POST', body: JSON.stringify(object) });
    });
    await until(() => events >= WATCHERS * EVENTS);
    for (const stream of streams) stream.close();
    client.close();
    return WATCHERS * EVENTS;
  };
}
