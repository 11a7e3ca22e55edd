import { describe, expect, test, vi } from 'vitest';
import {
  Code,
  get,
  goaway,
  headers,
  open,
  PADDED,
  PRIORITY,
  plain,
  post,
  received,
  reset,
  setting,
  settled,
  silent,
} from './http2-steps.ts';
import { FrameType, frame, framesOf, headerBlock, PREFACE, request, statusOf, uint32 } from './raw-http2.ts';
import { request1, start } from './support.ts';

describe('floods end the session, and nothing else', () => {
  test.each([
    [
      'WINDOW_UPDATE on a closed stream',
      get(1) + frame(FrameType.windowUpdate, 0, 1, uint32(1)).repeat(50_000),
    ],
    ['DATA that is only padding', post(1) + frame(FrameType.data, PADDED, 1, '\x01\0').repeat(50_000)],
    [
      'empty CONTINUATION',
      frame(FrameType.headers, 0, 1, '') + frame(FrameType.continuation, 0, 1).repeat(10_000),
    ],
    [
      'CONTINUATION',
      frame(FrameType.headers, 0, 1, request('GET', '/')) +
        frame(FrameType.continuation, 0, 1, headerBlock([['a', 'b']])).repeat(10_000),
    ],
    ['RST_STREAM on a closed stream', get(1) + frame(FrameType.reset, 0, 1, uint32(8)).repeat(40_000)],
  ])('%s', async (_, flood) => {
    const server = await start(silent);
    const other = await open(server);
    const client = await open(server);
    client.send(flood);
    expect(await goaway(client)).toBe(Code.calm);
    await client.untilClosed();
    await settled(other);
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
  });
});

