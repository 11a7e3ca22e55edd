// The longest time for which one request blocks the event loop: bodies near the limit with very many small
// parts, and long lists in encodings that are derived from JSON. Server and client share one process, so that
// the event loop can be observed. Linux: CPU time of the main thread, which other processes don't lengthen;
// elsewhere wall time.
import { existsSync, openSync, readSync } from 'node:fs';
import { startCluster } from '../../dist/testing.js';
import { BODIES, container, core, many, map, PARTS, PATCHES, SELECTORS, TEXTS } from '../support/hostile.mjs';

const BUDGET_MILLISECONDS = 50;
const PODS = 5000;
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

const METADATA = 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Custom objects of maximum size, and the definition of their kind with a large default. */
async function customObjects({ measure, request, cluster }) {
  const list = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
  const values = { type: 'object', additionalProperties: { type: 'string' } };
  const definition = (plural, spec) => ({
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind: plural },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
  const preset = { ...values, default: map(PARTS / 3, (index) => `k${index}`, 'v') };
  const large = JSON.stringify(definition('presets', preset));
  await measure('a default of a definition', () =>
    request(`${DEFINITIONS}?dryRun=All`, 'POST', 'application/json', large),
  );
  const things = definition('things', { type: 'object', properties: { list, values } });
  await request(DEFINITIONS, 'POST', 'application/json', JSON.stringify(things));
  const wide = { type: 'object', properties: map(PARTS / 4, (index) => `p${index}`, { type: 'string' }) };
  let name = 0;
  await measure('a definition with a wide schema, and its first use', async () => {
    const plural = `wides${++name}`;
    await request(DEFINITIONS, 'POST', 'application/json', JSON.stringify(definition(plural, wide)));
    const objects = `/apis/example.com/v1/namespaces/default/${plural}`;
    while ((await cluster.fetch(objects)).status !== 200) await new Promise(setImmediate);
    await request(`${DEFINITIONS}/${plural}.example.com`, 'DELETE');
  });
  const path = '/apis/example.com/v1/namespaces/default/things';
  while ((await cluster.fetch(path)).status !== 200) await new Promise(setImmediate);
  for (const [name, spec] of Object.entries({
    'a set of a custom object': { list: many(PARTS, (index) => `a${index}`) },
    'a map of a custom object': { values: map(PARTS / 2, (index) => `k${index}`, 'v') },
  })) {
    const body = JSON.stringify({
      apiVersion: 'example.com/v1',
      kind: 'things',
      metadata: { name: 'a' },
      spec,
    });
    await measure(name, () => request(`${path}?dryRun=All`, 'POST', 'application/json', body));
    await measure(`${name}: apply`, () =>
      request(`${path}/a?dryRun=All&fieldManager=a`, 'PATCH', 'application/apply-patch+yaml', body),
    );
    const stored = { ...JSON.parse(body), metadata: { name: 'stored' } };
    await request(path, 'POST', 'application/json', JSON.stringify(stored));
    const label = () => {
      const patch = { metadata: { labels: { a: String(Math.random()).slice(2) } } };
      return request(`${path}/stored`, 'PATCH', 'application/merge-patch+json', JSON.stringify(patch));
    };
    for (const [form, accept] of [
      ['YAML', 'application/yaml'],
      ['a table', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
      ['metadata in protobuf', METADATA],
    ])
      await measure(
        `${name}, in a list as ${form}`,
        async () => (await cluster.fetch(path, { headers: { accept } })).arrayBuffer(),
        // A new version: no form is cached.
        label,
      );
    await measure(`${name}: merge patch`, label);
    await request(`${path}/stored`, 'DELETE');
  }
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
  /** @param prepare runs before each measured run, outside the measurement */
  const measure = async (name, work, prepare = async () => undefined) => {
    const figures = [];
    for (let run = 0; run < 3; run += 1) {
      await prepare();
      const figure = await watched(work);
      if (run > 0) figures.push(figure);
    }
    figures.sort((a, b) => a.longest - b.longest);
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
    const target = `${core('configmaps')}/a?dryRun=All${type.includes('apply') ? '&fieldManager=a' : ''}`;
    await measure(name, () => request(target, 'PATCH', type, body));
  }
  await customObjects({ measure, request, cluster });
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
    ['metadata in protobuf', METADATA, ''],
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
