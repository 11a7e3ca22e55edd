import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChangeLog } from '../../../src/storage/memory/change-log.ts';
import type { Version } from '../../../src/storage/memory/version.ts';

const SEGMENT_LENGTH = 3;

function version(revision: number, previous?: Version): Version {
  return { key: '/a', entry: undefined, revision, deadline: 0, time: revision, previous };
}

const revisions = (versions: Iterable<Version>): number[] => Array.from(versions, ({ revision }) => revision);

/** A log beside a plain list of the revisions that it must have. */
interface Pair {
  readonly log: ChangeLog;
  list: Version[];
  /** The newest change that was appended, dropped or not. */
  newest: Version | undefined;
}

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('append' as const), of: fc.nat(), gap: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fork' as const), of: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), of: fc.nat(), back: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), of: fc.nat() }) },
);

function run(pairs: Pair[], one: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  const pair = pairs[one.of % pairs.length]!;
  const next = (pair.newest?.revision ?? 0) + 1;
  if (one.kind === 'append') {
    const added = version(Math.max(1, next - one.gap), pair.newest);
    pair.log.append(added);
    pair.list.push(added);
    pair.newest = added;
  } else if (one.kind === 'fork') pairs.push({ ...pair, log: pair.log.fork(), list: [...pair.list] });
  else if (one.kind === 'drop') {
    const before = next - one.back;
    const dropped: Version[] = [];
    pair.log.dropBefore(before, (gone) => dropped.push(gone));
    expect(dropped).toEqual(pair.list.filter(({ revision }) => revision < before));
    pair.list = pair.list.filter(({ revision }) => revision >= before);
  } else if (pairs.length > 1) {
    pair.log.close();
    pairs.splice(one.of % pairs.length, 1);
  }
}

test('a log and its forks have the changes that each of them appended and did not drop', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80 }),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
      (steps, from, limit) => {
        const pairs: Pair[] = [{ log: new ChangeLog(SEGMENT_LENGTH), list: [], newest: undefined }];
        for (const one of steps) run(pairs, one);
        for (const { log, list } of pairs) {
          expect(log.length).toBe(list.length);
          expect(log.slice(0, 1000, 1000)).toEqual(list);
          expect(log.middle()).toBe(list[list.length >>> 1]);
          expect(revisions(log.newestAfter(from))).toEqual(
            revisions(list.filter(({ revision }) => revision > from)).reverse(),
          );
          const asked = list.filter(({ revision }) => revision >= from && revision <= from + 10);
          const found = log.slice(from, from + 10, limit);
          expect(found).toEqual(asked.slice(0, found.length));
          expect(found.length).toBeGreaterThanOrEqual(Math.min(limit, asked.length));
          if (found.length > 0) expect(asked[found.length]?.revision).not.toBe(found.at(-1)!.revision);
          for (const one of list.slice(1)) expect(one.previous).toBeDefined();
        }
      },
    ),
    { numRuns: 500 },
  );
});

describe('links to earlier changes', () => {
  const filled = (): { log: ChangeLog; versions: Version[] } => {
    const log = new ChangeLog(SEGMENT_LENGTH);
    const versions: Version[] = [];
    for (let revision = 1; revision <= 10; revision += 1) versions.push(version(revision, versions.at(-1)));
    for (const one of versions) log.append(one);
    return { log, versions };
  };
  const ignore = (): void => undefined;

  test('are removed from what was dropped', () => {
    const { log, versions } = filled();
    log.dropBefore(5, ignore);
    expect(versions.map(({ previous }) => previous?.revision)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      ...[4, 5, 6, 7, 8, 9],
    ]);
  });

  test('stay while a fork holds their segment', () => {
    const { log, versions } = filled();
    const fork = log.fork();
    log.dropBefore(9, ignore);
    expect(versions[5]!.previous).toBe(versions[4]);
    fork.dropBefore(7, ignore);
    expect(versions[5]!.previous).toBeUndefined();
    expect(versions[6]!.previous).toBe(versions[5]);
  });

  test('are removed when the last log is closed', () => {
    const { log, versions } = filled();
    const fork = log.fork();
    log.close();
    expect(versions[9]!.previous).toBe(versions[8]);
    fork.close();
    expect(versions.every(({ previous }) => previous === undefined)).toBe(true);
  });
});
