// Requests near the limits, with very many small parts.
export const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
export const map = (count, keyOf, value) => Object.fromEntries(many(count, (index) => [keyOf(index), value]));
const address = (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
export const container = { name: 'a', image: 'a' };
export const core = (resource) => `/api/v1/namespaces/default/${resource}`;

const ownerOf = (fieldsV1) => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
});

/** Maximum parts of a body: colons and commas of its JSON. */
export const PARTS = 99_000;

/** Bodies with nearly the maximum number of parts; the last one exceeds it. */
export const BODIES = {
  labels: [
    core('configmaps'),
    () => ({ metadata: { name: 'a', labels: map(PARTS / 2, (index) => `k${index}`, 'v') } }),
  ],
  'keys of data': [
    core('configmaps'),
    () => ({ metadata: { name: 'a' }, data: map(PARTS / 2, (index) => `k${index}`, 'v') }),
  ],
  finalizers: [
    core('configmaps'),
    () => ({ metadata: { name: 'a', finalizers: many(PARTS, (index) => `a/${index}`) } }),
  ],
  'unknown lists': [core('configmaps'), () => ({ metadata: { name: 'a' }, x: many(PARTS, () => [1]) })],
  volumes: [
    core('pods'),
    () => ({
      metadata: { name: 'a' },
      spec: {
        containers: [container],
        volumes: many(PARTS / 4, (index) => ({ name: `v${index}`, emptyDir: {} })),
      },
    }),
  ],
  variables: [
    core('pods'),
    () => ({
      metadata: { name: 'a' },
      spec: {
        containers: [{ ...container, env: many(PARTS / 4, (index) => ({ name: `v${index}`, value: 'b' })) }],
      },
    }),
  ],
  addresses: [
    core('endpoints'),
    () => ({
      metadata: { name: 'a' },
      subsets: [{ addresses: many(PARTS / 2, (index) => ({ ip: address(index) })), ports: [{ port: 80 }] }],
    }),
  ],
  'quota keys': [
    core('resourcequotas'),
    () => ({ metadata: { name: 'a' }, spec: { hard: map(PARTS / 2, (index) => `a.b/k${index}`, '1') } }),
  ],
  exceptions: [
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    () => {
      const ipBlock = { cidr: '0.0.0.0/0', except: many(PARTS, (index) => `${address(index)}/32`) };
      return { metadata: { name: 'a' }, spec: { podSelector: {}, ingress: [{ from: [{ ipBlock }] }] } };
    },
  ],
  'text of a secret': [
    core('secrets'),
    () => ({ metadata: { name: 'a' }, stringData: map(PARTS / 2, (index) => `k${index}`, 'v') }),
  ],
  'owners of fields': [
    core('configmaps'),
    () => ({ metadata: { name: 'a', managedFields: [ownerOf(map(PARTS, (index) => `f:k${index}`, {}))] } }),
  ],
  'selector requirements': [
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    () => {
      const requirements = many(PARTS / 6, (index) => ({ key: `a${index}`, operator: 'In', values: ['a'] }));
      return { spec: { resourceAttributes: { fieldSelector: { requirements } } } };
    },
  ],
  'terms without members': [
    core('pods'),
    () => ({
      metadata: { name: 'a' },
      spec: {
        containers: [container],
        affinity: {
          podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: many(PARTS, () => ({})) },
        },
      },
    }),
  ],
  'more than the maximum': [
    core('configmaps'),
    () => ({ metadata: { name: 'a' }, x: many(700_000, () => [1]) }),
  ],
};

const DEPTH = 9000;

/** Bodies that JSON.stringify does not write. */
export const TEXTS = {
  'duplicate and unknown fields': () =>
    `{"metadata":{"name":"a"},"data":{"k":"1","k":"2"},${many(PARTS / 2 - 10, (index) => `"u${index}":1`)}}`,
  'duplicate fields in depth': () =>
    `{"metadata":{"name":"a"},"b":1,"x":${'{"a":1,"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`,
  'broken UTF-8': () =>
    Buffer.concat([
      Buffer.from('{"metadata":{"name":"a"},"data":{"k":"'),
      Buffer.alloc(2_900_000, 0xff),
      Buffer.from('"}}'),
    ]),
  markup: () => JSON.stringify({ metadata: { name: '<'.repeat(2_900_000) } }),
};

/** Patches of a ConfigMap with 40,000 keys. */
export const PATCHES = {
  'copies of a JSON Patch': [
    'application/json-patch+json',
    () => many(40, (index) => ({ op: 'copy', from: '/data', path: `/data${index}` })),
  ],
  'pointers of a JSON Patch': [
    'application/json-patch+json',
    () => many(9900, (index) => ({ op: 'add', path: '/x'.repeat(Math.min(index + 1, 140)), value: {} })),
  ],
  'finalizers of a strategic merge patch': [
    'application/strategic-merge-patch+json',
    () => ({ metadata: { finalizers: many(PARTS / 2, (index) => `b/${index}`) } }),
  ],
  'members of a strategic merge patch': [
    'application/strategic-merge-patch+json',
    () => ({ data: map(PARTS / 2, (index) => `k${index}`, null) }),
  ],
  'finalizers of an apply': [
    'application/apply-patch+yaml',
    () => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', finalizers: many(PARTS / 2, (index) => `b/${index}`) },
    }),
  ],
  'labels of a merge patch': [
    'application/merge-patch+json',
    () => ({ metadata: { labels: map(PARTS / 2, (index) => `k${index}`, 'v') } }),
  ],
};

/** Query parameters of a list of 5,000 pods. */
export const SELECTORS = {
  'labels in a selector': `labelSelector=${many(12_000, (index) => `!a${index.toString(36)}`)},zz`,
  'fields in a selector': `fieldSelector=${many(2000, (index) => `metadata.name!=x${index}`)},metadata.name=z`,
};
