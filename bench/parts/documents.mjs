// Documents that clients read before their first request.
import { many } from '../support/client.mjs';
import { rounds } from '../support/measure.mjs';
import { withServer } from '../support/server.mjs';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export default async function documents(table) {
  await withServer(async (server) => {
    const kinds = [
      ['aggregated discovery', '/apis', AGGREGATED, 60],
      ['OpenAPI v3 of apps/v1', '/openapi/v3/apis/apps/v1', 'application/json', 150],
    ];
    for (const [name, path, accept, budget] of kinds) {
      const { status, bytes } = await server.admin.request(path, { accept });
      if (status !== 200) {
        table.note(name, `returns ${status}`);
        continue;
      }
      const { cpu } = await rounds(server, 5, async () => {
        await many(4000, 16, () => server.admin.ask(path, { accept }));
        return 4000;
      });
      table.row(`${name}, ${(bytes / 1000).toFixed(0)} kB`, cpu, 'µs CPU', budget);
    }
  });
}
