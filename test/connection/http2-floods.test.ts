import http2 from 'node:http2';
import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import {
  acknowledgeSettings,
  connect,
  Flag,
  FrameType,
  frame,
  framesOf,
  headerBlock,
  PREFACE,
  request,
  statusOf,
  uint32,
} from './raw-http2.ts';
import { ManualClock, type RawConnection, request2, start } from './support.ts';

const { constants } = http2;
const CALM = constants.NGHTTP2_ENHANCE_YOUR_CALM;
const END = Flag.endHeaders | Flag.endStream;
const PRIORITY = 2;
const plain = (exchange: Exchange): void => exchange.respond(200, 'text/plain', 'plain');

const goawayOf = (client: RawConnection): number | undefined =>
  framesOf(client)
    .find(({ type }) => type === FrameType.goaway)
    ?.payload.readUInt32BE(4);
const resetOf = (client: RawConnection, stream: number): number | undefined =>
  framesOf(client)
    .find((one) => one.type === FrameType.reset && one.stream === stream)
    ?.payload.readUInt32BE();
const get = (stream: number): string => frame(FrameType.headers, END, stream, request('GET', '/'));
const post = (stream: number, ...more: [string, string][]): string =>
  frame(FrameType.headers, Flag.endHeaders, stream, request('POST', '/') + headerBlock(more));
const ping = frame(FrameType.ping, 0, 0, '12345678');
const reset = (stream: number): string => frame(FrameType.reset, 0, stream, uint32(8));
/** Opens streams with the identifiers 1, 3, 5 … */
const streams = (count: number, make: (stream: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(2 * index + 1)).join('');
const untilPing = (client: RawConnection, count = 1): Promise<void> =>
  vi.waitFor(
    () =>
      expect(
        framesOf(client).filter(({ type, flags }) => type === FrameType.ping && flags === 1),
      ).toHaveLength(count),
    30_000,
  );

describe('frames without work', () => {
  const setting = frame(FrameType.settings, 0, 0, '\0\x03\0\0\0\x10');
  const header = (flags: number): string => frame(FrameType.headers, flags, 1, request('GET', '/'));
  const continuation = frame(FrameType.continuation, 0, 1, '\0\x01a\x01b');

  // The client's first SETTINGS are among them.
  test.each<[string, string, string]>([
    ['SETTINGS', setting.repeat(98), setting.repeat(10)],
    [
      'SETTINGS with many entries',
      frame(4, 0, 0, '\0\x03\0\0\0\x10'.repeat(32)),
      frame(4, 0, 0, '\0\x03\0\0\0\x10'.repeat(33)),
    ],
    ['PING', ping.repeat(900), ping.repeat(200)],
    ['WINDOW_UPDATE', frame(8, 0, 0, uint32(1)).repeat(9_900), frame(8, 0, 0, uint32(1)).repeat(1_500)],
    [
      'PRIORITY',
      frame(PRIORITY, 0, 1, '\0\0\0\0\x10').repeat(950),
      frame(PRIORITY, 0, 1, '\0\0\0\0\x10').repeat(200),
    ],
    ['unknown frames', frame(0xfe, 0, 0, 'x').repeat(950), frame(0xfe, 0, 0, 'x').repeat(200)],
    ['empty DATA', post(1) + frame(FrameType.data, 0, 1).repeat(95), frame(FrameType.data, 0, 1).repeat(20)],
    [
      'DATA of padding',
      post(1) + frame(FrameType.data, 8, 1, '\x02\0\0').repeat(95),
      frame(FrameType.data, 8, 1, '\x02\0\0').repeat(20),
    ],
    [
      'CONTINUATION',
      header(0) + continuation.repeat(250) + frame(9, 4, 1),
      header(0) + continuation.repeat(300),
    ],
    [
      'empty CONTINUATION',
      header(0) + frame(9, 0, 1).repeat(7) + frame(9, 4, 1),
      frame(FrameType.headers, 1, 3, request('GET', '/')) + frame(9, 0, 3).repeat(20),
    ],
  ])('%s: some are accepted, a flood ends the session', async (what, accepted, flood) => {
    const server = await start((exchange) => (exchange.method === 'POST' ? undefined : plain(exchange)), {
      clock: new ManualClock(),
    });
    const client = await connect(server);
    const pings = what === 'PING' ? 901 : 1;
    client.send(accepted + ping);
    await untilPing(client, pings);
    expect(goawayOf(client)).toBeUndefined();
    client.send(what === 'CONTINUATION' ? flood.replaceAll('\0\0\0\x01', '\0\0\0\x03') : flood);
    await client.untilClosed();
    expect(goawayOf(client)).toBe(CALM);
    expect(server.listener.counters.sessionErrors).toBe(1);
    expect((await request2(server.h2(), { ':path': '/' })).status).toBe(200);
  });

  test('they are allowed again after some time', async () => {
    const clock = new ManualClock();
    const server = await start(plain, {
      clock,
      limits: { stallTimeout: 1e9, acknowledgeTimeout: 1e9, idleTimeout: 1e9 },
    });
    const client = await connect(server);
    for (let second = 0; second < 100; second += 10) {
      client.send(ping.repeat(180));
      await untilPing(client, 18 * (second + 10));
      clock.tick(10_000);
    }
    expect(goawayOf(client)).toBeUndefined();
  });

  test('a PING with each RST_STREAM is not a flood: clients written in Go send it', async () => {
    const server = await start(() => undefined, { clock: new ManualClock() });
    const client = await connect(server);
    client.send(streams(3_000, (stream) => get(stream) + reset(stream) + ping));
    await untilPing(client, 3_000);
    expect(goawayOf(client)).toBeUndefined();
  });

  test('WINDOW_UPDATE in step with what was received is not a flood', async () => {
    const server = await start((exchange) => exchange.respond(200, undefined, Buffer.alloc(20_000_000)), {
      clock: new ManualClock(),
    });
    const client = await connect(server);
    client.send(frame(FrameType.windowUpdate, 0, 0, uint32(30_000_000)) + get(1));
    client.socket.removeAllListeners('data');
    let received = 0;
    client.socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      // Two small ones for each kilobyte or so.
      client.send(frame(FrameType.windowUpdate, 0, 1, uint32(1024)).repeat(Math.ceil(chunk.length / 1024)));
    });
    await vi.waitFor(() => expect(received).toBeGreaterThan(20_000_000), 60_000);
  });

  test('control frames that the client does not read are bounded', async () => {
    const server = await start(plain);
    const client = await connect(server);
    client.socket.pause();
    const requests = (from: number): string =>
      Array.from({ length: 400 }, (_, index) => get(from + 2 * index)).join('');
    for (let from = 1; from < 800_000 && server.listener.counters.openConnections > 0; from += 800) {
      client.socket.write(requests(from), 'latin1');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.waitFor(() => expect(server.listener.counters.openConnections).toBe(0), 30_000);
    expect((await request2(server.h2(), { ':path': '/' })).status).toBe(200);
  });
});

