import http2 from 'node:http2';
import { describe, expect, test, vi } from 'vitest';
import { BodyAbortedError, type BodyWriter, type Exchange } from '../../src/connection/exchange.ts';
import type { ListenerOptions } from '../../src/connection/listener.ts';
import { connect, Flag, FrameType, frame, framesOf, request } from './raw-http2.ts';
import { ManualClock, type Running, request1, request2, start } from './support.ts';

const piece = Buffer.alloc(100_000, 'x');

/** A server that passes each stream to the test. */
async function streaming(
  options: Partial<ListenerOptions> = {},
): Promise<{ server: Running; writers: BodyWriter[]; exchanges: Exchange[] }> {
  const writers: BodyWriter[] = [];
  const exchanges: Exchange[] = [];
  const server = await start((exchange) => {
    if (exchange.target === '/plain') return exchange.respond(200, 'text/plain', 'plain');
    if (exchange.target === '/large') return exchange.respond(200, 'text/plain', Buffer.alloc(4_000_000));
    if (exchange.target === '/parts')
      return exchange.respond(200, 'text/plain', { parts: [piece, Buffer.alloc(0), piece], length: 200_000 });
    exchanges.push(exchange);
    writers.push(exchange.startStream(200, 'application/json', { 'X-Streamed': 'yes' }));
  }, options);
  return { server, writers, exchanges };
}

/** Writes until back-pressure. */
function fill(writer: BodyWriter): void {
  while (writer.write(piece));
}

/** A client that reads nothing after the response headers. */
function deafClient(
  server: Running,
  path = '/',
): { stream: http2.ClientHttp2Stream; session: http2.ClientHttp2Session } {
  const session = server.h2();
  const stream = session.request({ ':path': path });
  stream.on('error', () => undefined);
  stream.pause();
  return { stream, session };
}

test.each(['HTTP/2', 'HTTP/1.1'])('%s: sends a whole body in parts', async (protocol) => {
  const { server } = await streaming();
  for (const method of ['GET', 'HEAD']) {
    const { headers, body } =
      protocol === 'HTTP/2'
        ? await request2(server.h2(), { ':path': '/parts', ':method': method })
        : await request1(server.url, { path: '/parts', method });
    expect([headers['content-length'], body.length]).toEqual(['200000', method === 'GET' ? 200_000 : 0]);
  }
});

test.each(['HTTP/2', 'HTTP/1.1'])(
  '%s: sends headers immediately, then chunks, then the end',
  async (protocol) => {
    const { server, writers } = await streaming();
    const answer = protocol === 'HTTP/2' ? request2(server.h2(), { ':path': '/' }) : request1(server.url);
    await vi.waitFor(() => expect(writers.length).toBe(1));
    const writer = writers[0]!;
    for (let sent = 0; sent < 50; sent++) if (!writer.write(piece)) await writer.drained();
    writer.end();
    expect(writer.write(piece)).toBe(false);
    const { status, headers, body } = await answer;
    expect([
      status,
      headers['content-type'],
      headers['x-streamed'],
      headers['content-length'],
      body.length,
    ]).toEqual([200, 'application/json', 'yes', undefined, 5_000_000]);
    await vi.waitFor(() => expect(writer.closed).toBe(true));
  },
);

test('an HTTP/1.1 stream sends its headers before its first chunk', async () => {
  const { server } = await streaming();
  const client = await server.raw();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() =>
    expect(client.received).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Transfer-Encoding: chunked[\s\S]*\r\n\r\n$/),
  );
});

