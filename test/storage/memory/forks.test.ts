import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryStorage, type MemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { CompactedError, StoreReplacedError } from '../../../src/storage/storage.ts';
import { AdjustableClock } from '../../../src/time/adjustable-clock.ts';
import { processClock } from '../../../src/time/clock.ts';
import { immediateStorageContract } from '../contract.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';

immediateStorageContract('fork of a memory storage', async (clock) => ({
  storage: createMemoryStorage({ clock }).fork({ clock }),
  dispose: async () => undefined,
}));

/** What a store has: keys with their revisions and values. */
function content(storage: MemoryStorage, revision?: number): Record<string, string> {
  const { entries } = storage.range({
    start: '/',
    end: '0',
    ...(revision === undefined ? {} : { revision }),
  }) as { entries: { key: string; revision: number; value: Uint8Array }[] };
  return Object.fromEntries(entries.map(({ key, revision: of, value }) => [key, `${of} ${text(value)}`]));
}

const key = fc.constantFrom('/a', '/b', '/c', '/d');
const change = fc.record({ key, removes: fc.boolean() });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('change' as const), of: fc.nat(), change }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fork' as const), of: fc.nat(), back: fc.nat(6) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('compact' as const), of: fc.nat(), back: fc.nat(6) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace' as const), of: fc.nat(), by: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), of: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A store and the states that it must have at each of its revisions that can be read. */
interface Expected {
  readonly storage: MemoryStorage;
  states: Map<number, Record<string, string>>;
}

async function apply(stores: Expected[], one: Step, salt: number): Promise<void> {
  const at = one.of % stores.length;
  const expected = stores[at]!;
  const { storage, states } = expected;
  const before = content(storage);
  if (one.kind === 'change') {
    const current = (storage.get(one.change.key) as { entry?: { revision: number } }).entry?.revision ?? 0;
    const value = one.change.removes ? undefined : bytes(`${salt}`);
    const { revision } = await storage.transact({ key: one.change.key, expected: current, value });
    const after = { ...before };
    if (value === undefined) delete after[one.change.key];
    else after[one.change.key] = `${revision} ${salt}`;
    states.set(revision, after);
  } else if (one.kind === 'fork') {
    const revision = Math.max(storage.revision - one.back, storage.compactedRevision, 1);
    const isPast = one.back > 0;
    stores.push({
      storage: isPast ? storage.fork({}, { revision }) : storage.fork(),
      states: isPast ? new Map([[revision, states.get(revision)!]]) : new Map(states),
    });
  } else if (one.kind === 'compact') {
    await storage.compact(Math.max(storage.revision - one.back, 1));
    for (const revision of states.keys()) if (revision < storage.compactedRevision) states.delete(revision);
  } else if (one.kind === 'replace') {
    const source = stores[one.by % stores.length]!.storage;
    const state = content(source);
    await storage.replaceBy(source);
    expected.states = new Map([[storage.revision, state]]);
  } else if (stores.length > 1) {
    await storage.close();
    stores.splice(at, 1);
  }
}

test('stores that are forks of one another do not see what the others change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const stores: Expected[] = [{ storage: createMemoryStorage(), states: new Map([[1, {}]]) }];
      let salt = 0;
      for (const one of steps) {
        salt += 1;
        await apply(stores, one, salt);
      }
      for (const { storage, states } of stores) {
        expect([...states.keys()].sort((a, b) => a - b)).toEqual(
          Array.from({ length: states.size }, (_, index) => Math.max(storage.compactedRevision, 1) + index),
        );
        for (const [revision, state] of states) expect(content(storage, revision)).toEqual(state);
      }
    }),
    { numRuns: 300 },
  );
});