describe('resets that the server is made to send count too', () => {
  test.each<[string, (stream: number) => string]>([
    [
      'malformed requests',
      (stream) => frame(FrameType.headers, END, stream, headerBlock([[':method', 'GET']])),
    ],
    ['WINDOW_UPDATE by 0', (stream) => post(stream) + frame(FrameType.windowUpdate, 0, stream, uint32(0))],
    ['DATA after the end', (stream) => get(stream) + frame(FrameType.data, 0, stream, 'x')],
    [
      'a body longer than declared',
      (stream) => post(stream, ['content-length', '1']) + frame(FrameType.data, 0, stream, 'xx'),
    ],
  ])('%s', async (_what, make) => {
    const server = await start(() => undefined, { clock: new ManualClock() });
    const client = await connect(server);
    client.send(streams(100, make) + ping);
    await untilPing(client);
    expect(goawayOf(client)).toBeUndefined();
    expect(framesOf(client).filter(({ type }) => type === FrameType.reset)).toHaveLength(100);
    for (let from = 201; from < 14_000 && !client.closed; from += 200)
      client.send(Array.from({ length: 100 }, (_, index) => make(from + 2 * index)).join(''));
    await client.untilClosed();
    expect(goawayOf(client)).toBe(CALM);
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
  });
});

describe('header blocks', () => {
  test('a bomb of references to one large entry is refused', async () => {
    const handler = vi.fn(plain);
    const server = await start(handler, { limits: { headerBytes: 200_000 } });
    const client = await connect(server);
    const entry = `\x40\x01a\x7f\xa1\x1e${'x'.repeat(4_000)}`;
    client.send(frame(FrameType.headers, END, 1, `${request('GET', '/')}${entry}${'\xbe'.repeat(10_000)}`));
    await vi.waitFor(() => expect(statusOf(client, 1)).toBe('431'));
    expect(handler).not.toHaveBeenCalled();
    // The table is still in step.
    client.send(frame(FrameType.headers, END, 3, `${request('GET', '/')}\xbe`));
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1));
    expect((handler.mock.calls[0]![0] as Exchange).header('a')?.length).toBe(4_000);
  });

  test.each([
    ['in frames', frame(FrameType.headers, Flag.endStream, 1, request('GET', '/'))],
    ['in an incomplete frame', frame(FrameType.headers, END, 1, request('GET', '/')).slice(0, 30)],
  ])('one that is never completed, %s, ends the session at its deadline', async (_how, start1) => {
    const clock = new ManualClock();
    const server = await start(plain, { clock, limits: { stallTimeout: 1e6, acknowledgeTimeout: 1e6 } });
    const client = await connect(server);
    client.send(ping + start1);
    await untilPing(client);
    clock.tick(31_000);
    expect(goawayOf(client)).toBeUndefined();
    clock.tick(1_000);
    await client.untilClosed();
    expect(goawayOf(client)).toBe(CALM);
  });
});

