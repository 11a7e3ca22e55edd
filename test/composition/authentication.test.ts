import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../src/options/options.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { testCertificate } from '../authentication/x509/fixtures.ts';
import { requestedAuthorities } from '../support/requested-authorities.ts';

describe('requests without credentials', () => {
  let cluster: TestCluster | undefined;
  afterEach(() => cluster?.stop());
  const statusWith = async (options: ServerOptions): Promise<number> => {
    cluster = await startCluster(options);
    return (await cluster.fetch('/version', { headers: { authorization: '' } })).status;
  };

  it('are anonymous by default', async () => {
    expect(await statusWith({})).toBe(200);
  });

  it('are rejected with --anonymous-auth=false', async () => {
    expect(await statusWith({ anonymousAuth: false })).toBe(401);
  });

  it('are rejected with AlwaysAllow', async () => {
    expect(await statusWith({ authorizationMode: ['AlwaysAllow'] })).toBe(401);
    expect(cluster!.log.join('')).toContain('AnonymousAuth is not allowed with the AlwaysAllow authorizer');
  });
});

describe('extension servers', () => {
  it('get the current CA bundles of clients and proxies', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-authentication-'));
    const issue = (name: string) =>
      testCertificate({ subject: [['CN', name]], isAuthority: true, until: 36_500 });
    const bare = (text: string | undefined) => text?.replace(/\s/g, '');
    const authorities = [issue('first'), issue('second'), issue('proxies')] as const;
    const [first, second, proxies] = [authorities[0].pem, authorities[1].pem, authorities[2].pem];
    const file = (name: string, content: string) => {
      writeFileSync(join(directory, `${name}.new`), content);
      renameSync(join(directory, `${name}.new`), join(directory, name));
      return join(directory, name);
    };
    const cluster = await startCluster({
      clientCaFile: file('clients', first),
      requestheaderClientCaFile: file('proxies', proxies),
      requestheaderAllowedNames: ['p'],
    });
    const data = async () => {
      const answer = await cluster.fetch(
        '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
      );
      return ((await answer.json()) as { data: Record<string, string> }).data;
    };
    const published = await data();
    expect(published).toMatchObject({ 'requestheader-allowed-names': '["p"]' });
    expect([published['client-ca-file'], published['requestheader-client-ca-file']].map(bare)).toEqual(
      [first, proxies].map(bare),
    );
    // The names in the TLS handshake, without the server's own.
    const requested = async () => (await requestedAuthorities(Number(new URL(cluster.url).port))).slice(1);
    expect(await requested()).toEqual([authorities[0].name, authorities[2].name]);
    file('clients', second);
    await expect.poll(async () => bare((await data())['client-ca-file'])).toBe(bare(first + second));
    expect(await requested()).toEqual([authorities[1].name, authorities[2].name]);
    await cluster.stop();
    rmSync(directory, { recursive: true });
  });
});
