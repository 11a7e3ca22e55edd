// Startup time and idle memory.
import { summary } from '../support/measure.mjs';
import { BenchServer } from '../support/server.mjs';

export default async function start(table) {
  const times = [];
  const memory = [];
  for (let round = 0; round < 5; round += 1) {
    const server = new BenchServer();
    try {
      await server.start();
      times.push(server.readyMilliseconds);
      await server.admin.ask('/readyz', { accept: '*/*' });
      memory.push(server.memory());
    } finally {
      await server.remove();
    }
  }
  table.row('ready on a fresh directory', summary(times), 'ms wall', 500);
  table.row('idle memory', summary(memory), 'MB RSS', 120);
}