describe('a fork', () => {
  test('has the history of its origin, and watches it', async () => {
    const origin = createMemoryStorage();
    const created = await put(origin, '/a', '1');
    const updated = await put(origin, '/a', '2', created);
    const fork = origin.fork();
    await put(origin, '/a', 'origin', updated);
    await put(fork, '/a', 'fork', updated);
    const recorder = new Recorder(fork, created);
    await recorder.until(({ events }) => events.length === 3);
    expect(
      recorder.events.map(({ value, previous }) => [text(value), previous && text(previous.value)]),
    ).toEqual([
      ['1', undefined],
      ['2', '1'],
      ['fork', '2'],
    ]);
  });

  test('does not deliver what its origin writes to its watches', async () => {
    const origin = createMemoryStorage();
    const fork = origin.fork();
    const recorder = new Recorder(fork);
    await put(origin, '/a', 'origin');
    await put(fork, '/b', 'fork');
    await recorder.until(({ events }) => events.length > 0);
    expect(recorder.events.map(({ key: of }) => of)).toEqual(['/b']);
  });

  test('deletes what expires by its own clock', async () => {
    const clusterClock = new AdjustableClock(processClock);
    clusterClock.freeze();
    const origin = createMemoryStorage({ clusterClock });
    await put(origin, '/event', 'x', 0, 60);
    const later = new AdjustableClock(processClock);
    later.freeze();
    const fork = origin.fork({ clusterClock: later });
    const recorder = new Recorder(fork);
    await later.advance(61_000);
    await recorder.until(({ events }) => events.length === 1);
    expect(content(fork)).toEqual({});
    expect(Object.keys(content(origin))).toEqual(['/event']);
  });

  test('of a past revision has the state and no older history', async () => {
    const origin = createMemoryStorage();
    const created = await put(origin, '/a', '1');
    await remove(origin, '/a', await put(origin, '/a', '2', created));
    const fork = origin.fork({}, { revision: created });
    expect(content(fork)).toEqual({ '/a': `${created} 1` });
    expect(() => fork.get('/a', created - 1)).toThrow(CompactedError);
    expect(await put(fork, '/b', 'x')).toBe(created + 1);
  });

  test('of a compacted revision is refused', async () => {
    const origin = createMemoryStorage();
    const created = await put(origin, '/a', '1');
    await origin.compact(await put(origin, '/a', '2', created));
    expect(() => origin.fork({}, { revision: created })).toThrow(CompactedError);
  });

  test('of many keys copies none', async () => {
    const origin = createMemoryStorage();
    await origin.createBatch(
      Array.from({ length: 50_000 }, (_, index) => ({ key: `/${index}`, value: bytes('x') })),
    );
    const before = process.memoryUsage().heapUsed;
    const forks = Array.from({ length: 1000 }, () => origin.fork());
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 << 20);
    expect(forks.every((fork) => fork.revision === origin.revision)).toBe(true);
  });
});

describe('a store that takes over the state of another one', () => {
  test('goes on with higher revisions, and ends its watches', async () => {
    const origin = createMemoryStorage();
    const created = await put(origin, '/a', '1');
    const fork = origin.fork();
    const latest = await put(fork, '/b', 'x', 0);
    const recorder = new Recorder(fork);
    const replaced: Error[] = [];
    fork.onReplaced!((error) => replaced.push(error));
    await fork.replaceBy(origin);
    expect(await recorder.ended).toBeInstanceOf(StoreReplacedError);
    expect(replaced).toHaveLength(1);
    expect(content(fork)).toEqual({ '/a': `${created} 1` });
    expect(fork.revision).toBe(latest + 1);
    expect(() => fork.get('/a', latest)).toThrow(CompactedError);
    const late = new Recorder(fork, latest);
    expect(await late.ended).toBeInstanceOf(CompactedError);
    expect(await put(fork, '/c', 'y')).toBe(latest + 2);
    expect(Object.keys(content(origin))).toEqual(['/a']);
  });

  test('does not get what was about to be written to the former state', async () => {
    const origin = createMemoryStorage();
    const fork = origin.fork();
    const before = put(fork, '/before', 'x');
    const replaced = fork.replaceBy(origin);
    const writes = [
      put(fork, '/after', 'x'),
      fork.createBatch([{ key: '/batch', value: Buffer.from('x') }]),
      fork.replaceBy(origin),
    ];
    await Promise.all([before, replaced]);
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(content(fork)).toEqual({});
    await put(fork, '/after', 'x');
    expect(Object.keys(content(fork))).toEqual(['/after']);
  });

  test('is above the revisions of the other one', async () => {
    const fork = createMemoryStorage();
    const origin = createMemoryStorage();
    let revision = 0;
    for (let round = 0; round < 5; round += 1) revision = await put(origin, '/a', 'x', revision);
    await fork.replaceBy(origin);
    expect(fork.revision).toBe(origin.revision + 1);
  });
});

describe('the revision at a time', () => {
  test('is that of the last change before it', async () => {
    const clusterClock = new AdjustableClock(processClock);
    clusterClock.freeze();
    const storage = createMemoryStorage({ clusterClock });
    const first = await put(storage, '/a', '1');
    const time = clusterClock.now();
    await clusterClock.advance(10_000);
    const second = await put(storage, '/b', '2');
    expect(storage.revisionAt(time)).toBe(first);
    expect(storage.revisionAt(time + 9_999)).toBe(first);
    expect(storage.revisionAt(time + 10_000)).toBe(second);
    expect(() => storage.revisionAt(time - 1)).toThrow(CompactedError);
  });
});
