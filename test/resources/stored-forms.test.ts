import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeEnvelope } from '../../src/codec/envelope.ts';
import { encodeMessage } from '../../src/codec/protobuf.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { recorded } from '../support/recorded.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';
import { kindType } from '../support/types.ts';

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
interface RecordedStore {
  readonly kvs: readonly { readonly key: string; readonly value: string }[];
  readonly lists: Readonly<Record<string, { readonly items?: readonly Item[] | null }>>;
}

const store = recorded<RecordedStore>('stored-registry');
const storage = createMemoryStorage();
let server: SmallServer;
/** Kinds that are not stored, and those whose definitions this server does not run. */
const NOT_LISTED = ['/api/v1/componentstatuses'];

const storedValue = async (key: string) => Buffer.from((await storage.get(key)).entry!.value);
const put = async (key: string, value: Uint8Array) => {
  const { entry } = await storage.get(key);
  await storage.transact({ key, expected: entry?.revision ?? 0, value });
};
const envelope = (apiVersion: string, kind: string, plain: object): Uint8Array => {
  const slash = apiVersion.indexOf('/');
  const type = kindType(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), kind)!;
  return encodeEnvelope(apiVersion, kind, encodeMessage(type, fromPlain(type, plain).value));
};
const json = (object: object) => Buffer.from(`${JSON.stringify(object)}\n`);
const metadata = (name: string) => ({
  name,
  namespace: 'default',
  uid: 'u',
  creationTimestamp: '2024-01-01T00:00:00Z',
});

beforeAll(async () => {
  await storage.createBatch(
    store.kvs.map(({ key, value }) => ({ key, value: Buffer.from(value, 'base64') })),
  );
  server = smallServer({ storage });
});
afterAll(() => server.close());

describe('the store of a kube-apiserver', () => {
  const served = Object.entries(store.lists).filter(
    ([path, { items }]) => (items?.length ?? 0) > 0 && !NOT_LISTED.includes(path),
  );

  it.each(served.map(([path]) => path))('is listed as that server lists it: %s', async (path) => {
    const { status, object } = await server.send('GET', path);
    if (status === 404 && !path.includes('.k8s.io')) return;
    expect(status).toBe(200);
    const plain = (item: Item) => ({
      ...item,
      metadata: { ...item.metadata, resourceVersion: undefined, managedFields: undefined },
    });
    const byName = (items: readonly Item[]) =>
      new Map(items.map((item) => [`${item.metadata.namespace ?? ''}/${item.metadata.name}`, plain(item)]));
    expect(byName(object.items)).toEqual(byName(store.lists[path]!.items!));
  });
});

