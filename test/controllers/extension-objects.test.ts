import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { ExtensionObjects } from '../support/extension-objects.ts';
import { watchUntil } from '../support/watch-until.ts';
import { type AnyObject, Api, COLLECTIONS, ownedBy } from './api.ts';

const GROUP = 'things.example.test';

describe('controllers and the objects of an extension server', () => {
  let cluster: TestCluster;
  let api: Api;
  let extension: ExtensionObjects;
  let namespace: string;
  let maps: string;
  beforeAll(async () => {
    cluster = await startCluster();
    api = new Api(cluster);
    extension = new ExtensionObjects(GROUP);
    await extension.server.start();
    await api.call('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'things' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    await api.call('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1.${GROUP}` },
      spec: {
        group: GROUP,
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        caBundle: extension.server.caBundle,
        service: { namespace: 'default', name: 'things', port: extension.server.port },
      },
    });
    await watched();
  });
  afterAll(async () => {
    await cluster.stop();
    await extension.server.stop();
  });
  beforeEach(async () => {
    namespace = await cluster.createNamespace();
    maps = COLLECTIONS.ConfigMap.replace('[]', namespace);
  });

  /** Resolves when the garbage collector watches the things. */
  const watched = () =>
    vi.waitFor(() =>
      expect(extension.server.requests.some(({ query }) => query.includes('watch=true'))).toBe(true),
    );
  const configMap = (name: string, owner: AnyObject): Promise<AnyObject> =>
    api.call('POST', maps, { metadata: { name, ownerReferences: [ownedBy(owner)] } });
  const thing = (name: string, owner?: AnyObject): Promise<AnyObject> =>
    api.call('POST', `${extension.root}/namespaces/${namespace}/things`, {
      apiVersion: `${GROUP}/v1`,
      kind: 'Thing',
      metadata: { name, ...(owner && { ownerReferences: [ownedBy(owner)] }) },
    });

  it('collects the dependents of an object that is deleted', async () => {
    const owner = await thing('owner');
    await configMap('dependent', owner);
    await thing('other', owner);
    extension.remove(`${namespace}/owner`);
    await api.gone(maps, 'dependent');
    await vi.waitFor(() => expect(extension.has(`${namespace}/other`)).toBe(false));
  });

  it('collects the objects whose owners in this server are deleted', async () => {
    const owner = await api.call('POST', maps, { metadata: { name: 'owner' } });
    await thing('dependent', { ...owner, apiVersion: 'v1', kind: 'ConfigMap' });
    await thing('free');
    await api.call('DELETE', `${maps}/owner`);
    await vi.waitFor(() => expect(extension.has(`${namespace}/dependent`)).toBe(false));
    const deletion = extension.server.requests.find(
      ({ method, path }) => method === 'DELETE' && path.endsWith('/dependent'),
    );
    expect(JSON.parse(deletion!.body)).toMatchObject({
      propagationPolicy: 'Background',
      preconditions: { uid: expect.stringMatching(/^uid-/), resourceVersion: expect.stringMatching(/^v/) },
    });
    expect(extension.has(`${namespace}/free`)).toBe(true);
  });

  it('keeps dependents while the server cannot tell whether the owner exists', async () => {
    const absent = { apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'absent', uid: 'never' } };
    const owner = await thing('owner');
    await configMap('known', owner);
    extension.shutDown();
    await configMap('kept', absent);
    await configMap('dangling', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'no', uid: 'no' } });
    await api.gone(maps, 'dangling');
    expect([await api.status(`${maps}/kept`), await api.status(`${maps}/known`)]).toEqual([200, 200]);
    extension.isDown = false;
    await api.gone(maps, 'kept');
    expect(await api.status(`${maps}/known`)).toBe(200);
  });

  it('are counted by quotas', async () => {
    const quota = `count/things.${GROUP}`;
    const used = (expected: object) =>
      watchUntil<AnyObject>(cluster, `/api/v1/namespaces/${namespace}/resourcequotas`, ({ status }) =>
        Object.entries(expected).every(
          ([name, amount]) =>
            (status as { used?: Record<string, string> } | undefined)?.used?.[name] === amount,
        ),
      );
    await thing('one');
    await api.call('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { [quota]: '2', configmaps: '5' } },
    });
    await used({ [quota]: '1' });
    await thing('two');
    await used({ [quota]: '2' });
    extension.remove(`${namespace}/one`);
    await used({ [quota]: '1' });
  });
});
