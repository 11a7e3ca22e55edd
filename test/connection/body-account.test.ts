import type { ClientHttp2Stream } from 'node:http2';
import { expect, test, vi } from 'vitest';
import { BodyRefusedError, type Exchange } from '../../src/connection/exchange.ts';
import { BodyBudget } from '../../src/request/body-budget.ts';
import { connect, Flag, FrameType, frame, framesOf, request } from './raw-http2.ts';
import { type RawConnection, request1, request2, start } from './support.ts';

const LIMIT = 1_000_000;
const BODY = Buffer.alloc(LIMIT, 'x');

/** A server that bounds the bodies of the user in a header. */
async function bounded(perUser: number, total: number) {
  const budget = new BodyBudget({ perUser, total });
  const pending: Exchange[] = [];
  const waiting: Exchange[] = [];
  const server = await start((exchange) => {
    if (exchange.hasBody) exchange.accountBody(budget.open(exchange.header('user') ?? ''));
    if (exchange.target === '/wait') {
      waiting.push(exchange);
      return;
    }
    read(exchange);
  });
  const read = (exchange: Exchange): void => {
    exchange.readBody(LIMIT).then(
      (body) => {
        if (exchange.target === '/hold') pending.push(exchange);
        else exchange.respond(200, 'text/plain', String(body.length));
      },
      (error: Error) =>
        exchange.respond(error instanceof BodyRefusedError ? 429 : 400, 'text/plain', error.name),
    );
  };
  const half = async (user: string): Promise<RawConnection> => {
    const client = await server.raw();
    return client.send(
      `POST / HTTP/1.1\r\nHost: a\r\nUser: ${user}\r\nContent-Length: ${LIMIT}\r\n\r\n${'x'.repeat(LIMIT / 2)}`,
    );
  };
  return { budget, server, pending, waiting, read, half };
}

test('incomplete bodies of one user are bounded; other users are not affected', async () => {
  const { budget, server, half } = await bounded(3 * LIMIT, 10 * LIMIT);
  const clients: RawConnection[] = [];
  for (let index = 0; index < 12; index++) clients.push(await half('storm'));
  const refused = () => clients.filter(({ received }) => received.startsWith('HTTP/1.1 429 '));
  await vi.waitFor(() => expect(refused()).toHaveLength(6), 10_000);
  expect(budget.used).toBe(3 * LIMIT);
  const post = { ':path': '/', ':method': 'POST' };
  const session = server.h2();
  expect((await request2(session, { ...post, user: 'storm' }, BODY)).status).toBe(429);
  expect((await request2(session, { ...post, user: 'other' }, BODY)).status).toBe(200);
  expect((await request1(server.url, { method: 'POST', headers: { user: 'other' } }, BODY)).status).toBe(200);
  for (const client of clients) client.socket.destroy();
  await vi.waitFor(() => expect(budget.used).toBe(0));
});

test('an incomplete body is dropped when another user needs the memory', async () => {
  const { budget, server, half } = await bounded(3 * LIMIT, 3 * LIMIT);
  const clients = [
    await half('storm'),
    await half('storm'),
    await half('storm'),
    await half('storm'),
    await half('storm'),
  ];
  await vi.waitFor(() => expect(budget.used).toBe(2.5 * LIMIT));
  expect((await request2(server.h2(), { ':path': '/', ':method': 'POST', user: 'other' }, BODY)).status).toBe(
    200,
  );
  await vi.waitFor(() =>
    expect(clients.filter(({ received }) => received.startsWith('HTTP/1.1 429 '))).toHaveLength(1),
  );
});

test('a complete body keeps its memory until its response', async () => {
  const { budget, server, pending } = await bounded(LIMIT, LIMIT);
  const session = server.h2();
  const answer = request2(session, { ':path': '/hold', ':method': 'POST' }, BODY);
  await vi.waitFor(() => expect(pending).toHaveLength(1));
  expect(budget.used).toBe(LIMIT);
  expect((await request2(session, { ':path': '/', ':method': 'POST' }, 'x')).status).toBe(429);
  pending[0]!.respond(200, 'text/plain', '');
  expect((await answer).status).toBe(200);
  await vi.waitFor(() => expect(budget.used).toBe(0));
  expect((await request2(session, { ':path': '/', ':method': 'POST' }, BODY)).status).toBe(200);
});

test('bodies that nobody reads count like those that are read', async () => {
  const part = 100_000;
  const { budget, server, waiting, read } = await bounded(3 * part, 4 * part);
  const session = server.h2();
  const answers: Promise<number>[] = [];
  const post = async (user: string, used: number, isComplete = false): Promise<ClientHttp2Stream> => {
    const stream = session.request({ ':path': '/wait', ':method': 'POST', user });
    answers.push(new Promise((resolve) => stream.on('response', (head) => resolve(head[':status']!))));
    if (isComplete) stream.end(BODY.subarray(0, part));
    else stream.write(BODY.subarray(0, part));
    await vi.waitFor(() => expect(waiting).toHaveLength(answers.length));
    await vi.waitFor(() => expect(budget.used).toBe(used));
    return stream;
  };
  await post('storm', part, true);
  await post('storm', 2 * part);
  const third = await post('storm', 3 * part);
  // It exceeds what the user may have; those of others do not.
  await post('storm', 3 * part);
  await post('other', 4 * part, true);
  // The first one of the storm is complete: the second one is dropped for this one.
  const last = await post('third', 4 * part);
  for (const exchange of waiting) read(exchange);
  third.end();
  last.end();
  expect(await Promise.all(answers)).toEqual([200, 429, 200, 429, 200, 200]);
  session.destroy();
  await vi.waitFor(() => expect(budget.used).toBe(0));
});

test('a streamed body counts until it is consumed, and is dropped above the bound', async () => {
  const { budget, server, waiting } = await bounded(100_000, LIMIT);
  const client = await connect(server);
  const ping = frame(FrameType.ping, 0, 0, '12345678');
  let pings = 0;
  const send = async (frames: string): Promise<void> => {
    client.send(frames + ping);
    pings += 1;
    const answers = (): number => framesOf(client).filter(({ type }) => type === FrameType.ping).length;
    await vi.waitFor(() => expect(answers()).toBe(pings));
  };
  const data = frame(FrameType.data, 0, 1, 'x'.repeat(10_000));
  await send(frame(FrameType.headers, Flag.endHeaders, 1, request('POST', '/wait')) + data.repeat(5));
  expect(budget.used).toBe(50_000);
  const chunks = waiting[0]!.bodyStream()[Symbol.asyncIterator]();
  expect((await chunks.next()).value).toHaveLength(50_000);
  expect(budget.used).toBe(0);
  await send(data.repeat(10));
  expect(budget.used).toBe(100_000);
  await send(data);
  expect(budget.used).toBe(0);
  await expect(chunks.next()).rejects.toBeInstanceOf(BodyRefusedError);
});

test('a body in many small pieces is bounded in the same way', async () => {
  const { server } = await bounded(LIMIT, LIMIT);
  const client = await server.raw();
  client.socket.setNoDelay(true);
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let index = 0; index < 3000; index++) client.send('3\r\nabc\r\n');
  client.send(`20000\r\n${'x'.repeat(0x20000)}\r\n0\r\n\r\n`);
  await vi.waitFor(() => expect(client.received).toMatch(/\r\n\r\n140072$/), 10_000);
});
