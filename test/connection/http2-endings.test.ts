import { expect, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { connect, Flag, FrameType, frame, framesOf, request } from './raw-http2.ts';
import { start } from './support.ts';

const END = Flag.endHeaders | Flag.endStream;
const get = (stream: number, path = '/'): string =>
  frame(FrameType.headers, END, stream, request('GET', path));

test('Connection: close ends the connection behind the response, and later requests are not served', async () => {
  const handler = vi.fn((exchange: Exchange) => {
    exchange.setHeader('Connection', 'close');
    exchange.respond(401, 'text/plain', 'who are you');
  });
  const server = await start(handler);
  const client = await connect(server);
  client.send(get(1));
  await client.untilClosed();
  const frames = framesOf(client).filter(({ type }) => type === FrameType.data || type === FrameType.goaway);
  expect(frames.map(({ type }) => type)).toEqual([FrameType.data, FrameType.goaway]);
  expect(frames[1]!.payload.readUInt32BE(0)).toBe(1);
  expect(frames[1]!.payload.readUInt32BE(4)).toBe(0);
  expect(server.listener.counters.goawaysSent).toBe(1);
  expect(handler).toHaveBeenCalledTimes(1);
});

test('other streams of the connection end in order', async () => {
  const held: Exchange[] = [];
  const server = await start((exchange) => {
    if (exchange.target === '/held') {
      held.push(exchange);
      return;
    }
    exchange.setHeader('Connection', 'close');
    exchange.respond(401, 'text/plain', 'who are you');
  });
  const client = await connect(server);
  client.send(get(1, '/held') + get(3));
  await vi.waitFor(() => expect(framesOf(client).some(({ type }) => type === FrameType.goaway)).toBe(true));
  client.send(get(5, '/held'));
  held[0]!.respond(200, 'text/plain', 'done');
  await client.untilClosed();
  expect(held).toHaveLength(1);
  expect(client.received).toContain('done');
});
