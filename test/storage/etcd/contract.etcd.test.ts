import { afterAll, beforeAll, describe } from 'vitest';
import { remoteStorageContract } from '../contract.ts';
import { EtcdProcesses, hasEtcd } from './etcd-process.ts';
import { openEtcd } from './open-etcd.ts';

describe.skipIf(!hasEtcd)('on etcd', () => {
  let etcd: EtcdProcesses;
  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
  });
  afterAll(() => etcd.stop());

  remoteStorageContract('etcd storage', async () => ({
    storage: await openEtcd(etcd.urls),
    dispose: async () => undefined,
  }));
});
