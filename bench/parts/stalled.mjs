// Ten concurrent large lists, one of whose clients stops reading.
import { until } from '../support/measure.mjs';
import { PODS } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';
import { createPods } from './list.mjs';

export default async function stalled(table) {
  await withServer(async (server) => {
    await createPods(server, 5000);
    await server.admin.ask(PODS);
    const before = server.memory();
    const clients = Array.from({ length: 10 }, () => server.client());
    const [slow, ...others] = clients;
    const held = await slow.open(PODS, () => held?.pause());
    await Promise.all(others.map((client) => client.ask(PODS)));
    await until(() => server.memory('VmHWM') >= before);
    table.row(
      'ten 20 MB lists, one stalled: extra',
      { value: server.memory('VmHWM') - before },
      'MB RSS',
      50,
    );
    for (const client of clients) client.close();
  });
}
