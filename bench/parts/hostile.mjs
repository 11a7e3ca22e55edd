// The longest time for which one request blocks the event loop: bodies near the limit with very many small
// parts, and long lists in encodings that are derived from JSON. Server and client share one process, so that
// the event loop can be observed. Linux: CPU time of the main thread, which other processes don't lengthen;
// elsewhere wall time.
import { existsSync, openSync, readSync } from 'node:fs';
import { startCluster } from '../../dist/testing.js';

const BUDGET_MILLISECONDS = 50;
const PODS = 5000;
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const map = (count, keyOf, value) => Object.fromEntries(many(count, (index) => [keyOf(index), value]));
const address = (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
const container = { name: 'a', image: 'a' };
const core = (resource) => `/api/v1/namespaces/default/${resource}`;

/** Maximum parts of a body: colons and commas of its JSON. */
const PARTS = 99_000;

/** Bodies with nearly the maximum number of parts; the last one exceeds it. */
const BODIES = {
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
const TEXTS = {
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
const PATCHES = {
  'copies of a JSON Patch': [
    'application/json-patch+json',
    () => many(40, (index) => ({ op: 'copy', from: '/data', path: `/data${index}` })),
  ],
  'pointers of a JSON Patch': [
    'application/json-patch+json',
    () => many(9900, (index) => ({ op: 'add', path: '/x'.repeat(Math.min(index + 1, 140)), value: {} })),
  ],
  'labels of a merge patch': [
    'application/merge-patch+json',
    () => ({ metadata: { labels: map(PARTS / 2, (index) => `k${index}`, 'v') } }),
  ],
};

/** Query parameters of a list of 5,000 pods. */
const SELECTORS = {
  'labels in a selector': `labelSelector=${many(12_000, (index) => `!a${index.toString(36)}`)},zz`,
  'fields in a selector': `fieldSelector=${many(2000, (index) => `metadata.name!=x${index}`)},metadata.name=z`,
};

const STATISTICS = `/proc/self/task/${process.pid}/schedstat`;
const buffer = Buffer.alloc(64);

const file = existsSync(STATISTICS) ? openSync(STATISTICS) : undefined;

/** Milliseconds that the main thread has worked. */
function workedTime() {
  if (file === undefined) return performance.now();
  const text = buffer.latin1Slice(0, readSync(file, buffer, 0, buffer.length, 0));
  return Number(text.slice(0, text.indexOf(' '))) / 1e6;
}

/** Runs a task; returns its longest event loop delay and its memory growth. */
async function watched(work) {
  let running = true;
  let longest = 0;
  let most = 0;
  const before = process.memoryUsage.rss();
  let last = workedTime();
  const turn = () => {
    const now = workedTime();
    if (now - last > longest) {
      longest = now - last;
      most = Math.max(most, process.memoryUsage.rss());
    }
    last = workedTime();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  running = false;
  turn();
  return { longest, memory: Math.max(0, Math.max(most, process.memoryUsage.rss()) - before) / 1e6 };
}

/** The object in block style YAML, which cannot be parsed as JSON. */
const yamlOf = (object) =>
  Object.entries(object)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');

export default async function hostile(table) {
  const cluster = await startCluster({ controllers: ['-*'], disableAdmissionPlugins: ['ServiceAccount'] });
  const send = async (path, type, body) => {
    const answer = await cluster.fetch(`${path}?dryRun=All`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    await answer.arrayBuffer();
  };
  const measure = async (name, work) => {
    await work();
    const figures = [await watched(work), await watched(work)].sort((a, b) => a.longest - b.longest);
    table.row(
      name,
      { value: figures[0].longest, least: figures[0].longest, most: figures[1].longest },
      'ms',
      BUDGET_MILLISECONDS,
    );
    table.note('', `memory + ${Math.round(figures[1].memory)} MB`);
  };
  for (const [name, [path, make]] of Object.entries(BODIES)) {
    const object = make();
    const json = Buffer.from(JSON.stringify(object));
    const yaml = Buffer.from(yamlOf(object));
    await measure(`${name}: JSON`, () => send(path, 'application/json', json));
    await measure(`${name}: YAML`, () => send(path, 'application/yaml', yaml));
  }
  for (const [name, make] of Object.entries(TEXTS)) {
    const body = make();
    await measure(`${name}: JSON`, () => send(core('configmaps'), 'application/json', body));
  }
  const data = map(40_000, (index) => `k${index}`, 'v');
  const request = async (path, method, type, body) => {
    const answer = await cluster.fetch(path, { method, headers: { 'content-type': type }, body });
    await answer.arrayBuffer();
  };
  await request(
    core('configmaps'),
    'POST',
    'application/json',
    JSON.stringify({ metadata: { name: 'a' }, data }),
  );
  for (const [name, [type, make]] of Object.entries(PATCHES)) {
    const body = JSON.stringify(make());
    await measure(name, () => request(`${core('configmaps')}/a?dryRun=All`, 'PATCH', type, body));
  }
  for (let index = 0; index < PODS; index += 1) {
    const pod = {
      metadata: { name: `p-${index}`, labels: { app: 'a' } },
      spec: { containers: [{ ...container, env: many(10, (at) => ({ name: `E${at}`, value: 'v' })) }] },
    };
    await cluster.fetch(core('pods'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(pod),
    });
  }
  for (const [name, accept, query] of [
    ['JSON', 'application/json', ''],
    ['indented JSON', 'application/json', '?pretty=1'],
    ['YAML', 'application/yaml', ''],
    ['a table in YAML', 'application/yaml;as=Table;v=v1;g=meta.k8s.io', ''],
    [
      'metadata in protobuf',
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      '',
    ],
  ])
    await measure(`a list of ${PODS} pods: ${name}`, async () => {
      await (await cluster.fetch(`${core('pods')}${query}`, { headers: { accept } })).arrayBuffer();
    });
  for (const [name, query] of Object.entries(SELECTORS))
    await measure(name, async () => {
      await (await cluster.fetch(`${core('pods')}?${query}`)).arrayBuffer();
    });
  await cluster.stop();
}
