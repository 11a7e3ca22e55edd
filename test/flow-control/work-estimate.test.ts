import { describe, expect, it } from 'vitest';
import { estimateWork } from '../../src/flow-control/work-estimate.ts';
import { request } from '../filters/context.ts';

const EVENTS = '/apis/foo.bar/v1/events';

function estimate(
  method: string,
  target: string,
  known: { objects?: number; watches?: number; maximum?: number; watchList?: boolean } = {},
) {
  const { objects, watches = 0, maximum = 10, watchList = true } = known;
  const counted: number[] = [];
  const sources = { objects: () => objects, watches: () => watches, watchList };
  const work = estimateWork(request(method, target).context, sources, maximum, (count) =>
    counted.push(count),
  );
  return { ...work, counted };
}

describe('the seats of a list', () => {
  it.each([
    ['?limit=invalid', 799, 10, 10],
    // An exact list is read from storage: twice its page.
    ['?limit=399&resourceVersion=1', 699, 10, 8],
    ['?resourceVersion=1', 699, 10, 7],
    ['', 399, 10, 4],
    ['?limit=100', 399, 10, 4],
    ['', undefined, 10, 1],
    ['?continue=token&limit=399', 699, 10, 8],
    ['?continue=token&limit=100&labelSelector=a%3Db', 199, 10, 3],
    ['?limit=299&resourceVersion=0', 399, 10, 4],
    ['?resourceVersion=0', 799, 10, 8],
    ['?resourceVersion=7&resourceVersionMatch=Exact&limit=399', 699, 10, 8],
    ['?resourceVersion=7&resourceVersionMatch=NotOlderThan', 799, 10, 8],
    ['?resourceVersion=7', 1999, 10, 10],
    ['?resourceVersion=7', 1999, 5, 5],
    ['?fieldSelector=metadata.name%3Dtest', 1999, 10, 1],
    ['', 0, 10, 1],
  ])('%s of %s objects, at most %s: %s', (query, objects, maximum, seats) => {
    const known = objects === undefined ? { maximum } : { objects, maximum };
    expect(estimate('GET', `${EVENTS}${query}`, known).initialSeats).toBe(seats);
  });

  it.each([
    ['?watch=1', true, 1],
    ['?watch=1&sendInitialEvents=false', true, 1],
    ['?watch=1&sendInitialEvents=true', true, 8],
    ['?watch=1&sendInitialEvents=true', false, 1],
  ])('a watch %s with the gate %s: %s', (query, watchList, seats) => {
    expect(estimate('GET', `${EVENTS}${query}`, { objects: 799, watchList }).initialSeats).toBe(seats);
  });
});

describe('the seats of a write', () => {
  it.each([
    ['POST', EVENTS, 0, 10, 0, 0],
    ['POST', EVENTS, 9, 10, 0, 0],
    ['POST', EVENTS, 29, 10, 3, 5],
    ['PUT', `${EVENTS}/e`, 29, 10, 3, 5],
    ['PATCH', `${EVENTS}/e`, 100, 5, 5, 10],
    ['DELETE', `${EVENTS}/e`, 1000, 10, 10, 50],
    ['DELETE', EVENTS, 1000, 10, 0, 0],
    ['POST', '/api/v1/namespaces/n/serviceaccounts/a/token', 5777, 10, 0, 0],
  ])(
    '%s %s with %s watches, at most %s: %s for %s ms',
    (method, target, watches, maximum, seats, latency) => {
      const work = estimate(method, target, { watches, maximum });
      expect([work.initialSeats, work.finalSeats, work.finalMilliseconds]).toEqual([1, seats, latency]);
    },
  );

  it('reports the number of watches', () => {
    expect(estimate('POST', EVENTS, { watches: 4 }).counted).toEqual([4]);
    expect(estimate('GET', EVENTS, { watches: 4 }).counted).toEqual([]);
  });
});