describe('handshakes', () => {
  test.each<[string, string, number, number]>([
    ['no preface', '', 32_000, constants.NGHTTP2_PROTOCOL_ERROR],
    ['half a preface', PREFACE.slice(0, 10), 32_000, constants.NGHTTP2_PROTOCOL_ERROR],
    ['no settings', PREFACE, 32_000, constants.NGHTTP2_PROTOCOL_ERROR],
    [
      'no acknowledgement',
      PREFACE + frame(FrameType.settings, 0, 0),
      10_000,
      constants.NGHTTP2_SETTINGS_TIMEOUT,
    ],
  ])('%s: the session ends', async (_what, sent, deadline, code) => {
    const clock = new ManualClock();
    const server = await start(plain, { clock, limits: { stallTimeout: 1e6, idleTimeout: 1e6 } });
    const client = await server.raw({ ALPNProtocols: ['h2'] });
    client.send(sent);
    await vi.waitFor(() => {
      expect(server.listener.counters.openHttp2Connections).toBe(1);
      expect(framesOf(client)).toHaveLength(sent.length > PREFACE.length ? 3 : 2);
    });
    clock.tick(1);
    clock.tick(deadline - 1);
    expect(goawayOf(client)).toBeUndefined();
    clock.tick(1);
    await client.untilClosed();
    expect(goawayOf(client)).toBe(code);
  });
});

describe('bodies', () => {
  test.each<[string, string]>([
    ['less than declared', post(1, ['content-length', '5']) + frame(FrameType.data, 1, 1, 'four')],
    ['more than declared', post(1, ['content-length', '3']) + frame(FrameType.data, 0, 1, 'four')],
    [
      'none with a declared length',
      frame(FrameType.headers, END, 1, request('POST', '/') + headerBlock([['content-length', '5']])),
    ],
    [
      'less than declared, with trailers',
      post(1, ['content-length', '5']) + frame(FrameType.headers, END, 1, headerBlock([['a', 'b']])),
    ],
  ])('%s: the stream is reset, and no handler gets it as complete', async (_what, sent) => {
    const outcome = vi.fn();
    const server = await start((exchange) => void exchange.readBody(100).then(outcome, () => undefined));
    const client = await connect(server);
    client.send(sent + get(3) + ping);
    await untilPing(client);
    expect(resetOf(client, 1)).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
    expect(
      outcome.mock.calls.map(([body]) => (body as Buffer).length).filter((length) => length > 0),
    ).toEqual([]);
    expect(server.listener.counters.sessionErrors).toBe(0);
  });

  test('that nobody reads are bounded over all connections', async () => {
    const server = await start((exchange) => (exchange.method === 'POST' ? undefined : plain(exchange)), {
      limits: { unreadBodyBytes: 1_000_000 },
    });
    const clients: RawConnection[] = [];
    for (let index = 0; index < 4; index++) {
      const client = await connect(server);
      await acknowledgeSettings(client);
      client.send(
        streams(
          3,
          (stream) => post(stream) + frame(FrameType.data, 0, stream, 'x'.repeat(16_000)).repeat(15),
        ),
      );
      client.send(ping);
      await untilPing(client);
      clients.push(client);
    }
    const refused = clients.flatMap(framesOf).filter(({ type }) => type === FrameType.reset);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(6);
    expect((await request2(server.h2(), { ':path': '/' })).status).toBe(200);
  });
});

describe('clients that take a response byte by byte', () => {
  test('are not making progress', async () => {
    const clock = new ManualClock();
    const server = await start((exchange) => exchange.respond(200, undefined, Buffer.alloc(10_000)), {
      clock,
    });
    const client = await connect(server);
    await acknowledgeSettings(client);
    client.send(frame(FrameType.settings, 0, 0, `\0\x04${uint32(0).toString('latin1')}`) + get(1));
    let pings = 0;
    for (let seconds = 0; seconds < 60 && resetOf(client, 1) === undefined; seconds += 10) {
      client.send(frame(FrameType.windowUpdate, 0, 1, uint32(1)) + ping);
      pings += 1;
      await vi.waitFor(() => {
        const all = framesOf(client).filter(({ type }) => type === FrameType.ping);
        expect(all.filter(({ flags }) => flags === 1)).toHaveLength(pings);
      });
      for (const { flags, payload } of framesOf(client).filter(({ type }) => type === FrameType.ping))
        if (flags === 0) client.send(frame(FrameType.ping, 1, 0, payload));
      clock.tick(10_000);
    }
    await vi.waitFor(() => expect(resetOf(client, 1)).toBe(constants.NGHTTP2_INTERNAL_ERROR));
    expect(server.listener.counters.stalled).toBe(1);
  });
});
