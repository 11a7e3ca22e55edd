import { expect, test, vi } from 'vitest';
import { BodyRefusedError, type Exchange } from '../../src/connection/exchange.ts';
import { BodyBudget } from '../../src/request/body-budget.ts';
import { type RawConnection, request1, request2, start } from './support.ts';

const LIMIT = 1_000_000;
const BODY = Buffer.alloc(LIMIT, 'x');

/** A server that bounds the bodies of the user in a header. */
async function bounded(perUser: number, total: number) {
  const budget = new BodyBudget({ perUser, total });
  const pending: Exchange[] = [];
  const server = await start((exchange) => {
    exchange.readBody(LIMIT, budget.open(exchange.header('user') ?? '')).then(
      (body) => {
        if (exchange.target === '/hold') pending.push(exchange);
        else exchange.respond(200, 'text/plain', String(body.length));
      },
      (error: Error) =>
        exchange.respond(error instanceof BodyRefusedError ? 429 : 400, 'text/plain', error.name),
    );
  });
  const half = async (user: string): Promise<RawConnection> => {
    const client = await server.raw();
    return client.send(
      `POST / HTTP/1.1\r\nHost: a\r\nUser: ${user}\r\nContent-Length: ${LIMIT}\r\n\r\n${'x'.repeat(LIMIT / 2)}`,
    );
  };
  return { budget, server, pending, half };
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

test('a body in many small pieces is bounded in the same way', async () => {
  const { server } = await bounded(LIMIT, LIMIT);
  const client = await server.raw();
  client.socket.setNoDelay(true);
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let index = 0; index < 3000; index++) client.send('3\r\nabc\r\n');
  client.send(`20000\r\n${'x'.repeat(0x20000)}\r\n0\r\n\r\n`);
  await vi.waitFor(() => expect(client.received).toMatch(/\r\n\r\n140072$/), 10_000);
});