describe('back-pressure', () => {
  test('a slow reader makes the producer wait until it continues to read', async () => {
    const { server, writers } = await streaming();
    const { stream } = deafClient(server);
    await vi.waitFor(() => expect(writers.length).toBe(1));
    const writer = writers[0]!;
    fill(writer);
    expect(writer.queuedBytes).toBeGreaterThanOrEqual(256 * 1024);
    expect(writer.queuedBytes).toBeLessThan(400_000);
    const drained = writer.drained();
    stream.resume();
    await drained;
    expect(writer.queuedBytes).toBeLessThan(256 * 1024);
  });

  test('a stalled stream does not block the others of its session', async () => {
    const { server, writers } = await streaming();
    const { session } = deafClient(server);
    await vi.waitFor(() => expect(writers.length).toBe(1));
    for (let sent = 0; sent < 150; sent++) writers[0]!.write(piece);
    expect(writers[0]!.closed).toBe(false);
    expect((await request2(session, { ':path': '/plain' })).status).toBe(200);
  });

  test.each(['HTTP/2', 'HTTP/1.1'])(
    '%s: a producer that ignores back-pressure is aborted at the bound',
    async (protocol) => {
      const { server, writers, exchanges } = await streaming({ limits: { queuedBytesPerStream: 2_000_000 } });
      if (protocol === 'HTTP/2') deafClient(server);
      else (await server.raw()).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n').socket.pause();
      await vi.waitFor(() => expect(writers.length).toBe(1));
      for (let sent = 0; sent < 200 && !writers[0]!.closed; sent++) writers[0]!.write(piece);
      expect(writers[0]!.closed).toBe(true);
      expect(writers[0]!.queuedBytes).toBe(0);
      expect(exchanges[0]!.closed).toBe(true);
      expect(server.listener.counters.overflowed).toBe(1);
      expect((await request1(`${server.url}/plain`)).status).toBe(200);
    },
  );

  test('all streams of a connection share one bound', async () => {
    const { server, writers } = await streaming({ limits: { queuedBytesPerConnection: 3_000_000 } });
    const { session } = deafClient(server);
    for (let more = 0; more < 4; more++)
      session
        .request({ ':path': '/' })
        .on('error', () => undefined)
        .pause();
    await vi.waitFor(() => expect(writers.length).toBe(5));
    for (const writer of writers) for (let sent = 0; sent < 12; sent++) writer.write(piece);
    expect(server.listener.counters.overflowed).toBeGreaterThan(0);
    expect(writers.reduce((sum, writer) => sum + writer.queuedBytes, 0)).toBeLessThanOrEqual(3_000_000);
    const other = server.h2();
    expect((await request2(other, { ':path': '/large' })).body.length).toBe(4_000_000);
  });

  test('one buffer is sent to many streams unchanged', async () => {
    const { server, writers } = await streaming({ http2MaxStreams: 300 });
    const session = server.h2();
    await request2(session, { ':path': '/plain' });
    const answers = Array.from({ length: 300 }, () => request2(session, { ':path': '/' }));
    await vi.waitFor(() => expect(writers.length).toBe(300));
    for (const writer of writers) {
      writer.write(piece);
      writer.end();
    }
    for (const answer of await Promise.all(answers)) expect(answer.body.equals(piece)).toBe(true);
  });

  test('small parts count like one chunk', async () => {
    const { server, writers } = await streaming({ limits: { queuedBytesPerStream: 2_000_000 } });
    deafClient(server);
    await vi.waitFor(() => expect(writers.length).toBe(1));
    const writer = writers[0]!;
    const parts = Array.from({ length: 100 }, () => piece.subarray(0, 1_000));
    expect(writer.writeParts!(parts)).toBe(true);
    fill(writer);
    expect(writer.writeParts!(parts)).toBe(false);
    for (let sent = 0; sent < 50 && !writer.closed; sent++) writer.writeParts!(parts);
    expect(writer.closed).toBe(true);
    expect(writer.writeParts!(parts)).toBe(false);
    expect(server.listener.counters.overflowed).toBe(1);
  });
});

