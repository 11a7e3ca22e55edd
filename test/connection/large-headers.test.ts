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
  request,
  statusOf,
} from './raw-http2.ts';
import { type RawConnection, request1, request2, start } from './support.ts';

const counting = (exchange: Exchange): void =>
  exchange.respond(200, 'text/plain', `${[...exchange.headers()].length}`);
const fields = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => `x-${index}: ${'a'.repeat(length)}\r\n`);
const pairs = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => [`x-${index}`, 'a'.repeat(length)] as const);
const get = (headers: string): string => `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

describe('HTTP/1.1', () => {
  test.each([
    ['900 kB', 900, 1000, '200'],
    ['1,100 kB', 1100, 1000, '431'],
    ['3,999 headers and Host', 3999, 1, '200'],
    ['4,000 headers and Host', 4000, 1, '431'],
    ['100,000 headers', 100_000, 1, '431'],
  ])('%s: %s', async (_what, count, length, status) => {
    const handler = vi.fn(counting);
    const server = await start(handler);
    const client = await server.raw();
    client.send(get(fields(count, length).join('')));
    await vi.waitFor(() => expect(client.received).toMatch(/\r\n\r\n/), 10_000);
    expect(client.received.slice(9, 12)).toBe(status);
    if (status === '200') expect(client.received).toMatch(new RegExp(`\r\n\r\n${count + 1}$`));
    else expect(handler).not.toHaveBeenCalled();
    expect((await request1(server.url)).status).toBe(200);
  });

  test('are accepted in any pieces', async () => {
    const server = await start(counting);
    const client = await server.raw();
    client.socket.setNoDelay(true);
    const text = get(fields(30, 1000).join(''));
    for (let at = 0; at < text.length; at += 7) client.send(text.slice(at, at + 7));
    await vi.waitFor(() => expect(client.received).toMatch(/\r\n\r\n31$/), 10_000);
    client.send(`${text.slice(0, -1)}`);
    client.send('\n');
    await vi.waitFor(() => expect(client.received.match(/\r\n\r\n31/g)).toHaveLength(2), 10_000);
  });

  test('that are incomplete are bounded over all connections; other requests are served', async () => {
    const server = await start(counting, { limits: { unfinishedHeaderBytes: 300_000 } });
    const clients: RawConnection[] = [];
    for (let index = 0; index < 3; index++)
      clients.push((await server.raw()).send(get(fields(200, 1000).join('')).slice(0, -2)));
    await vi.waitFor(
      () => expect(clients.filter(({ received }) => received.startsWith('HTTP/1.1 431 '))).toHaveLength(1),
      10_000,
    );
    expect((await request1(server.url)).status).toBe(200);
    const open = clients.filter(({ received }) => received === '');
    for (const client of open) client.send('\r\n');
    await vi.waitFor(() => expect(open.every(({ received }) => received.endsWith('201'))).toBe(true), 10_000);
    const again = (await server.raw()).send(get(fields(200, 1000).join('')));
    await vi.waitFor(() => expect(again.received).toMatch(/201$/), 10_000);
  });
});

describe('HTTP/2', () => {
  const FRAME = 16_000;
  const send = (
    client: RawConnection,
    block: string,
    stream: number,
    isComplete = true,
    hasBody = false,
  ): void => {
    for (let at = 0; at < block.length; at += FRAME) {
      const flags = at + FRAME >= block.length && isComplete ? Flag.endHeaders : 0;
      client.send(
        frame(
          at === 0 ? FrameType.headers : FrameType.continuation,
          at === 0 && !hasBody ? flags | Flag.endStream : flags,
          stream,
          block.slice(at, at + FRAME),
        ),
      );
    }
  };

  test.each([
    ['900 kB', 900, 1000],
    ['3,990 headers', 3990, 1],
  ])('%s are accepted', async (_what, count, length) => {
    const server = await start(counting);
    const client = await connect(server);
    await acknowledgeSettings(client);
    send(client, request('GET', '/') + headerBlock(pairs(count, length)), 1);
    await vi.waitFor(
      () =>
        expect(
          framesOf(client)
            .find(({ type }) => type === FrameType.data)
            ?.payload.toString(),
        ).toBe(`${count}`),
      10_000,
    );
  });

  test.each([
    ['1,100 kB', 1100, 1000, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM],
    ['4,001 headers', 4001, 1, '431'],
    ['4,001 headers and a body', 4001, 1, '431'],
  ])('%s: the session ends or the status is 431, others continue', async (what, count, length, outcome) => {
    const handler = vi.fn(counting);
    const server = await start(handler);
    const other = server.h2();
    const client = await connect(server);
    await acknowledgeSettings(client);
    const block = request('GET', '/') + headerBlock(pairs(count, length));
    send(client, block, 1, true, what.endsWith('body'));
    await vi.waitFor(() => {
      const goaway = framesOf(client).find(({ type }) => type === FrameType.goaway);
      expect(goaway?.payload.readUInt32BE(4) ?? statusOf(client, 1)).toBe(outcome);
    });
    expect(handler).not.toHaveBeenCalled();
    expect((await request2(other, { ':path': '/' })).status).toBe(200);
  });

  test('that are incomplete are bounded over all connections', async () => {
    const server = await start(counting, { limits: { unfinishedHeaderBytes: 300_000 } });
    const clients: RawConnection[] = [];
    for (let index = 0; index < 3; index++) {
      const client = await connect(server);
      await acknowledgeSettings(client);
      send(client, request('GET', '/') + headerBlock(pairs(200, 1000)), 1, false);
      clients.push(client);
    }
    await vi.waitFor(() => expect(clients.filter(({ closed }) => closed)).toHaveLength(1), 10_000);
    expect((await request2(server.h2(), { ':path': '/' })).status).toBe(200);
  });
});
