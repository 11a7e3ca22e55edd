import { describe, expect, test } from 'vitest';
import { Cluster } from '../../../src/storage/etcd/cluster.ts';
import { KeyMapper } from '../../../src/storage/etcd/keys.ts';
import { encodeProgressRequest, encodeWatchCreate } from '../../../src/storage/etcd/requests.ts';
import { WatchStream } from '../../../src/storage/etcd/watch-stream.ts';
import type { StoreEvent } from '../../../src/storage/storage.ts';
import { FakeClock } from '../fake-clock.ts';
import { FakeChannel, field, header, lost, message } from './fake-channel.ts';

const entry = (key: string, created: number, changed: number) =>
  message(field(1, key), field(2, created), field(3, changed), field(5, `${key}@${changed}`));
const put = (key: string, created: number, changed: number, previous?: Buffer) =>
  field(11, message(field(2, entry(key, created, changed)), ...(previous ? [field(3, previous)] : [])));
const created = (revision: number) => message(header(revision), field(3, 1));
const progress = (revision: number) => message(header(revision));
const events = (revision: number, ...changes: Buffer[]) => message(header(revision), ...changes);
const fragment = (revision: number, ...changes: Buffer[]) =>
  message(header(revision), field(7, 1), ...changes);

async function fixture(version: string, startRevision = 10) {
  const clock = new FakeClock();
  const channel = new FakeChannel();
  channel.answer = () => message(header(5), field(2, version), field(3, 1000));
  const cluster = new Cluster({
    endpoints: ['http://e'],
    createChannel: () => channel,
    clock,
    attemptTimeout: 1000,
    callTimeout: 1000,
    random: () => 0,
  });
  const calls: StoreEvent[][] = [];
  const positions: [revision: number, requested: boolean][] = [];
  const ends: Error[] = [];
  const watch = new WatchStream({
    cluster,
    clock,
    keys: new KeyMapper('/registry'),
    watch: {
      start: '/registry/',
      end: '/registry0',
      startRevision,
      onEvents: (batch) => calls.push([...batch]),
      onProgress: (revision, requested) => positions.push([revision, requested]),
      onEnd: (error) => ends.push(error),
    },
    onClosed: () => undefined,
  });
  await new Promise((resolve) => setImmediate(resolve));
  const stream = () => channel.streams.at(-1)!;
  const deliver = (bytes: Buffer) => stream().handlers.onMessage(bytes);
  const revisions = () => calls.map((batch) => batch.map((event) => event.revision));
  return { clock, channel, watch, calls, positions, ends, stream, deliver, revisions };
}

const create = (startRevision: number) =>
  encodeWatchCreate({ key: '/registry/', rangeEnd: '/registry0', startRevision });

