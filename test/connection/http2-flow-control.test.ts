import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import {
  Code,
  frameTypes,
  get,
  goaway,
  headers,
  open,
  PADDED,
  plain,
  post,
  received,
  reset,
  setting,
  settled,
  silent,
} from './http2-steps.ts';
import { Flag, FrameType, frame, framesOf, headerBlock, request, uint32 } from './raw-http2.ts';
import { ManualClock, start } from './support.ts';

describe('bodies', () => {
  test('nobody may send more than the window of the stream', async () => {
    const server = await start(silent);
    const client = await open(server);
    client.send(post(1) + frame(FrameType.data, 0, 1, 'x'.repeat(16_384)).repeat(17));
    expect(await reset(client, 1)).toBe(Code.flowControl);
    await settled(client);
  });

  test('an early response is not followed by a reset if the request ends soon', async () => {
    const client = await open(await start(plain));
    client.send(post(1) + post(3) + post(5, 3) + post(7));
    await vi.waitFor(() =>
      expect([1, 3, 5, 7].map((stream) => received(client, stream))).toEqual([2, 2, 2, 2]),
    );
    expect(frameTypes(client)).not.toContain(FrameType.reset);
    client.send(frame(FrameType.data, Flag.endStream, 1, 'abc'));
    client.send(frame(FrameType.data, 0, 5, 'abcd'));
    client.send(frame(FrameType.data, 0, 7, 'x'.repeat(16_384)).repeat(17));
    expect(await reset(client, 3)).toBe(Code.none);
    // It still has to keep to what it has declared, and to the window.
    expect(await reset(client, 5)).toBe(Code.protocol);
    expect(await reset(client, 7)).toBe(Code.flowControl);
    expect(framesOf(client).filter(({ type }) => type === FrameType.reset)).toHaveLength(3);
    expect(framesOf(client).some(({ type, stream }) => type === FrameType.windowUpdate && stream > 0)).toBe(
      false,
    );
    client.send(headers(1, headerBlock([['a', 'b']])));
    expect(await goaway(client)).toBe(Code.closed);
  });

  test('padding counts, and is credited', async () => {
    let length = 0;
    const server = await start((exchange) => {
      void exchange.readBody(10_000_000).then((body) => {
        length = body.length;
        plain(exchange);
      });
    });
    const client = await open(server);
    const padded = frame(FrameType.data, PADDED, 1, `\xff${'x'.repeat(5000)}${'\0'.repeat(255)}`);
    client.send(post(1));
    // Three times the window of a stream that is read; a client without credit would have to stop.
    for (let part = 0; part < 600; part += 1) {
      client.send(padded);
      if (part % 50 === 49) await settled(client, `part ${String(part).padStart(3)}`);
    }
    client.send(frame(FrameType.data, Flag.endStream, 1));
    await vi.waitFor(() => expect(received(client, 1)).toBe(2), 10_000);
    expect(length).toBe(600 * 5000);
  });

  test('bodies that nobody reads do not block other streams of the connection', async () => {
    const server = await start((exchange) => {
      if (exchange.target === '/read')
        void exchange.readBody(1 << 20).then((body) => exchange.respond(200, 'text/plain', `${body.length}`));
    });
    const client = await open(server);
    const data = (stream: number) => frame(FrameType.data, 0, stream, 'x'.repeat(16_000)).repeat(15);
    for (let stream = 1; stream < 100; stream += 2) client.send(post(stream) + data(stream));
    await settled(client);
    client.send(headers(101, request('POST', '/read'), 0) + data(101));
    client.send(frame(FrameType.data, Flag.endStream, 101));
    await vi.waitFor(() => expect(received(client, 101)).toBe('240000'.length), 10_000);
  });
});

describe('windows', () => {
  const large = (exchange: Exchange): void => exchange.respond(200, 'text/plain', 'x'.repeat(100_000));

  test('an empty window of a stream holds only that stream', async () => {
    const server = await start(large);
    const client = await open(server, setting(4, 0));
    client.send(get(1) + get(3) + frame(FrameType.windowUpdate, 0, 3, uint32(5000)));
    await vi.waitFor(() => expect(received(client, 3)).toBe(5000));
    expect(received(client, 1)).toBe(0);
    client.send(frame(FrameType.windowUpdate, 0, 1, uint32(1)));
    await vi.waitFor(() => expect(received(client, 1)).toBe(1));
  });

  test('the window of a stream may become negative', async () => {
    const server = await start(large);
    const client = await open(server);
    client.send(frame(FrameType.windowUpdate, 0, 0, uint32(1 << 20)) + get(1));
    await vi.waitFor(() => expect(received(client, 1)).toBe(65_535));
    client.send(frame(FrameType.settings, 0, 0, setting(4, 1000)));
    client.send(frame(FrameType.windowUpdate, 0, 1, uint32(64_535)));
    await settled(client);
    expect(received(client, 1)).toBe(65_535);
    client.send(frame(FrameType.windowUpdate, 0, 1, uint32(10)));
    await vi.waitFor(() => expect(received(client, 1)).toBe(65_545));
  });

  test.each([
    ['of the connection', frame(FrameType.windowUpdate, 0, 0, uint32(0x7fffffff)), 0],
    ['of a stream', frame(FrameType.windowUpdate, 0, 1, uint32(0x7fffffff)), 1],
    [
      'of a stream, by settings',
      frame(FrameType.windowUpdate, 0, 1, uint32(0x7fffffff - 65_535)) +
        frame(FrameType.settings, 0, 0, setting(4, 100_000)),
      0,
    ],
  ])('an overflow %s is an error', async (_, frames, stream) => {
    const client = await open(await start(silent));
    client.send(get(1) + frames);
    expect(await (stream === 0 ? goaway(client) : reset(client, stream))).toBe(Code.flowControl);
  });

  test('a client that opens its window and reads nothing is disconnected, whatever it sends', async () => {
    const clock = new ManualClock();
    const server = await start(
      (exchange) => {
        const writer = exchange.startStream(200, 'text/plain');
        for (let chunk = 0; chunk < 200; chunk += 1) writer.write(Buffer.alloc(60_000));
      },
      { clock },
    );
    const client = await open(server, setting(4, 0x7fffffff));
    client.send(frame(FrameType.windowUpdate, 0, 0, uint32(0x7fff0000 - 65_535)));
    client.socket.pause();
    client.send(get(1));
    await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(1));
    for (let tick = 0; tick < 30; tick += 1) {
      clock.tick(5000);
      client.send(frame(FrameType.windowUpdate, 0, 1, uint32(1)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.waitFor(() => expect(server.listener.counters.openConnections).toBe(0), 10_000);
    expect(server.listener.counters.stalled).toBeGreaterThan(0);
  });
});
