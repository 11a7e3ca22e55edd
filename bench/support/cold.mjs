// The costs of a server that has just started: a new process for each row, the first sixth of the operations is
// not counted, and nothing is repeated in the same process.
import { many } from './client.mjs';
import { BenchServer, withServer } from './server.mjs';

/** Operations of a row, unless it says otherwise. */
export const OPERATIONS = 6000;

/**
 * Runs `operation(index)` in a new process of its own after `prepare(server)`, which may return what operations
 * receive as second argument, and prints the processor time of the server for each counted operation.
 * @param row name, count of operations, concurrency, unit (`µs` or `ms`) and budget in that unit
 */
export async function coldRow(table, row, prepare, operation) {
  const { name, count = OPERATIONS, concurrency = 16, unit = 'µs', budget, flags = [] } = row;
  await withServer(async (server) => {
    const context = await prepare(server);
    const uncounted = Math.ceil(count / 6);
    await many(uncounted, concurrency, (index) => operation(index, context));
    const before = server.cpu();
    await many(count - uncounted, concurrency, (index) => operation(index + uncounted, context));
    const each = (server.cpu() - before) / (count - uncounted);
    table.row(name, { value: unit === 'ms' ? each / 1000 : each }, `${unit} CPU`, budget);
  }, flags);
}

/** Starts a server on an empty directory, waits for what it does after ready, and returns both figures. */
export async function coldStart() {
  const server = new BenchServer();
  try {
    await server.start();
    const cpu = await settled(server);
    return { wall: server.readyMilliseconds, cpu: cpu / 1000, memory: server.memory() };
  } finally {
    await server.remove();
  }
}

/** Processor time of a server, in microseconds, once it uses none for half a second. */
async function settled(server) {
  for (let last = -1, same = 0; ; ) {
    const now = server.cpu();
    same = now === last ? same + 1 : 0;
    if (same === 5) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