describe('a watch on a stream', () => {
  test('fragments are delivered in whole revisions', async () => {
    const { deliver, revisions } = await fixture('3.5.21');
    deliver(created(9));
    deliver(fragment(12, put('/registry/a', 10, 10), put('/registry/b', 11, 11)));
    expect(revisions()).toEqual([[10]]);
    deliver(fragment(12, put('/registry/c', 11, 11)));
    expect(revisions()).toEqual([[10]]);
    deliver(fragment(12, put('/registry/d', 11, 11), put('/registry/e', 12, 12)));
    expect(revisions()).toEqual([[10], [11, 11, 11]]);
    deliver(events(12, put('/registry/f', 12, 12)));
    expect(revisions()).toEqual([[10], [11, 11, 11], [12, 12]]);
  });

  test('a stream that breaks within a revision is continued at that revision', async () => {
    const { clock, stream, deliver, revisions, channel } = await fixture('3.5.21');
    expect(stream().sent).toEqual([create(10)]);
    deliver(created(9));
    deliver(fragment(11, put('/registry/a', 10, 10), put('/registry/b', 11, 11)));
    stream().handlers.onEnd(lost());
    clock.advance(1000);
    expect(channel.streams).toHaveLength(2);
    expect(stream().sent).toEqual([create(11)]);
    deliver(created(11));
    deliver(events(11, put('/registry/b', 11, 11), put('/registry/c', 11, 11)));
    expect(revisions()).toEqual([[10], [11, 11]]);
  });

  test('what was delivered is not delivered again', async () => {
    const { deliver, revisions } = await fixture('3.5.21');
    deliver(created(9));
    deliver(events(10, put('/registry/a', 10, 10)));
    deliver(events(11, put('/registry/a', 10, 10), put('/registry/a', 10, 11)));
    expect(revisions()).toEqual([[10], [11]]);
  });

  test('a request for progress is repeated until etcd answers, also on the next stream', async () => {
    const { clock, watch, deliver, positions, stream } = await fixture('3.5.21');
    deliver(created(9));
    watch.requestProgress();
    watch.requestProgress();
    expect(stream().sent).toEqual([create(10), encodeProgressRequest()]);
    clock.advance(100);
    expect(stream().sent).toHaveLength(3);
    stream().handlers.onEnd(lost());
    clock.advance(1000);
    expect(stream().sent).toEqual([create(10)]);
    deliver(created(9));
    expect(stream().sent).toEqual([create(10), encodeProgressRequest()]);
    deliver(progress(15));
    expect(positions).toEqual([[15, true]]);
    deliver(progress(16));
    expect(positions).toEqual([
      [15, true],
      [16, false],
    ]);
    clock.advance(1000);
    expect(stream().sent).toHaveLength(2);
    stream().handlers.onEnd(lost());
    clock.advance(1000);
    expect(stream().sent).toEqual([create(17)]);
  });

  test('progress of an old etcd is ignored: requests are answered with what was delivered', async () => {
    const { watch, deliver, positions, stream } = await fixture('3.5.12');
    deliver(created(9));
    expect(watch.untrustedProgress).toBe(true);
    deliver(progress(20));
    expect(positions).toEqual([]);
    watch.requestProgress();
    await new Promise((resolve) => setImmediate(resolve));
    expect(positions).toEqual([[9, true]]);
    deliver(events(10, put('/registry/a', 10, 10)));
    watch.requestProgress();
    await new Promise((resolve) => setImmediate(resolve));
    expect(positions).toEqual([
      [9, true],
      [10, true],
    ]);
    expect(stream().sent).toEqual([create(10)]);
  });

  test('a quiet watch asks for progress, so that it resumes from a recent revision', async () => {
    const { clock, deliver, positions, stream } = await fixture('3.5.21');
    deliver(created(9));
    clock.advance(60_000);
    expect(stream().sent).toEqual([create(10), encodeProgressRequest()]);
    deliver(progress(100));
    expect(positions).toEqual([[100, false]]);
  });

  test('previous values that are gone are marked', async () => {
    const { deliver, calls } = await fixture('3.5.21');
    deliver(created(9));
    deliver(
      events(
        12,
        put('/registry/new', 10, 10),
        put('/registry/old', 3, 11),
        put('/registry/kept', 3, 12, entry('/registry/kept', 3, 4)),
      ),
    );
    const [batch] = calls;
    expect(batch!.map(({ previous, previousCompacted }) => [previous?.revision, previousCompacted])).toEqual([
      [undefined, undefined],
      [undefined, true],
      [4, undefined],
    ]);
  });

  test('a compacted start ends the watch', async () => {
    const { deliver, ends, stream } = await fixture('3.5.21');
    deliver(created(9));
    deliver(message(header(99), field(4, 1), field(5, 50)));
    expect(ends).toMatchObject([{ name: 'CompactedError', requestedRevision: 10, compactedRevision: 50 }]);
    expect(stream().cancelled).toBe(true);
  });

  test('nothing is delivered after it was closed', async () => {
    const { deliver, watch, calls, positions, ends, stream, clock, channel } = await fixture('3.5.21');
    deliver(created(9));
    watch.close();
    expect(stream().cancelled).toBe(true);
    deliver(events(10, put('/registry/a', 10, 10)));
    stream().handlers.onEnd(lost());
    clock.advance(100_000);
    expect([calls, positions, ends, channel.streams.length]).toEqual([[], [], [], 1]);
  });
});
