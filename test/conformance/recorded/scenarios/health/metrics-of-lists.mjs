const GROUP = '/apis/metrics.example.test/v1';
const FAMILIES =
  /^(apiserver_(cache_list|storage_list|storage_events_received|watch_cache_(initializations|events|consistent)|init_events|response_sizes_count|request_sli_duration_seconds_count|watch_list_duration_seconds_count)\w*)\{(.*)\} [1-9]/;

export default {
  title: 'Series of lists of custom objects, watches and connections: names and labels that move',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        metadata: { name: 'listedthings.metrics.example.test' },
        spec: {
          group: 'metrics.example.test',
          scope: 'Namespaced',
          names: { plural: 'listedthings', kind: 'ListedThing' },
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      },
    },
  ],
  steps: [
    {
      name: 'served',
      run: async (ctx) =>
        (await ctx.poll({ path: `${GROUP}/listedthings` }, ({ status }) => status === 200)).status,
    },
    {
      name: 'create',
      method: 'POST',
      path: `${GROUP}/namespaces/\${ns}/listedthings`,
      body: { apiVersion: 'metrics.example.test/v1', kind: 'ListedThing', metadata: { name: 'a' } },
    },
    { name: 'list', path: `${GROUP}/namespaces/\${ns}/listedthings` },
    { name: 'list all', path: `${GROUP}/listedthings?labelSelector=a` },
    {
      name: 'series',
      timeoutMs: 30_000,
      run: async (ctx) => {
        const path = `${GROUP}/namespaces/${ctx.vars.ns}/listedthings`;
        const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
        await ctx.request({ path: `${path}?watch=1&timeoutSeconds=1&${initial}` });
        await ctx.request({ path: `/api/v1/namespaces/${ctx.vars.ns}/pods/none/log` });
        const { body } = await ctx.request({ path: '/metrics', accept: '*/*' });
        const lines = typeof body === 'string' ? body.split('\n') : body.$text;
        const series = new Set();
        for (const line of lines) {
          const found = FAMILIES.exec(line);
          if (found === null || !/listedthings|"pods".*"log"/.test(line)) continue;
          if (!/component/.test(line) || /scope="(namespace|resource)"/.test(line))
            series.add(`${found[1]}{${found.at(-1).replace(/,?le="[^"]*"/, '')}}`);
        }
        return [...series].sort();
      },
    },
  ],
};
