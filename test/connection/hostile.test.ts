import http2 from 'node:http2';
import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { connect, Flag, FrameType, frame, framesOf, headerBlock, request, uint32 } from './raw-http2.ts';
import { ManualClock, type RawConnection, request1, request2, start } from './support.ts';

const plain = (exchange: Exchange): void => exchange.respond(200, 'text/plain', 'plain');

/** Advances time past the ping interval and its deadline, until the connection is closed. */
async function untilPingFails(clock: ManualClock, client: RawConnection): Promise<void> {
  await vi.waitFor(() => {
    clock.tick(30_000);
    expect(client.closed).toBe(true);
  });
}

describe('ambiguous HTTP/1.1', () => {
  test.each([
    [
      'content-length with transfer-encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two content-lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    ],
    ['a content-length with a sign', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello'],
    [
      'chunked that is not the last coding',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    ['a space before the colon', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n'],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: a\n\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 'Bad Request: missing required Host header'],
    ['a Host with a space', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 'Bad Request: malformed Host header'],
    ['no version', 'GET /\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a target without a path', 'GET etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no HTTP', '\x16\x03\x01\x00\x00 hello\r\n\r\n'],
    [
      'another coding than chunked',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      'Not Implemented',
      501,
    ],
    [
      'another version',
      'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
      'HTTP Version Not Supported: unsupported protocol version',
      505,
    ],
  ])(
    '%s: is refused and closes the connection',
    async (_what, text, reason = 'Bad Request', status = 400) => {
      const handler = vi.fn(plain);
      const server = await start(handler);
      const client = await server.raw();
      client.send(text);
      const answer = await client.untilClosed();
      expect(answer.slice(0, answer.indexOf('\r\n'))).toBe(`HTTP/1.1 ${status} ${reason}`);
      expect(answer).toMatch(
        status === 501 ? /\n\r\nUnsupported transfer encoding$/ : `\n\r\n${status} ${reason}`,
      );
      expect(answer.match(/HTTP\/1\.1/g)?.length).toBe(1);
      expect(handler).not.toHaveBeenCalled();
    },
  );

  test.each([
    ['X-A: a\x01b', '400 Bad Request: Invalid header value char: "X-A"'],
    ['X A: a', '400 Bad Request: Invalid header token: "X A"'],
    [`${'x'.repeat(5000)}(: a`, `400 Bad Request: Invalid header token: "${'x'.repeat(100)}"`],
    ['Content-Length: 1x', '400 Bad Request: Invalid character in Content-Length: "Content-Length"'],
    ['Host: b', '400 Bad Request: more than one Host header'],
    ['Transfer-Encoding: gzip', 'Unsupported transfer encoding'],
  ])('the refusal of %j says which header is malformed', async (header, body) => {
    const server = await start(plain);
    const client = await server.raw();
    client.send(`GET / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
    const answer = await client.untilClosed();
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(body);
    expect(client.error).toBeUndefined();
  });

  test('a malformed chunk never completes a body', async () => {
    const bodies: unknown[] = [];
    const server = await start(
      (exchange) =>
        void exchange.readBody(1000).then(
          (body) => bodies.push(body),
          (error: Error) => {
            bodies.push(error.name);
            exchange.respond(400, 'text/plain', error.name);
          },
        ),
    );
    const client = await server.raw();
    client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n');
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 400 /);
    await vi.waitFor(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]).toMatch(/^Body(Aborted|Malformed)Error$/);
  });

  test('malformed input after a request does not affect its response, and ends the connection', async () => {
    const exchanges: Exchange[] = [];
    const server = await start((exchange) => exchanges.push(exchange));
    // Node's client sends the body of a DELETE like this without a content-length.
    const client = await server.raw();
    client.send(
      'DELETE /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n{"kind":"DeleteOptions"}',
    );
    await vi.waitFor(() => expect(server.listener.counters.malformedRequests).toBe(1));
    client.send('{"more":true}');
    exchanges[0]!.respond(200, 'text/plain', 'deleted');
    expect(await client.untilClosed()).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close[\s\S]*deleted$/,
    );
    expect(exchanges.map(({ target }) => target)).toEqual(['/a']);
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
  });

  test('CONNECT is refused', async () => {
    const server = await start(plain);
    const client = await server.raw();
    client.send('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n');
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 405 /);
  });
});

describe('floods', () => {
  test('streams that are reset immediately are mostly not dispatched; others are all answered', async () => {
    const handler = vi.fn(plain);
    const server = await start(handler);
    const client = await connect(server);
    const frames: string[] = [];
    const opened = 800;
    for (let stream = 1; stream < opened * 2; stream += 2)
      frames.push(
        frame(FrameType.headers, Flag.endHeaders | Flag.endStream, stream, request('GET', '/')),
        frame(FrameType.reset, 0, stream, uint32(8)),
      );
    client.send(frames.join('') + frame(FrameType.ping, 0, 0, '12345678'));
    await vi.waitFor(() => expect(framesOf(client).some(({ type }) => type === FrameType.ping)).toBe(true));
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
    expect(handler.mock.calls.length).toBeLessThan(opened / 2);
    const session = server.h2();
    const answers = await Promise.all(Array.from({ length: 240 }, () => request2(session, { ':path': '/' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 240 }, () => 200));
  });

  test('a slow header receives 408', async () => {
    const server = await start(plain, { limits: { headerTimeout: 100 } });
    const client = await server.raw();
    client.send('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a connection without a handshake is closed', async () => {
    const { connect: connectTcp } = await import('node:net');
    const server = await start(plain, { limits: { handshakeTimeout: 50 } });
    const socket = connectTcp(server.port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(server.listener.counters.tlsHandshakeErrors).toBe(1);
  });

  test('streams above the maximum are refused', async () => {
    const handler = vi.fn();
    const server = await start(handler, { http2MaxStreams: 10 });
    const client = await connect(server);
    for (let stream = 1; stream < 41; stream += 2)
      client.send(frame(FrameType.headers, Flag.endHeaders | Flag.endStream, stream, request('GET', '/')));
    await vi.waitFor(() => {
      const resets = framesOf(client).filter(({ type }) => type === FrameType.reset);
      expect(resets.map(({ payload }) => payload.readUInt32BE())).toEqual(
        Array(10).fill(http2.constants.NGHTTP2_REFUSED_STREAM),
      );
    });
    expect(handler).toHaveBeenCalledTimes(10);
  });

  test('a thousand watches may be cancelled at once', async () => {
    const server = await start(
      (exchange) =>
        exchange.target === '/watch' ? void exchange.startStream(200, 'application/json') : plain(exchange),
      {
        http2MaxStreams: 1000,
      },
    );
    const session = server.h2();
    await request2(session, { ':path': '/' });
    const streams = Array.from({ length: 990 }, () =>
      session.request({ ':path': '/watch' }).on('error', () => undefined),
    );
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('response', resolve))));
    for (const stream of streams) stream.close(http2.constants.NGHTTP2_CANCEL);
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
    expect((await request2(session, { ':path': '/' })).status).toBe(200);
  });

  test('a reset flood ends only its own session', async () => {
    const clock = new ManualClock();
    const handler = vi.fn(plain);
    const server = await start(
      (exchange) => void (exchange.target === '/held' ? handler(exchange) : plain(exchange)),
      { clock },
    );
    const other = server.h2();
    await request2(other, { ':path': '/' });
    const client = await connect(server);
    for (let stream = 1; stream < 40_000; stream += 2)
      client.send(
        frame(FrameType.headers, Flag.endHeaders | Flag.endStream, stream, request('GET', '/held')) +
          frame(FrameType.reset, 0, stream, uint32(http2.constants.NGHTTP2_CANCEL)),
      );
    await vi.waitFor(
      () => expect(framesOf(client).some(({ type }) => type === FrameType.goaway)).toBe(true),
      30_000,
    );
    expect((await request2(other, { ':path': '/' })).status).toBe(200);
    await untilPingFails(clock, client);
    expect((await request1(server.url)).status).toBe(200);
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
    expect(handler.mock.calls.length).toBeLessThan(12_000);
  });

  test.each([
    ['a frame beyond the agreed size', frame(FrameType.headers, Flag.endHeaders, 1, 'x'.repeat(1_100_000))],
    ['data on an idle stream', frame(FrameType.data, 0, 1, 'x')],
    ['headers that do not decode', frame(FrameType.headers, Flag.endHeaders, 1, '\xff\xff\xff\xff\xff\xff')],
    ['settings of a wrong length', frame(FrameType.settings, 0, 0, 'xyz')],
    ['no preface', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s ends the session', async (what, text) => {
    const clock = new ManualClock();
    const handler = vi.fn(plain);
    const server = await start(handler, { clock });
    const client =
      what === 'no preface' ? await server.raw({ ALPNProtocols: ['h2'] }) : await connect(server);
    client.send(text);
    await untilPingFails(clock, client);
    expect(handler).not.toHaveBeenCalled();
    expect((await request1(server.url)).status).toBe(200);
  });

  test('a ping flood is not queued without bound', async () => {
    const server = await start(plain);
    const client = await connect(server);
    client.socket.pause();
    const pings = frame(FrameType.ping, 0, 0, '12345678').repeat(5000);
    for (let sent = 0; sent < 400 && server.listener.counters.openConnections > 0; sent++) {
      if (!client.socket.write(pings, 'latin1'))
        await Promise.race([
          new Promise((resolve) => client.socket.once('drain', resolve)),
          new Promise((resolve) => client.socket.once('close', resolve)),
          new Promise((resolve) => setImmediate(resolve)),
        ]);
    }
    expect((await request1(server.url)).status).toBe(200);
  });

  test('connections above the maximum are closed', async () => {
    const server = await start(plain, { limits: { connections: 2 } });
    await server.raw();
    const second = await server.raw();
    await expect(server.raw()).rejects.toThrow();
    second.socket.destroy();
    await vi.waitFor(() => expect(server.listener.counters.openConnections).toBe(1));
    expect((await request1(server.url)).status).toBe(200);
  });

  test.each([
    [
      'CONNECT',
      [
        [':method', 'CONNECT'],
        [':authority', 'a:1'],
      ],
      405,
    ],
    [
      'a target without a slash',
      [
        [':method', 'GET'],
        [':scheme', 'https'],
        [':authority', 'a'],
        [':path', 'nowhere'],
      ],
      undefined,
    ],
  ] as const)('HTTP/2 %s is refused', async (_what, headers, status) => {
    const handler = vi.fn(plain);
    const server = await start(handler);
    const client = await connect(server);
    client.send(
      frame(
        FrameType.headers,
        Flag.endHeaders | (status === undefined ? Flag.endStream : 0),
        1,
        headerBlock(headers),
      ),
    );
    await vi.waitFor(() =>
      expect(
        framesOf(client).some(
          ({ type, stream }) => stream === 1 && (type === FrameType.headers || type === FrameType.reset),
        ),
      ).toBe(true),
    );
    expect(handler).not.toHaveBeenCalled();
  });
});
