import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Api, ownedBy } from '../api.ts';

const TIMEOUT = 60_000;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('the garbage collector after a restart', () => {
  let directory: string;
  let cluster: TestCluster;
  let api: Api;
  const start = async (...controllers: string[]): Promise<void> => {
    cluster = await startCluster({ storageBackend: 'embedded', dataDir: directory, controllers });
    api = new Api(cluster);
  };
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'binnacle-collector-'));
    await start('-*');
  }, TIMEOUT);
  afterEach(async () => {
    await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const make = (name: string, metadata: object = {}) =>
    api.call('POST', CONFIG_MAPS, { metadata: { name, ...metadata } });
  const remove = (name: string, propagationPolicy: string) =>
    api.call('DELETE', `${CONFIG_MAPS}/${name}`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy,
    });
  const gone = (name: string) => api.gone(CONFIG_MAPS, name);

  it(
    'finds dependents of absent owners and objects in foreground deletion',
    async () => {
      const kept = await make('kept');
      await make('kept-child', { ownerReferences: [ownedBy(kept)] });
      for (const policy of ['background', 'foreground', 'orphan']) {
        const owner = await make(policy);
        await make(`${policy}-child`, { ownerReferences: [ownedBy(owner)] });
        await make(`${policy}-shared`, { ownerReferences: [ownedBy(owner), ownedBy(kept)] });
        await remove(policy, `${policy[0]!.toUpperCase()}${policy.slice(1)}`);
      }
      expect((await api.call('GET', CONFIG_MAPS)).items).toHaveLength(10);
      await cluster.stop();
      await start('garbage-collector-controller');
      await Promise.all(['background-child', 'foreground-child', 'foreground', 'orphan'].map(gone));
      await api.seen(
        CONFIG_MAPS,
        ({ metadata }) => metadata!.name === 'background-shared' && metadata!.ownerReferences?.length === 1,
      );
      const owners = new Map(
        (await api.call('GET', CONFIG_MAPS)).items!.map(({ metadata }) => [
          metadata!.name,
          metadata!.ownerReferences,
        ]),
      );
      const byKept = [ownedBy(kept)];
      expect(Object.fromEntries(owners)).toEqual({
        kept: undefined,
        'kept-child': byKept,
        'background-shared': byKept,
        'foreground-shared': byKept,
        'orphan-child': undefined,
        'orphan-shared': byKept,
      });
    },
    TIMEOUT,
  );

  it(
    'does not run when garbage collection is disabled',
    async () => {
      await cluster.stop();
      cluster = await startCluster({
        storageBackend: 'embedded',
        dataDir: directory,
        enableGarbageCollector: false,
      });
      api = new Api(cluster);
      const owner = await make('owner');
      await make('child', { ownerReferences: [ownedBy(owner)] });
      expect(await remove('owner', 'Foreground')).toMatchObject({ kind: 'Status', status: 'Success' });
      expect((await api.call('GET', `${CONFIG_MAPS}/child`)).metadata!.ownerReferences).toHaveLength(1);
    },
    TIMEOUT,
  );
});
