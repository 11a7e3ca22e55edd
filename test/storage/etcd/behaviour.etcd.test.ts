import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Compactor } from '../../../src/storage/etcd/compactor.ts';
import type { EtcdStorage } from '../../../src/storage/etcd/etcd-storage.ts';
import { KeyMapper } from '../../../src/storage/etcd/keys.ts';
import { RoutedStorage } from '../../../src/storage/etcd/routed-storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import { EtcdProcesses, hasEtcd } from './etcd-process.ts';
import { openCluster, openEtcd, uniquePrefix } from './open-etcd.ts';

describe.skipIf(!hasEtcd)('storage on etcd', () => {
  let etcd: EtcdProcesses;
  let storage: EtcdStorage;
  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
  });
  afterAll(() => etcd.stop());
  beforeEach(async () => {
    storage = await openEtcd(etcd.urls);
  });
  afterEach(() => storage.close());

  test('--etcd-prefix replaces /registry', async () => {
    const prefixed = await openEtcd(etcd.urls, { keys: new KeyMapper('/elsewhere') });
    const plain = await openEtcd(etcd.urls, { keys: new KeyMapper('') });
    const recorder = new Recorder(prefixed, undefined, '/registry/pods/', '/registry/pods0');
    const revision = await put(prefixed, '/registry/pods/a', 'x');
    expect((await plain.get('/registry/elsewhere/pods/a')).entry?.revision).toBe(revision);
    const range = await prefixed.range({ start: '/registry/pods/', end: '/registry/pods0' });
    expect(range.entries.map(({ key }) => key)).toEqual(['/registry/pods/a']);
    await recorder.until(() => recorder.events.length === 1);
    expect(recorder.events[0]!.key).toBe('/registry/pods/a');
    await prefixed.close();
    await plain.close();
  });

  test('a range of many megabytes is read in pages at one revision', async () => {
    const keys = Array.from({ length: 1800 }, (_, index) => `/k${String(index).padStart(4, '0')}`);
    await storage.createBatch(keys.map((key) => ({ key, value: new Uint8Array(20_000) })));
    const reading = storage.range({ start: '/', end: '0' });
    await put(storage, '/k0000x', '');
    await put(storage, '/k1799x', '');
    const { entries, count, more, revision } = await reading;
    const seen = entries.filter((entry) => entry.revision <= revision);
    expect(seen).toHaveLength(entries.length);
    expect(entries.length).toBe(count);
    expect(more).toBe(false);
    expect(entries.length).toBeGreaterThanOrEqual(1800);
  });

  test('changes of a range since a revision', async () => {
    const first = await put(storage, '/a', '1');
    const second = await put(storage, '/b', '1');
    expect(await storage.changesSince('/', '0', second)).toEqual({
      written: false,
      count: 2,
      revision: second,
    });
    expect(await storage.changesSince('/', '0', first)).toMatchObject({ written: true, count: 2 });
    const third = await remove(storage, '/b', second);
    expect(await storage.changesSince('/', '0', second)).toEqual({
      written: false,
      count: 1,
      revision: third,
    });
  });

  test('a range of large values is read in smaller pages', async () => {
    const keys = Array.from({ length: 80 }, (_, index) => `/k${String(index).padStart(4, '0')}`);
    for (const key of keys) await storage.transact({ key, expected: 0, value: new Uint8Array(1 << 20) });
    const { entries, count, more } = await storage.range({ start: '/', end: '0' });
    expect([entries.map(({ key }) => key), count, more]).toEqual([keys, 80, false]);
    expect(entries.every(({ value }) => value.length === 1 << 20)).toBe(true);
    const limited = await storage.range({ start: '/', end: '0', limit: 70 });
    expect([limited.entries.length, limited.count, limited.more]).toEqual([70, 80, true]);
  });

  test('keys share leases, and what expires at one revision is delivered at once', async () => {
    const calls: number[][] = [];
    let deletions = 0;
    const done = new Promise<void>((resolve) => {
      storage.watch({
        start: '/',
        end: '0',
        onEvents: (events) => {
          calls.push(events.map((event) => event.revision));
          deletions += events.filter((event) => event.type === 'delete' && event.previous).length;
          if (deletions === 1500) resolve();
        },
        onEnd: () => undefined,
      });
    });
    const value = 'x'.repeat(3000);
    await Promise.all(Array.from({ length: 1500 }, (_, index) => put(storage, `/e${index}`, value, 0, 3600)));
    await etcd.members[0]!.revokeLeases();
    await done;
    const seen = new Set<number>();
    for (const revisions of calls) {
      for (const revision of new Set(revisions)) {
        expect(seen.has(revision)).toBe(false);
        seen.add(revision);
      }
    }
    // 1000 keys share a lease, whose end is one change.
    expect(seen.size).toBe(1500 + 2);
    expect(await storage.count('/', '0')).toBe(0);
  });

  test('a later write replaces or removes the time to live', async () => {
    const recorder = new Recorder(storage);
    const short = await put(storage, '/short', '1', 0, 2);
    const kept = await put(storage, '/kept', '1', 0, 2);
    await put(storage, '/kept', '2', kept);
    await recorder.until(() => recorder.events.some(({ type }) => type === 'delete'));
    expect(recorder.events.at(-1)).toMatchObject({ key: '/short', previous: { revision: short } });
    expect((await storage.get('/kept')).entry).toBeDefined();
  });

  test('servers compact with the protocol of kube-apiserver', async () => {
    const raw = await openEtcd(etcd.urls, { prefix: '' });
    const manual = { every: () => () => undefined };
    const known = [0, 0];
    const servers = [0, 1].map((server) => {
      const cluster = openCluster(etcd.urls);
      return {
        cluster,
        compactor: new Compactor({
          cluster,
          clock: manual,
          interval: 1,
          onCompacted: (revision) => {
            known[server] = revision;
          },
          onError: () => undefined,
        }),
      };
    });
    const [first, second] = servers.map(({ compactor }) => compactor);
    await first!.run();
    const clock = await raw.get('compact_rev_key');
    expect(text(clock.entry!.value)).toBe('0');
    const old = await put(storage, '/a', '1');
    const current = await put(storage, '/a', '2', old);
    await second!.run();
    await first!.run();
    expect(text((await raw.get('compact_rev_key')).entry!.value)).toBe(String(clock.entry!.revision));
    expect((await storage.get('/a', old)).entry?.revision).toBe(old);
    await second!.run();
    await first!.run();
    await expect(storage.get('/a', old)).rejects.toMatchObject({ name: 'CompactedError' });
    expect((await storage.get('/a')).entry?.revision).toBe(current);
    expect(known).toEqual([expect.any(Number), clock.entry!.revision]);
    expect(known[0]).toBeGreaterThan(current);
    await second!.run();
    expect(known[1]).toBe(known[0]);
    for (const { cluster } of servers) cluster.close();
    await raw.close();
  });

  test('a watch from the compacted revision says that the previous value is gone', async () => {
    const first = await put(storage, '/a', '1');
    const second = await put(storage, '/a', '2', first);
    const third = await put(storage, '/a', '3', second);
    await storage.compact(second);
    const recorder = new Recorder(storage, second);
    await recorder.until(() => recorder.events.length === 2);
    expect(recorder.events).toMatchObject([
      { revision: second, previous: undefined, previousCompacted: true },
      { revision: third, previous: { revision: second } },
    ]);
    expect(recorder.events[1]!.previousCompacted).toBeUndefined();
  });

  test('resources with servers of their own', async () => {
    const second = await EtcdProcesses.start();
    const prefix = uniquePrefix();
    const events = await openEtcd(second.urls, { prefix });
    const main = await openEtcd(etcd.urls, { prefix });
    const routed = new RoutedStorage(main, [{ prefix: '/registry/events/', storage: events }]);
    try {
      const recorder = new Recorder(routed, undefined, '/registry/events/', '/registry/events0');
      await put(routed, '/registry/events/a/b', 'event');
      await put(routed, '/registry/pods/a/b', 'pod');
      await recorder.until(() => recorder.events.length === 1);
      expect((await main.get('/registry/events/a/b')).entry).toBeUndefined();
      expect((await events.get('/registry/pods/a/b')).entry).toBeUndefined();
      const batch = ['/registry/pods/c/d', '/registry/events/c/d'];
      await routed.createBatch(batch.map((key) => ({ key, value: bytes('') })));
      expect(await routed.count('/registry/events/', '/registry/events0')).toBe(2);
      expect((await routed.statistics()).keys).toBe(4);
      expect((await routed.statistics()).clusterBytes).toHaveLength(2);
      expect(await routed.health()).toBeUndefined();
      await second.members[0]!.kill();
      expect(await routed.health()).toBeUndefined();
    } finally {
      await routed.close();
      await second.stop();
    }
  });

  test('a read of the history of a key that does not exist', async () => {
    const revision = await put(storage, '/a', '1');
    expect((await storage.get('/none', revision)).entry).toBeUndefined();
    await remove(storage, '/a', revision);
    expect(text((await storage.get('/a', revision)).entry!.value)).toBe('1');
  });
});

