import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterOptions, startCluster } from '../../../src/testing/index.ts';
import { EtcdProcesses, hasEtcd } from '../../storage/etcd/etcd-process.ts';
import { temporaryDirectory } from '../../storage/temporary.ts';

const PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

describe.skipIf(!hasEtcd)('a prefix of etcd', () => {
  let etcd: EtcdProcesses;
  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
  });
  afterAll(() => etcd.stop());

  const versionOf = async (etcdPrefix: string, kubernetesVersion?: string): Promise<string> => {
    const dataDir = temporaryDirectory();
    const key = join(dataDir, 'service-account.key');
    writeFileSync(key, PRIVATE_KEY);
    const options: ClusterOptions = {
      storageBackend: 'etcd3',
      etcdServers: [etcd.urls[0]!],
      etcdPrefix,
      dataDir,
      serviceAccountSigningKeyFile: key,
      serviceAccountKeyFile: [key],
      serviceAccountIssuer: ['https://kubernetes.default.svc'],
      controllers: ['-*'],
      kubernetesVersion,
    };
    const server = await startCluster(options);
    try {
      return ((await (await server.fetch('/version')).json()) as { minor: string }).minor;
    } finally {
      await server.stop();
    }
  };

  it('is served under the minor under which it was written', async () => {
    expect(await versionOf('/new')).toBe('32');
    expect(await versionOf('/first', '1.34')).toBe('34');
    expect(await versionOf('/first')).toBe('34');
    expect(await versionOf('/other')).toBe('32');
    await expect(versionOf('/first', '1.32')).rejects.toThrow(
      '/first/ of etcd was written under Kubernetes 1.34 and cannot be served under 1.32',
    );
    expect(await versionOf('/first', '1.33')).toBe('33');
  });
});
