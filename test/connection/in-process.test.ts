import { describe, expect, test, vi } from 'vitest';
import { BodyAbortedError, BodyTooLargeError } from '../../src/connection/exchange.ts';
import { createInProcessExchange } from '../../src/connection/in-process.ts';

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const piece = Buffer.alloc(100_000, 'x');

test('a request and its response', async () => {
  const { exchange, response } = createInProcessExchange({
    method: 'post',
    target: '/api',
    headers: { 'X-A': ['1', '2'], accept: 'any' },
    body: 'hello',
  });
  expect([
    exchange.method,
    exchange.target,
    exchange.protocol,
    exchange.header('x-a'),
    exchange.header('constructor'),
  ]).toEqual(['POST', '/api', 'in-process', '1', undefined]);
  expect(exchange.headerValues('x-a')).toEqual(['1', '2']);
  expect([...exchange.headers()]).toEqual([
    ['x-a', '1'],
    ['x-a', '2'],
    ['accept', 'any'],
  ]);
  expect((await exchange.readBody(5)).toString()).toBe('hello');
  await expect(exchange.readBody(4)).rejects.toBeInstanceOf(BodyTooLargeError);
  exchange.setHeader('Audit-Id', 'one');
  exchange.respond(201, 'application/json', '{}');
  exchange.respond(500, 'text/plain', 'late');
  const answer = await response;
  expect(answer).toMatchObject({
    status: 201,
    headers: { 'audit-id': 'one', 'content-type': 'application/json', 'content-length': '2' },
  });
  expect(await textOf(answer.body)).toBe('{}');
  expect([exchange.signal.aborted, exchange.closed]).toEqual([true, false]);
});

test('reads a streamed request body in chunks', async () => {
  const { exchange } = createInProcessExchange({
    method: 'POST',
    target: '/',
    body: (async function* () {
      yield Buffer.from('a');
      yield Buffer.from('b');
    })(),
  });
  expect((await exchange.readBody(10)).toString()).toBe('ab');
});

describe('streams', () => {
  test('a producer waits for its reader', async () => {
    const { exchange, response } = createInProcessExchange({ method: 'GET', target: '/' });
    const writer = exchange.startStream(200, 'application/json', { 'X-Streamed': 'yes' });
    const answer = await response;
    expect(answer.headers['x-streamed']).toBe('yes');
    while (writer.write(piece));
    let drained = false;
    const waiting = writer.drained().then(() => {
      drained = true;
    });
    await Promise.resolve();
    expect(drained).toBe(false);
    const reader = answer.body[Symbol.asyncIterator]();
    await reader.next();
    await waiting;
    writer.end();
    let length = piece.length;
    for (let next = await reader.next(); !next.done; next = await reader.next()) length += next.value.length;
    expect(length).toBe(300_000);
    expect(exchange.closed).toBe(false);
  });

  test('wakes the reader for later writes', async () => {
    const { exchange, response } = createInProcessExchange({ method: 'GET', target: '/' });
    const writer = exchange.startStream(200, 'application/json');
    const reader = (await response).body[Symbol.asyncIterator]();
    const next = reader.next();
    writer.write(Buffer.from('event'));
    expect(Buffer.from((await next).value as Uint8Array).toString()).toBe('event');
  });

  test('ending the iteration disconnects the client', async () => {
    const finished = vi.fn();
    const { exchange, response } = createInProcessExchange({ method: 'GET', target: '/' });
    exchange.onFinished(finished);
    const writer = exchange.startStream(200, 'application/json');
    writer.write(piece);
    for await (const chunk of (await response).body) {
      expect(chunk.length).toBe(100_000);
      break;
    }
    expect([
      exchange.closed,
      exchange.signal.aborted,
      writer.closed,
      writer.write(piece),
      writer.queuedBytes,
    ]).toEqual([true, true, true, false, 0]);
    await expect(writer.drained()).rejects.toBeInstanceOf(BodyAbortedError);
    expect(finished).toHaveBeenCalledOnce();
  });

  test('the signal of the request ends a waiting reader', async () => {
    const controller = new AbortController();
    const { exchange, response } = createInProcessExchange({
      method: 'GET',
      target: '/',
      signal: controller.signal,
    });
    exchange.startStream(200, 'application/json');
    const reader = textOf((await response).body);
    controller.abort();
    await expect(reader).rejects.toBeInstanceOf(BodyAbortedError);
    expect(exchange.closed).toBe(true);
  });

  test('an abandoned exchange rejects its response; an aborted stream is truncated', async () => {
    const unanswered = createInProcessExchange({ method: 'GET', target: '/' });
    unanswered.exchange.abort();
    await expect(unanswered.response).rejects.toBeInstanceOf(BodyAbortedError);
    await expect(unanswered.exchange.readBody(1)).rejects.toBeInstanceOf(BodyAbortedError);
    const { exchange, response } = createInProcessExchange({ method: 'GET', target: '/' });
    const writer = exchange.startStream(200, 'text/plain');
    writer.write(piece);
    writer.abort();
    await expect(textOf((await response).body)).rejects.toBeInstanceOf(BodyAbortedError);
  });

  test('a producer that ignores back-pressure is aborted', async () => {
    const { exchange } = createInProcessExchange({ method: 'GET', target: '/' });
    const writer = exchange.startStream(200, 'text/plain');
    for (let sent = 0; sent < 1000 && !writer.closed; sent++) writer.write(piece);
    expect([writer.closed, exchange.closed, writer.queuedBytes]).toEqual([true, true, 0]);
  });
});
