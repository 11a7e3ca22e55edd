import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EtcdStorage } from '../../../src/storage/etcd/etcd-storage.ts';
import { OutcomeUnknownError } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import { EtcdProcesses, hasEtcd } from './etcd-process.ts';
import { FaultProxy } from './fault-proxy.ts';
import { openEtcd, uniquePrefix } from './open-etcd.ts';

describe.skipIf(!hasEtcd)('etcd behind a network that fails', () => {
  let etcd: EtcdProcesses;
  let proxy: FaultProxy;
  let prefix: string;
  /** Through the proxy. */
  let storage: EtcdStorage;
  /** Another server, directly. */
  let other: EtcdStorage;

  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
  });
  afterAll(() => etcd.stop());
  beforeEach(async () => {
    proxy = await FaultProxy.start(etcd.urls[0]!);
    prefix = uniquePrefix();
    storage = await openEtcd([proxy.url], { prefix, attemptTimeout: 300 });
    other = await openEtcd(etcd.urls, { prefix });
  });
  afterEach(async () => {
    proxy.restore();
    await storage.close();
    await other.close();
    await proxy.close();
  });

  test('a watch continues after its connection was reset, without loss or repetition', async () => {
    const recorder = new Recorder(storage);
    const revisions: number[] = [];
    for (let round = 0; round < 100; round += 1) {
      if (round % 20 === 10) proxy.reset();
      revisions.push(await put(other, `/k${round}`, ''));
    }
    await recorder.until(() => recorder.events.length >= revisions.length);
    expect(recorder.revisions).toEqual(revisions);
  });

  test('a watch continues after a long break, and requested progress arrives after it', async () => {
    const recorder = new Recorder(storage);
    const first = await put(other, '/a', '1');
    await recorder.until(() => recorder.events.length === 1);
    proxy.cut();
    recorder.watch.requestProgress();
    const second = await put(other, '/a', '2', first);
    const third = await remove(other, '/a', second);
    await expect(storage.health('ready')).resolves.toMatchObject({ name: 'StorageUnavailableError' });
    proxy.restore();
    await recorder.until(() => recorder.requested.length === 1);
    expect(recorder.revisions).toEqual([first, second, third]);
    expect(recorder.requested).toEqual([third]);
  });

  test('a connection that is silent is left by calls and watches', async () => {
    const both = await openEtcd([proxy.url, ...etcd.urls], { prefix, attemptTimeout: 300 });
    try {
      const recorder = new Recorder(both);
      const first = await put(both, '/a', '1');
      await recorder.until(() => recorder.events.length === 1);
      proxy.hang();
      const started = performance.now();
      expect((await both.get('/a')).entry?.revision).toBe(first);
      expect(performance.now() - started).toBeLessThan(10_000);
      const second = await put(both, '/b', '1');
      await recorder.until(() => recorder.events.length === 2);
      expect(recorder.revisions).toEqual([first, second]);
    } finally {
      await both.close();
    }
  });

  test('reads and writes wait for a connection that comes back', async () => {
    const first = await put(storage, '/a', '1');
    proxy.cut();
    const reading = storage.get('/a');
    // The client has noticed that its connection is lost.
    await vi.waitFor(() => expect(proxy.refusals).toBeGreaterThan(0));
    const writing = storage.transact({ key: '/b', expected: 0, value: bytes('1') });
    proxy.restore();
    expect((await reading).entry?.revision).toBe(first);
    expect(await writing).toMatchObject({ succeeded: true });
  });

  test('without any connection, calls fail in time and are not ambiguous', async () => {
    const impatient = await openEtcd([proxy.url], {
      prefix,
      callTimeout: 300,
      transactionTimeout: 300,
    });
    proxy.cut();
    await expect(impatient.get('/a')).rejects.toMatchObject({ name: 'StorageUnavailableError' });
    await expect(impatient.transact({ key: '/a', expected: 0, value: bytes('') })).rejects.toMatchObject({
      name: 'StorageUnavailableError',
    });
    expect(await impatient.health()).toBeInstanceOf(Error);
    await impatient.close();
  });

  describe('a change whose answer is lost', () => {
    const creation = { key: '/a', expected: 0, value: bytes('uid-1'), unique: true };

    test('is found to be made: a creation with a unique value', async () => {
      proxy.mute();
      const created = await storage.transact(creation);
      expect(created.succeeded).toBe(true);
      const { entry } = await other.get('/a');
      expect(entry).toMatchObject({ revision: created.revision, createRevision: created.revision });
    });

    test('has an unknown outcome: a creation whose value another client may have written', async () => {
      proxy.mute();
      await expect(storage.transact({ ...creation, unique: false })).rejects.toMatchObject({
        name: 'OutcomeUnknownError',
      });
      expect((await other.get('/a')).entry).toBeDefined();
    });

    test('is not made again after another client undid it: a creation', async () => {
      const recorder = new Recorder(other);
      proxy.mute();
      const creating = storage.transact(creation);
      const refused = expect(creating).rejects.toMatchObject({ name: 'OutcomeUnknownError', timedOut: true });
      await recorder.until(() => recorder.events.length === 1);
      await remove(other, '/a', recorder.revisions[0]!);
      await refused;
      const last = await put(other, '/b', '');
      await recorder.until(() => recorder.revisions.at(-1) === last);
      expect(recorder.events.map(({ type, key }) => `${type} ${key}`)).toEqual([
        'put /a',
        'delete /a',
        'put /b',
      ]);
    });

    test('has an unknown outcome: a creation of a key that another client created', async () => {
      proxy.hang();
      const creating = storage.transact(creation);
      const refused = expect(creating).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
      const theirs = await put(other, '/a', 'uid-2');
      proxy.reset();
      proxy.restore();
      await refused;
      expect((await other.get('/a')).entry?.revision).toBe(theirs);
    });

    test.each([
      ['an update', bytes('1')],
      ['a deletion', undefined],
    ])('has an unknown outcome: %s, because another client may have made it', async (_, value) => {
      const base = await put(other, '/a', '0');
      proxy.mute();
      await expect(storage.transact({ key: '/a', expected: base, value })).rejects.toMatchObject({
        name: 'OutcomeUnknownError',
      });
      const { entry } = await other.get('/a');
      expect(entry?.value).toEqual(value);
    });

    test.each([
      ['update', bytes('1')],
      ['deletion', undefined],
    ])('is not acknowledged if another server made the same %s', async (_, value) => {
      const base = await put(other, '/a', '0');
      proxy.hang();
      const writing = storage.transact({ key: '/a', expected: base, value });
      const refused = expect(writing).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
      expect(await other.transact({ key: '/a', expected: base, value })).toMatchObject({ succeeded: true });
      proxy.reset();
      proxy.restore();
      await refused;
    });

    test('a creation is found although another server has changed the object since', async () => {
      const seen = new Recorder(other);
      proxy.mute();
      const writing = storage.transact(creation);
      await seen.until(() => seen.events.length === 1);
      const own = seen.events[0]!.revision;
      await other.transact({ key: '/a', expected: own, value: bytes('uid-1 changed') });
      expect(await writing).toEqual({ succeeded: true, revision: own });
    });

    test('is refused if another server was first', async () => {
      const base = await put(other, '/a', '0');
      proxy.hang();
      const writing = storage.transact({ key: '/a', expected: base, value: bytes('mine') });
      const theirs = await put(other, '/a', 'theirs', base);
      proxy.restore();
      const result = await writing;
      expect(result).toMatchObject({ succeeded: false, current: { revision: theirs } });
      if (!result.succeeded) expect(text(result.current!.value)).toBe('theirs');
    });

    test('has an unknown outcome after the deadline', async () => {
      const impatient = await openEtcd([proxy.url], {
        prefix,
        attemptTimeout: 200,
        callTimeout: 600,
        transactionTimeout: 600,
      });
      proxy.hang();
      await expect(impatient.transact({ key: '/a', expected: 0, value: bytes('') })).rejects.toMatchObject({
        name: 'OutcomeUnknownError',
        timedOut: true,
      });
      await impatient.close();
    });
  });

  test('a slow network delays answers only', async () => {
    proxy.delay(50);
    const recorder = new Recorder(storage);
    const revisions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => put(storage, `/k${index}`, '')),
    );
    await recorder.until(() => recorder.events.length === 20);
    expect(recorder.revisions).toEqual([...revisions].sort((a, b) => a - b));
  });

  test('another cluster ends the watches, and is used from then on', async () => {
    const second = await EtcdProcesses.start();
    try {
      const recorder = new Recorder(storage);
      await put(storage, '/a', '1');
      await recorder.until(() => recorder.events.length === 1);
      proxy.retarget(second.urls[0]!);
      await expect(recorder.ended).resolves.toMatchObject({ name: 'StoreReplacedError' });
      expect((await storage.get('/a')).entry).toBeUndefined();
      await put(storage, '/a', '1');
    } finally {
      await second.stop();
    }
  });
});