describe('its values', () => {
  it('are the bytes that this server stores for the same objects', () => {
    let compared = 0;
    for (const { key, value } of store.kvs) {
      const bytes = Buffer.from(value, 'base64');
      const row = server.resources.builtin.find(
        ({ storage }) => storage !== undefined && key.startsWith(`/registry/${storage.prefix}/`),
      );
      if (row === undefined) continue;
      const { codec } = server.resources.serve(row).stored;
      expect(Buffer.from(codec.encode(codec.decode(bytes, 1))).equals(bytes), key).toBe(true);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(400);
  });
});

describe('a value that another server has stored', () => {
  const key = '/registry/configmaps/default/by-hand';
  const path = '/api/v1/namespaces/default/configmaps/by-hand';

  it('in JSON is read, and a write without change stores it as protobuf', async () => {
    await put(
      key,
      json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('by-hand'), data: { a: 'b' } }),
    );
    const first = await server.send('GET', path);
    expect(first.object).toMatchObject({ data: { a: 'b' }, metadata: { uid: 'u' } });
    const written = await server.send('PUT', path, first.object);
    expect(written.object.metadata.resourceVersion).not.toBe(first.object.metadata.resourceVersion);
    expect((await storedValue(key)).subarray(0, 4).toString('latin1')).toBe('k8s\0');
    const again = await server.send('PUT', path, written.object);
    expect(again.object.metadata.resourceVersion).toBe(written.object.metadata.resourceVersion);
  });

  it('in another version of the kind is defaulted and converted', async () => {
    const scaler = '/registry/horizontalpodautoscalers/default/old';
    await put(
      scaler,
      envelope('autoscaling/v1', 'HorizontalPodAutoscaler', {
        metadata: metadata('old'),
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { kind: 'Deployment', name: 'd' },
          targetCPUUtilizationPercentage: 50,
        },
      }),
    );
    for (const version of ['v1', 'v2']) {
      const { status, object } = await server.send(
        'GET',
        `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/old`,
      );
      expect(status).toBe(200);
      expect(object.spec).toMatchObject(
        version === 'v1'
          ? { minReplicas: 1, targetCPUUtilizationPercentage: 50 }
          : { minReplicas: 1, metrics: [{ type: 'Resource', resource: { name: 'cpu' } }] },
      );
    }
    await server.send(
      'PATCH',
      '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/old',
      { metadata: { labels: { a: 'b' } } },
      'application/merge-patch+json',
    );
    expect((await storedValue(scaler)).toString('latin1')).toContain('autoscaling/v2');
  });

  it('without fields that are newer than its writer has their defaults', async () => {
    const [service, pod] = ['/registry/services/specs/default/old', '/registry/pods/default/old'];
    const spec = { clusterIP: '10.0.0.9', type: 'ClusterIP', ports: [{ port: 80 }] };
    await put(service, envelope('v1', 'Service', { metadata: metadata('old'), spec }));
    const container = { name: 'c', image: 'i' };
    await put(
      pod,
      envelope('v1', 'Pod', { metadata: metadata('old'), spec: { containers: [container] }, status: {} }),
    );
    const read = await server.send('GET', '/api/v1/namespaces/default/services/old');
    expect(read.object.spec).toEqual({
      ...spec,
      clusterIPs: ['10.0.0.9'],
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      sessionAffinity: 'None',
    });
    const { object } = await server.send('GET', '/api/v1/namespaces/default/pods/old');
    expect(object).toMatchObject({
      spec: {
        containers: [{ ...container, imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
        dnsPolicy: 'ClusterFirst',
      },
    });
    const selected = '/api/v1/namespaces/default/pods?fieldSelector=spec.restartPolicy=Always';
    const { items } = (await server.send('GET', selected)).object;
    expect(items.map(({ metadata }: Item) => metadata.name)).toContain('old');
    // As in kube-apiserver, a write without change stores the defaults, once.
    const written = await server.send('PUT', '/api/v1/namespaces/default/pods/old', object);
    expect(written.object.metadata.resourceVersion).not.toBe(object.metadata.resourceVersion);
    const again = await server.send('PUT', '/api/v1/namespaces/default/pods/old', written.object);
    expect(again.object.metadata.resourceVersion).toBe(written.object.metadata.resourceVersion);
  });

  it('in the first version of a definition is read', async () => {
    await put(
      '/registry/apiextensions.k8s.io/customresourcedefinitions/boxes.example.com',
      json({
        kind: 'CustomResourceDefinition',
        apiVersion: 'apiextensions.k8s.io/v1',
        metadata: { name: 'boxes.example.com', uid: 'u' },
        spec: {
          group: 'example.com',
          names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
          scope: 'Namespaced',
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      }),
    );
    const { object } = await server.send(
      'GET',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.example.com',
    );
    expect(object.spec).toMatchObject({ group: 'example.com', conversion: { strategy: 'None' } });
    expect(object.spec.versions).toHaveLength(1);
  });

  it('with unknown fields is not written without a change of a client, which drops them', async () => {
    const known = envelope('v1', 'ConfigMap', { metadata: metadata('by-hand'), data: { a: 'b' } });
    // Field 100 of the message, which is before the two empty strings that end the envelope.
    const type = kindType('', 'v1', 'ConfigMap')!;
    const message = encodeMessage(
      type,
      fromPlain(type, { metadata: metadata('by-hand'), data: { a: 'b' } }).value,
    );
    const unknown = Buffer.concat([message, Buffer.from([0xa2, 0x06, 0x01, 0x78])]);
    await put(key, encodeEnvelope('v1', 'ConfigMap', unknown));
    expect((await server.send('GET', path)).object.data).toEqual({ a: 'b' });
    expect((await storedValue(key)).length).toBe(known.length + 4);
    const dropped: number[] = [];
    server.operations.droppedFields = (_resource, count) => dropped.push(count);
    const changes = { data: { c: 'd' } };
    await server.send('PATCH', path, changes, 'application/merge-patch+json');
    expect(dropped).toEqual([1]);
    expect((await storedValue(key)).includes(Buffer.from([0xa2, 0x06, 0x01, 0x78]))).toBe(false);
  });

  it('of another kind, or not an object, is an error that names the key', async () => {
    for (const value of [
      json({ apiVersion: 'v1', kind: 'Secret', metadata: {} }),
      Buffer.from('\xff\xfe text', 'latin1'),
    ]) {
      await put(key, value);
      const { status, object } = await server.send('GET', path);
      expect(status).toBe(500);
      expect(object.message).toContain(key);
    }
  });
});
