import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isActive } from '../../src/reconcile/pods/pod-state.ts';
import { EtcdProcesses, hasEtcd } from '../storage/etcd/etcd-process.ts';
import { FaultProxy } from '../storage/etcd/fault-proxy.ts';
import { temporaryDirectory } from '../storage/temporary.ts';
import { PodCounter } from './pod-counter.ts';
import { WorkloadCluster, workload } from './workload-cluster.ts';

const REPLICAS = 10;
const SETS = Array.from({ length: 10 }, (_, index) => `set-${index}`);

describe.skipIf(!hasEtcd)('controllers on etcd', () => {
  let etcd: EtcdProcesses;
  let proxy: FaultProxy;
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
  });
  afterAll(() => etcd.stop());
  beforeEach(async () => {
    proxy = await FaultProxy.start(etcd.urls[0]!);

    const keyFile = join(temporaryDirectory(), 'key.pem');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    cluster = await WorkloadCluster.start({
      storageBackend: 'etcd3',
      etcdServers: [proxy.url],
      dataDir: temporaryDirectory(),
      serviceAccountSigningKeyFile: keyFile,
      serviceAccountIssuer: ['https://kubernetes.default.svc'],
      serviceAccountKeyFile: [keyFile],
    });
  });
  afterEach(async () => {
    proxy.restore();
    await cluster.cluster.stop();
    await proxy.close();
  });

  it('create each Pod once, although answers of etcd are lost', async () => {
    const counter = await PodCounter.start(cluster);
    const tooMany = new Set<string>();
    counter.onEvent((pods) => {
      for (const name of SETS) {
        const own = pods.filter((pod) => pod.metadata!.labels!['app'] === name).filter(isActive);
        if (own.length > REPLICAS) tooMany.add(`${name} had ${own.length}`);
      }
    });
    for (const name of SETS)
      await cluster.api.call('POST', cluster.apps('replicasets'), workload(name, { replicas: REPLICAS }));
    for (let fault = 0; fault < 8; fault += 1) {
      await counter.changed(10);
      // Requests whose outcome is unknown then.
      proxy.reset();
    }
    for (const name of SETS)
      await cluster.replicaSet(name, ({ status }) => status?.availableReplicas === REPLICAS);
    expect((await cluster.pods()).length).toBe(REPLICAS * SETS.length);
    expect([...tooMany]).toEqual([]);
    await counter.stop();
  });
});
