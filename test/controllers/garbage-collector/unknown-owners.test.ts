import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OwnerReference } from '../../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { type AnyObject, Api, ownedBy } from '../api.ts';

const TIMEOUT = 60_000;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MADE_UP: OwnerReference = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'made-up',
  uid: '2b1e6c0e-7c3f-4a43-9d0c-0c4c2c1a7b11',
};

describe('owners that were never stored', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (keepDependentsOfUnknownOwners: boolean) => {
    cluster = await startCluster({
      controllers: ['garbage-collector-controller'],
      keepDependentsOfUnknownOwners,
    });
    return new Api(cluster);
  };
  const make = (api: Api, name: string, ...ownerReferences: OwnerReference[]): Promise<AnyObject> =>
    api.call('POST', CONFIG_MAPS, { metadata: { name, ownerReferences } });
  const warnings = (): string[] => cluster.log.filter((line) => line.includes('was never stored here'));

  it(
    'are kept on request, with one warning',
    async () => {
      const api = await start(true);
      await make(api, 'first', MADE_UP);
      await vi.waitFor(() => expect(warnings()).toHaveLength(1), TIMEOUT);
      expect(warnings()[0]).toMatch(/object="ConfigMap default\/first" owner="v1 ConfigMap made-up"/);

      // The deletion of what a stored owner owned shows that the queue has passed what came before.
      await make(api, 'second', { ...MADE_UP, uid: `${MADE_UP.uid.slice(0, -1)}2` });
      const owner = await make(api, 'owner');
      await make(api, 'dependent', ownedBy(owner));
      const both = await make(api, 'both', ownedBy(owner), MADE_UP);
      await api.call('DELETE', `${CONFIG_MAPS}/owner`);
      await api.gone(CONFIG_MAPS, 'dependent');
      const { metadata } = await api.seen(
        CONFIG_MAPS,
        (object) => object.metadata!.name === 'both' && object.metadata!.ownerReferences!.length === 1,
        both.metadata!.resourceVersion,
      );
      expect(metadata!.ownerReferences).toEqual([MADE_UP]);
      expect((await api.call('GET', CONFIG_MAPS)).items!.map((item) => item.metadata!.name)).toEqual([
        'both',
        'first',
        'second',
      ]);
      expect(warnings()).toHaveLength(1);
    },
    TIMEOUT,
  );

  it(
    'are known after their deletion, also without dependents',
    async () => {
      const api = await start(true);
      await make(api, 'first', MADE_UP);
      await vi.waitFor(() => expect(warnings()).toHaveLength(1), TIMEOUT);
      const owner = await make(api, 'owner');
      await api.call('DELETE', `${CONFIG_MAPS}/owner`);
      await make(api, 'late', ownedBy(owner));
      await api.gone(CONFIG_MAPS, 'late');
    },
    TIMEOUT,
  );

  it(
    'are absent by default',
    async () => {
      const api = await start(false);
      await make(api, 'dependent', MADE_UP);
      await api.gone(CONFIG_MAPS, 'dependent');
    },
    TIMEOUT,
  );
});
