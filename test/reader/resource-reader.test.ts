import { afterEach, describe, expect, it } from 'vitest';
import type { ObjectIndex } from '../../src/reader/object-source.ts';
import { DELIVERIES, turnsUntil } from '../cache/support.ts';
import { settle } from '../reconcile/manual-clock.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { Fixture, Notes } from './support.ts';

const open: Fixture[] = [];
const fixture = (wrap?: ConstructorParameters<typeof Fixture>[0]): Fixture => {
  const made = new Fixture(wrap);
  open.push(made);
  return made;
};

afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

describe.each(DELIVERIES)('ResourceReader of a store that delivers %s', (_name, wrap) => {
  it('tells a subscriber of all objects, then of every change in order', async () => {
    const { reader, put, ...made } = bound(fixture(wrap));
    await put('a/one', '1');
    const notes = new Notes();
    const subscription = reader.subscribe(notes);
    await subscription.synced;
    await put('b/two', '1');
    await put('a/one', '2');
    await made.delete('b/two');
    await turnsUntil(() => notes.seen.length === 4);
    expect(notes.seen).toEqual(['a/one ->1', 'b/two ->1', 'a/one 1>2', 'b/two 1>-']);
    expect([...reader.entries()].map(([key]) => key)).toEqual(['a/one']);
    subscription.stop();
  });

  it('tells later subscribers of all objects while others follow changes', async () => {
    const { reader, put } = bound(fixture(wrap));
    for (let index = 0; index < 100; index += 1) await put(`a/${index}`, '1');
    const first = new Notes(() => '');
    await reader.subscribe(first).synced;
    const busy = new Notes((object) => {
      // Longer than a slice: the others have their turn.
      for (const start = performance.now(); performance.now() - start < 1; );
      return String(object.record.revision);
    });
    const subscription = reader.subscribe(busy);
    await put('a/0', '2');
    await put('a/99', '2');
    await put('a/new', '1');
    await subscription.synced;
    await turnsUntil(() => first.seen.length === 103);
    const last = new Map(busy.seen.map((text) => [text.split(' ')[0], text.split('>')[1]]));
    for (const [key, { record }] of reader.entries()) expect(last.get(key)).toBe(String(record.revision));
    expect(busy.seen.filter((text) => text.includes(' ->')).length).toBe(101);
  });

  it('compares with a new list after the watch has ended', async () => {
    const { reader, put, cache, clock, ...made } = bound(fixture(wrap));
    for (const name of ['kept', 'changed', 'gone']) await put(`a/${name}`, '1');
    const notes = new Notes();
    await reader.subscribe(notes).synced;
    notes.seen.length = 0;
    cache.endWatches();
    await put('a/changed', '2');
    await made.delete('a/gone');
    await put('a/new', '1');
    await settle();
    expect(notes.seen).toEqual([]);
    clock.advance(5);
    await turnsUntil(() => notes.seen.length === 3);
    expect(notes.seen.sort()).toEqual(['a/changed 1>2', 'a/gone 1>-', 'a/new ->1']);
  });
});

