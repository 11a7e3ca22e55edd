import { beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import { all, type ContractFixture } from './fixture.ts';

export function watchesContract(fixture: ContractFixture): void {
  let storage: Storage;
  beforeEach(() => {
    storage = fixture.storage;
  });

  describe('watches', () => {
    test('events carry values and previous values', async () => {
      const recorder = new Recorder(storage);
      const created = await put(storage, '/a', 'one');
      const updated = await put(storage, '/a', 'two', created);
      const deleted = await remove(storage, '/a', updated);
      await recorder.until(() => recorder.events.length === 3);
      expect(recorder.events).toMatchObject([
        { type: 'put', key: '/a', revision: created, createRevision: created, previous: undefined },
        {
          type: 'put',
          key: '/a',
          revision: updated,
          createRevision: created,
          previous: { revision: created, createRevision: created },
        },
        {
          type: 'delete',
          key: '/a',
          revision: deleted,
          createRevision: 0,
          previous: { revision: updated, createRevision: created },
        },
      ]);
      expect(recorder.events.map((event) => text(event.value))).toEqual(['one', 'two', '']);
      expect(recorder.events.map((event) => event.previous && text(event.previous.value))).toEqual([
        undefined,
        'one',
        'two',
      ]);
    });

    test('delivers only its range, and nothing after close', async () => {
      const inside = new Recorder(storage, undefined, '/b/', '/b0');
      const wide = new Recorder(storage, undefined, '/', '');
      for (const key of ['/a/1', '/b/1', '/b0', '/b/2', '/c']) await put(storage, key, '');
      await wide.until(() => wide.events.length === 5);
      expect(inside.events.map((event) => event.key)).toEqual(['/b/1', '/b/2']);
      inside.watch.close();
      inside.watch.close();
      await put(storage, '/b/3', '');
      await wide.until(() => wide.events.length === 6);
      expect(inside.events).toHaveLength(2);
    });

    test('resumes from an older revision with the same events as a live watch', async () => {
      const witness = new Recorder(storage);
      let revision = await put(storage, '/a', '0');
      for (let round = 1; round < 30; round += 1) {
        revision = await put(storage, '/a', `${round}`, revision);
        await put(storage, `/k${round}`, '');
      }
      await remove(storage, '/a', revision);
      const newest = await storage.currentRevision();
      await witness.until(() => witness.revisions.at(-1) === newest);
      for (const start of [witness.revisions[0]!, witness.revisions[20]!, witness.revisions.at(-1)!]) {
        const late = new Recorder(storage, start);
        await late.until(() => late.revisions.at(-1) === newest);
        expect(late.events).toEqual(witness.events.filter((event) => event.revision >= start));
      }
    });

    test('resuming during writes leaves no gap and no duplicate', async () => {
      const first = await put(storage, '/seed', '');
      const write = async (writer: number) => {
        for (let round = 0; round < 60; round += 1)
          await put(storage, `/w${writer}/${round}`, 'x'.repeat(200));
      };
      const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
      const late: Recorder[] = [];
      for (let index = 0; index < 10; index += 1) {
        late.push(new Recorder(storage, first));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await writing;
      const newest = await storage.currentRevision();
      for (const recorder of late) {
        await recorder.until(() => recorder.revisions.at(-1) === newest);
        expect(recorder.revisions).toEqual(Array.from({ length: 481 }, (_, index) => first + index));
      }
    });

    test('resumes through more bytes than the recent events in memory, with previous values', async () => {
      const size = 1 << 20;
      const first = await put(storage, '/large', '0');
      let revision = first;
      for (let round = 1; round <= 24; round += 1) {
        const result = await storage.transact({
          key: '/large',
          expected: revision,
          value: new Uint8Array(size).fill(round),
        });
        revision = result.revision;
      }
      const late = new Recorder(storage, first);
      await late.until(() => late.revisions.at(-1) === revision);
      expect(late.revisions).toEqual(Array.from({ length: 25 }, (_, index) => first + index));
      expect(late.events.slice(1).map(({ value }) => [value.length, value[0]])).toEqual(
        Array.from({ length: 24 }, (_, index) => [size, index + 1]),
      );
      expect(late.events.slice(1).map(({ previous }) => previous?.revision)).toEqual(
        late.revisions.slice(0, -1),
      );
      expect(late.events.some(({ corruption, previous }) => corruption ?? previous?.corruption)).toBe(false);
    });

    test('a start revision in the future withholds earlier events', async () => {
      const start = (await storage.currentRevision()) + 3;
      const recorder = new Recorder(storage, start);
      for (const key of ['/a', '/b', '/c', '/d']) await put(storage, key, '');
      await recorder.until(() => recorder.events.length === 2);
      expect(recorder.revisions).toEqual([start, start + 1]);
    });

    test('a watch may write, watch and close in its callback', async () => {
      const witness = new Recorder(storage);
      const written: Promise<unknown>[] = [];
      const chain = storage.watch({
        ...all,
        onEvents: (events) => {
          for (const event of events) {
            if (event.key.length < 6)
              written.push(storage.transact({ key: `${event.key}x`, expected: 0, value: bytes('') }));
            else chain.close();
          }
        },
        onEnd: () => undefined,
      });
      const late = new Recorder(storage);
      await put(storage, '/a', '');
      await witness.until(() => witness.events.length === 5);
      await Promise.all(written);
      await late.until(() => late.events.length === witness.events.length);
      expect(late.revisions).toEqual(witness.revisions);
      expect(witness.revisions).toEqual([...witness.revisions].sort((a, b) => a - b));
    });

    test('a request for progress is answered once everything has been delivered', async () => {
      const first = await put(storage, '/a', '1');
      const live = new Recorder(storage);
      const behind = new Recorder(storage, first);
      const idle = new Recorder(storage, undefined, '/idle/', '/idle0');
      for (let round = 0; round < 20; round += 1) await put(storage, `/k${round}`, '');
      const revision = await storage.currentRevision();
      for (const { watch } of [live, behind, idle]) {
        watch.requestProgress();
        // A second request before the answer changes nothing.
        watch.requestProgress();
      }
      for (const [recorder, events] of [
        [live, 20],
        [behind, 21],
        [idle, 0],
      ] as const) {
        await recorder.until(() => recorder.requested.length > 0);
        expect(recorder.events).toHaveLength(events);
        expect(recorder.requested).toEqual([revision]);
      }
      idle.watch.requestProgress();
      await idle.until(() => idle.requested.length === 2);
      expect(idle.requested).toEqual([revision, revision]);
      live.watch.requestProgress();
      live.watch.close();
      idle.watch.requestProgress();
      await idle.until(() => idle.requested.length === 3);
      expect(live.requested).toHaveLength(1);
    });
  });
}
