// 50,000 small objects: memory, and restart time after the server was killed.
import { many } from '../support/client.mjs';
import { summary } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap } from '../support/objects.mjs';
import { BenchServer } from '../support/server.mjs';

const COUNT = 50_000;

export default async function memory(table) {
  let server = new BenchServer();
  try {
    await server.start();
    const client = server.admin;
    await many(COUNT, 64, (index) =>
      client.ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(configMap(`map-${index}`)) }),
    );
    table.row('memory with 50,000 ConfigMaps written', { value: server.memory() }, 'MB RSS', 350);
    const times = [];
    const sizes = [];
    for (let round = 0; round < 3; round += 1) {
      await server.kill();
      server = await new BenchServer(server).start();
      times.push(server.readyMilliseconds);
      const { body } = await server.admin.ask(`${CONFIG_MAPS}?limit=1`, { keep: true });
      const remaining = JSON.parse(body).metadata.remainingItemCount;
      if (remaining !== COUNT - 1)
        throw new Error(`${remaining + 1} of ${COUNT} objects exist after the restart`);
      sizes.push(server.memory());
    }
    table.row('restart with 50,000 after kill -9', summary(times), 'ms wall', 1500);
    table.row('memory after that restart', summary(sizes), 'MB RSS', 350);
  } finally {
    await server.remove();
  }
}
