import http2 from 'node:http2';
import net from 'node:net';
import type tls from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { createListener } from '../../src/connection/listener.ts';
import { type TestCertificate, testCertificate } from '../authentication/x509/fixtures.ts';
import { requestedAuthorities } from '../support/requested-authorities.ts';
import {
  authority,
  clientCertificate,
  intermediate,
  ManualClock,
  otherCertificate,
  type Running,
  request1,
  request2,
  serverCertificate,
  start,
} from './support.ts';

const protocols = {
  'HTTP/2': (server: Running, path: string, method = 'GET') =>
    request2(server.h2(), { ':path': path, ':method': method }),
  'HTTP/1.1': (server: Running, path: string, method = 'GET') => request1(server.url + path, { method }),
};

describe.each(Object.entries(protocols))('responses over %s', (name, request) => {
  test('a request and its response', async () => {
    const seen: Partial<Exchange>[] = [];
    const server = await start((exchange) => {
      const { method, target, protocol, host, remoteAddress } = exchange;
      seen.push({ method, target, protocol, host, remoteAddress });
      exchange.setHeader('Audit-Id', 'one');
      exchange.setHeader('Warning', 'first');
      exchange.setHeader('Warning', 'sec\r\nond: é', true);
      exchange.respond(201, 'application/json', '{"é":1}');
    });
    const answer = await request(server, '/api?x=%20y');
    expect(answer.status).toBe(201);
    expect(answer.body.toString()).toBe('{"é":1}');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '8',
      'audit-id': 'one',
      date: expect.any(String),
    });
    expect(Buffer.from(String(answer.headers['warning']), 'latin1').toString()).toBe('first, sec  ond: é');
    expect(seen).toEqual([
      {
        method: 'GET',
        target: '/api?x=%20y',
        protocol: name === 'HTTP/2' ? 'HTTP/2.0' : name,
        host: `localhost:${server.port}`,
        remoteAddress: '127.0.0.1',
      },
    ]);
  });

  test('OPTIONS * is about no resource', async () => {
    const handler = vi.fn((exchange: Exchange) => exchange.respond(404, undefined, ''));
    const server = await start(handler);
    if (name === 'HTTP/2') {
      const answer = await request2(server.h2(), { ':path': '*', ':method': 'OPTIONS' });
      expect([answer.status, answer.headers['content-length']]).toEqual([200, '0']);
    } else {
      const client = await server.raw();
      client.send('OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n');
      await vi.waitFor(() => expect(client.received).toMatch(/^HTTP\/1.1 200 [\s\S]*Content-Length: 0\r\n/i));
    }
    expect(handler).not.toHaveBeenCalled();
  });

  test('HEAD has a content-length but no body, 204 has neither', async () => {
    const server = await start((exchange) =>
      exchange.target === '/none'
        ? exchange.respond(204, undefined, '')
        : exchange.respond(200, 'text/plain', 'body'),
    );
    const head = await request(server, '/', 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '4', 0]);
    const none = await request(server, '/none');
    expect([none.status, none.headers['content-length'], none.headers['content-type']]).toEqual([
      204,
      undefined,
      undefined,
    ]);
  });

  test('the first response wins, later ones and their streams are dropped', async () => {
    const server = await start((exchange) => {
      exchange.respond(200, 'text/plain', 'first');
      exchange.respond(500, 'text/plain', 'second');
      expect(exchange.startStream(200, 'text/plain').write(Buffer.from('third'))).toBe(false);
    });
    const answer = await request(server, '/');
    expect([answer.status, answer.body.toString()]).toEqual([200, 'first']);
  });

  test('a large response arrives completely', async () => {
    const body = Buffer.alloc(5_000_001, 'abcdefg');
    const server = await start((exchange) => exchange.respond(200, 'text/plain', body));
    expect((await request(server, '/')).body.equals(body)).toBe(true);
  });

  test('finishing aborts the signal and calls back once', async () => {
    const finished = vi.fn();
    let exchange: Exchange | undefined;
    const server = await start((received) => {
      exchange = received;
      received.onFinished(finished);
      received.respond(200, 'text/plain', 'x');
    });
    await request(server, '/');
    await vi.waitFor(() => expect(finished).toHaveBeenCalledOnce());
    expect(exchange?.signal.aborted).toBe(true);
    expect(exchange?.closed).toBe(false);
    expect(server.listener.counters).toMatchObject({ exchanges: 1, openExchanges: 0 });
  });
});

