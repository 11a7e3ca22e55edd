import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OutboundClient } from '../../src/outbound/outbound-client.ts';
import type { OutboundTarget } from '../../src/outbound/outbound-target.ts';
import type { TargetOptions } from '../../src/outbound/target-options.ts';
import { authority, clientCertificate, Servers, serverCertificate } from './servers.ts';

const tls = { caBundle: authority.certificate };
const text = async (stream: Readable): Promise<string> => {
  let content = '';
  for await (const chunk of stream) content += chunk;
  return content;
};

describe('OutboundClient', () => {
  let servers = new Servers();
  let clients: OutboundClient[] = [];
  afterEach(async () => {
    for (const client of clients) client.close();
    await servers.close();
    servers = new Servers();
    clients = [];
  });

  const create = (options: object = {}): OutboundClient => {
    const client = new OutboundClient(options);
    clients.push(client);
    return client;
  };
  const target = async (handle: RequestListener, options: Partial<TargetOptions> = {}, client = create()) =>
    client.target({ server: `https://127.0.0.1:${await servers.https(handle)}`, tls, ...options });
  const get = (to: OutboundTarget, changes: object = {}) =>
    to.send({ method: 'GET', path: '/', timeout: 20_000, maximumBytes: 1 << 20, ...changes });

  it('sends a request as given and returns the response', async () => {
    let seen: IncomingMessage | undefined;
    let body: string | undefined;
    const to = await target(
      async (request, response) => {
        seen = request;
        body = await text(request);
        response.writeHead(418, { 'x-one': '1' }).end('short');
      },
      { headers: () => ({ 'user-agent': 'mine', 'x-default': 'd' }) },
    );
    const answer = await get(to, {
      method: 'PUT',
      path: '/a//b%2F?q=%20',
      headers: { 'x-list': ['1', '2'], 'x-default': 'own' },
      body: 'é',
    });
    expect({ ...answer, body: answer.body.toString() }).toMatchObject({
      status: 418,
      headers: { 'x-one': '1' },
      body: 'short',
    });
    expect([seen?.method, seen?.url, body]).toEqual(['PUT', '/a//b%2F?q=%20', 'é']);
    expect(seen?.headers).toMatchObject({
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      'user-agent': 'mine',
      'x-default': 'own',
      'x-list': '1, 2',
      'content-length': '2',
    });
  });

  it("accepts a server's own certificate as CA bundle", async () => {
    const own = serverCertificate();
    const port = await servers.https((_, response) => response.end('here'), own);
    const bundles = [own.cert, serverCertificate().cert];
    const [same, other] = bundles.map((caBundle) =>
      create().target({ server: `https://127.0.0.1:${port}`, tls: { caBundle } }),
    );
    expect((await get(same!)).body.toString()).toBe('here');
    await expect(get(other!)).rejects.toThrow('x509: certificate signed by unknown authority');
  });

  it('reads compressed responses and does not follow redirects', async () => {
    const { gzipSync } = await import('node:zlib');
    const to = await target((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/elsewhere' }).end();
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('content'));
    });
    expect((await get(to)).status).toBe(302);
    expect((await get(to, { path: '/gzip' })).body.toString()).toBe('content');
  });

  it('reuses connections and closes those above the limit of idle ones', async () => {
    const client = create({ maximumIdle: 2, maximumIdlePerTarget: 5 });
    const held: (() => void)[] = [];
    const handle: RequestListener = (_, response) => {
      held.push(() => response.end());
      if (held.length % 3 === 0) for (const answer of held.splice(0)) answer();
    };
    const to = await target(handle, {}, client);
    const three = () => Promise.all([get(to), get(to), get(to)]);
    await three();
    await vi.waitFor(() => expect(servers.open).toBe(2));
    expect([servers.accepted, client.idleConnections]).toEqual([3, 2]);
    await three();
    expect(servers.accepted).toBe(4);
  });

  it('closes idle connections after a time', async () => {
    const to = await target((_, response) => response.end(), {}, create({ idleTimeout: 30 }));
    await get(to);
    await vi.waitFor(() => expect(servers.open).toBe(0));
  });

  it('sends an idempotent request again when the server has closed a kept connection', async () => {
    let requests = 0;
    const to = await target((request, response) => {
      requests++;
      if (requests === 2) request.socket.destroy();
      else response.end(String(requests));
    });
    await get(to);
    expect((await get(to, { idempotent: true })).body.toString()).toBe('3');
    requests = 1;
    await expect(get(to)).rejects.toThrow('EOF');
  });

  it('limits concurrent requests per target; others wait, and fail beyond the limit of waiters', async () => {
    const started: (() => void)[] = [];
    const to = await target((_, response) => void started.push(() => response.end()), {
      maximumRequests: 1,
      maximumWaiting: 1,
    });
    const first = get(to);
    const second = get(to);
    await expect(get(to)).rejects.toMatchObject({ code: 'EBUSY', text: expect.stringContaining('1 wait') });
    await vi.waitFor(() => expect(started).toHaveLength(1));
    started[0]!();
    await first;
    await vi.waitFor(() => expect(started).toHaveLength(2));
    await expect(get(to, { timeout: 20 })).rejects.toThrow('context deadline exceeded');
    started[1]!();
    await second;
    const third = get(to);
    await vi.waitFor(() => expect(started).toHaveLength(3));
    started[2]!();
    await third;
  });

  it('limits concurrent requests of all targets', async () => {
    const client = create({ maximumRequests: 1, maximumWaiting: 0 });
    const slow = await target(() => undefined, {}, client);
    const other = await target((_, response) => response.end(), {}, client);
    const controller = new AbortController();
    const pending = get(slow, { signal: controller.signal });
    await expect(get(other)).rejects.toMatchObject({ code: 'EBUSY' });
    controller.abort();
    await expect(pending).rejects.toThrow('context canceled');
    expect((await get(other)).status).toBe(200);
  });

  it('verifies the server name and presents a client certificate', async () => {
    const { certificate, key } = clientCertificate('front-proxy');
    const port = await servers.https(
      (request, response) => {
        const socket = request.socket as import('node:tls').TLSSocket;
        response.end(
          `${socket.getPeerCertificate().subject.CN} ${(socket as { servername?: string }).servername}`,
        );
      },
      { ...serverCertificate({ hosts: ['a.b.svc'] }), requestCert: true, ca: authority.certificate },
    );
    const to = create().target({
      server: 'https://a.b.svc:443',
      tls: { ...tls, certificate, key },
      resolve: async () => ({ host: '127.0.0.1', port }),
    });
    expect((await get(to)).body.toString()).toBe('front-proxy a.b.svc');
    const insecure = create().target({
      server: `https://127.0.0.1:${port}`,
      tls: { insecure: true, certificate, key },
    });
    expect((await get(insecure)).status).toBe(200);
  });

  it('connects through the dialer', async () => {
    const port = await servers.https((_, response) => response.end());
    const { directDialer } = await import('../../src/outbound/dialer.ts');
    const { DIRECT_EGRESS } = await import('../../src/outbound/egress.ts');
    const dialled: unknown[] = [];
    const client = create({
      egress: {
        ...DIRECT_EGRESS,
        controlplane: (address: { host: string; port: number }, signal: AbortSignal) => {
          dialled.push(address);
          return directDialer({ host: '127.0.0.1', port }, signal);
        },
      },
    });
    const to = client.target({ server: 'https://127.0.0.1/x', tls });
    expect((await get(to)).status).toBe(200);
    expect(dialled).toEqual([{ host: '127.0.0.1', port: 443 }]);
  });

  it('streams both ways', async () => {
    const to = await target((request, response) => void request.pipe(response));
    const body = new Readable({ read: () => undefined });
    body.push('first');
    const { status, body: received } = await to.open({ method: 'DELETE', path: '/', body });
    expect([status, String((await once(received, 'data'))[0])]).toEqual([200, 'first']);
    body.push('second');
    expect(String((await once(received, 'data'))[0])).toBe('second');
    body.push(null);
    await once(received, 'end');
  });

  it('ends a stream when the caller aborts, and frees its place', async () => {
    const to = await target(
      (request, response) => {
        if (request.url === '/watch') response.write('event');
        else response.end();
      },
      { maximumRequests: 1 },
    );
    const controller = new AbortController();
    const stream = await to.open({
      method: 'GET',
      path: '/watch',
      signal: controller.signal,
      timeout: 20_000,
    });
    await once(stream.body, 'data');
    controller.abort();
    expect(await once(stream.body, 'error')).toMatchObject([{ text: 'context canceled' }]);
    expect((await get(to)).status).toBe(200);
  });

  it('hands over the connection of an upgrade', async () => {
    const port = await servers.tcp((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello'),
      );
      socket.on('data', (chunk) => String(chunk).startsWith('ping') && socket.write('pong'));
    });
    const plain = create().target({
      server: `http://127.0.0.1:${port}`,
      maximumRequests: 1,
      maximumWaiting: 0,
    });
    const request = { method: 'GET', path: '/', headers: { connection: 'upgrade', upgrade: 'x' } };
    const { status, headers, upgraded } = await plain.open(request);
    expect([status, headers.upgrade, String(upgraded?.head)]).toEqual([101, 'x', 'hello']);
    upgraded?.socket.write('ping');
    expect(String((await once(upgraded!.socket, 'data'))[0])).toBe('pong');
    await expect(plain.open(request)).rejects.toMatchObject({ code: 'EBUSY' });
    upgraded!.socket.destroy();
    await once(upgraded!.socket, 'close');
    (await plain.open(request)).upgraded?.socket.destroy();
  });

  it('fails requests in progress and later ones when it is closed', async () => {
    const to = await target(() => undefined);
    const pending = get(to);
    to.close();
    await expect(pending).rejects.toThrow('the client is closed');
    await expect(get(to)).rejects.toThrow('the client is closed');
  });

  it('does not keep the process running', async () => {
    const port = await servers.http((_, response) => response.end('done'));
    const script = `
      const { OutboundClient } = await import('./src/outbound/outbound-client.ts');
      const target = new OutboundClient().target({ server: 'http://127.0.0.1:${port}' });
      const { body } = await target.send({ method: 'GET', path: '/', timeout: 9000, maximumBytes: 99 });
      console.log(String(body));`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    expect(String((await once(child.stdout, 'data'))[0])).toBe('done\n');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