describe.skipIf(!hasEtcd)('etcd that stops', () => {
  test('a single member is killed and started again: nothing acknowledged is lost', async () => {
    const etcd = await EtcdProcesses.start();
    const storage = await openEtcd(etcd.urls);
    try {
      const recorder = new Recorder(storage);
      const first = await put(storage, '/a', '1');
      await recorder.until(() => recorder.events.length === 1);
      await etcd.members[0]!.kill();
      const writing = put(storage, '/a', '2', first);
      etcd.members[0]!.start();
      const second = await writing;
      await recorder.until(() => recorder.events.length === 2);
      expect(recorder.revisions).toEqual([first, second]);
    } finally {
      await storage.close();
      await etcd.stop();
    }
  });

  test('the leader of three members is killed while servers write', async () => {
    const etcd = await EtcdProcesses.start(3);
    const prefix = uniquePrefix();
    const stores = await Promise.all(
      etcd.urls.map((_, index) => openEtcd(etcd.urls, { prefix, random: () => index / 3 })),
    );
    try {
      const recorders = stores.map((store) => new Recorder(store));
      const acknowledged = new Map<string, number>();
      const unknown = new Set<string>();
      let running = true;
      const writers = stores.map(async (store, writer) => {
        for (let round = 0; running; round += 1) {
          const key = `/w${writer}/${round}`;
          try {
            const created = await store.transact({ key, expected: 0, value: bytes(key), unique: true });
            expect(created.succeeded).toBe(true);
            acknowledged.set(key, created.revision);
          } catch (error) {
            if (!(error instanceof OutcomeUnknownError)) throw error;
            unknown.add(key);
          }
        }
      });
      const enough = (count: number) => recorders[0]!.until(({ events }) => events.length > count);
      await enough(100);
      const leader = await etcd.leader();
      await leader.kill();
      await enough(recorders[0]!.events.length + 300);
      running = false;
      await Promise.all(writers);
      // Each writer has one change in flight when the leader ends, and seldom another during the election.
      expect(unknown.size).toBeLessThan(10);
      const { entries, revision } = await stores[0]!.range({ start: '/', end: '0' });
      const stored = new Map(entries.map((entry) => [entry.key, entry.revision]));
      for (const key of unknown) {
        const made = stored.get(key);
        if (made !== undefined) acknowledged.set(key, made);
      }
      expect(stored).toEqual(acknowledged);
      for (const recorder of recorders) {
        await recorder.until(() => (recorder.revisions.at(-1) ?? 0) >= revision);
        expect(recorder.revisions).toEqual([...acknowledged.values()].sort((a, b) => a - b));
      }
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await etcd.stop();
    }
  });

  test('a paused member is left, and the others go on', async () => {
    const etcd = await EtcdProcesses.start(3);
    const leader = await etcd.leader();
    const paused = etcd.members.find((member) => member !== leader)!;
    const order = [paused.url, ...etcd.urls.filter((url) => url !== paused.url)];
    const storage = await openEtcd(order, { attemptTimeout: 300 });
    try {
      const recorder = new Recorder(storage);
      const first = await put(storage, '/a', '1');
      await recorder.until(() => recorder.events.length === 1);
      paused.signal('SIGSTOP');
      // The member may have forwarded the change before it stopped; its answer is lost then.
      const second = await put(storage, '/a', '2', first).catch((error: unknown) => {
        if (!(error instanceof OutcomeUnknownError)) throw error;
      });
      await recorder.until(() => recorder.events.length === 2);
      expect(recorder.events.map(({ value }) => text(value!))).toEqual(['1', '2']);
      expect(recorder.revisions).toEqual([first, second ?? recorder.revisions[1]]);
      const created = await put(storage, '/b', '1');
      await recorder.until(() => recorder.events.length === 3);
      expect(recorder.revisions[2]).toBe(created);
      paused.signal('SIGCONT');
    } finally {
      await storage.close();
      await etcd.stop();
    }
  });
});