describe('stalled peers', () => {
  test('a stream without progress is aborted after the deadline, its session continues', async () => {
    const clock = new ManualClock();
    const { server, writers, exchanges } = await streaming({ clock });
    const { stream, session } = deafClient(server);
    await vi.waitFor(() => expect(writers.length).toBe(1));
    for (let sent = 0; sent < 100; sent++) writers[0]!.write(piece);
    const waiting = writers[0]!.drained();
    waiting.catch(() => undefined);
    // When the queue is constant, the client's flow control windows are used up.
    let before = -1;
    await vi.waitFor(() => {
      const queued = writers[0]!.queuedBytes;
      const still = queued === before;
      before = queued;
      expect(still).toBe(true);
    });
    clock.tick(1);
    clock.tick(29_000);
    expect(writers[0]!.closed).toBe(false);
    clock.tick(1_000);
    expect(writers[0]!.closed).toBe(true);
    expect(exchanges[0]!.signal.aborted).toBe(true);
    await expect(waiting).rejects.toBeInstanceOf(BodyAbortedError);
    expect(server.listener.counters.stalled).toBe(1);
    expect((await request2(session, { ':path': '/plain' })).status).toBe(200);
    expect(stream.session?.destroyed).not.toBe(true);
  });

  test('a quiet stream with nothing queued is not stalled', async () => {
    const clock = new ManualClock();
    const { server, writers } = await streaming({ clock });
    const { session } = deafClient(server);
    await vi.waitFor(() => expect(writers.length).toBe(1));
    for (let hour = 0; hour < 5; hour++) {
      clock.tick(3_600_000);
      // The server has the answer to its own ping when it answers this one.
      await new Promise<void>((resolve) => session.ping(() => resolve()));
    }
    expect(writers[0]!.closed).toBe(false);
  });

  test('a peer that reads nothing is disconnected', async () => {
    const clock = new ManualClock();
    const { server, writers } = await streaming({ clock });
    const client = await connect(server);
    client.send(frame(FrameType.windowUpdate, 0, 0, Buffer.from([0x7f, 0, 0, 0])));
    client.send(frame(FrameType.headers, Flag.endHeaders | Flag.endStream, 1, request('GET', '/')));
    client.send(frame(FrameType.windowUpdate, 0, 1, Buffer.from([0x7f, 0, 0, 0])));
    client.socket.pause();
    await vi.waitFor(() => expect(writers.length).toBe(1));
    for (let sent = 0; sent < 150; sent++) writers[0]!.write(piece);
    let ticks = 0;
    await vi.waitFor(() => {
      clock.tick(15_000);
      expect(++ticks).toBeGreaterThan(2);
      expect(server.listener.counters.openConnections).toBe(0);
    });
    expect(server.listener.counters.stalled).toBeGreaterThan(0);
  });

  test('HTTP/1.1 too', async () => {
    const clock = new ManualClock();
    const { server, writers } = await streaming({ clock });
    (await server.raw()).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n').socket.pause();
    await vi.waitFor(() => expect(writers.length).toBe(1));
    for (let sent = 0; sent < 150; sent++) writers[0]!.write(piece);
    await vi.waitFor(() => {
      clock.tick(15_000);
      expect(server.listener.counters.openConnections).toBe(0);
    });
  });
});

describe('endings', () => {
  test('a client that disconnects aborts the signal, the writer and waiting producers', async () => {
    const { server, writers, exchanges } = await streaming();
    const { stream } = deafClient(server);
    const client = await server.raw();
    client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => expect(writers.length).toBe(2));
    stream.close(http2.constants.NGHTTP2_CANCEL);
    client.socket.destroy();
    for (const [index, exchange] of exchanges.entries()) {
      await vi.waitFor(() => expect(exchange.signal.aborted).toBe(true));
      expect([exchange.closed, writers[index]!.closed, writers[index]!.write(piece)]).toEqual([
        true,
        true,
        false,
      ]);
      await expect(writers[index]!.drained()).rejects.toBeInstanceOf(BodyAbortedError);
    }
  });

  test('abort truncates the response', async () => {
    const { server, writers } = await streaming();
    const client = await connect(server);
    client.send(frame(FrameType.headers, Flag.endHeaders | Flag.endStream, 1, request('GET', '/')));
    const old = await server.raw();
    old.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => expect(writers.length).toBe(2));
    for (const writer of writers) {
      writer.write(Buffer.from('part'));
      writer.abort();
    }
    await vi.waitFor(() =>
      expect(
        framesOf(client)
          .find((received) => received.type === FrameType.reset)
          ?.payload.readUInt32BE(),
      ).toBe(http2.constants.NGHTTP2_INTERNAL_ERROR),
    );
    expect(await old.untilClosed()).not.toContain('0\r\n\r\n');
  });

  test('a HEAD stream has headers only', async () => {
    const { server, writers } = await streaming();
    const answer = await request2(server.h2(), { ':path': '/', ':method': 'HEAD' });
    expect([answer.status, answer.body.length, writers[0]!.write(piece)]).toEqual([200, 0, false]);
    expect((await request1(server.url, { method: 'HEAD' })).status).toBe(200);
  });
});
