import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { ImmediateStorage, StoreEvent } from '../../src/storage/storage.ts';
import { Recorder } from './helpers.ts';
import { temporaryDirectory } from './temporary.ts';

const key = fc.constantFrom('/a', '/a/b', '/a0', '/b', '/\u00c3\u00a9');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('put' as const), key, stale: fc.boolean(), size: fc.nat(3000) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('batch' as const), keys: fc.array(key, { maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const), back: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const toBytes = (value: Uint8Array) => `${value.length}:${value[0] ?? ''}`;
const show = (event: StoreEvent) => [
  event.type,
  event.key,
  event.revision,
  event.createRevision,
  toBytes(event.value),
  event.previous?.revision,
  event.previous && toBytes(event.previous.value),
];

async function apply(storage: ImmediateStorage, one: Step, salt: number): Promise<unknown> {
  if (one.kind === 'compact') return storage.compact(Math.max(storage.revision - one.back, 1));
  if (one.kind === 'batch') {
    const entries = one.keys.map((name) => ({ key: name, value: new Uint8Array(5).fill(salt) }));
    return storage.createBatch(entries).catch((error: Error) => error.name);
  }
  if (one.kind === 'restart') return undefined;
  const current = (await storage.get(one.key)).entry?.revision ?? 0;
  const put = one.kind === 'put';
  const { succeeded, revision } = await storage.transact({
    key: one.key,
    expected: put && one.stale ? current + 1 : current,
    value: put ? new Uint8Array(one.size).fill(salt) : undefined,
  });
  return [succeeded, revision];
}

async function everything(storage: ImmediateStorage): Promise<unknown> {
  const states: unknown[] = [];
  for (let revision = Math.max(storage.compactedRevision, 1); revision <= storage.revision; revision += 1) {
    for (const limit of [0, 2]) {
      const { entries, count, more } = await storage.range({ start: '/a', end: '0', revision, limit });
      states.push([
        revision,
        count,
        more,
        entries.map((entry) => [entry.key, entry.revision, entry.createRevision, toBytes(entry.value)]),
      ]);
    }
  }
  const recorder = new Recorder(storage, Math.max(storage.compactedRevision, 2));
  await recorder.until(() => recorder.progress.length > 0 || storage.revision < 2);
  recorder.watch.close();
  return {
    states,
    events: recorder.events.map(show),
    revision: storage.revision,
    compacted: storage.compactedRevision,
  };
}

test('memory and embedded storage behave the same for any sequence of changes, compactions and restarts', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const memory = createMemoryStorage();
      const directory = temporaryDirectory();
      // No events in memory: every watch that starts in the past reads the disk.
      const options = { directory, recentEventBytes: 0 };
      let disk = await openEmbeddedStorage(options);
      for (const [salt, one] of steps.entries()) {
        expect(await apply(disk, one, salt)).toEqual(await apply(memory, one, salt));
        if (one.kind !== 'restart') continue;
        await disk.close();
        disk = await openEmbeddedStorage(options);
      }
      expect(await everything(disk)).toEqual(await everything(memory));
      await disk.close();
      await memory.close();
    }),
    { numRuns: 60 },
  );
});
