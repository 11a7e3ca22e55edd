import { describe, expect, it } from 'vitest';
import { findNonLinearizable } from './linearizability.ts';
import type { Operation, Outcome, Request } from './operation.ts';

/** An operation from its times, `[invoked, returned]`. */
const operation = (times: readonly [number, number], request: Request, outcome: Outcome): Operation => ({
  client: 0,
  key: 'k',
  request,
  outcome,
  invoked: times[0],
  returned: times[1],
});
type Times = readonly [number, number];
const UNKNOWN: Outcome = { kind: 'unknown' };
const REFUSED: Outcome = { kind: 'refused' };
const done = (revision: number): Outcome => ({ kind: 'done', revision });
const create = (times: Times, value: string, outcome: Outcome) =>
  operation(times, { kind: 'create', value }, outcome);
const update = (times: Times, value: string, expected: number | undefined, outcome: Outcome) =>
  operation(times, { kind: 'update', value, ...(expected !== undefined && { expected }) }, outcome);
const remove = (times: Times, outcome: Outcome, expected?: number) =>
  operation(times, { kind: 'delete', ...(expected !== undefined && { expected }) }, outcome);
const read = (times: Times, value?: string, revision = 0) =>
  operation(
    times,
    { kind: 'read' },
    { kind: 'done', version: value === undefined ? undefined : { value, revision } },
  );

describe('histories that are linearizable', () => {
  it.each<[string, Operation[]]>([
    ['none', []],
    [
      'a read before and after a creation',
      [read([0, 1]), create([2, 3], 'a', done(1)), read([4, 5], 'a', 1)],
    ],
    ['a read during a write, of the old value', [create([0, 9], 'a', done(1)), read([1, 8])]],
    ['a read during a write, of the new value', [create([0, 9], 'a', done(1)), read([1, 2], 'a', 1)]],
    [
      'writes at the same time, in the order of their revisions',
      [
        create([0, 1], 'a', done(1)),
        update([2, 9], 'b', undefined, done(3)),
        update([2, 9], 'c', undefined, done(2)),
        read([3, 8], 'c', 2),
        read([10, 11], 'b', 3),
      ],
    ],
    [
      'one winner of two conditional writes',
      [create([0, 1], 'a', done(1)), update([2, 5], 'b', 1, REFUSED), update([2, 4], 'c', 1, done(2))],
    ],
    [
      'a lost answer of a write that was carried out much later',
      [create([0, 1], 'a', UNKNOWN), read([2, 3]), read([4, 5], 'a', 7), remove([6, 7], done(8))],
    ],
    [
      'a lost answer of a write that was never carried out',
      [create([0, 1], 'a', done(1)), update([2, 3], 'b', 1, UNKNOWN), update([4, 5], 'c', 1, done(2))],
    ],
    [
      'a creation that is refused because of one whose answer was lost',
      [create([0, 1], 'a', UNKNOWN), create([2, 3], 'b', REFUSED)],
    ],
    [
      'a deletion and another creation',
      [
        create([0, 1], 'a', done(1)),
        remove([2, 3], done(2), 1),
        create([4, 5], 'b', done(3)),
        read([6, 7], 'b', 3),
      ],
    ],
  ])('%s', (_name, operations) => {
    expect(findNonLinearizable(operations)).toBeUndefined();
  });

  it('many at the same time', () => {
    const operations: Operation[] = [create([0, 1], 'v1', done(1))];
    for (let index = 2; index <= 400; index += 1) {
      operations.push(update([index, index + 12], `v${index}`, undefined, done(index)));
      operations.push(read([index + 1, index + 9], `v${index}`, index));
      if (index % 10 === 0) operations.push(update([index, index], `lost${index}`, undefined, UNKNOWN));
    }
    expect(findNonLinearizable(operations)).toBeUndefined();
  });
});

describe('histories that are not linearizable', () => {
  it.each<[string, Operation[]]>([
    ['a stale read', [create([0, 1], 'a', done(1)), update([2, 3], 'b', 1, done(2)), read([4, 5], 'a', 1)]],
    ['a lost write', [create([0, 1], 'a', done(1)), read([2, 3])]],
    [
      'two winners',
      [create([0, 1], 'a', done(1)), update([2, 5], 'b', 1, done(2)), update([2, 5], 'c', 1, done(3))],
    ],
    ['two creations', [create([0, 3], 'a', done(1)), create([0, 3], 'b', done(2))]],
    [
      'reads that go back',
      [
        create([0, 1], 'a', done(1)),
        update([2, 9], 'b', 1, done(2)),
        read([3, 4], 'b', 2),
        read([5, 6], 'a', 1),
      ],
    ],
    ['a value that nobody wrote', [create([0, 1], 'a', done(1)), read([2, 3], 'x', 1)]],
    ['a refused write that was carried out', [create([0, 1], 'a', REFUSED), read([2, 3], 'a', 1)]],
    ['a refusal without a reason', [create([0, 1], 'a', REFUSED)]],
    [
      'a write that is carried out twice',
      [
        create([0, 1], 'a', done(1)),
        update([2, 3], 'b', undefined, UNKNOWN),
        read([4, 5], 'b', 2),
        update([6, 7], 'c', 2, done(3)),
        read([8, 9], 'b', 4),
      ],
    ],
    [
      'revisions against the order of time',
      [create([0, 1], 'a', done(5)), update([2, 3], 'b', undefined, done(4))],
    ],
    [
      'an object that returns after its deletion',
      [create([0, 1], 'a', done(1)), remove([2, 3], done(2)), read([4, 5], 'a', 1)],
    ],
  ])('%s', (_name, operations) => {
    expect(findNonLinearizable(operations)).toContain('not linearizable');
  });
});
