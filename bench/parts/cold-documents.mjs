// Documents that clients read before their first request, from a server that has just started.
import { coldRow } from '../support/cold.mjs';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const DOCUMENTS = [
  { name: 'aggregated discovery', path: '/apis', accept: AGGREGATED, budget: 45 },
  { name: 'aggregated discovery, gzip', path: '/apis', accept: AGGREGATED, gzip: true, budget: 45 },
  { name: 'aggregated discovery, 304', path: '/apis', accept: AGGREGATED, unchanged: true, budget: 25 },
  { name: 'groups, /apis', path: '/apis', budget: 45 },
  { name: 'OpenAPI v3, index', path: '/openapi/v3', budget: 25 },
  { name: 'OpenAPI v3 of apps/v1', path: '/openapi/v3/apis/apps/v1', budget: 120 },
  { name: 'OpenAPI v3 of apps/v1, gzip', path: '/openapi/v3/apis/apps/v1', gzip: true, budget: 120 },
  { name: 'OpenAPI v2, gzip', path: '/openapi/v2', gzip: true, budget: 200, count: 600 },
];

export default async function coldDocuments(table) {
  for (const { name, path, accept = 'application/json', gzip, unchanged, budget, count } of DOCUMENTS)
    await coldRow(
      table,
      { name: `cold: ${name}`, budget, count },
      async (server) => {
        const options = { accept, compression: gzip ? 'gzip' : undefined };
        const { etag } = await server.admin.ask(path, options);
        return { server, options: unchanged ? { ...options, etag } : options };
      },
      (_index, { server, options }) => server.admin.ask(path, options),
    );
}