test('a handler that throws aborts only its exchange', async () => {
  const onHandlerError = vi.fn();
  const server = await start(
    (exchange) => {
      if (exchange.target === '/bad') throw new Error('bug');
      exchange.respond(200, 'text/plain', 'x');
    },
    { onHandlerError },
  );
  const session = server.h2();
  await expect(request2(session, { ':path': '/bad' })).rejects.toThrow();
  await expect(request1(`${server.url}/bad`)).rejects.toThrow();
  expect(onHandlerError).toHaveBeenCalledTimes(2);
  expect((await request2(session, { ':path': '/' })).status).toBe(200);
  expect(server.listener.counters.openExchanges).toBe(0);
});

test('repeated headers and names from Object.prototype are data', async () => {
  const server = await start((exchange) =>
    exchange.respond(
      200,
      'application/json',
      JSON.stringify([
        exchange.header('impersonate-group'),
        exchange.headerValues('impersonate-group'),
        exchange.header('constructor') ?? null,
        exchange.header('__proto__') ?? null,
      ]),
    ),
  );
  const expected = ['a', ['a', 'b'], null, null];
  expect(
    JSON.parse(
      (await request2(server.h2(), { ':path': '/', 'impersonate-group': ['a', 'b'] })).body.toString(),
    ),
  ).toEqual(expected);
  expect(
    JSON.parse(
      (await request1(server.url, { headers: { 'impersonate-group': ['a', 'b'] } })).body.toString(),
    ),
  ).toEqual(expected);
});

