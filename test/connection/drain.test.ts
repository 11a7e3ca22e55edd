import type http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { connect, Flag, FrameType, frame, framesOf, request } from './raw-http2.ts';
import { authority, RawConnection, request2, start } from './support.ts';

const ACK = 1;
const head = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const answer = (exchange: Exchange): void => exchange.respond(200, 'text/plain', `<${exchange.target}>`);
/** Responds in a later turn of the loop, as handlers that read a store do. */
const answerLater = (exchange: Exchange): void => void setImmediate(() => answer(exchange));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('HTTP/1.1: a request that was sent to an idle connection before the drain is answered', async () => {
  const server = await start(answerLater);
  const client = await server.raw();
  client.send(head('/1'));
  await vi.waitFor(() => expect(client.received).toContain('</1>'));
  client.send(head('/2'));
  const drained = server.listener.drain(10_000);
  expect(await client.untilClosed()).toMatch(/<\/2>$/);
  expect(client.error).toBeUndefined();
  expect(await drained).toBe(true);
});

test('HTTP/1.1: a connection that was used just now is closed by its next response', async () => {
  const server = await start(answerLater);
  const client = await server.raw();
  client.send(head('/1'));
  await vi.waitFor(() => expect(client.received).toContain('</1>'));
  const drained = server.listener.drain(10_000);
  await turn();
  await turn();
  await turn();
  client.send(head('/2'));
  expect(await client.untilClosed()).toMatch(/Connection: close\r\n[\s\S]*<\/2>$/);
  expect(await drained).toBe(true);
});

test('HTTP/1.1: pipelined requests are answered in order, the last one closes the connection', async () => {
  const open: Exchange[] = [];
  const server = await start((exchange) => open.push(exchange));
  const client = await server.raw();
  client.send(head('/1') + head('/2') + head('/3'));
  await vi.waitFor(() => expect(open).toHaveLength(1));
  const drained = server.listener.drain(10_000);
  for (let count = 1; count <= 3; count += 1) {
    await vi.waitFor(() => expect(open).toHaveLength(count));
    answer(open[count - 1]!);
  }
  const received = await client.untilClosed();
  expect(received.match(/Connection: close|<\/\d>/g)).toEqual(['</1>', '</2>', 'Connection: close', '</3>']);
  expect(await drained).toBe(true);
});

test('HTTP/1.1: what a client sends after the last response is not handled, and resets nothing', async () => {
  const handled: string[] = [];
  const open: Exchange[] = [];
  const server = await start((exchange) => {
    handled.push(exchange.target);
    open.push(exchange);
  });
  const client = await server.raw();
  client.send(head('/1'));
  await vi.waitFor(() => expect(open).toHaveLength(1));
  const drained = server.listener.drain(10_000);
  await turn();
  await turn();
  answer(open[0]!);
  // The response is in the socket, and the client does not know it yet.
  for (let count = 0; count < 50; count += 1) client.send(head('/late') + 'x'.repeat(20_000));
  expect(await client.untilClosed()).toMatch(/Connection: close\r\n[\s\S]*<\/1>$/);
  expect(client.error).toBeUndefined();
  expect(handled).toEqual(['/1']);
  expect(await drained).toBe(true);
});

