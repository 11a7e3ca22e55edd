import { connect as connectTcp } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { authority, type Running, start } from './support.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('pipelined requests beyond the bound are read when others have been answered', async () => {
  const count = 5000;
  const targets: string[] = [];
  let most = 0;
  const server = await start(
    (exchange) => {
      targets.push(exchange.target);
      most = Math.max(most, server.listener.counters.openExchanges);
      setImmediate(() => exchange.respond(200, 'text/plain', ''));
    },
    { limits: { pipelinedRequests: 10 } },
  );
  const client = await server.raw();
  client.send(Array.from({ length: count }, (_, index) => get(`/${index}`)).join(''));
  await vi.waitFor(() => expect(targets).toHaveLength(count), 30_000);
  // The requests of one piece of 8 kB may exceed the bound.
  expect(most).toBeLessThan(12 + 8192 / get('/1').length);
  expect(targets).toEqual(Array.from({ length: count }, (_, index) => `/${index}`));
  await vi.waitFor(() => expect(client.received.match(/HTTP\/1\.1 200/g)).toHaveLength(count), 10_000);
  expect(client.closed).toBe(false);
});

test('a body among pipelined requests is read completely', async () => {
  const server = await start(
    (exchange) =>
      void exchange
        .readBody(1_000_000)
        .then((body) => exchange.respond(200, 'text/plain', `${body.length}.`)),
    {
      limits: { pipelinedRequests: 2 },
    },
  );
  const client = await server.raw();
  const post = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`;
  client.send((get('/') + post + get('/')).repeat(20));
  await vi.waitFor(() => expect(client.received.match(/\r\n\r\n\d+\./g)).toHaveLength(60), 10_000);
  expect(client.received.match(/\r\n\r\n100000\./g)).toHaveLength(20);
});

test.each([
  ['Connection: close', '1.1', true],
  ['connection: foo, Close', '1.1', true],
  ['Connection: keep-alive', '1.1', false],
  ['X: y', '1.1', false],
  ['X: y', '1.0', false],
])('a request with %s in HTTP/%s is answered as Go does', async (header, version, says) => {
  const server = await start((exchange) => exchange.respond(200, 'text/plain', 'ok'));
  const client = await server.raw();
  client.send(`GET / HTTP/${version}\r\nHost: a\r\n${header}\r\n\r\n`);
  await vi.waitFor(() => expect(client.received).toMatch(/ok$/));
  expect(client.received.includes('\r\nConnection: close\r\n')).toBe(says);
  expect(client.received.match(/\r\nconnection: /gi) ?? []).toHaveLength(says ? 1 : 0);
});

test('an upgrade receives every byte after its request', async () => {
  const heads: Buffer[] = [];
  const server = await start((exchange) => void heads.push(exchange.takeover()!.head));
  const client = await server.raw();
  const rest = 'y'.repeat(12_000);
  client.send(`GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${rest}`);
  await vi.waitFor(() => expect(heads).toHaveLength(1));
  expect(heads[0]!.toString()).toBe(rest);
});

/** A TLS client that can delay records to send them in one segment. */
async function bufferingClient({ port }: Running) {
  const raw = connectTcp(port, '127.0.0.1');
  const buffered: Buffer[] = [];
  let isHolding = false;
  const wire = new Duplex({
    read: () => void raw.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (!isHolding) raw.write(chunk, () => done());
      else {
        buffered.push(chunk);
        done();
      }
    },
  });
  raw.on('data', (chunk: Buffer) => {
    if (!wire.push(chunk)) raw.pause();
  });
  raw.on('error', () => undefined);
  onTestFinished(() => void raw.destroy());
  const socket = connectTls({
    socket: wire,
    servername: 'localhost',
    ca: authority,
    ALPNProtocols: ['http/1.1'],
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  let received = '';
  return {
    write: (text: string) => void socket.write(text),
    isBlocked: () => raw.isPaused(),
    /** Sends each text in a separate record, all in one segment. */
    async together(texts: readonly string[]) {
      isHolding = true;
      for (const text of texts) await new Promise((resolve) => socket.write(text, resolve));
      isHolding = false;
      raw.write(Buffer.concat(buffered.splice(0)));
    },
    read: () => void socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1'))),
    received: () => received,
  };
}

test('accepts head and body in two records while a response is blocked', async () => {
  const large = Buffer.alloc(32 * 1024 * 1024, 'x');
  let unsent: Exchange | undefined;
  const server = await start((exchange) => {
    if (exchange.target === '/large') {
      unsent = exchange;
      exchange.respond(200, 'text/plain', large);
    } else void exchange.readBody(100).then((body) => exchange.respond(200, 'text/plain', `${body}`));
  });
  const client = await bufferingClient(server);
  client.write(get('/large'));
  await vi.waitFor(() => expect([unsent?.responded, client.isBlocked()]).toEqual([true, true]));
  await client.together(['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n', 'hello']);
  await vi.waitFor(() => expect(server.listener.counters.exchanges).toBe(2));
  client.read();
  await vi.waitFor(() => expect(client.received()).toMatch(/\r\n\r\nhello$/), 10_000);
  expect(server.listener.counters.malformedRequests).toBe(0);
});
