// Requests and answers whose cost is in their encoding, each in a new server: the longest time for which the
// server's main thread works without a turn of the event loop, and the peak of its resident memory above that
// before the request. A part of the names in ENCODINGS_ONLY selects some.

import { many } from '../support/client.mjs';
import { ENCODINGS, OBJECTS, REQUESTS } from '../support/encodings.mjs';
import { PODS, pod } from '../support/objects.mjs';
import { BenchServer } from '../support/server.mjs';

const BUDGET_MILLISECONDS = 50;
const BUDGET_MEGABYTES = 100;
const LISTED = 5000;
const PARALLEL = 64;
const SELECTED = process.env.ENCODINGS_ONLY ?? '';

const report = (table, name, { longest, memory }, budget = BUDGET_MEGABYTES) => {
  table.row(name, { value: longest }, 'ms', BUDGET_MILLISECONDS);
  table.row('', { value: Math.max(memory, 0) }, 'MB', budget);
};

/** Measures some work with a new server. @param prepare runs before, outside of the measurement */
async function measured(table, name, work, prepare = async () => undefined) {
  if (!name.includes(SELECTED)) return;
  const server = new BenchServer(undefined, ['--storage-backend=memory'], { watchesSteps: true });
  try {
    await server.start();
    await prepare(server);
    let answer;
    const observed = await server.observed(async () => {
      answer = await work(server);
    });
    report(table, name, observed);
    if (answer?.status >= 400)
      table.note('', `${answer.status} ${JSON.parse(answer.body).message.slice(0, 200)}`);
  } finally {
    await server.remove();
  }
}

export default async function encodings(table) {
  for (const [name, path, type, make] of REQUESTS) {
    const body = make();
    await measured(table, name, ({ admin }) =>
      admin.request(`${path}?dryRun=All`, { method: 'POST', type, body }),
    );
  }
  for (const [name, [path, object]] of Object.entries(OBJECTS)) {
    const create = ({ admin }) => admin.ask(path, { method: 'POST', body: JSON.stringify(object) });
    for (const [encoding, [accept, query]] of Object.entries(ENCODINGS)) {
      const read = ({ admin }) => admin.ask(`${path}/a${query}`, { accept });
      await measured(table, `${name}: ${encoding}`, read, create);
    }
  }
  const createList = async ({ admin }) => {
    await many(LISTED, 64, (index) => admin.ask(PODS, { method: 'POST', body: JSON.stringify(pod(index)) }));
  };
  for (const [encoding, [accept, query]] of Object.entries(ENCODINGS))
    for (const compresses of [false, true])
      for (const parallel of [1, PARALLEL])
        await measured(
          table,
          `${parallel} × a list of 20 MB: ${encoding}${compresses ? ', gzip' : ''}`,
          async ({ clients }) => {
            await Promise.all(
              clients.map((client) =>
                client.request(`${PODS}${query}`, { accept, ...(compresses ? { compression: 'gzip' } : {}) }),
              ),
            );
            for (const client of clients) client.close();
          },
          async (server) => {
            await createList(server);
            server.clients = Array.from({ length: parallel }, () => server.client());
            await Promise.all(server.clients.map((client) => client.ask(`${PODS}?limit=1`)));
          },
        );
}
