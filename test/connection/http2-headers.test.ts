import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { connect, Flag, FrameType, frame, framesOf, headerBlock, request } from './raw-http2.ts';
import { type RawConnection, request1, request2, start } from './support.ts';

/** The status of a response by its index in the static table: 8 is 200, 12 is 400. */
const statusOf = (client: RawConnection, stream: number): number | undefined =>
  framesOf(client).find((one) => one.type === FrameType.headers && one.stream === stream)?.payload[0];
const bodyOf = (client: RawConnection, stream: number): string | undefined =>
  framesOf(client)
    .find((one) => one.type === FrameType.data && one.stream === stream)
    ?.payload.toString();
const OK = 0x80 | 8;
const BAD_REQUEST = 0x80 | 12;

const END = Flag.endHeaders | Flag.endStream;
const literal = (first: number, name: string, value: string): string =>
  String.fromCharCode(first, name.length) + name + String.fromCharCode(value.length) + value;
const target = request('GET', '/');
const plain = (exchange: Exchange): void => exchange.respond(200, undefined, 'plain');

describe('forbidden HTTP/2 headers', () => {
  test.each([
    ['NUL', 'impersonate-user', 'bob\0'],
    ['CR', 'authorization', 'Bearer a\rb'],
    ['LF', 'authorization', 'Bearer a\nb'],
    ['DEL', 'authorization', 'Bearer a\x7f'],
    ['a name with a space', 'impersonate-extra-a b', 'c'],
    ['a name beyond ASCII', 'impersonate-extra-\xe4', 'c'],
    ['no name', '', 'c'],
  ])('%s: returns 400 that names it, without affecting other requests', async (_what, name, value) => {
    const handler = vi.fn(plain);
    const server = await start(handler);
    const client = await connect(server);
    client.send(
      frame(FrameType.headers, END, 1, target + headerBlock([[name, value]])) +
        frame(FrameType.headers, END, 3, target),
    );
    await vi.waitFor(() => expect([statusOf(client, 1), statusOf(client, 3)]).toEqual([BAD_REQUEST, OK]));
    await vi.waitFor(() => expect(bodyOf(client, 1)).toContain(JSON.stringify(name)));
    expect(handler).toHaveBeenCalledTimes(1);
    expect(server.listener.counters.malformedRequests).toBe(1);
  });

  test.each([' bob', 'bob ', '\tbob \t'])('white space around %j is no part of it', async (value) => {
    const server = await start((exchange) =>
      exchange.respond(200, undefined, `[${exchange.header('impersonate-user')}]`),
    );
    const client = await connect(server);
    client.send(frame(FrameType.headers, END, 1, target + headerBlock([['impersonate-user', value]])));
    await vi.waitFor(() => expect(bodyOf(client, 1)).toBe('[bob]'));
    const answer = await request1(server.url, { headers: { 'impersonate-user': value } });
    expect(answer.body.toString()).toBe('[bob]');
  });

  test('allows bytes beyond ASCII, tabs and spaces inside, and empty values', async () => {
    const server = await start((exchange) =>
      exchange.respond(200, undefined, [...exchange.headers()].join('|')),
    );
    const client = await connect(server);
    const headers = [
      ['a', 'b\xe4'],
      ['c', 'd \te'],
      ['f', ''],
    ] as const;
    client.send(frame(FrameType.headers, END, 1, target + headerBlock(headers)));
    await vi.waitFor(() =>
      expect(
        framesOf(client)
          .find(({ type }) => type === FrameType.data)
          ?.payload.toString(),
      ).toBe('a,bä|c,d \te|f,'),
    );
  });

  test('detects them in Huffman-coded values', async () => {
    const server = await start(plain);
    const client = await connect(server);
    // `a` and NUL, Huffman-coded.
    client.send(frame(FrameType.headers, END, 1, `${target}\0\x01a\x83\x1f\xfe\x3f`));
    await vi.waitFor(() => expect(statusOf(client, 1)).toBe(BAD_REQUEST));
  });

  test('refuses requests that refer to one by index, and serves others', async () => {
    const handler = vi.fn(plain);
    const server = await start(handler);
    const client = await connect(server);
    client.send(frame(FrameType.headers, END, 1, target + literal(0x40, 'impersonate-user', 'bob\0')));
    client.send(frame(FrameType.headers, END, 3, `${target}\xbe`));
    client.send(frame(FrameType.headers, END, 5, target));
    await vi.waitFor(() =>
      expect([1, 3, 5].map((stream) => statusOf(client, stream))).toEqual([BAD_REQUEST, BAD_REQUEST, OK]),
    );
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('detects them after padding and priority, in continuations, and in any pieces', async () => {
    const handler = vi.fn(plain);
    const server = await start(handler);
    const client = await connect(server);
    const bad = target + headerBlock([['impersonate-user', 'bob\0']]);
    const padded = `\x03\0\0\0\0\x10${bad}\0\0\0`;
    const bytes =
      frame(FrameType.headers, END | 0x8 | 0x20, 1, padded) +
      frame(FrameType.headers, Flag.endStream, 3, bad.slice(0, 20)) +
      frame(FrameType.continuation, 0, 3) +
      frame(FrameType.continuation, Flag.endHeaders, 3, bad.slice(20)) +
      frame(FrameType.ping, 0, 0, '12345678') +
      frame(FrameType.headers, END, 5, target);
    for (const byte of bytes) client.send(byte);
    await vi.waitFor(() =>
      expect([statusOf(client, 1), statusOf(client, 3), statusOf(client, 5)]).toEqual([
        BAD_REQUEST,
        BAD_REQUEST,
        OK,
      ]),
    );
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('trailers do not start a request', async () => {
    const server = await start(
      (exchange) => void exchange.readBody(100).then((body) => exchange.respond(200, undefined, body)),
    );
    const client = await connect(server);
    client.send(
      frame(FrameType.headers, Flag.endHeaders, 1, request('POST', '/')) + frame(FrameType.data, 0, 1, 'x'),
    );
    client.send(
      frame(FrameType.headers, END, 1, headerBlock([['a', '\0']])) + frame(FrameType.headers, END, 3, target),
    );
    await vi.waitFor(() => expect([statusOf(client, 1), statusOf(client, 3)]).toEqual([OK, OK]));
  });

  test('accepts all headers of ordinary clients', async () => {
    const server = await start((exchange) =>
      exchange.respond(200, undefined, String([...exchange.headers()].length)),
    );
    const session = server.h2();
    const characters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));
    const headers = Object.fromEntries(
      characters.map((character, index) => [`x-${index}`, `a${character} ${character}${character}`]),
    );
    for (let round = 0; round < 3; round++) {
      const { status, body } = await request2(session, { ':path': '/', ...headers });
      expect([status, body.toString()]).toEqual([200, '94']);
    }
  });
});
