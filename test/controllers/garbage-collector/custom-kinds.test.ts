import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { type AnyObject, Api, COLLECTIONS, ownedBy } from '../api.ts';
import { DEFINITIONS, define } from '../definitions.ts';

describe('garbage collection of custom objects', () => {
  let cluster: TestCluster;
  let api: Api;
  let namespace: string;
  let maps: string;
  beforeAll(async () => {
    cluster = await startCluster();
    api = new Api(cluster);
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    namespace = await cluster.createNamespace();
    maps = COLLECTIONS.ConfigMap.replace('[]', namespace);
  });

  const at = (plural: string): string => `/apis/example.com/v1/namespaces/${namespace}/${plural}`;
  const custom = (plural: string, kind: string, name: string, metadata: object = {}): Promise<AnyObject> =>
    api.call('POST', at(plural), {
      apiVersion: 'example.com/v1',
      kind,
      metadata: { name, ...metadata },
      spec: {},
    });
  const configMap = (name: string, metadata: object = {}): Promise<AnyObject> =>
    api.call('POST', maps, { metadata: { name, ...metadata } });
  const remove = (path: string, propagationPolicy = 'Background'): Promise<AnyObject> =>
    api.call('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });

  it('deletes dependents of every kind, and completes foreground deletion', async () => {
    await define(api, 'parents', 'Parent');
    await define(api, 'children', 'Child');
    const parent = await custom('parents', 'Parent', 'p');
    const child = await custom('children', 'Child', 'c', { ownerReferences: [ownedBy(parent)] });
    await configMap('m', { ownerReferences: [ownedBy(child)] });
    await remove(`${at('parents')}/p`, 'Foreground');
    await Promise.all([api.gone(maps, 'm'), api.gone(at('children'), 'c'), api.gone(at('parents'), 'p')]);
  });

  it('deletes dependents of the objects that go with their definition', async () => {
    await define(api, 'leavers', 'Leaver');
    const owner = await custom('leavers', 'Leaver', 'owner');
    for (const name of ['one', 'two']) await configMap(name, { ownerReferences: [ownedBy(owner)] });
    await remove(`${DEFINITIONS}/leavers.example.com`);
    await Promise.all([api.gone(maps, 'one'), api.gone(maps, 'two')]);
    await api.gone(DEFINITIONS, 'leavers.example.com');
  });

  it('keeps dependents of owners of an unknown kind until the kind is served', async () => {
    const absent = (kind: string, apiVersion: string): AnyObject => ({
      apiVersion,
      kind,
      metadata: { name: 'absent', uid: `uid-of-${kind}` },
    });
    await configMap('waiting', { ownerReferences: [ownedBy(absent('Later', 'example.com/v1'))] });
    await configMap('dangling', { ownerReferences: [ownedBy(absent('ConfigMap', 'v1'))] });
    await api.gone(maps, 'dangling');
    expect(await api.status(`${maps}/waiting`)).toBe(200);
    await define(api, 'laters', 'Later');
    await api.gone(maps, 'waiting');
  });

  it('keeps dependents of objects whose kind is not served any more, and collects them later', async () => {
    await define(api, 'pauses', 'Pause');
    const owner = await custom('pauses', 'Pause', 'owner');
    await configMap('kept', { ownerReferences: [ownedBy(owner)] });
    const serve = (served: boolean) =>
      api.call(
        'PATCH',
        `${DEFINITIONS}/pauses.example.com`,
        [{ op: 'replace', path: '/spec/versions/0/served', value: served }],
        { 'content-type': 'application/json-patch+json' },
      );
    await serve(false);
    await expect.poll(() => api.status(at('pauses'))).toBe(404);
    await configMap('dangling', {
      ownerReferences: [
        ownedBy({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'absent', uid: 'uid-of-absent' } }),
      ],
    });
    await configMap('new', { ownerReferences: [ownedBy(owner)] });
    await api.gone(maps, 'dangling');
    expect([await api.status(`${maps}/kept`), await api.status(`${maps}/new`)]).toEqual([200, 200]);
    await serve(true);
    await expect.poll(() => api.status(at('pauses'))).toBe(200);
    await remove(`${at('pauses')}/owner`);
    await Promise.all([api.gone(maps, 'kept'), api.gone(maps, 'new')]);
  });
});
