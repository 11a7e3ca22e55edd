const FAMILIES =
  /^(apiserver_(cache_list|storage_list|storage_events_received|watch_cache_(initializations|events|consistent)|init_events|response_sizes_count|request_sli_duration_seconds_count|watch_list_duration_seconds_count)\w*)\{(.*)\} [1-9]/;

export default {
  title: 'Series of lists, watches and connections: names and labels that move',
  namespace: true,
  steps: [
    {
      name: 'create',
      method: 'POST',
      path: '/api/v1/namespaces/${ns}/limitranges',
      body: { metadata: { name: 'a' } },
    },
    { name: 'list', path: '/api/v1/namespaces/${ns}/limitranges' },
    { name: 'list all', path: '/api/v1/limitranges?labelSelector=a' },
    {
      name: 'series',
      timeoutMs: 30_000,
      run: async (ctx) => {
        const path = `/api/v1/namespaces/${ctx.vars.ns}/limitranges`;
        const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
        await ctx.request({ path: `${path}?watch=1&timeoutSeconds=1&${initial}` });
        await ctx.request({ path: `/api/v1/namespaces/${ctx.vars.ns}/pods/none/log` });
        const { body } = await ctx.request({ path: '/metrics', accept: '*/*' });
        const lines = typeof body === 'string' ? body.split('\n') : body.$text;
        const series = new Set();
        for (const line of lines) {
          const found = FAMILIES.exec(line);
          if (found === null || !/limitranges|"pods".*"log"/.test(line)) continue;
          if (!/component/.test(line) || /scope="(namespace|resource)"/.test(line))
            series.add(`${found[1]}{${found.at(-1).replace(/,?le="[^"]*"/, '')}}`);
        }
        return [...series].sort();
      },
    },
  ],
};
