const maps = '/api/v1/namespaces/${ns}/configmaps';
const watch = (name, query, timeoutMs, extra) => ({
  name,
  path: `${maps}?watch=1&resourceVersion=\${rv}&${query}`,
  watch: { timeoutMs },
  ...extra,
});
const bookmarks = 'timeoutSeconds=5&allowWatchBookmarks=true';

export default {
  title: 'Watches that end at once, that end with a bookmark, and that do not exist',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: maps,
      body: { metadata: { name: 'a' } },
      save: { rv: '/metadata/resourceVersion' },
    },
  ],
  steps: [
    watch('a time that is over', 'timeoutSeconds=-1', 3000),
    watch('a continue token', 'timeoutSeconds=1&continue=x', 3000),
    watch('an empty timeout', 'timeoutSeconds=', 3000),
    watch('no bookmark without a change', bookmarks, 8000),
    watch('a watch', bookmarks, 8000, { start: 'live', watch: { events: 2, timeoutMs: 8000 } }),
    {
      name: 'a change',
      method: 'PATCH',
      path: `${maps}/a`,
      contentType: 'application/merge-patch+json',
      body: { data: { a: '1' } },
    },
    { name: 'a bookmark before the end', join: 'live' },
    { name: 'a subresource', path: '/api/v1/watch/namespaces/${ns}/configmaps/a/status?timeoutSeconds=1' },
  ],
};