test('an HTTP/1.1 connection is kept alive, and pipelined requests are processed in order, one at a time', async () => {
  let open = 0;
  const server = await start((exchange) => {
    expect(++open).toBe(1);
    setImmediate(() => {
      open--;
      exchange.respond(200, 'text/plain', exchange.target);
    });
  });
  const client = await server.raw();
  client.send(
    'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET http://a/2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  expect((await client.untilClosed()).match(/\/\d$|\/\d(?=HTTP)/g)).toEqual(['/1', '/2', '/3']);
  expect(server.listener.counters.acceptedConnections).toBe(1);
});

describe('certificates', () => {
  const chainOf = (exchange: Exchange): void =>
    exchange.respond(
      200,
      'application/json',
      JSON.stringify(
        exchange.peerCertificates?.map(({ subject }) => /^CN=(.*)$/m.exec(subject)?.[1]) ?? null,
      ),
    );

  test('the client certificate includes its chain, on later connections too', async () => {
    const server = await start(chainOf, { clientAuthorities: [authority] });
    for (let attempt = 0; attempt < 2; attempt++) {
      const chain = JSON.parse(
        (await request2(server.h2(clientCertificate), { ':path': '/' })).body.toString(),
      );
      expect(chain.slice(0, 2)).toEqual(['alice', 'test intermediate']);
    }
    expect(JSON.parse((await request1(server.url, clientCertificate)).body.toString())[0]).toBe('alice');
    expect((await request1(server.url)).body.toString()).toBe('null');
  });

  test('the names of client CAs are sent, with every serving certificate and after a change', async () => {
    const [one, two] = ['one', 'two'].map((name) =>
      testCertificate({ subject: [['CN', name]], isAuthority: true }),
    ) as [TestCertificate, TestCertificate];
    const server = await start(chainOf, {
      clientAuthorities: [one.pem],
      sniCertificates: [{ names: ['other.example.com'], ...otherCertificate }],
    });
    for (const name of ['localhost', 'other.example.com'])
      expect(await requestedAuthorities(server.port, name)).toEqual([one.name]);
    server.listener.setCertificates({ clientAuthorities: [one.pem, two.pem] });
    for (const name of ['localhost', 'other.example.com'])
      expect(await requestedAuthorities(server.port, name)).toEqual([one.name, two.name]);
  });

  test('a certificate of another CA reaches the handler, without certificates that the client did not send', async () => {
    const unknown = testCertificate({ subject: [['CN', 'other']], isAuthority: true });
    const other = await start(chainOf, { clientAuthorities: [unknown.pem] });
    const chain = JSON.parse((await request1(other.url, clientCertificate)).body.toString());
    expect(chain).toEqual(['alice', 'test intermediate']);
    const own = await start(chainOf, { clientAuthorities: [authority, intermediate] });
    const leaf = String(clientCertificate.cert).split(/(?<=-----END CERTIFICATE-----\n)/)[0]!;
    const alone = await request1(own.url, { ...clientCertificate, cert: leaf });
    expect(JSON.parse(alone.body.toString())).toEqual(['alice']);
  });

  test('an HTTP request without TLS is answered, other bytes are not', async () => {
    const server = await start(chainOf);
    const answerTo = (text: string): Promise<string> =>
      new Promise((resolve) => {
        let received = '';
        const socket = net.connect(server.port, '127.0.0.1');
        socket.on('data', (chunk) => (received += chunk)).on('close', () => resolve(received));
        socket.write(text);
      });
    for (const method of ['GET', 'HEAD', 'POST', 'PUT'])
      expect(await answerTo(`${method} /api HTTP/1.1\r\nHost: a\r\n\r\n`)).toBe(
        'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
      );
    expect(await answerTo('SSH-2.0-client\r\n')).not.toContain('HTTP');
    expect(server.listener.counters).toMatchObject({ tlsHandshakeErrors: 5, exchanges: 0 });
    await vi.waitFor(() => expect(server.listener.counters.openConnections).toBe(0));
  });

  test('sessions are not resumed', async () => {
    const server = await start(chainOf);
    const first = await server.raw({ maxVersion: 'TLSv1.2', ...clientCertificate });
    const second = await server.raw({
      maxVersion: 'TLSv1.2',
      ...clientCertificate,
      session: first.socket.getSession(),
    });
    expect(second.socket.isSessionReused()).toBe(false);
  });

  test('SNI selects a certificate, and a reload changes it for new connections', async () => {
    const server = await start(chainOf, {
      sniCertificates: [{ names: ['other.example.com', '*.wild.example.com'], ...otherCertificate }],
    });
    const served = async (servername: string): Promise<string> => {
      const client = await server.raw({ servername, rejectUnauthorized: false });
      return (client.socket.getPeerCertificate() as tls.PeerCertificate).subject.CN as string;
    };
    expect(await served('OTHER.example.com')).toBe('other.example.com');
    expect(await served('a.wild.example.com')).toBe('other.example.com');
    expect(await served('a.b.wild.example.com')).toBe('localhost');
    expect(await served('localhost')).toBe('localhost');
    expect(() =>
      server.listener.setCertificates({ key: otherCertificate.key, cert: serverCertificate.cert }),
    ).toThrow();
    expect(await served('localhost')).toBe('localhost');
    server.listener.setCertificates(otherCertificate);
    expect(await served('localhost')).toBe('other.example.com');
  });

  test('applies the TLS policy of the flags', async () => {
    const server = await start(chainOf, {
      tlsMinVersion: 'VersionTLS12',
      tlsCipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'],
    });
    const client = await server.raw({ maxVersion: 'TLSv1.2' });
    expect(client.socket.getCipher().standardName).toBe('TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384');
    const usual = await start(chainOf, {});
    expect((await usual.raw()).socket.getCipher().standardName).toBe('TLS_AES_128_GCM_SHA256');
    expect((await usual.raw({ maxVersion: 'TLSv1.2' })).socket.getCipher().version).toBe('TLSv1.2');
    const strict = await start(chainOf, { tlsMinVersion: 'VersionTLS13' });
    await expect(strict.raw({ maxVersion: 'TLSv1.2' })).rejects.toThrow();
    expect(strict.listener.counters.tlsHandshakeErrors).toBe(1);
    expect(() =>
      createListener({ ...serverCertificate, handler: chainOf, tlsMinVersion: 'VersionTLS14' }),
    ).toThrow('unknown tls version');
    expect(() =>
      createListener({ ...serverCertificate, handler: chainOf, tlsCipherSuites: ['constructor'] }),
    ).toThrow('not supported');
  });
});

describe('life of a listener', () => {
  test('listen rejects with the original error for a port in use', async () => {
    const server = await start((exchange) => exchange.respond(200, undefined, ''));
    const second = createListener({
      ...serverCertificate,
      handler: (exchange) => exchange.respond(200, undefined, ''),
    });
    await expect(second.listen('127.0.0.1', server.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.close();
  });

  test('draining lets open exchanges finish and closes the rest', async () => {
    const open: Exchange[] = [];
    const server = await start((exchange) =>
      exchange.target === '/quick' ? exchange.respond(200, 'text/plain', 'q') : open.push(exchange),
    );
    const session = server.h2();
    const goaway = new Promise((resolve) => session.once('goaway', resolve));
    const slow2 = request2(session, { ':path': '/slow' });
    const slow1 = await server.raw();
    slow1.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    const idle = await server.raw();
    idle.send('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => {
      expect(open.length).toBe(2);
      expect(idle.received).toContain('q');
    });
    const drained = server.listener.drain(10_000);
    expect(await goaway).toBe(http2.constants.NGHTTP2_NO_ERROR);
    await idle.untilClosed();
    await expect(server.raw()).rejects.toThrow();
    for (const exchange of open) exchange.respond(200, 'text/plain', 'done');
    expect((await slow2).body.toString()).toBe('done');
    expect(await slow1.untilClosed()).toMatch(/Connection: close[\s\S]*done$/);
    expect(await drained).toBe(true);
  });

  test.each(['HTTP/1.1', 'HTTP/2'])(
    '%s: a peer that does not read does not delay the drain; one that reads gets its response',
    async (protocol) => {
      const clock = new ManualClock();
      const large = Buffer.alloc(32_000_000, 1);
      const server = await start((exchange) => exchange.respond(200, 'text/plain', large), { clock });
      if (protocol === 'HTTP/1.1')
        (await server.raw()).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n').socket.pause();
      else {
        const deaf = server.h2().request({ ':path': '/' });
        deaf.on('error', () => undefined);
        deaf.pause();
      }
      const stream = server.h2().request({ ':path': '/' });
      let received = 0;
      const complete = new Promise((resolve) => stream.on('end', resolve).on('error', resolve));
      stream.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      await vi.waitFor(() => {
        expect(received).toBeGreaterThan(0);
        expect(server.listener.counters.exchanges).toBe(2);
      });
      const drained = server.listener.drain(3_600_000);
      await complete;
      expect(received).toBe(large.length);
      let done = false;
      void drained.then(() => {
        done = true;
      });
      clock.tick(1_000);
      clock.tick(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(done).toBe(false);
      // Two seconds without progress since the sweeps have detected the stall.
      await vi.waitFor(() => {
        clock.tick(500);
        expect(done).toBe(true);
      });
      expect(await drained).toBe(true);
      expect(server.listener.counters.stalled).toBe(1);
    },
  );

  test('close aborts exchanges that outlast the drain', async () => {
    let exchange: Exchange | undefined;
    const server = await start((received) => {
      exchange = received;
    });
    const outcome = request2(server.h2(), { ':path': '/' }).catch((error: Error) => error);
    await vi.waitFor(() => expect(exchange).toBeDefined());
    expect(await server.listener.drain(1)).toBe(false);
    await server.listener.close();
    expect(await outcome).toBeInstanceOf(Error);
    expect(exchange?.closed).toBe(true);
    expect(exchange?.signal.aborted).toBe(true);
    expect(server.listener.counters.openExchanges).toBe(0);
  });

  test('the goaway chance sends GOAWAY while open streams continue', async () => {
    let watch: Exchange | undefined;
    let randomValue = 0.5;
    const server = await start(
      (exchange) => {
        if (exchange.target === '/watch') watch = exchange;
        else exchange.respond(200, 'text/plain', 'x');
      },
      { goawayChance: 0.1, random: () => randomValue },
    );
    const session = server.h2();
    const goaway = new Promise((resolve) => session.once('goaway', resolve));
    const open = request2(session, { ':path': '/watch' });
    await request2(session, { ':path': '/' });
    expect(server.listener.counters.goawaysSent).toBe(0);
    randomValue = 0.05;
    await request2(session, { ':path': '/' });
    expect(await goaway).toBe(http2.constants.NGHTTP2_NO_ERROR);
    watch?.respond(200, 'text/plain', 'still here');
    expect((await open).body.toString()).toBe('still here');
    expect((await request1(server.url)).status).toBe(200);
  });

  test('idle connections are closed', async () => {
    const clock = new ManualClock();
    const server = await start((exchange) => exchange.respond(200, 'text/plain', 'x'), { clock });
    const session = server.h2();
    await request2(session, { ':path': '/' });
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
    clock.tick(89_000);
    expect((await request2(session, { ':path': '/' })).status).toBe(200);
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
    const closed = new Promise((resolve) => session.once('close', resolve));
    // The time counts from the next check on.
    clock.tick(5_000);
    clock.tick(90_000);
    await closed;
  });
});
