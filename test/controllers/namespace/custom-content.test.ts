import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Api } from '../api.ts';
import { DEFINITIONS, define } from '../definitions.ts';

let cluster: TestCluster;
let api: Api;
beforeAll(async () => {
  cluster = await startCluster();
  api = new Api(cluster);
});
afterAll(() => cluster.stop());

const NAMESPACES = '/api/v1/namespaces';
const create = (namespace: string, plural: string, kind: string, name: string, finalizers?: string[]) =>
  api.call('POST', `/apis/example.com/v1/namespaces/${namespace}/${plural}`, {
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name, ...(finalizers && { finalizers }) },
  });
const conditionOf = (object: object, type: string) =>
  (
    object as { status: { conditions?: { type: string; status: string; message: string }[] } }
  ).status.conditions?.find((one) => one.type === type);

it('a namespace goes with its custom objects, and shows those that remain', async () => {
  await define(api, 'widgets', 'Widget');
  const namespace = await cluster.createNamespace();
  await create(namespace, 'widgets', 'Widget', 'free');
  await create(namespace, 'widgets', 'Widget', 'held', ['x.test/held']);
  await api.call('DELETE', `${NAMESPACES}/${namespace}`);
  const waiting = await api.seen(
    NAMESPACES,
    (object) =>
      object.metadata!.name === namespace &&
      conditionOf(object, 'NamespaceFinalizersRemaining')?.status === 'True',
  );
  expect(conditionOf(waiting, 'NamespaceContentRemaining')).toMatchObject({
    status: 'True',
    message: 'Some resources are remaining: widgets.example.com has 1 resource instances',
  });
  expect(conditionOf(waiting, 'NamespaceFinalizersRemaining')!.message).toBe(
    'Some content in the namespace has finalizers remaining: x.test/held in 1 resource instances',
  );
  await api.merge(`/apis/example.com/v1/namespaces/${namespace}/widgets/held`, {
    metadata: { finalizers: null },
  });
  await api.gone(NAMESPACES, namespace);
});

it('a namespace goes while objects of a kind in it are not served, or their definition is deleted', async () => {
  await define(api, 'pauses', 'Pause');
  await define(api, 'leavers', 'Leaver');
  const namespace = await cluster.createNamespace();
  await create(namespace, 'pauses', 'Pause', 'one');
  for (let index = 0; index < 20; index += 1) await create(namespace, 'leavers', 'Leaver', `l${index}`);
  await api.call(
    'PATCH',
    `${DEFINITIONS}/pauses.example.com`,
    [{ op: 'replace', path: '/spec/versions/0/served', value: false }],
    { 'content-type': 'application/json-patch+json' },
  );
  await expect.poll(() => api.status('/apis/example.com/v1/pauses')).toBe(404);
  await Promise.all([
    api.call('DELETE', `${DEFINITIONS}/leavers.example.com`),
    api.call('DELETE', `${NAMESPACES}/${namespace}`),
  ]);
  await Promise.all([api.gone(NAMESPACES, namespace), api.gone(DEFINITIONS, 'leavers.example.com')]);
});

it('a kind that appears while a namespace is deleted is emptied as well', async () => {
  await define(api, 'appears', 'Appear');
  const namespace = await cluster.createNamespace();
  await create(namespace, 'appears', 'Appear', 'one');
  const serve = (served: boolean) =>
    api.call(
      'PATCH',
      `${DEFINITIONS}/appears.example.com`,
      [{ op: 'replace', path: '/spec/versions/0/served', value: served }],
      { 'content-type': 'application/json-patch+json' },
    );
  await serve(false);
  await expect.poll(() => api.status('/apis/example.com/v1/appears')).toBe(404);
  const maps = `${NAMESPACES}/${namespace}/configmaps`;
  await api.call('POST', maps, { metadata: { name: 'held', finalizers: ['x.test/held'] } });
  await api.call('DELETE', `${NAMESPACES}/${namespace}`);
  await api.seen(
    NAMESPACES,
    (object) =>
      object.metadata!.name === namespace &&
      conditionOf(object, 'NamespaceFinalizersRemaining')?.status === 'True',
  );
  await serve(true);
  await expect.poll(() => api.status('/apis/example.com/v1/appears')).toBe(200);
  await api.merge(`${maps}/held`, { metadata: { finalizers: null } });
  await api.gone(NAMESPACES, namespace);
  expect((await api.call('GET', '/apis/example.com/v1/appears')).items).toEqual([]);
});
