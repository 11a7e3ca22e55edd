import { X509Certificate } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startCluster } from '../../src/testing/index.ts';
import { testCertificate } from '../authentication/x509/fixtures.ts';
import { type AnyObject, Api } from './api.ts';

const COLLECTION = '/api/v1/namespaces/kube-system/configmaps';
const MAP = `${COLLECTION}/extension-apiserver-authentication`;
const SELECTED = `${COLLECTION}?fieldSelector=metadata.name%3Dextension-apiserver-authentication`;
const authority = (name: string): string =>
  new X509Certificate(
    testCertificate({ subject: [['CN', name]], isAuthority: true, until: 36_500 }).pem,
  ).toString();
const dataOf = (map: AnyObject) => map['data'] as Record<string, string>;

describe('the extension-apiserver-authentication ConfigMap', () => {
  it('contains the generated CA without flags and is restored', async () => {
    await using cluster = await startCluster({ controllers: ['-*'] });
    const api = new Api(cluster);
    const map = await api.call('GET', MAP);
    const desired = map['data'] as Record<string, string>;
    expect(desired).toEqual({
      'client-ca-file': cluster.caBundle,
      'requestheader-client-ca-file': expect.stringContaining('BEGIN CERTIFICATE'),
      'requestheader-allowed-names': '["front-proxy-client"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    });
    expect(desired['requestheader-client-ca-file']).not.toBe(cluster.caBundle);
    await api.merge(MAP, { data: { 'client-ca-file': 'x', other: 'y' } });
    const restored = await api.seen(SELECTED, (object) =>
      isDeepStrictEqual({ ...(object['data'] as object) }, { ...desired }),
    );
    expect(restored.metadata!.uid).toBe(map.metadata!.uid);
    await api.call('DELETE', MAP);
    const recreated = await api.seen(
      SELECTED,
      (object, type) => type !== 'DELETED' && object.metadata!.uid !== map.metadata!.uid,
    );
    expect(recreated['data']).toEqual(desired);
  });

  it('contains the CA bundles of flags and follows their files', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-authorities-'));
    try {
      const [first, second, proxy] = ['first', 'second', 'proxy'].map(authority) as [string, string, string];
      const [clients, proxies] = [join(directory, 'clients.pem'), join(directory, 'proxies.pem')];
      writeFileSync(clients, first);
      writeFileSync(proxies, proxy);
      await using cluster = await startCluster({
        controllers: ['-*'],
        clientCaFile: clients,
        requestheaderClientCaFile: proxies,
        requestheaderAllowedNames: ['front'],
        requestheaderUsernameHeaders: ['X-Remote-User'],
      });
      const api = new Api(cluster);
      expect(dataOf(await api.call('GET', MAP))).toEqual({
        'client-ca-file': first,
        'requestheader-client-ca-file': proxy,
        'requestheader-allowed-names': '["front"]',
        'requestheader-username-headers': '["X-Remote-User"]',
        'requestheader-group-headers': '[]',
        'requestheader-extra-headers-prefix': '[]',
      });
      writeFileSync(`${clients}.new`, second);
      renameSync(`${clients}.new`, clients);
      // Clients of the former CA stay known until it expires, as other servers may have it.
      await api.seen(SELECTED, (map) => dataOf(map)['client-ca-file'] === first + second);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