describe('ResourceReader', () => {
  it('decodes an object once for all subscribers, when the first one uses it, and freezes it', async () => {
    const { reader, put, decoded } = bound(fixture());
    await put('a/one', '1');
    await put('a/two', '1');
    const subscriptions = [new Notes(() => ''), new Notes(), new Notes()].map((notes) =>
      reader.subscribe(notes),
    );
    for (const { synced } of subscriptions) await synced;
    expect(decoded).toEqual(['one', 'two']);
    const object = reader.get('a/one')!.object;
    expect(object).toBe(reader.get('a/one')!.object);
    expect(Object.isFrozen((object as { spec?: object }).spec)).toBe(true);
    await put('a/one', '2');
    await turnsUntil(() => decoded.length === 3);
    expect(decoded).toEqual(['one', 'two', 'one']);
  });

  it('decodes no more than the metadata for those who need no more', async () => {
    const { reader, put, decoded, decodedMetadata } = bound(fixture());
    await put('a/one', '1');
    const notes = new Notes((object) => object.metadata().name ?? '');
    await reader.subscribe(notes).synced;
    expect(notes.seen).toEqual(['a/one ->one']);
    expect([decoded, decodedMetadata]).toEqual([[], ['one']]);
  });

  it('keeps nothing that was only peeked at', async () => {
    const { reader, put, decoded } = bound(fixture());
    await put('a/one', '1');
    const peeking = () => new Notes((object) => object.peek().metadata?.name ?? '');
    const [first, second] = [peeking(), peeking()];
    await reader.subscribe(first).synced;
    await reader.subscribe(second).synced;
    expect(decoded).toEqual(['one', 'one']);
    await put('a/two', '1');
    await turnsUntil(() => first.seen.length === 2);
    expect(second.seen.length).toBe(2);
    expect(decoded).toEqual(['one', 'one', 'two']);
    const kept = reader.get('a/two')!.object;
    expect(reader.get('a/two')!.peek()).toBe(kept);
    expect(decoded.length).toBe(4);
  });

  it('drops everything with the last subscriber, and lists again for the next one', async () => {
    const { reader, put } = bound(fixture());
    await put('a/one', '1');
    const first = reader.subscribe(new Notes());
    const second = reader.subscribe(new Notes());
    await second.synced;
    first.stop();
    expect(reader.objects.size).toBe(1);
    second.stop();
    expect(reader.objects.size).toBe(0);
    await put('a/two', '1');
    const notes = new Notes();
    await reader.subscribe(notes).synced;
    expect(notes.seen).toEqual(['a/one ->1', 'a/two ->1']);
  });

  it('repeats what a subscriber did not take, and syncs it then', async () => {
    const { reader, put, clock, ...made } = bound(fixture());
    await put('a/broken', 'broken');
    await put('a/healthy', '1');
    await put('a/removed', 'broken');
    const notes = new Notes();
    const healthy = new Notes(() => '');
    const subscription = reader.subscribe(notes);
    let isSynced = false;
    void subscription.synced.then(() => {
      isSynced = true;
    });
    await reader.subscribe(healthy).synced;
    expect(notes.seen).toEqual(['a/healthy ->1']);
    expect(notes.failures).toEqual(['SyntaxError', 'SyntaxError']);
    expect(isSynced).toBe(false);
    clock.advance(5);
    await made.delete('a/removed');
    await put('a/broken', '2');
    await subscription.synced;
    clock.advance(10);
    await settle();
    expect(notes.seen).toEqual(['a/healthy ->1', 'a/broken ->2']);
    expect(healthy.seen.length).toBe(5);
  });

  it('takes over own writes before their events, once', async () => {
    const { reader, cache, put } = bound(fixture());
    await put('a/one', '1');
    const notes = new Notes();
    await reader.subscribe(notes, { seesOwnWrites: true }).synced;
    const revision = await put('a/one', '2');
    const written = { ...cache.get('/r/a/one')!, key: '/r/a/one', revision };
    notes.seen.length = 0;
    cache.wrote('/r/a/one', { revision, record: written as never });
    expect(notes.seen.length).toBe(1);
    await reader.caughtUp();
    await settle();
    expect(notes.seen).toEqual(['a/one 1>2']);
  });

  it('finds objects by namespace and by other keys', async () => {
    const { reader, put, ...made } = bound(fixture());
    await put('a/one', 'x');
    await put('b/two', 'y');
    const names = (found: Iterable<readonly [string, unknown]>) => [...found].map(([key]) => key);
    const index: ObjectIndex = ({ object }) => [(object as { spec?: { data: string } }).spec!.data];
    const byData = (data: string) => names(reader.find(index, data));
    const notes = new Notes();
    await reader.subscribe(notes).synced;
    expect([names(reader.entries('a')), byData('y')]).toEqual([['a/one'], ['b/two']]);
    await put('a/three', 'y');
    await put('b/two', 'x');
    await made.delete('a/one');
    await put('a/four', 'broken');
    await turnsUntil(() => notes.seen.length >= 5);
    expect(names(reader.entries('a'))).toEqual(['a/three', 'a/four']);
    expect([byData('x'), byData('y')]).toEqual([['b/two'], ['a/three']]);
  });
});

it('forgets an own removal before its event, and does not know the object again by an older event', async () => {
  let late!: LateStorage;
  const { reader, cache, put, ...made } = bound(fixture((storage) => (late = new LateStorage(storage))));
  await put('a/one', '1');
  const notes = new Notes();
  await reader.subscribe(notes, { seesOwnWrites: true }).synced;
  late.hold();
  await put('a/one', '2');
  const revision = await made.delete('a/one');
  cache.wrote('/r/a/one', { revision, record: undefined });
  expect(notes.seen).toEqual(['a/one ->1', 'a/one 1>-']);
  await put('a/one', '3');
  late.release();
  await turnsUntil(() => notes.seen.length >= 3);
  await settle();
  expect(notes.seen).toEqual(['a/one ->1', 'a/one 1>-', 'a/one ->3']);
});

/** The members of a fixture, with methods that can be taken out of it. */
function bound(made: Fixture) {
  const { storage, clock, cache, reader, errors, decoded, decodedMetadata } = made;
  const put = made.put.bind(made);
  return {
    storage,
    clock,
    cache,
    reader,
    errors,
    decoded,
    decodedMetadata,
    put,
    delete: made.delete.bind(made),
  };
}