test.each(['HTTP/1.1', 'HTTP/2'])(
  '%s: connections that were opened before the drain are accepted and served once',
  async (protocol) => {
    const server = await start(answerLater);
    const sockets = Array.from({ length: 5 }, () => net.connect(server.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const drained = server.listener.drain(10_000);
    const answers = sockets.map(async (below) => {
      const socket = tls.connect({
        socket: below,
        ca: authority,
        servername: 'localhost',
        ALPNProtocols: [protocol === 'HTTP/2' ? 'h2' : 'http/1.1'],
      });
      if (protocol === 'HTTP/2') {
        const { body } = await request2(server.h2({ createConnection: () => socket }), { ':path': '/new' });
        return body.toString();
      }
      socket.write(head('/new'));
      return new RawConnection(socket).untilClosed();
    });
    for (const received of await Promise.all(answers)) expect(received).toMatch(/<\/new>$/);
    expect(await drained).toBe(true);
  },
);

test('HTTP/2: requests up to the last stream of GOAWAY are answered, later ones are left to the client', async () => {
  const server = await start(answerLater);
  const client = await connect(server);
  const get = (stream: number): string =>
    frame(FrameType.headers, Flag.endHeaders | Flag.endStream, stream, request('GET', `/${stream}`));
  client.send(get(1));
  await vi.waitFor(() => expect(framesOf(client).some(({ type }) => type === FrameType.data)).toBe(true));
  client.send(get(3));
  const drained = server.listener.drain(10_000);
  const goaways = () =>
    framesOf(client)
      .filter(({ type }) => type === FrameType.goaway)
      .map(({ payload }) => payload.readUInt32BE(0));
  await vi.waitFor(() => expect(goaways()).toHaveLength(1));
  // Sent after the first GOAWAY, before the acknowledgement of the PING that follows it.
  const ping = framesOf(client).find(({ type }) => type === FrameType.ping)!;
  client.send(get(5) + frame(FrameType.ping, ACK, 0, ping.payload.toString('latin1')) + get(7));
  await client.untilClosed();
  expect(goaways()).toEqual([2 ** 31 - 1, 5]);
  const answered = framesOf(client).filter(({ type }) => type === FrameType.headers);
  expect(answered.map(({ stream }) => stream)).toEqual([1, 3, 5]);
  expect(client.error).toBeUndefined();
  expect(await drained).toBe(true);
});

test('HTTP/2: the end of the drain names the last stream to a client that acknowledges nothing', async () => {
  const server = await start(answer, { limits: { drainCloseTimeout: 10 } });
  const client = await connect(server);
  client.send(frame(FrameType.headers, Flag.endHeaders | Flag.endStream, 1, request('GET', '/1')));
  await vi.waitFor(() => expect(framesOf(client).some(({ type }) => type === FrameType.data)).toBe(true));
  expect(await server.listener.drain(10_000)).toBe(true);
  await server.listener.close();
  await client.untilClosed();
  const goaways = framesOf(client).filter(({ type }) => type === FrameType.goaway);
  expect(goaways.map(({ payload }) => payload.readUInt32BE(0))).toEqual([2 ** 31 - 1, 1]);
});

test('clients that keep sending while servers are replaced lose no request', {
  timeout: 60_000,
}, async () => {
  let server = await start(answerLater);
  let port = server.port;
  let stopped = false;
  const failures: string[] = [];
  let answered = 0;
  const retried = (code: string | undefined): boolean => code === 'ECONNREFUSED';
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const overHttp1 = (): Promise<string> =>
    new Promise((resolve, reject) => {
      https
        .get({ host: 'localhost', port, path: '/x', ca: authority, agent }, (response) => {
          response.on('data', () => undefined).on('end', () => resolve(String(response.statusCode)));
          response.on('error', reject);
        })
        .on('error', reject);
    });
  let session: http2.ClientHttp2Session | undefined;
  const overHttp2 = async (): Promise<string> => {
    if (session === undefined || session.closed || session.destroyed) {
      const opened = server.h2();
      opened.once('goaway', () => {
        if (session === opened) session = undefined;
      });
      session = opened;
    }
    const current = session;
    return String((await request2(current, { ':path': '/x' })).status);
  };
  const loop = async (send: () => Promise<string>): Promise<void> => {
    while (!stopped)
      try {
        expect(await send()).toBe('200');
        answered += 1;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (!retried(code)) failures.push(`${code} ${message}`);
        await turn();
      }
  };
  const loops = [loop(overHttp1), loop(overHttp2)];
  for (let round = 0; round < 5; round += 1) {
    const goal = answered + 50;
    await vi.waitFor(() => expect(answered).toBeGreaterThan(goal), { timeout: 10_000 });
    const next = await start(answerLater);
    const old = server;
    server = next;
    port = next.port;
    expect(await old.listener.drain(10_000)).toBe(true);
    await old.listener.close();
  }
  stopped = true;
  await Promise.all(loops);
  expect(failures).toEqual([]);
});

test('a TLS connection that sends nothing does not delay the drain for long', async () => {
  const server = await start(answer, { limits: { drainCloseTimeout: 20 } });
  const silent = tls.connect({
    port: server.port,
    host: '127.0.0.1',
    ca: authority,
    servername: 'localhost',
  });
  silent.on('error', () => undefined);
  onTestFinished(() => void silent.destroy());
  silent.pause();
  await new Promise((resolve) => silent.once('secureConnect', resolve));
  expect(await server.listener.drain(10_000)).toBe(true);
});
