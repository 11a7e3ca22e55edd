import { describe, expect, test } from 'vitest';
import { ErrorCode } from '../../src/http2/protocol.ts';
import type { Http2Stream } from '../../src/http2/stream.ts';
import { Flag, FrameType, frame } from '../connection/raw-http2.ts';
import {
  bodyAccount,
  data,
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

const INITIAL_WINDOW = 4;
const respondWith = (bytes: number) => (stream: Http2Stream) =>
  stream.respond(200, [], Buffer.alloc(bytes, 'x'));
/** Windows that never close. */
const wide = settings([INITIAL_WINDOW, 2 ** 31 - 1]) + windowUpdate(0, 2 ** 31 - 1 - 65_535);

describe('sending', () => {
  test('stops at the window of the stream, and goes on after WINDOW_UPDATE', async () => {
    const { client, session } = openSession(respondWith(70_000));
    client.send(handshake + windowUpdate(0, 1_000_000) + headers(1));
    await client.until(() => client.bodyOf(1).length === 65_535);
    expect(session.queuedBytes).toBe(70_000 - 65_535);
    client.send(windowUpdate(1, 1));
    await client.until(() => client.bodyOf(1).length === 65_536);
    client.send(windowUpdate(1, 100_000));
    await client.until(() => client.hasEnded(1));
    expect(client.bodyOf(1).length).toBe(70_000);
    expect(session.queuedBytes).toBe(0);
  });

  test('stops at the window of the connection, over all streams', async () => {
    const { client } = openSession(respondWith(50_000));
    client.send(handshake + headers(1) + headers(3));
    const received = (): number => client.bodyOf(1).length + client.bodyOf(3).length;
    await client.until(() => received() === 65_535);
    await client.roundTrip();
    expect(received()).toBe(65_535);
    client.send(windowUpdate(0, 34_465));
    await client.until(() => client.hasEnded(1) && client.hasEnded(3));
  });

  test('a smaller initial window takes from open streams; it may become negative', async () => {
    const { client } = openSession(respondWith(100_000));
    client.send(handshake + windowUpdate(0, 1_000_000) + headers(1));
    await client.until(() => client.bodyOf(1).length === 65_535);
    client.send(settings([INITIAL_WINDOW, 10]) + windowUpdate(1, 65_525));
    await client.roundTrip();
    expect(client.bodyOf(1).length).toBe(65_535);
    client.send(windowUpdate(1, 1));
    await client.until(() => client.bodyOf(1).length === 65_536);
    client.send(settings([INITIAL_WINDOW, 1_000_000]));
    await client.until(() => client.hasEnded(1));
  });

  test('a window of 0, then of single bytes', async () => {
    const { client } = openSession(respondWith(5));
    client.send(handshake + settings([INITIAL_WINDOW, 0]) + headers(1));
    await client.until(() => client.heads.length === 1);
    await client.roundTrip();
    expect(client.of(FrameType.data)).toEqual([]);
    for (let byte = 1; byte <= 5; byte++) {
      client.send(windowUpdate(1, 1));
      await client.until(() => client.bodyOf(1).length === byte);
    }
    expect(client.hasEnded(1)).toBe(true);
  });

  test.each([
    ['of a stream', windowUpdate(1, 2 ** 31 - 1), 'stream'],
    ['of the connection', windowUpdate(0, 2 ** 31 - 1), 'connection'],
    [
      'of a stream, by settings',
      windowUpdate(1, 2 ** 31 - 1 - 65_535) + settings([INITIAL_WINDOW, 65_536]),
      'connection',
    ],
    ['as a setting', settings([INITIAL_WINDOW, 2 ** 31]), 'connection'],
  ])('a window %s beyond 2^31-1 is an error', async (_which, frames, scope) => {
    const { client } = openSession();
    client.send(handshake + headers(1) + frames);
    await client.until(() => client.resetOf(1) !== undefined || client.goaways.length > 0);
    if (scope === 'stream') expect(client.resetOf(1)).toBe(ErrorCode.flowControlError);
    else expect(client.goaways).toEqual([{ last: 1, code: ErrorCode.flowControlError }]);
  });
});

describe('order of writing', () => {
  test('one write per turn has the answers of all requests', async () => {
    const { client, socket } = openSession(respondWith(100));
    client.send(handshake);
    await client.roundTrip();
    const before = socket.writes.length;
    client.send([1, 3, 5, 7, 9].map((stream) => headers(stream)).join(''));
    await client.until(() => client.hasEnded(9));
    expect(socket.writes.length - before).toBe(1);
  });

  test('streams take turns of 16 kB, and a turn has 256 kB', async () => {
    const { client, socket, requests } = openSession((stream) => stream.start(200, []));
    client.send(handshake + wide + headers(1) + headers(3) + headers(5));
    await client.until(() => client.heads.length === 3);
    const before = socket.writes.length;
    for (const stream of requests) stream.write(Buffer.alloc(200_000));
    await client.until(() => [1, 3, 5].every((stream) => client.bodyOf(stream).length === 200_000));
    const order = client.of(FrameType.data).map(({ stream, payload }) => [stream, payload.length]);
    expect(order.slice(0, 7)).toEqual([1, 3, 5, 1, 3, 5, 1].map((stream) => [stream, 16_384]));
    expect(socket.writes.length - before).toBe(3);
    for (const write of socket.writes.slice(before)) expect(write.length).toBeLessThan(256 * 1024 + 16_393);
  });

  test('an answer does not wait behind the events of watches', async () => {
    const { client, requests } = openSession(
      (stream) =>
        stream.id === 1001 ? stream.respond(200, [], Buffer.from('answer')) : stream.start(200, []),
      { limits: { ...limits, streams: 1000 } },
    );
    client.send(handshake + wide);
    for (let stream = 1; stream < 1000; stream += 2) client.send(headers(stream));
    await client.until(() => client.heads.length === 500);
    const event = Buffer.alloc(4_000);
    for (const stream of requests) stream.write(event);
    client.send(headers(1001));
    await client.until(() => client.of(FrameType.data).length === 501);
    const order = client.of(FrameType.data).map(({ stream }) => stream);
    // Two megabytes of events take eight turns; the answer is in the second one at the latest.
    expect(order.indexOf(1001)).toBeLessThan(140);
  });

  test('nothing is written while the client does not read', async () => {
    const { client, socket, requests, session } = openSession((stream) => stream.start(200, []));
    client.send(handshake + wide + headers(1));
    await client.until(() => client.heads.length === 1);
    socket.isHeld = true;
    const before = socket.writes.length;
    for (let chunk = 0; chunk < 100; chunk++) requests[0]!.write(Buffer.alloc(10_000));
    await client.send(frame(FrameType.ping, 0, 0, '12345678'));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(socket.writes.length - before).toBe(1);
    expect(session.queuedBytes).toBeGreaterThan(700_000);
    socket.release();
    await client.until(() => client.bodyOf(1).length === 1_000_000);
  });

  test('a shared event is not changed, and small chunks share a frame', async () => {
    const { client, requests } = openSession((stream) => stream.start(200, []));
    client.send(handshake + headers(1) + headers(3));
    await client.until(() => client.heads.length === 2);
    const event = Buffer.from('{"type":"ADDED"}');
    for (let round = 0; round < 3; round++) for (const stream of requests) stream.write(event);
    await client.until(() => client.bodyOf(3).length === 3 * event.length);
    expect(client.of(FrameType.data).map(({ payload }) => payload.toString())).toEqual(
      Array(2).fill(event.toString().repeat(3)),
    );
  });

  test('parts of any size fill frames, and the last one ends the stream', async () => {
    const parts = [3, 0, 20_000, 1, 40_000, 0].map((size, index) => Buffer.alloc(size, index + 1));
    const { client, session } = openSession((stream) => {
      stream.start(200, []);
      stream.writeParts(parts);
      stream.writeParts([Buffer.alloc(0)]);
      stream.end();
      stream.writeParts(parts);
    });
    client.send(handshake + headers(1));
    await client.until(() => client.hasEnded(1));
    expect(client.bodyOf(1).equals(Buffer.concat(parts))).toBe(true);
    expect(client.of(FrameType.data).map(({ payload, flags }) => [payload.length, flags])).toEqual([
      [16_384, 0],
      [16_384, 0],
      [16_384, 0],
      [60_004 - 3 * 16_384, Flag.endStream],
    ]);
    expect(session.queuedBytes).toBe(0);
  });
});

describe('receiving', () => {
  const post = (stream: number): string => headers(stream, target('POST'), Flag.endHeaders);
  const chunk = 'x'.repeat(16_000);

  test('a body that nobody reads is bounded by the window of its stream', async () => {
    const { client, requests } = openSession();
    client.send(handshake + post(1) + data(1, chunk).repeat(16));
    await client.roundTrip();
    expect(requests[0]!.isClosed).toBe(false);
    client.send(data(1, chunk));
    await client.until(() => client.resetOf(1) !== undefined);
    expect(client.resetOf(1)).toBe(ErrorCode.flowControlError);
  });

  test('the connection is credited on receipt: bodies that wait do not block others', async () => {
    const { client, requests } = openSession();
    client.send(handshake);
    let sent = 0;
    // More than the 16 MB of the connection, in streams that nobody reads.
    for (let stream = 1; sent < 17_000_000; stream += 2) {
      if (requests.length > 90) break;
      client.send(post(stream) + data(stream, chunk).repeat(16));
      sent += 16 * chunk.length;
      await client.roundTrip();
    }
    const credited = client
      .of(FrameType.windowUpdate, 0)
      .slice(1)
      .reduce((sum, { payload }) => sum + payload.readUInt32BE(), 0);
    expect(16 * 1024 * 1024 - sent + credited).toBeGreaterThan(8 * 1024 * 1024);
    expect(client.goaways).toEqual([]);
  });

  test('the stream is credited and widened on consumption, if much was sent or is declared', async () => {
    const { client, requests } = openSession();
    client.send(handshake + post(1) + data(1, chunk).repeat(10));
    await client.roundTrip();
    expect(client.of(FrameType.windowUpdate, 1)).toEqual([]);
    const body = readAll(requests[0]!);
    await client.until(() => client.of(FrameType.windowUpdate, 1).length > 0);
    // The window grows to 1 MB, and what was consumed is given back.
    const credit = (stream: number): number | undefined =>
      client.of(FrameType.windowUpdate, stream)[0]?.payload.readUInt32BE();
    expect(credit(1)).toBe(1024 * 1024 - 256 * 1024 + 10 * chunk.length);
    client.send(data(1, chunk).repeat(50) + data(1, '', Flag.endStream));
    expect((await body)?.length).toBe(60 * chunk.length);
    const declared = [...target('POST'), ['content-length', '300000'] as const];
    client.send(headers(3, declared, Flag.endHeaders) + post(5) + data(5, chunk).repeat(8));
    await client.roundTrip();
    for (const stream of requests.slice(1)) void readAll(stream);
    await client.until(() => client.of(FrameType.windowUpdate, 3).length > 0);
    await client.roundTrip();
    expect([credit(3), credit(5)]).toEqual([1024 * 1024 - 256 * 1024, undefined]);
  });

  test('a declared body that fits needs no credit', async () => {
    const { client, requests } = openSession((stream) => void readAll(stream));
    const fields = [...target('POST'), ['content-length', '16000'] as const];
    client.send(handshake + headers(1, fields, Flag.endHeaders) + data(1, chunk, Flag.endStream));
    await client.roundTrip();
    expect(requests[0]!.body!.isComplete).toBe(true);
    expect(client.of(FrameType.windowUpdate, 1)).toEqual([]);
  });

  test('unread bytes are accounted, and released when they are read or dropped', async () => {
    let unread = 0;
    const { client, requests } = openSession(undefined, {
      bodyAccount: {
        reserve(bytes) {
          if (bytes > 300_000) return false;
          unread = bytes;
          return true;
        },
      },
    });
    client.send(handshake + post(1) + post(3) + data(1, chunk).repeat(10) + data(3, chunk).repeat(8));
    await client.roundTrip();
    expect(unread).toBe(18 * chunk.length);
    // Stream 3 exceeds the bound.
    client.send(data(3, chunk));
    await client.until(() => client.resetOf(3) !== undefined);
    expect(client.resetOf(3)).toBe(ErrorCode.enhanceYourCalm);
    expect(unread).toBe(10 * chunk.length);
    const body = readAll(requests[0]!);
    expect(unread).toBe(0);
    client.send(data(1, '', Flag.endStream));
    expect((await body)?.length).toBe(10 * chunk.length);
  });

  test('unread bytes move to an account of the body, which may refuse it', async () => {
    let unread = 0;
    const reserve = (bytes: number): boolean => {
      unread = bytes;
      return true;
    };
    const { client, requests } = openSession(undefined, { bodyAccount: { reserve } });
    const accounts = [3, 1, 2].map((chunks) => bodyAccount(chunks * chunk.length));
    client.send(
      handshake + [1, 3, 5].map((id) => post(id) + data(id, chunk).repeat(2)).join('') + data(1, '', 1),
    );
    await client.roundTrip();
    expect(unread).toBe(6 * chunk.length);
    for (const [index, one] of accounts.entries()) requests[index]!.body!.countIn(one);
    expect(unread).toBe(0);
    expect(accounts.map(({ held, isComplete }) => [held / chunk.length, isComplete])).toEqual([
      [2, true],
      [0, false],
      [2, false],
    ]);
    client.send(data(5, chunk) + data(5, chunk, 1));
    await client.roundTrip();
    expect([unread, accounts[2]!.held]).toEqual([0, 0]);
    const bodies = await Promise.all(requests.map((stream) => readAll(stream)));
    expect(bodies.map((body) => body?.length)).toEqual([2 * chunk.length, undefined, undefined]);
    expect(accounts[0]!.held).toBe(2 * chunk.length);
    expect(requests.map(({ body }) => body!.isRefused)).toEqual([false, true, true]);
    // Dropped bytes are not credited.
    expect(client.of(FrameType.windowUpdate, 3)).toEqual([]);
  });

  test('a body that is streamed holds its client back', async () => {
    const { client, requests } = openSession();
    client.send(handshake + post(1) + data(1, chunk));
    await client.roundTrip();
    const chunks = requests[0]!.body!.chunks(undefined);
    expect((await chunks.next()).value?.length).toBe(chunk.length);
    client.send(data(1, chunk).repeat(7));
    await client.roundTrip();
    const credits = client.of(FrameType.windowUpdate, 1).length;
    client.send(data(1, chunk).repeat(7));
    await client.roundTrip();
    expect(client.of(FrameType.windowUpdate, 1).length).toBe(credits);
    expect((await chunks.next()).value?.length).toBe(14 * chunk.length);
    client.send(reset(1));
    expect((await chunks.next()).done).toBe(true);
    expect(requests[0]!.body!.isAborted).toBe(true);
  });
});
