import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { frame } from '../../src/grpc/grpc.ts';
import { Http2Channel } from '../../src/grpc/http2-channel.ts';

const server = createServer();
let pings = 0;
let channel: Http2Channel;
server.on('session', (session) => session.on('ping', () => (pings += 1)));
server.on('stream', (stream) => {
  stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frame(Buffer.from('answer')));
});

beforeEach(async () => {
  pings = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const timeouts = { connectTimeout: 10_000, keepaliveInterval: 60_000, keepaliveTimeout: 10_000 };
  channel = new Http2Channel(`http://127.0.0.1:${port}`, timeouts);
});
afterEach(async () => {
  channel.close();
  await once(server.close(), 'close');
});

it('calls that fail together check their connection once', async () => {
  const call = () => channel.unary('/service/method', Buffer.from('request'), { timeout: 10_000 });
  await call();
  for (let round = 0; round < 5; round += 1) {
    channel.probe();
    channel.probe();
    // The server has read the pings before it answers.
    expect((await call()).toString()).toBe('answer');
  }
  expect(pings).toBe(1);
});
