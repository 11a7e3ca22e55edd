import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { OutboundClient } from '../../src/outbound/outbound-client.ts';
import { OutboundError } from '../../src/outbound/outbound-error.ts';
import type { BoundedRequest } from '../../src/outbound/outbound-target.ts';
import type { TargetOptions } from '../../src/outbound/target-options.ts';
import { authority, clientCertificate, closedPort, Servers, serverCertificate } from './servers.ts';

/** The beginning of the text for a response that ends early. */
const BROKEN = 'unexpected error when reading response body. Please retry. Original error: ';

/** Servers that misbehave in every way, and the texts of Go's client for them. */
describe('failures of a request', () => {
  const servers = new Servers();
  const clients: OutboundClient[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await servers.close();
  });

  const messageOf = async (options: TargetOptions, request: Partial<BoundedRequest> = {}) => {
    const client = new OutboundClient();
    clients.push(client);
    const target = client.target({ tls: { caBundle: authority.certificate }, ...options });
    const whole = {
      method: 'POST',
      path: '/x',
      body: '{}',
      timeout: 20_000,
      maximumBytes: 1 << 20,
      ...request,
    };
    const error = await target.send(whole).then(
      () => expect.unreachable('the request succeeded'),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OutboundError);
    return (error as OutboundError).message;
  };
  const textAfter = (prefix: string, message: string) => {
    expect(message.startsWith(prefix), message).toBe(true);
    return message.slice(prefix.length);
  };
  const fails = async (options: TargetOptions, request: Partial<BoundedRequest> = {}) =>
    textAfter(`Post "${options.server}/x": `, await messageOf(options, request));
  /** The request fails after its response has begun. */
  const breaks = async (options: TargetOptions, request: Partial<BoundedRequest> = {}) =>
    textAfter(BROKEN, await messageOf(options, request));
  const at = (port: number, scheme = 'https') => ({ server: `${scheme}://127.0.0.1:${port}` });

  it('refused connection', async () => {
    const port = await closedPort();
    expect(await fails(at(port))).toBe(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
  });

  it('unknown host', async () => {
    expect(await fails({ server: 'https://absent.invalid' })).toMatch(
      /^dial tcp: lookup absent\.invalid: (no such host|server misbehaving)$/,
    );
  });

  it('error of the resolver', async () => {
    const resolve = () => {
      throw new Error('service "absent" not found');
    };
    expect(await fails({ server: 'https://absent.default.svc:443', resolve })).toBe(
      'service "absent" not found',
    );
  });

  it('server that never responds', async () => {
    const port = await servers.https(() => undefined);
    expect(await fails(at(port), { timeout: 100 })).toBe('context deadline exceeded');
  });

  it('server that never finishes its response', async () => {
    const port = await servers.https((_, response) => void response.writeHead(200).write('{'));
    // On a busy machine a short deadline expires before the response begins.
    let message = 'Post ';
    for (let timeout = 200; message.startsWith('Post '); timeout *= 2)
      message = await messageOf(at(port), { timeout });
    expect(textAfter(BROKEN, message)).toBe('context deadline exceeded');
  });

  it('server that never finishes the TLS handshake', async () => {
    // The first bytes of a ServerHello record that announces more than it sends.
    const port = await servers.tcp((socket) => void socket.write(Buffer.from([22, 3, 3, 0, 122, 2, 0])));
    expect(await fails(at(port), { timeout: 200 })).toBe('context deadline exceeded');
    expect(await fails(at(port), { signal: AbortSignal.timeout(50) })).toBe('context deadline exceeded');
  });

  it('server that closes during the TLS handshake', async () => {
    const port = await servers.tcp((socket) =>
      socket.once('data', () => socket.end(Buffer.from([22, 3, 3]))),
    );
    expect(await fails(at(port))).toBe('EOF');
  });

  it('server that closes instead of responding', async () => {
    const port = await servers.https((request) => request.socket.destroy());
    expect(await fails(at(port))).toBe('EOF');
  });

  it('server that closes in the middle of its response', async () => {
    const port = await servers.https((request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => request.socket.destroy());
    });
    expect(await breaks(at(port))).toBe('unexpected EOF');
  });

  it.each([
    ['nothing compressed', Buffer.from('{"a":"a long text"}'), 'gzip: invalid header'],
    ['its beginning', gzipSync('{}').subarray(0, 12), 'unexpected EOF'],
    [
      'a wrong checksum',
      Buffer.concat([gzipSync('{}').subarray(0, -8), Buffer.alloc(8)]),
      'gzip: invalid checksum',
    ],
  ])('response said to be compressed: %s', async (_, body, text) => {
    const port = await servers.https((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    );
    expect(await breaks(at(port))).toBe(text);
  });

  it('server that resets the connection', async () => {
    const port = await servers.tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await fails(at(port, 'http'))).toBe('read: connection reset by peer');
  });

  it('plain HTTP on the port of TLS', async () => {
    const port = await servers.http((_, response) => response.end('{}'));
    expect(await fails(at(port))).toBe('http: server gave HTTP response to HTTPS client');
  });

  it('a response that is not HTTP', async () => {
    const port = await servers.tcp((socket) => socket.once('data', () => socket.end('nonsense\r\n\r\n')));
    expect(await fails(at(port, 'http'))).toBe(
      'net/http: HTTP/1.x transport connection broken: malformed HTTP response',
    );
  });

  it('headers of 1 MB', async () => {
    const port = await servers.tcp((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(1 << 20)}\r\n\r\n`)),
    );
    expect(await fails(at(port, 'http'))).toBe(
      'net/http: server response headers exceeded 16384 bytes; aborted',
    );
  });

  it.each([
    ['another authority', { caBundle: clientCertificate('other').certificate }],
    ['the authorities of the system', {}],
  ])('certificate that does not verify: %s', async (_, tls) => {
    const port = await servers.https((_request, response) => response.end());
    expect(await fails({ ...at(port), tls })).toBe(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  });

  it('expired certificate', async () => {
    const dates = { validFrom: new Date(Date.now() - 7_200_000), validTo: new Date(Date.now() - 3_600_000) };
    const port = await servers.https(
      (_, response) => response.end(),
      serverCertificate({ addresses: ['127.0.0.1'] }, dates),
    );
    expect(await fails(at(port))).toBe(
      'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
    );
  });

  it.each([
    [{ addresses: ['127.0.0.2'] }, {}, 'certificate is valid for 127.0.0.2, not 127.0.0.1'],
    [
      { hosts: ['localhost'] },
      {},
      "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    [
      { hosts: ['a.test', 'b.test'] },
      { serverName: 'c.test' },
      'certificate is valid for a.test, b.test, not c.test',
    ],
    [{}, { serverName: 'other' }, 'certificate is not valid for any names, but wanted to match other'],
    [{}, { serverName: 'server' }, 'certificate relies on legacy Common Name field, use SANs instead'],
    [
      { addresses: ['127.0.0.1'] },
      { serverName: 'c.test' },
      'certificate is not valid for any names, but wanted to match c.test',
    ],
  ])('certificate for %o', async (names, tls, text) => {
    const port = await servers.https((_, response) => response.end(), serverCertificate(names));
    expect(await fails({ ...at(port), tls: { caBundle: authority.certificate, ...tls } })).toBe(
      `tls: failed to verify certificate: x509: ${text}`,
    );
  });

  it('missing client certificate', async () => {
    const port = await servers.https((_, response) => response.end(), {
      ...serverCertificate(),
      requestCert: true,
      ca: authority.certificate,
    });
    expect(await fails(at(port))).toBe('remote error: tls: certificate required');
  });

  it('CA bundle that is not PEM', async () => {
    expect(await fails({ ...at(1), tls: { caBundle: 'nonsense' } })).toBe(
      'unable to load root certificates: unable to parse bytes as PEM block',
    );
  });

  it.each([['announced'], ['streamed'], ['compressed']])('response of 100 MB, %s', async (how) => {
    const { createGzip } = await import('node:zlib');
    let sent = 0;
    const port = await servers.https((_, response) => {
      if (how === 'compressed') response.setHeader('content-encoding', 'gzip');
      if (how === 'announced') response.setHeader('content-length', 100 << 20);
      const body = how === 'compressed' ? createGzip() : response;
      if (body !== response) body.pipe(response);
      const piece = Buffer.alloc(1 << 20, 'x');
      const more = () => {
        while (sent < 100 && !response.destroyed) {
          sent++;
          if (!body.write(piece)) return;
        }
        body.end();
      };
      body.on('drain', more);
      response.on('error', () => undefined);
      more();
    });
    expect(await fails(at(port))).toBe('the response is longer than 1048576 bytes');
    expect(sent).toBeLessThan(how === 'compressed' ? 100 : 30);
  });

  it('aborted by the caller', async () => {
    const controller = new AbortController();
    const port = await servers.https(() => controller.abort());
    expect(await fails(at(port), { signal: controller.signal })).toBe('context canceled');
  });
});
