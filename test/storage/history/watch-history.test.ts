import { expect, it } from 'vitest';
import type { Operation, Outcome, Request } from './operation.ts';
import { findWatchProblem, type SeenEvent, type WatchHistory } from './watch-history.ts';

const write = (request: Request, outcome: Outcome): Operation => ({
  client: 0,
  key: 'k',
  request,
  outcome,
  invoked: 0,
  returned: 1,
});
const done = (revision: number): Outcome => ({ kind: 'done', revision });
const OPERATIONS = [
  write({ kind: 'create', value: 'a' }, done(2)),
  write({ kind: 'update', value: 'b' }, done(3)),
  write({ kind: 'update', value: 'lost' }, { kind: 'unknown' }),
  write({ kind: 'delete' }, done(6)),
  write({ kind: 'create', value: 'c' }, done(7)),
];
const event = (type: SeenEvent['type'], revision: number, value: string): SeenEvent => ({
  type,
  key: 'k',
  revision,
  value,
});
const EVENTS = [
  event('ADDED', 2, 'a'),
  event('MODIFIED', 3, 'b'),
  event('MODIFIED', 5, 'lost'),
  event('DELETED', 6, 'lost'),
  event('ADDED', 7, 'c'),
];
const history = (events: readonly SeenEvent[], from = 1, initial = new Map()): WatchHistory => ({
  name: 'watcher',
  initial,
  from,
  events,
});
const FINAL = { revision: 7, versions: new Map([['k', { revision: 7, value: 'c' }]]) };
const without = (index: number) => EVENTS.toSpliced(index, 1);

it('accepts watchers that saw everything, also from a later state on', () => {
  const later = history(EVENTS.slice(2), 3, new Map([['k', { revision: 3, value: 'b' }]]));
  expect(findWatchProblem([history(EVENTS), later], OPERATIONS, FINAL)).toBeUndefined();
});

it('accepts that a write whose answer was lost did not happen', () => {
  const events = [...EVENTS.slice(0, 2), event('DELETED', 6, 'b'), EVENTS[4]!];
  expect(findWatchProblem([history(events)], OPERATIONS, FINAL)).toBeUndefined();
});

it.each<[string, readonly SeenEvent[], string]>([
  ['a missing event', without(1), 'missing'],
  ['a missing last event', without(4), 'missing'],
  ['an event twice', [...EVENTS, EVENTS[4]!], 'comes after'],
  ['events in another order', [EVENTS[1]!, EVENTS[0]!, ...EVENTS.slice(2)], 'comes after'],
  ['a value that nobody wrote', EVENTS.with(2, event('MODIFIED', 5, 'x')), 'nobody wrote'],
  ['another value than the one written', EVENTS.with(1, event('MODIFIED', 3, 'c')), 'has the value'],
  ['a deletion with another object', EVENTS.with(3, event('DELETED', 6, 'b')), 'instead of'],
  ['an addition of what exists', EVENTS.with(1, event('ADDED', 3, 'b')), 'exists'],
  ['a lost write that is missing before its deletion', without(2), 'instead of'],
])('finds %s', (_name, events, problem) => {
  expect(findWatchProblem([history(events)], OPERATIONS, FINAL)).toContain(problem);
});

it('finds a state that the events do not lead to', () => {
  const final = { revision: 7, versions: new Map() };
  expect(findWatchProblem([history(EVENTS)], OPERATIONS, final)).toContain('listed as');
});

it('finds watchers that saw different events', () => {
  const events = [...EVENTS.slice(0, 2), event('DELETED', 6, 'b'), EVENTS[4]!];
  expect(findWatchProblem([history(EVENTS), history(events)], OPERATIONS, FINAL)).toContain('saw');
});