describe.skipIf(!hasEtcd)('etcd without space', () => {
  test('refuses writes with the reason; reads and deletions go on', async () => {
    const etcd = await EtcdProcesses.start(1, ['--quota-backend-bytes=4194304']);
    const storage = await openEtcd(etcd.urls);
    try {
      const first = await put(storage, '/a', '1');
      const fill = async () => {
        for (let round = 0; ; round += 1) await put(storage, `/fill${round}`, 'x'.repeat(500_000));
      };
      await expect(fill()).rejects.toMatchObject({ name: 'OutOfSpaceError' });
      await expect(put(storage, '/b', '')).rejects.toMatchObject({ name: 'OutOfSpaceError' });
      expect((await storage.get('/a')).entry?.revision).toBe(first);
      expect(await storage.health()).toBeUndefined();
      await remove(storage, '/a', first);
      expect((await storage.get('/a')).entry).toBeUndefined();
    } finally {
      await storage.close();
      await etcd.stop();
    }
  });

  test('a value above the limit of etcd is refused', async () => {
    const etcd = await EtcdProcesses.start(1, ['--max-request-bytes=1572864']);
    const storage = await openEtcd(etcd.urls);
    try {
      for (const size of [1 << 21, 3 << 20])
        await expect(put(storage, '/a', 'x'.repeat(size))).rejects.toMatchObject({
          name: 'ValueTooLargeError',
        });
      await put(storage, '/a', 'x'.repeat(1 << 20));
    } finally {
      await storage.close();
      await etcd.stop();
    }
  });
});