describe('header blocks', () => {
  test('fields without a name and references to a large field are refused', async () => {
    const handler = vi.fn(plain);
    const server = await start(handler);
    const client = await open(server);
    const large = headerBlock([['x-large', 'y'.repeat(3900)]]).replace('\0', '\x40');
    client.send(headers(1, request('GET', '/') + large));
    client.send(headers(3, request('GET', '/') + '\xbe'.repeat(16_000)));
    client.send(headers(5, request('GET', '/') + '\0\0\0'.repeat(5000)));
    client.send(get(7));
    await vi.waitFor(() => expect(received(client, 7)).toBe(2));
    await vi.waitFor(() => expect([3, 5].map((stream) => statusOf(client, stream))).toEqual(['431', '431']));
    expect(handler).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['a bad index', '\xff\x7f', Code.compression],
    ['a table that grows beyond the settings', '\x3f\xe2\x1f', Code.compression],
  ])('%s ends the session', async (_, block, code) => {
    const client = await open(await start(plain));
    client.send(headers(1, block));
    expect(await goaway(client)).toBe(code);
  });

  test.each<[string, readonly (readonly [string, string])[]]>([
    ['a repeated :path', [[':path', '/b']]],
    ['an unknown pseudo-header', [[':status', '200']]],
    [
      'a pseudo-header after others',
      [
        ['a', 'b'],
        [':path', '/b'],
      ],
    ],
    ['upper case', [['Accept', 'b']]],
    ['connection', [['connection', 'close']]],
    ['transfer-encoding', [['transfer-encoding', 'chunked']]],
    ['te', [['te', 'gzip']]],
    [
      'two lengths',
      [
        ['content-length', '1'],
        ['content-length', '2'],
      ],
    ],
    ['a negative length', [['content-length', '-1']]],
    ['a length without a body', [['content-length', '5']]],
  ])('%s resets the stream', async (_, fields) => {
    const handler = vi.fn(plain);
    const client = await open(await start(handler));
    client.send(headers(1, request('GET', '/') + headerBlock(fields)) + get(3));
    expect(await reset(client, 1)).toBe(Code.protocol);
    await vi.waitFor(() => expect(received(client, 3)).toBe(2));
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test.each<[string, readonly (readonly [string, string])[]]>([
    ['a line break in a value', [['x-user', 'a\r\nb']]],
    ['a zero byte', [['x-user', 'a\0']]],
    ['a host that differs from :authority', [['host', 'elsewhere']]],
    [
      'two hosts',
      [
        ['host', 'localhost'],
        ['host', 'other'],
      ],
    ],
  ])('%s gets 400', async (_, fields) => {
    const handler = vi.fn(plain);
    const client = await open(await start(handler));
    client.send(headers(1, request('GET', '/') + headerBlock(fields)));
    // :status 400 is entry 12 of the static table.
    await vi.waitFor(() =>
      expect(framesOf(client).find(({ type }) => type === FrameType.headers)?.payload[0]).toBe(0x8c),
    );
    expect(handler).not.toHaveBeenCalled();
  });

  test('split cookies are one header', async () => {
    const seen: (string | undefined)[] = [];
    const server = await start((exchange) => {
      seen.push(exchange.header('cookie'));
      plain(exchange);
    });
    const client = await open(server);
    client.send(
      headers(
        1,
        request('GET', '/') +
          headerBlock([
            ['cookie', 'a=1'],
            ['cookie', 'b=2'],
          ]),
      ),
    );
    await vi.waitFor(() => expect(seen).toEqual(['a=1; b=2']));
  });
});

describe('the start of a session', () => {
  test('requests in the first packet are served', async () => {
    const server = await start(plain);
    const client = await server.raw({ ALPNProtocols: ['h2'] });
    client.send(PREFACE + frame(FrameType.settings, 0, 0) + get(1) + get(3));
    await vi.waitFor(() => expect([received(client, 1), received(client, 3)]).toEqual([2, 2]));
  });
});

describe('frames in the wrong place', () => {
  test.each([
    ['DATA on stream 0', frame(FrameType.data, 0, 0, 'x'), Code.protocol],
    ['HEADERS on an even stream', get(2), Code.protocol],
    ['PUSH_PROMISE', frame(5, 4, 1, '\0\0\0\x02'), Code.protocol],
    ['CONTINUATION without HEADERS', frame(FrameType.continuation, 4, 1, ''), Code.protocol],
    [
      'PING in a header block',
      frame(FrameType.headers, 0, 1, '') + frame(FrameType.ping, 0, 0, '12345678'),
      Code.protocol,
    ],
    ['a stream that is lower than a previous one', get(7) + get(5), Code.protocol],
    [
      'padding longer than the frame',
      frame(FrameType.headers, PADDED | 5, 1, '\xff\x82\x87\x84'),
      Code.protocol,
    ],
    ['padding without its length', post(1) + frame(FrameType.data, PADDED, 1), Code.protocol],
    ['a window of 2^31', frame(FrameType.settings, 0, 0, setting(4, 0x80000000)), Code.flowControl],
    ['a frame size of 100', frame(FrameType.settings, 0, 0, setting(5, 100)), Code.protocol],
    ['an acknowledgement with settings', frame(FrameType.settings, 1, 0, setting(4, 1)), Code.frameSize],
    ['a PING of 9 bytes', frame(FrameType.ping, 0, 0, '123456789'), Code.frameSize],
    ['a frame of 20,000 bytes', post(1) + frame(FrameType.data, 0, 1, 'x'.repeat(20_000)), Code.frameSize],
    ['RST_STREAM on an idle stream', frame(FrameType.reset, 0, 9, uint32(8)), Code.protocol],
    ['WINDOW_UPDATE on an idle stream', frame(FrameType.windowUpdate, 0, 9, uint32(8)), Code.protocol],
  ])('%s', async (_, frames, code) => {
    const server = await start(plain);
    const client = await open(server);
    client.send(frames);
    expect(await goaway(client)).toBe(code);
    await client.untilClosed();
    expect((await request1(server.url)).status).toBe(200);
  });

  test.each([
    [
      'a stream that depends on itself',
      frame(FrameType.headers, PRIORITY | 5, 1, `${uint32(1).toString('latin1')}\0${request('GET', '/')}`),
      Code.protocol,
    ],
    ['a window update by 0', post(1) + frame(FrameType.windowUpdate, 0, 1, uint32(0)), Code.protocol],
    ['headers after the end', get(1) + headers(1, headerBlock([['a', 'b']])), Code.closed],
    ['data after the end', get(1) + frame(FrameType.data, 0, 1, 'x'), Code.closed],
    [
      'trailers that do not end the stream',
      post(1) + headers(1, headerBlock([['a', 'b']]), 0),
      Code.protocol,
    ],
    ['trailers with a pseudo-header', post(1) + headers(1, headerBlock([[':path', '/']])), Code.protocol],
  ])('%s costs a stream', async (_, frames, code) => {
    const client = await open(await start(silent));
    client.send(frames);
    expect(await reset(client, 1)).toBe(code);
    await settled(client);
  });

  test('a stream that has ended', async () => {
    const client = await open(await start(plain));
    client.send(get(1));
    await vi.waitFor(() => expect(received(client, 1)).toBe(2));
    client.send(get(1));
    expect(await goaway(client)).toBe(Code.closed);
  });

  test('more concurrent streams than announced cost those streams', async () => {
    const server = await start(silent, { http2MaxStreams: 10 });
    const client = await open(server);
    for (let stream = 1; stream < 41; stream += 2) client.send(get(stream));
    for (let stream = 21; stream < 41; stream += 2) expect(await reset(client, stream)).toBe(Code.refused);
    expect(server.listener.counters.openExchanges).toBe(10);
  });

  test('after a reset by the client the stream is closed for it, even if it was answered before', async () => {
    const server = await start(plain);
    const client = await open(server);
    client.send(post(1));
    await vi.waitFor(() => expect(received(client, 1)).toBe(2));
    expect(await reset(client, 1)).toBe(Code.none);
    client.send(frame(FrameType.data, 0, 1, 'in flight'));
    await settled(client);
    expect(framesOf(client).filter(({ type }) => type === FrameType.reset)).toHaveLength(1);
    client.send(frame(FrameType.reset, 0, 1, uint32(8)) + frame(FrameType.data, 0, 1, 'x'));
    await vi.waitFor(() =>
      expect(
        framesOf(client)
          .filter(({ type }) => type === FrameType.reset)
          .map(({ payload }) => payload.readUInt32BE(0)),
      ).toEqual([Code.none, Code.closed]),
    );
  });
});
