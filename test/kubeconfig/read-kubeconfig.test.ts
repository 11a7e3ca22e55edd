import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClientConfig } from '../../src/kubeconfig/read-kubeconfig.ts';
import { kubeconfigText } from '../../src/kubeconfig/write-kubeconfig.ts';

describe('readClientConfig', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-client-config-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (name: string, content: string | object): string => {
    const file = join(directory, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const config = (cluster: object, user: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'one', user: 'me' } }],
    clusters: [
      { name: 'other', cluster: { server: 'https://other' } },
      { name: 'one', cluster },
    ],
    users: [{ name: 'me', user }],
  });

  it('reads the kubeconfig that the server writes', () => {
    const client = { certificate: 'CERT', key: 'KEY' };
    const file = write(
      'a.yaml',
      kubeconfigText({ server: 'https://127.0.0.1:1', caBundle: 'TRUST', client }),
    );
    expect(readClientConfig(file)).toEqual({ server: 'https://127.0.0.1:1', caBundle: 'TRUST', ...client });
  });

  it('resolves file names against the directory of the kubeconfig', () => {
    write('ca.pem', 'CA');
    const file = write(
      'a.json',
      config(
        { server: 'https://h/p', 'certificate-authority': 'ca.pem', 'tls-server-name': 'n' },
        { tokenFile: 'token', token: 't' },
      ),
    );
    expect(readClientConfig(file)).toEqual({
      server: 'https://h/p',
      caBundle: 'CA',
      serverName: 'n',
      token: 't',
      tokenFile: join(directory, 'token'),
    });
  });

  it.each([
    [{ server: '' }, {}, 'cluster has no server defined'],
    [{ server: 'ftp://x' }, {}, 'cluster has no server defined'],
    [{ server: 'https://x' }, { 'client-key-data': 'QQ==' }, 'must be specified together'],
    [
      { server: 'https://x', 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'QQ==' },
      {},
      'insecure flag',
    ],
    [{ server: 'https://x', 'proxy-url': 'http://p' }, {}, 'cluster.proxy-url is not supported'],
    [{ server: 'https://x' }, { exec: { command: 'x' } }, 'user.exec is not supported'],
    [
      { server: 'https://x', 'certificate-authority-data': 'not base64!' },
      {},
      'certificate-authority-data is not base64',
    ],
    [
      { server: 'https://x', 'certificate-authority': 'absent.pem' },
      {},
      'absent.pem: no such file or directory',
    ],
  ])('refuses %j with %j', (cluster, user, text) => {
    expect(() => readClientConfig(write('a.json', config(cluster, user)))).toThrow(text);
  });

  it('rejects a file above the size limit', () => {
    expect(() => readClientConfig(write('a.yaml', ' '.repeat((16 << 20) + 1)))).toThrow(
      'the file is larger than 16 MiB',
    );
  });

  it('reports an error without the content of the file', () => {
    expect(() => readClientConfig(join(directory, 'absent'))).toThrow(
      `stat ${join(directory, 'absent')}: no such file or directory`,
    );
    expect(() =>
      readClientConfig(write('a.yaml', 'users: [{name: x, user: {token: hush}}]\n bad: [}')),
    ).toThrow(/^(?!.*hush).*not valid YAML/);
    expect(() => readClientConfig(write('b.yaml', ''))).toThrow('no current-context is chosen');
    expect(() => readClientConfig(write('c.yaml', 'current-context: gone'))).toThrow(
      'context was not found for specified context: gone',
    );
  });
});
