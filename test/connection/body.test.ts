import http2 from 'node:http2';
import { describe, expect, test, vi } from 'vitest';
import { BodyAbortedError, BodyTooLargeError, type Exchange } from '../../src/connection/exchange.ts';
import { connect, Flag, FrameType, frame, request, uint32 } from './raw-http2.ts';
import { ManualClock, request1, request2, start } from './support.ts';

const LIMIT = 100_000;

const echoLength = (exchange: Exchange): void => {
  exchange.readBody(LIMIT).then(
    (body) => exchange.respond(200, 'text/plain', String(body.length)),
    (error: Error) =>
      exchange.respond(error instanceof BodyTooLargeError ? 413 : 400, 'text/plain', error.name),
  );
};

describe('reading bodies', () => {
  test.each([0, 1, 70_000, LIMIT])('%i bytes', async (length) => {
    const server = await start(echoLength);
    const body = Buffer.alloc(length);
    expect((await request2(server.h2(), { ':path': '/', ':method': 'POST' }, body)).body.toString()).toBe(
      String(length),
    );
    expect((await request1(server.url, { method: 'POST' }, body)).body.toString()).toBe(String(length));
    expect(
      (
        await request1(server.url, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }, body)
      ).body.toString(),
    ).toBe(String(length));
  });

  test.each([
    ['announced', { 'content-length': LIMIT + 1 }],
    ['counted', {}],
  ])('above the limit, %s: returns 413 and keeps the connection', async (_how, headers) => {
    const server = await start(echoLength);
    const session = server.h2();
    const answer = await request2(
      session,
      { ':path': '/', ':method': 'POST', ...headers },
      Buffer.alloc(LIMIT + 1),
    );
    expect([answer.status, answer.body.toString()]).toEqual([413, 'BodyTooLargeError']);
    expect((await request2(session, { ':path': '/', ':method': 'POST' }, 'x')).status).toBe(200);
  });

  test.each(['Content-Length: 5000000', 'Transfer-Encoding: chunked'])(
    'HTTP/1.1 %s: a client that keeps sending receives 413',
    async (framing) => {
      const server = await start(echoLength);
      const client = await server.raw();
      client.send(`POST / HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n`);
      const piece = 'x'.repeat(50_000);
      for (let sent = 0; sent < 5_000_000; sent += piece.length)
        client.send(framing.startsWith('T') ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece);
      if (framing.startsWith('T')) client.send('0\r\n\r\n');
      expect(await client.untilClosed()).toMatch(
        /^HTTP\/1\.1 413 [\s\S]*Connection: close[\s\S]*BodyTooLargeError$/,
      );
    },
  );

  test('a client that never stops sending is disconnected', async () => {
    const server = await start(echoLength, { limits: { lingerBytes: 1_000_000 } });
    const client = await server.raw();
    client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n');
    const pump = (): void => {
      while (!client.closed && client.socket.write(Buffer.alloc(65_536)));
    };
    client.socket.on('drain', pump);
    pump();
    expect(await client.untilClosed()).toContain('413');
    expect(client.socket.bytesWritten).toBeLessThan(20_000_000);
  });

  test('an incomplete body is a BodyAbortedError', async () => {
    const errors: unknown[] = [];
    const server = await start(
      (exchange) => void exchange.readBody(LIMIT).catch((error: unknown) => errors.push(error)),
    );
    // Raw frames: Node's own client completes a body before it resets its stream.
    const http2Client = await connect(server);
    for (const stream of [1, 3])
      http2Client.send(
        frame(FrameType.headers, Flag.endHeaders, stream, request('POST', '/')) +
          frame(FrameType.data, 0, stream, 'part'),
      );
    const client = await server.raw();
    client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\npart');
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(3));
    http2Client.send(
      frame(FrameType.reset, 0, 1, uint32(http2.constants.NGHTTP2_NO_ERROR)) +
        frame(FrameType.reset, 0, 3, uint32(http2.constants.NGHTTP2_CANCEL)),
    );
    client.socket.destroy();
    await vi.waitFor(() => expect(errors.length).toBe(3));
    for (const error of errors) expect(error).toBeInstanceOf(BodyAbortedError);
  });

  test('a stalled body is aborted', async () => {
    const clock = new ManualClock();
    let outcome: unknown;
    const server = await start(
      (exchange) =>
        void exchange.readBody(LIMIT).catch((error: unknown) => {
          outcome = error;
        }),
      { clock },
    );
    const stream = server.h2().request({ ':path': '/', ':method': 'POST' });
    stream.on('error', () => undefined);
    stream.write('part');
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(1));
    clock.tick(1);
    clock.tick(30_000);
    await vi.waitFor(() => expect(outcome).toBeInstanceOf(BodyAbortedError));
  });

  test('Expect: 100-continue is answered when the body is read, not before', async () => {
    const server = await start(echoLength);
    const client = await server.raw();
    client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n');
    await vi.waitFor(() => expect(client.received).toBe('HTTP/1.1 100 Continue\r\n\r\n'));
    client.send('body');
    await vi.waitFor(() => expect(client.received).toMatch(/200 OK[\s\S]*4$/));
    const refused = await server.raw();
    refused.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\nExpect: 100-continue\r\n\r\n');
    expect(await refused.untilClosed()).toMatch(/^HTTP\/1\.1 413 /);

    const stream = server.h2().request({ ':path': '/', ':method': 'POST', expect: '100-continue' });
    const continued = new Promise((resolve) => stream.once('continue', resolve));
    const answered = new Promise((resolve) => stream.once('response', resolve));
    await continued;
    stream.end('body');
    expect(await answered).toMatchObject({ ':status': 200 });
  });

  test('streams chunks and raw headers for proxies', async () => {
    const server = await start(async (exchange) => {
      let length = 0;
      for await (const chunk of exchange.bodyStream()) length += chunk.length;
      exchange.respond(
        200,
        'application/json',
        JSON.stringify([length, [...exchange.headers()].filter(([name]) => name.startsWith('x-'))]),
      );
    });
    const expected = [
      1_000_000,
      [
        ['x-a', '1'],
        ['x-a', '2'],
      ],
    ];
    const body = Buffer.alloc(1_000_000);
    expect(
      JSON.parse(
        (
          await request2(server.h2(), { ':path': '/', ':method': 'POST', 'x-a': ['1', '2'] }, body)
        ).body.toString(),
      ),
    ).toEqual(expected);
    expect(
      JSON.parse(
        (
          await request1(server.url, { method: 'POST', headers: { 'X-A': ['1', '2'] } }, body)
        ).body.toString(),
      ),
    ).toEqual(expected);
  });
});
