const maps = '/api/v1/namespaces/${ns}/configmaps';
const meta = (as, version = 'v1') => `application/json;as=${as};g=meta.k8s.io;v=${version}`;
const refusals = [
  'timeoutSeconds=x&limit=y&labelSelector=%3D',
  'limit=y&labelSelector=%3D',
  'labelSelector=%3D&fieldSelector=%3D%3D&resourceVersionMatch=Exact',
  'fieldSelector=spec.x%3D1&resourceVersionMatch=Exact',
  'fieldSelector=spec.x%3D1',
  'continue=x',
];

export default {
  title:
    'Numbers, selectors, combinations, form, field labels: the order in which lists and watches check their options',
  namespace: true,
  setup: [{ method: 'POST', path: maps, body: { metadata: { name: 'a' } } }],
  steps: [
    ...refusals.flatMap((query) => [
      { name: `list ${query}`, path: `${maps}?${query}` },
      {
        name: `list as one object ${query}`,
        path: `${maps}?${query}`,
        accept: meta('PartialObjectMetadata'),
      },
      { name: `list in no known form ${query}`, path: `${maps}?${query}`, accept: 'text/html' },
      { name: `watch ${query}`, path: `${maps}?watch=1&timeoutSeconds=1&${query}` },
      {
        name: `watch as YAML ${query}`,
        path: `${maps}?watch=1&timeoutSeconds=1&${query}`,
        accept: 'application/yaml',
      },
    ]),
    { name: 'a version out of range', path: `${maps}?limit=1&resourceVersion=18446744073709551616` },
    { name: 'a list as one object', path: maps, accept: meta('PartialObjectMetadata') },
    ...[
      '',
      '&resourceVersion=0',
      '&resourceVersion=0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    ].map((query) => ({
      name: `rows of a stream whose beginning ends in a bookmark${query}`,
      path: `${maps}?watch=1&timeoutSeconds=1&allowWatchBookmarks=1${query}`,
      accept: meta('Table'),
    })),
    {
      name: 'rows without bookmarks',
      path: `${maps}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      accept: meta('Table'),
      watch: { events: 1 },
    },
    { name: 'the text of a form that no error has', path: maps, accept: 'text/html', raw: true },
    {
      name: 'the text of an error to a client of tables',
      path: `${maps}/none`,
      accept: meta('Table'),
      raw: true,
    },
    ...['POST', 'DELETE'].map((method) => ({
      name: `${method} of the document of a group`,
      method,
      path: '/apis/apps',
    })),
    ...['POST', 'DELETE'].map((method) => ({
      name: `${method} of the document of the aggregator's own group`,
      method,
      path: '/apis/apiregistration.k8s.io',
    })),
    {
      name: "the aggregator's own group in no known form",
      path: '/apis/apiregistration.k8s.io',
      accept: 'text/html',
    },
  ],
};
