import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServedResource } from '../../../src/resources/served-resource.ts';
import { setStepSizes } from '../../../src/steps/sizes.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const CUSTOM = '/apis/example.test/v1/namespaces/default/things';
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const FORMS = [
  'application/json',
  TABLE,
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
];
const KINDS = [
  ['built-in', '/api/v1/namespaces/default/configmaps', FORMS, { data: { a: 'b' } }],
  [
    'converted',
    '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
    FORMS,
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } } },
  ],
  ['custom', CUSTOM, FORMS.slice(0, 3), { apiVersion: 'example.test/v1', kind: 'Thing', spec: { x: [1] } }],
] as const;

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'], disableAdmissionPlugins: ['ServiceAccount'] });
  await write('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  await vi.waitFor(async () => expect((await cluster.fetch(CUSTOM)).status).toBe(200));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await cluster.stop();
});

async function write(method: string, target: string, body?: object): Promise<{ metadata: Metadata }> {
  const response = await cluster.fetch(target, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return (await response.json()) as { metadata: Metadata };
}

interface Metadata {
  readonly resourceVersion: string;
}

const EVENTS = 3;

/** The first events of a watch from a version. */
async function watched(target: string, accept: string, from: string): Promise<Buffer> {
  const query = `watch=1&resourceVersion=${from}&includeObject=Object`;
  const response = await cluster.fetch(`${target}?${query}`, { headers: { accept } });
  let bytes = Buffer.alloc(0);
  for await (const chunk of response.body!) {
    bytes = Buffer.concat([bytes, chunk]);
    if (countFrames(bytes, accept) >= EVENTS) break;
  }
  return bytes;
}

function countFrames(bytes: Buffer, accept: string): number {
  if (!accept.includes('protobuf')) return bytes.toString('latin1').split('\n').length - 1;
  let count = 0;
  for (let at = 0; at + 4 <= bytes.length; count += 1) {
    at += 4 + bytes.readUInt32BE(at);
    if (at > bytes.length) break;
  }
  return count;
}

/** Ages are of the time of the watch. */
const withoutAges = (bytes: Buffer): string => bytes.toString('latin1').replaceAll(/"\d+s"/g, '"AGE"');

describe.each(KINDS)('the events of a %s kind', (_kind, target, forms, body) => {
  it('are the same whether large objects are prepared for them or not', async () => {
    const { metadata } = await write('POST', target, { ...body, metadata: { name: 'before' } });
    const prepare = vi.spyOn(ServedResource.prototype, 'prepare');
    const live = setStepSizes({ objectBytes: 0 });
    try {
      const streams = [...forms, ...forms].map((accept) => watched(target, accept, metadata.resourceVersion));
      const created = await write('POST', target, { ...body, metadata: { name: 'one' } });
      const changed = { name: 'one', labels: { a: 'b' }, resourceVersion: created.metadata.resourceVersion };
      await write('PUT', `${target}/one`, { ...body, metadata: changed });
      await write('DELETE', `${target}/one`);
      const seen = await Promise.all(streams);
      expect(prepare.mock.results.filter(({ value }) => value !== undefined).length).toBeGreaterThan(2);
      live();
      const again = await Promise.all(
        forms.map((accept) => watched(target, accept, metadata.resourceVersion)),
      );
      for (const [index, bytes] of again.entries()) {
        expect(bytes.length).toBeGreaterThan(100);
        expect(withoutAges(seen[index]!)).toBe(withoutAges(bytes));
        expect(withoutAges(seen[index + forms.length]!)).toBe(withoutAges(bytes));
      }
    } finally {
      live();
      prepare.mockRestore();
    }
  });
});
