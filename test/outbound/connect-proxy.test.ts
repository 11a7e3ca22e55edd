import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { prepareTls } from '../../src/outbound/connect.ts';
import { connectProxyDialer, type DialStage } from '../../src/outbound/connect-proxy.ts';
import { DIRECT_EGRESS } from '../../src/outbound/egress.ts';
import { OutboundClient } from '../../src/outbound/outbound-client.ts';
import { ConnectProxyServer } from './connect-proxy-server.ts';
import { authority, clientCertificate, closedPort, Servers, serverCertificate } from './servers.ts';

describe('connectProxyDialer', () => {
  let servers: Servers;
  let files: TemporaryDirectory;
  const proxies: ConnectProxyServer[] = [];
  const clients: OutboundClient[] = [];
  let seen: (string | DialStage)[];
  beforeEach(() => {
    servers = new Servers();
    files = new TemporaryDirectory();
    seen = [];
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    for (const proxy of proxies.splice(0)) await proxy.close();
    await servers.close();
    files.remove();
  });

  const observer = {
    started: () => void seen.push('started'),
    connected: (seconds: number) => void seen.push(seconds > 0 ? 'connected' : 'no time'),
    failed: (stage: DialStage) => void seen.push(stage),
  };
  const through = (
    address: { host: string; port: number } | string,
    tls?: Parameters<typeof prepareTls>[0],
  ) => {
    const dialer = connectProxyDialer({ address, tls: tls && prepareTls(tls) }, observer);
    const client = new OutboundClient({ egress: { ...DIRECT_EGRESS, cluster: dialer } });
    clients.push(client);
    return client;
  };
  const proxy = async (tls?: object, where?: string) => {
    const started = await new ConnectProxyServer(tls).listen(where);
    proxies.push(started);
    return started;
  };
  const get = (client: OutboundClient, server: string, network: 'cluster' | 'controlplane' = 'cluster') =>
    client
      .target({ server, network, tls: { caBundle: authority.certificate } })
      .send({ method: 'GET', path: '/', timeout: 5000, maximumBytes: 1000 });

  it('reaches a server by TCP, by TLS with a client certificate, and by a Unix socket', async () => {
    const port = await servers.https((_, response) => response.end('hello'));
    const server = `https://127.0.0.1:${port}`;
    const plain = await proxy();
    const identity = clientCertificate('binnacle');
    const secured = await proxy({ ...serverCertificate(), ca: authority.certificate, requestCert: true });
    const local = await proxy(undefined, files.path('proxy.sock'));
    const host = '127.0.0.1';
    for (const client of [
      through({ host, port: plain.port }),
      through(
        { host, port: secured.port },
        { caBundle: authority.certificate, certificate: identity.certificate, key: identity.key },
      ),
      through(files.path('proxy.sock')),
    ])
      expect(String((await get(client, server)).body)).toBe('hello');
    for (const { targets } of [plain, secured, local]) expect(targets).toEqual([`127.0.0.1:${port}`]);
    expect(seen).toEqual(['started', 'connected', 'started', 'connected', 'started', 'connected']);
  });

  it('keeps connections, and leaves names to the proxy', async () => {
    const port = await servers.http((_, response) => response.end());
    const passing = await proxy();
    passing.routes.set('only-the-proxy.test:80', port);
    const to = through({ host: '127.0.0.1', port: passing.port }).target({
      server: 'http://only-the-proxy.test',
      network: 'cluster',
    });
    const request = { method: 'GET', path: '/', timeout: 5000, maximumBytes: 10 };
    for (let count = 0; count < 3; count += 1) expect((await to.send(request)).status).toBe(200);
    expect(passing.targets).toEqual(['only-the-proxy.test:80']);
  });

  it('is used for its network alone', async () => {
    const port = await servers.http((_, response) => response.end());
    const passing = await proxy();
    const client = through({ host: '127.0.0.1', port: passing.port });
    expect((await get(client, `http://127.0.0.1:${port}`, 'controlplane')).status).toBe(200);
    expect(passing.targets).toEqual([]);
  });

  it('says why there is no connection, and does not connect directly then', async () => {
    const port = await servers.http((_, response) => response.end());
    const server = `http://127.0.0.1:${port}`;
    const closed = await closedPort();
    await expect(get(through({ host: '127.0.0.1', port: closed }), server)).rejects.toThrow(
      `Get "${server}/": dial tcp 127.0.0.1:${closed}: connect: connection refused`,
    );
    await expect(get(through(files.path('absent')), server)).rejects.toThrow(
      `dial unix ${files.path('absent')}: connect: no such file or directory`,
    );
    expect(seen).toEqual(['started', 'connect', 'started', 'connect']);
    const refusing = await proxy();
    const client = through({ host: '127.0.0.1', port: refusing.port });
    const at = `127.0.0.1:${refusing.port}`;
    for (const [answer, text] of [
      [
        'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n',
        `proxy error from ${at} while dialing 127.0.0.1:${port}, code 403: 403 Forbidden`,
      ],
      ['HTTP/1.1 200 OK\r\n\r\nsurplus', `unexpected 7 bytes of buffered data from CONNECT proxy "${at}"`],
      ['nonsense\r\n\r\n', 'malformed HTTP response'],
      ['HTTP/1.1 200 OK\r\n', 'failed: unexpected EOF'],
      [`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`, 'response headers are too large'],
    ] as const) {
      refusing.refusal = answer;
      await expect(get(client, server)).rejects.toThrow(text);
      expect(seen.at(-1)).toBe('proxy');
    }
    expect(servers.accepted).toBe(0);
  });

  it('verifies the certificate of the proxy by the rules for every server', async () => {
    const secured = await proxy(serverCertificate({}));
    const client = through({ host: '127.0.0.1', port: secured.port }, { caBundle: authority.certificate });
    await expect(get(client, 'http://127.0.0.1:1')).rejects.toThrow(
      "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    );
    expect(secured.targets).toEqual([]);
  });

  it('gives up at the deadline of the request when the proxy does not respond', async () => {
    const port = await servers.tcp(() => undefined);
    const client = through({ host: '127.0.0.1', port });
    const to = client.target({ server: 'https://a.test', network: 'cluster' });
    await expect(to.send({ method: 'GET', path: '/', timeout: 50, maximumBytes: 10 })).rejects.toThrow(
      'context deadline exceeded',
    );
  });
});
