const core = '/api/v1/namespaces/${ns}';
const log = `${core}/pods/p/log`;
const queries = [
  'sinceTime=x',
  'sinceTime=2026-01-01T00:00:00Z&sinceSeconds=1',
  'sinceTime=2026-13-01T00:00:00Z',
  'sinceSeconds=x&sinceTime=y',
  'stream=All',
  'container=none&stream=Stdout&tailLines=-1',
];
const targets = [
  'a:b:c:d',
  ':80',
  'ftp:one:80',
  'https:one:443',
  'one:http',
  'one:80',
  'one:81',
  'one:',
  'none:80',
];
const addresses = { subsets: [{ addresses: [{ ip: '192.0.2.9' }], ports: [{ name: 'http', port: 80 }] }] };
const service = { ports: [{ name: 'http', port: 80 }] };

export default {
  title: 'Paths that no route has, and what the log and proxy subresources say before they reach a node',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: `${core}/pods`,
      body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
    { method: 'POST', path: `${core}/services`, body: { metadata: { name: 'one' }, spec: service } },
    { method: 'POST', path: `${core}/endpoints`, body: { metadata: { name: 'one' }, ...addresses } },
  ],
  steps: [
    '/api/v1/watch/pods/p',
    '/api/v1/watch/namespaces/${ns}/pods/p/status',
    '/api/v1/pods/p?watch=1&timeoutSeconds=1',
    '/api/v1/pods?fieldSelector=metadata.name%3Dnone',
    '/api/v1/bindings',
    '/apis/authorization.k8s.io/v1/localsubjectaccessreviews',
    `${core}/bindings`,
    '/.well-known/openid-configuration/x',
    '/openid/v1/jwks/',
    '/openid/v1/jwks/x',
    '/.well-known/openid-configuration//',
    '/openid/v1/jwks///x',
    '/version/x',
    '/apis//',
    '/apis//apps',
    '/apis/apps/v1/namespaces/${ns}/statefulsets/none/scale',
    '/apis/apps/v1/namespaces/${ns}/deployments/none/scale',
    `${core}/replicationcontrollers/none/scale`,
    ...queries.map((query) => `${log}?${query}`),
    ...targets.flatMap((target) => [
      `${core}/services/${target}/proxy`,
      `${core}/services/${target}/proxy/a`,
    ]),
    ...['a:b:c:d', ':80', 'ftp:p:80', 'none:80'].map((target) => `${core}/pods/${target}/proxy`),
    ...['a:b:c:d', ':80', 'ftp:p:80', 'none:80'].map((target) => `/api/v1/nodes/${target}/proxy`),
    '/.well-known/openid-configuration/',
  ].map((path) => ({ name: path, path, ignore: ['/jwks_uri'] })),
};
