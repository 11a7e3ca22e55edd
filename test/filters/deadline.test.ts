import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deadlineFilter } from '../../src/filters/deadline.ts';
import { request, textOf } from './context.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('times out a request with a Status as text, for every Accept header', async () => {
  let now = 0;
  const { filter } = deadlineFilter(60_000, () => now);
  const { context, response } = request('GET', '/api/v1/pods?timeout=1s', {
    headers: { accept: 'application/yaml' },
  });
  Object.assign(context, { arrived: 0 });
  void filter(context, () => new Promise(() => undefined));
  now = 1_500;
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  const answer = await response;
  expect([answer.status, answer.headers['content-type']]).toEqual([504, 'text/plain; charset=utf-8']);
  expect(await textOf(answer)).toBe(
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout",' +
      '"reason":"Timeout","details":{},"code":504}\n',
  );
});

it.each([
  ['PATCH', '/api/v1/namespaces/n/pods/p?timeout=1s', 'context deadline exceeded'],
  ['GET', '/api/v1/namespaces/n/pods/p?timeout=1s', undefined],
])('tells the audit why a %s timed out', (method, path, reason) => {
  let now = 0;
  const { filter } = deadlineFilter(60_000, () => now);
  const { context } = request(method, path);
  const recorded: (string | undefined)[] = [];
  const audit = {
    setResponseStatus: ({ message }: { message?: string }) => recorded.push(message),
    setResponseBody: () => undefined,
  };
  Object.assign(context, { arrived: 0, audit });
  void filter(context, () => new Promise(() => undefined));
  now = 1_500;
  vi.advanceTimersByTime(1_000);
  expect(recorded.map((message) => message?.split(' - ')[1])).toEqual(reason === undefined ? [] : [reason]);
});

it('forgets a request that failed at once', () => {
  const { filter } = deadlineFilter(60_000, () => 0);
  expect(() =>
    filter(request('GET', '/api/v1/pods').context, () => {
      throw new Error('at once');
    }),
  ).toThrow('at once');
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

it.each(['/api/v1/namespaces/a/pods/b/log', '/api/v1/pods?watch=1', '/debug/pprof/profile'])(
  'lets %s take as long as it needs',
  (path) => {
    let now = 0;
    const { filter } = deadlineFilter(60_000, () => now);
    const { context } = request('GET', path);
    void filter(context, () => new Promise(() => undefined));
    now = 120_000;
    vi.advanceTimersByTime(120_000);
    expect([context.deadline, context.exchange.responded]).toEqual([Number.POSITIVE_INFINITY, false]);
  },
);
