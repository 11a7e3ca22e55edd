import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorCode } from '../../src/http2/protocol.ts';
import type { Http2Stream } from '../../src/http2/stream.ts';
import { Flag, FrameType, frame, headerBlock } from '../connection/raw-http2.ts';
import {
  data,
  END,
  handshake,
  headers,
  limits,
  openSession,
  readAll,
  reset,
  settings,
  target,
  windowUpdate,
} from './support.ts';

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Answers with the method, the path and a digest of the body. */
const echo = (stream: Http2Stream): void => {
  void readAll(stream).then((body) => {
    if (body === undefined) return;
    const text = `${stream.head.method} ${stream.head.path} ${body.length} ${digest(body)}`;
    stream.respond(200, ['content-type', 'text/plain'], Buffer.from(text));
  });
};
const expected = (method: string, path: string, body: string): string =>
  `${method} ${path} ${body.length} ${digest(Buffer.from(body, 'latin1'))}`;

describe('framing', () => {
  const conversation = [
    handshake,
    headers(1, target('GET', '/a')),
    frame(
      FrameType.headers,
      Flag.endHeaders | 0x8 | 0x20,
      3,
      `\x03\0\0\0\0\x10${headerBlock(target('POST', '/b'))}\0\0\0`,
    ),
    frame(FrameType.data, 0x8, 3, '\x02hello\0\0'),
    frame(FrameType.data, 0x8, 3, '\x00'),
    frame(FrameType.ping, 0, 0, '12345678'),
    frame(FrameType.headers, 0, 5, headerBlock(target('PUT', '/c')).slice(0, 11)),
    frame(FrameType.continuation, 0, 5),
    frame(FrameType.continuation, Flag.endHeaders, 5, headerBlock(target('PUT', '/c')).slice(11)),
    data(3, ' world', Flag.endStream),
    frame(0xfa, 0xff, 77, 'an unknown frame'),
    frame(FrameType.data, Flag.endStream | 0x8, 5, `\x05${'z'.repeat(300)}\0\0\0\0\0`),
  ].join('');

  const answersOf = async (pieces: readonly string[]): Promise<string[]> => {
    const { client } = openSession(echo);
    for (const piece of pieces) client.send(piece);
    await client.until(() => [1, 3, 5].every((stream) => client.hasEnded(stream)));
    expect(client.of(FrameType.ping).map(({ flags, payload }) => [flags, payload.toString()])).toEqual([
      [1, '12345678'],
    ]);
    return [1, 3, 5].map((stream) => client.bodyOf(stream).toString());
  };
  const answers = [
    expected('GET', '/a', ''),
    expected('POST', '/b', 'hello world'),
    expected('PUT', '/c', 'z'.repeat(300)),
  ];

  test('is the same when it is cut at any byte', async () => {
    for (let cut = 0; cut <= conversation.length; cut++)
      expect(await answersOf([conversation.slice(0, cut), conversation.slice(cut)])).toEqual(answers);
  });

  test('is the same byte by byte', async () => {
    expect(await answersOf([...conversation])).toEqual(answers);
  });

  test('any interleaving of streams, in any pieces, answers each request with its own body', async () => {
    const script = fc.array(
      fc.record({
        hasTrailers: fc.boolean(),
        isPadded: fc.boolean(),
        parts: fc.array(fc.string({ maxLength: 40 }), { maxLength: 5 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(
        script,
        fc.infiniteStream(fc.nat()),
        fc.nat({ max: 60 }),
        async (requests, draws, size) => {
          const latin = (text: string): string => Buffer.from(text).toString('latin1');
          const queues = requests.map(({ parts, hasTrailers, isPadded }, index) => {
            const stream = 2 * index + 1;
            const frames = parts.map((part) =>
              isPadded
                ? frame(FrameType.data, 0x8, stream, `\x04${latin(part)}\0\0\0\0`)
                : data(stream, latin(part)),
            );
            frames.push(
              hasTrailers ? headers(stream, [['grpc-status', '0']]) : data(stream, '', Flag.endStream),
            );
            return frames;
          });
          const wire = [handshake];
          // Heads go in the order of their identifiers; everything else is interleaved.
          for (const index of requests.keys())
            wire.push(headers(2 * index + 1, target('POST', `/${index}`), Flag.endHeaders));
          while (queues.some((queue) => queue.length > 0)) {
            const open = queues.filter((queue) => queue.length > 0);
            wire.push(open[draws.next().value % open.length]!.shift()!);
          }
          const bytes = wire.join('');
          const { client } = openSession(echo);
          for (let at = 0; at < bytes.length; at += size + 1) client.send(bytes.slice(at, at + size + 1));
          await client.until(() => requests.every((_, index) => client.hasEnded(2 * index + 1)));
          for (const [index, { parts }] of requests.entries())
            expect(client.bodyOf(2 * index + 1).toString()).toBe(
              expected('POST', `/${index}`, latin(parts.join(''))),
            );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('bytes without meaning never do more than end the session', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), async (chunks) => {
        const { client, session } = openSession(echo);
        client.send(handshake);
        for (const chunk of chunks) client.send(Buffer.from(chunk).toString('latin1'));
        client.send(frame(FrameType.ping, 0, 0, 'roundtrp'));
        // Either the session has ended, or what came before the ping was the start of a frame.
        for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
        if (client.goaways.length > 0) expect(client.goaways[0]!.code).not.toBe(ErrorCode.noError);
        session.destroy();
        expect(session.streams.size).toBe(0);
        expect(session.queuedBytes).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

describe('settings', () => {
  test('the server sends its own first, and acknowledges those of the client', async () => {
    const { client } = openSession();
    client.send(handshake);
    await client.until(() => client.of(FrameType.settings).length === 2);
    const [own, acknowledgement] = client.of(FrameType.settings);
    expect(client.frames[0]!.type).toBe(FrameType.settings);
    const entries = Array.from({ length: own!.payload.length / 6 }, (_, index) => [
      own!.payload.readUInt16BE(6 * index),
      own!.payload.readUInt32BE(6 * index + 2),
    ]);
    // Header table, streams, window of a stream, headers.
    expect(Object.fromEntries(entries)).toEqual({
      1: 4096,
      3: limits.streams,
      4: 256 * 1024,
      6: limits.headerBytes,
    });
    expect(acknowledgement).toMatchObject({ flags: 1, payload: Buffer.alloc(0) });
    // The connection's window is widened to 16 MB.
    expect(client.of(FrameType.windowUpdate, 0)[0]!.payload.readUInt32BE()).toBe(16 * 1024 * 1024 - 65_535);
  });

  test('a reduced header table is announced in the next response', async () => {
    const { client } = openSession(echo);
    client.send(handshake + settings([1, 0]) + headers(1));
    await client.until(() => client.hasEnded(1));
    // A dynamic table size update to 0.
    expect(client.of(FrameType.headers, 1)[0]!.payload[0]).toBe(0x20);
  });
});

describe('closing', () => {
  test('GOAWAY names no last stream at first, then the last one that is served', async () => {
    const { session, client, requests } = openSession();
    client.send(handshake + headers(1));
    await client.roundTrip();
    session.close();
    // A request that crosses the first GOAWAY is served.
    client.send(headers(3));
    await client.until(() => client.goaways.length === 1);
    expect(client.goaways).toEqual([{ last: 2 ** 31 - 1, code: 0 }]);
    const ping = client.of(FrameType.ping).find(({ flags }) => flags === 0)!;
    client.send(
      frame(FrameType.ping, 1, 0, ping.payload) + headers(5) + data(5, 'x') + reset(5) + headers(7),
    );
    await client.roundTrip();
    expect(client.goaways).toEqual([
      { last: 2 ** 31 - 1, code: 0 },
      { last: 3, code: 0 },
    ]);
    expect(requests.map(({ id }) => id)).toEqual([1, 3]);
    expect(client.isClosed).toBe(false);
    for (const stream of requests) stream.respond(200, [], Buffer.from('done'));
    await client.untilClosed();
    expect([client.bodyOf(1).toString(), client.bodyOf(3).toString()]).toEqual(['done', 'done']);
  });

  test('the second step does not wait for ever for the ping', async () => {
    const { session, client, clock } = openSession();
    client.send(handshake);
    await client.roundTrip();
    session.close();
    session.close();
    clock.now = 9_999;
    session.sweep(clock.now);
    clock.now = 10_000;
    session.sweep(clock.now);
    await client.untilClosed();
    expect(client.goaways).toEqual([
      { last: 2 ** 31 - 1, code: 0 },
      { last: 0, code: 0 },
    ]);
  });

  test('a destroyed session resets its open streams', async () => {
    const { session, client, requests } = openSession((stream) => {
      stream.start(200, []);
      stream.write(Buffer.from('a part'));
    });
    client.send(handshake + headers(1));
    await client.until(() => client.bodyOf(1).length > 0);
    session.destroy();
    expect(requests[0]!.isClosed).toBe(true);
    await client.untilClosed();
    expect(client.hasEnded(1)).toBe(false);
    expect(client.resetOf(1)).toBe(ErrorCode.cancel);
  });
});

describe('responses', () => {
  test('an early response ends its stream, then resets it without an error', async () => {
    const { client } = openSession((stream) => stream.respond(413, [], Buffer.from('too large')));
    client.send(handshake + headers(1, target('POST'), Flag.endHeaders) + data(1, 'x'.repeat(100)));
    await client.until(() => client.resetOf(1) !== undefined);
    expect(client.frames.filter(({ stream }) => stream === 1).map(({ type }) => type)).toEqual([
      FrameType.headers,
      FrameType.data,
      FrameType.reset,
    ]);
    expect([client.statusOf(1), client.resetOf(1), client.hasEnded(1)]).toEqual(['413', 0, true]);
    // What was on its way is ignored.
    client.send(data(1, 'more') + headers(1, [['a', 'trailer']]) + windowUpdate(1, 5) + reset(1));
    await client.roundTrip();
    expect(client.of(FrameType.reset)).toHaveLength(1);
    expect(client.goaways).toEqual([]);
  });

  describe('an early response to a request', () => {
    const early = () => openSession((stream) => stream.respond(403, [], Buffer.from('no')));
    const post = (...more: [string, string][]): string =>
      headers(1, [...target('POST'), ...more], Flag.endHeaders);

    test('whose rest arrives: no reset', async () => {
      const { client, session } = early();
      client.send(handshake + post(['content-length', '8']));
      await client.until(() => client.hasEnded(1));
      client.send(data(1, 'half') + data(1, 'half', Flag.endStream));
      await client.roundTrip();
      session.close();
      await client.until(() => client.goaways.length === 1);
      expect(client.resetOf(1)).toBeUndefined();
    });

    test.each([
      ['less than declared', data(1, 'half', Flag.endStream), ErrorCode.protocolError],
      ['more than declared', data(1, 'half and more'), ErrorCode.protocolError],
      ['trailers too early', data(1, 'half') + headers(1, [['a', 'b']]), ErrorCode.protocolError],
      ['a window that overflows', windowUpdate(1, 2 ** 31 - 1), ErrorCode.flowControlError],
    ])('whose rest is wrong: %s', async (_what, rest, code) => {
      const { client } = early();
      client.send(handshake + post(['content-length', '8']));
      await client.until(() => client.hasEnded(1));
      client.send(rest);
      await client.until(() => client.resetOf(1) !== undefined);
      expect(client.resetOf(1)).toBe(code);
    });
  });

  test('100 Continue goes before the response', async () => {
    const { client } = openSession((stream) => {
      stream.inform(100);
      echo(stream);
    });
    const fields = [...target('POST'), ['expect', '100-continue'] as const];
    client.send(handshake + headers(1, fields, Flag.endHeaders));
    await client.until(() => client.heads.length === 1);
    expect([client.statusOf(1), client.hasEnded(1)]).toEqual(['100', false]);
    client.send(data(1, 'body', Flag.endStream));
    await client.until(() => client.hasEnded(1));
    expect(client.statusOf(1)).toBe('200');
  });

  test('headers longer than a frame are continued', async () => {
    const { client } = openSession((stream) =>
      stream.respond(200, ['x-long', 'v'.repeat(40_000)], undefined),
    );
    client.send(handshake + headers(1));
    await client.until(() => client.frames.some(({ flags, stream }) => stream === 1 && (flags & 4) !== 0));
    const frames = client.frames.filter(({ stream }) => stream === 1);
    expect(frames.map(({ type, flags }) => [type, flags])).toEqual([
      [FrameType.headers, Flag.endStream],
      [FrameType.continuation, 0],
      [FrameType.continuation, Flag.endHeaders],
    ]);
    for (const { payload } of frames) expect(payload.length).toBeLessThanOrEqual(16_384);
  });

  test('a response without a body ends with its head', async () => {
    const { client } = openSession((stream) => stream.respond(204, [], undefined));
    client.send(handshake + headers(1));
    await client.until(() => client.hasEnded(1));
    expect(client.of(FrameType.headers, 1)[0]!.flags).toBe(END);
    expect(client.of(FrameType.data)).toEqual([]);
  });
});

describe('the time of a write', () => {
  test('the answer to a single request does not wait for the end of a turn in which events were queued', async () => {
    const { client, requests, socket } = openSession();
    client.send(
      handshake +
        headers(1, target('GET', '/watch')) +
        headers(3, target('GET', '/watch')) +
        headers(5, target('GET', '/')),
    );
    await client.roundTrip();
    const [first, second, single] = requests as [Http2Stream, Http2Stream, Http2Stream];
    for (const watch of [first, second]) watch.start(200, []);
    await client.until(() => client.heads.length === 2);
    await client.roundTrip();
    const before = socket.writes.length;
    first.write(Buffer.from('event'));
    single.respond(200, [], Buffer.from('answer'));
    await Promise.resolve();
    expect(socket.writes.length).toBe(before + 1);
    expect(socket.writes.at(-1)!.includes('answer')).toBe(true);
    await client.until(() => client.hasEnded(5) && client.bodyOf(1).toString() === 'event');
  });
});
