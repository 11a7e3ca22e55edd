import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { BodyAbortedError } from '../../src/connection/exchange.ts';
import {
  acceptWebSocket,
  isWebSocketRequest,
  offeredProtocols,
  type WebSocketChannel,
} from '../../src/connection/websocket.ts';
import { authority, type Running, request1, request2, start } from './support.ts';

async function serving(pingInterval?: number): Promise<{ server: Running; channels: WebSocketChannel[] }> {
  const channels: WebSocketChannel[] = [];
  const server = await start(async (exchange) => {
    if (!isWebSocketRequest(exchange))
      return exchange.respond(200, 'text/plain', `plain ${exchange.header('upgrade') ?? ''}`);
    const channel = await acceptWebSocket(exchange, { pingInterval });
    if (channel !== undefined) channels.push(channel);
  });
  return { server, channels };
}

async function open(
  server: Running,
  offered: string[] = [],
): Promise<{ socket: WebSocket; messages: [string, boolean][] }> {
  const socket = new WebSocket(server.url.replace('https', 'wss'), offered, {
    ca: authority,
    origin: 'https://a.test',
  });
  const messages: [string, boolean][] = [];
  socket.on('message', (data: Buffer, binary) => messages.push([data.toString(), binary]));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, messages };
}

test('ignores a token among the offered subprotocols', () => {
  const token = 'base64url.bearer.authorization.k8s.io.eA';
  expect(offeredProtocols(`${token} , a,,b`)).toEqual(['a', 'b']);
  expect(offeredProtocols(token)).toEqual([]);
  expect(offeredProtocols(undefined)).toEqual([]);
});

test.each([
  [[], ''],
  [['base64.binary.k8s.io'], 'base64.binary.k8s.io'],
  [['base64url.bearer.authorization.k8s.io.eA', 'invented'], 'invented'],
] as [string[], string][])('sends messages over %j', async (offered, protocol) => {
  const expected = [
    ['text', false],
    ['bytes', true],
  ];
  const { server, channels } = await serving();
  const { socket, messages } = await open(server, offered);
  await vi.waitFor(() => expect(channels.length).toBe(1));
  expect(socket.protocol).toBe(protocol);
  socket.send('ignored');
  channels[0]!.send('text');
  channels[0]!.send(Buffer.from('bytes'));
  await vi.waitFor(() => expect(messages).toEqual(expected));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  channels[0]!.close(1000, 'done');
  expect(await closed).toBe(1000);
  await vi.waitFor(() => expect(server.listener.counters.openExchanges).toBe(0));
});

test('an upgrade that is not taken over gets a response and is closed', async () => {
  const { server } = await serving();
  const client = await server.raw();
  client.send(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n',
  );
  expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close[\s\S]*plain h2c$/);
  expect(server.listener.counters.openExchanges).toBe(0);
});

describe('refusals', () => {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    origin: 'https://a.test',
  };

  test.each([
    ['a bad key', { ...handshake, 'sec-websocket-key': 'short' }, 400],
    ['another version', { ...handshake, 'sec-websocket-version': '8' }, 400],
    ['two subprotocols', { ...handshake, 'sec-websocket-protocol': 'a, b' }, 400],
    ['a null origin', { ...handshake, origin: 'null' }, 403],
    ['an origin that is no URI', { ...handshake, origin: 'a.test' }, 403],
    ['an empty origin', { ...handshake, origin: '' }, 403],
  ])('%s', async (_what, headers, status) => {
    const { server } = await serving();
    expect((await request1(server.url, { headers })).status).toBe(status);
  });

  test('refuses an upgrade over HTTP/2', async () => {
    const answers: unknown[] = [];
    const server = await start(async (exchange) => {
      answers.push(exchange.takeover());
      await acceptWebSocket(exchange);
    });
    expect((await request2(server.h2(), { ':path': '/' })).status).toBe(400);
    expect(answers).toEqual([undefined]);
  });
});

test('a client that disconnects, or sends too much, ends the channel', async () => {
  const { server, channels } = await serving();
  const { socket } = await open(server);
  const { socket: chatty } = await open(server);
  chatty.on('error', () => undefined);
  await vi.waitFor(() => expect(channels.length).toBe(2));
  const onClose = vi.fn();
  for (const channel of channels) channel.onClose(onClose);
  socket.terminate();
  chatty.send(Buffer.alloc(70_000));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
  expect([channels[0]!.closed, channels[0]!.send('x')]).toEqual([true, false]);
  await expect(channels[0]!.drained()).rejects.toBeInstanceOf(BodyAbortedError);
});

test('a slow reader makes the producer wait; one that never reads is disconnected', async () => {
  const { server, channels } = await serving(100);
  const { socket } = await open(server);
  await vi.waitFor(() => expect(channels.length).toBe(1));
  const channel = channels[0]!;
  const piece = Buffer.alloc(100_000);
  socket.pause();
  for (let sent = 0; sent < 140; sent++) channel.send(piece);
  expect(channel.send(piece)).toBe(false);
  const waiting = channel.drained();
  socket.resume();
  await waiting;
  expect(channel.queuedBytes).toBeLessThan(256 * 1024);
  socket.pause();
  for (let sent = 0; sent < 140; sent++) channel.send(piece);
  await vi.waitFor(() => expect(channel.closed).toBe(true));
});
