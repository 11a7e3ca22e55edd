import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import { authority, clientCertificate, serverCertificate } from '../../outbound/servers.ts';
import { put } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';
import { EtcdProcesses, hasEtcd } from './etcd-process.ts';

const OPTIONS = {
  prefix: '/registry',
  compactionInterval: 0,
  healthTimeout: 2000,
  readyTimeout: 2000,
  statisticsInterval: 0,
  leaseReuseSeconds: 60,
  onLeaseReplaced: () => undefined,
  onWarning: () => undefined,
};

describe.skipIf(!hasEtcd)('etcd with TLS', () => {
  test('client certificates', async () => {
    const directory = temporaryDirectory();
    const file = (name: string, content: string) => {
      writeFileSync(join(directory, name), content);
      return join(directory, name);
    };
    const caFile = file('ca.crt', authority.certificate);
    const server = serverCertificate();
    const client = clientCertificate('apiserver');
    const certificateFile = file('client.crt', client.certificate);
    const keyFile = file('client.key', client.key);
    const etcd = await EtcdProcesses.start(
      1,
      [
        '--client-cert-auth',
        `--trusted-ca-file=${caFile}`,
        `--cert-file=${file('server.crt', server.cert)}`,
        `--key-file=${file('server.key', server.key)}`,
      ],
      { ca: authority.certificate, cert: client.certificate, key: client.key },
    );
    try {
      const storage = openEtcdStorage({ ...OPTIONS, servers: etcd.urls, caFile, certificateFile, keyFile });
      const revision = await put(storage, '/registry/a', 'x');
      expect((await storage.get('/registry/a')).entry?.revision).toBe(revision);
      expect(await storage.health()).toBeUndefined();
      await storage.close();
      for (const files of [
        { caFile, certificateFile: '', keyFile: '' },
        { caFile: '', certificateFile, keyFile },
      ]) {
        const refused = openEtcdStorage({ ...OPTIONS, servers: etcd.urls, ...files, readyTimeout: 500 });
        expect(await refused.health('ready')).toMatchObject({ name: 'StorageUnavailableError' });
        await refused.close();
      }
    } finally {
      await etcd.stop();
    }
  });

  test('a file that cannot be read is an error of the configuration', () => {
    const files = { caFile: '/none/ca.crt', certificateFile: '', keyFile: '' };
    expect(() => openEtcdStorage({ ...OPTIONS, servers: ['127.0.0.1:1'], ...files })).toThrow(
      'open /none/ca.crt: no such file or directory',
    );
  });
});
