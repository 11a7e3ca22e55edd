import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ResourceRow, storageRow } from '../../src/kinds/resource-row.ts';
import { MetadataInformer } from '../../src/listers/metadata-informer.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { settle } from '../reconcile/manual-clock.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { rowOf } from '../support/builtin-resources.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const GROUP = 'example.com';
const WIDGETS = '/registry/example.com/widgets/';

/** A version of a custom kind; `v1` is the storage version. */
const widgets = (version = 'v1'): ResourceRow => ({
  ...rowOf(GROUP, version, 'widgets', 'Widget'),
  storage: storageRow(GROUP, 'v1', 'Widget', { prefix: `${GROUP}/widgets`, encoding: 'json' }),
});

describe('MetadataInformer', () => {
  let storage: LateStorage;
  let server: SmallServer;
  let informer: MetadataInformer;
  let seen: string[];
  const revisions = new Map<string, number>();

  beforeEach(async () => {
    storage = new LateStorage(createMemoryStorage());
    server = smallServer({ storage });
    revisions.clear();
    seen = [];
    informer = new MetadataInformer({
      resources: server.resources,
      storage,
      logger: { detail: () => undefined } as never,
    });
    informer.listen({
      startListing: () => seen.push('list'),
      finishListing: () => seen.push('listed'),
      put: ({ kind, name }) => seen.push(`put ${kind.resource.version} ${name}`),
      remove: ({ name }) => seen.push(`remove ${name}`),
      addKinds: () => seen.push('kinds'),
      forgetKind: (store) => seen.push(`forget ${store}`),
    });
  });
  afterEach(async () => {
    await informer.stop();
    await server.close();
  });

  const write = async (name: string, value: object | string | undefined = widgetOf(name)) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const key = `${WIDGETS}n/${name}`;
    const outcome = await storage.transact({
      key,
      expected: revisions.get(name) ?? 0,
      value: Buffer.from(text),
    });
    revisions.set(name, outcome.revision);
  };
  const remove = (name: string) =>
    storage.transact({ key: `${WIDGETS}n/${name}`, expected: revisions.get(name)!, value: undefined });
  const widgetOf = (name: string) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'n', uid: `uid-${name}` },
    spec: { metadata: { name: 'other' } },
  });
  const started = async () => {
    informer.start();
    await informer.synced;
    await settle();
    seen.length = 0;
  };
  const change = (parts: Parameters<SmallServer['resources']['served']['change']>[0]) =>
    server.resources.served.change(parts);

  it('finds the kinds of owners', () => {
    expect(informer.findKind('apps/v9', 'Deployment')).toBeUndefined();
    expect(informer.findKind('v1', 'Pod')).toMatchObject({ store: 'pods' });
    expect(informer.findKind('batch/v1', 'Job')).toMatchObject({ namespaced: true });
  });

  it('lists a new kind alone, at the position of its watch', async () => {
    await started();
    await write('a');
    await write('b');
    await settle();
    expect(seen).toEqual([]);
    storage.ranges.length = 0;
    change({ add: [widgets()] });
    expect(informer.findKind('example.com/v1', 'Widget')).toMatchObject({ store: 'example.com/widgets' });
    await settle();
    expect(seen).toEqual(['kinds', 'put v1 a', 'put v1 b']);
    expect(storage.ranges).toEqual([
      expect.objectContaining({ start: WIDGETS, revision: revisions.get('b') }),
    ]);
    await write('c');
    await settle();
    expect(seen.at(-1)).toBe('put v1 c');
  });

  it('does not report listed objects that changed during the list', async () => {
    await started();
    for (const name of ['a', 'b', 'c']) await write(name);
    await settle();
    let proceed!: () => void;
    storage.beforeRange = () => new Promise<void>((resolve) => (proceed = resolve));
    change({ add: [widgets()] });
    await settle();
    await remove('a');
    await write('b');
    await settle();
    expect(seen).toEqual(['kinds', 'remove a', 'put v1 b']);
    proceed();
    await settle();
    expect(seen).toEqual(['kinds', 'remove a', 'put v1 b', 'put v1 c']);
  });

  it('lists kinds that are added while all objects or others are listed', async () => {
    await write('a');
    let changed = false;
    storage.beforeRange = () => {
      if (!changed) change({ add: [widgets()] });
      changed = true;
      return undefined;
    };
    informer.start();
    await informer.synced;
    await settle();
    expect(seen).toEqual(['list', 'kinds', 'put v1 a', 'listed']);
  });

  it('retries a list that failed, from a newer position', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await started();
      await write('a');
      await settle();
      storage.beforeRange = () => Promise.reject(new Error('compacted'));
      change({ add: [widgets()] });
      await settle();
      expect([seen, storage.progressRequests]).toEqual([['kinds'], 1]);
      storage.beforeRange = () => undefined;
      await vi.advanceTimersByTimeAsync(1000);
      await settle();
      expect(seen).toEqual(['kinds', 'put v1 a']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('observes a removed kind until its last event, then forgets it', async () => {
    change({ add: [widgets()] });
    await write('a');
    await started();
    storage.hold();
    await remove('a');
    change({ remove: [...server.resources.served.storedUnder(`${GROUP}/widgets`)] });
    await settle();
    expect(seen).toEqual([]);
    expect(informer.findKind('example.com/v1', 'Widget')).toBeUndefined();
    storage.release();
    await settle();
    expect(seen).toEqual(['remove a', 'forget example.com/widgets']);
    await write('b');
    await settle();
    expect(seen).toHaveLength(2);
  });

  it('keeps a kind that is served again before its last event', async () => {
    change({ add: [widgets()] });
    await started();
    storage.hold();
    await write('a');
    change({ remove: [...server.resources.served.storedUnder(`${GROUP}/widgets`)] });
    await settle();
    storage.ranges.length = 0;
    change({ add: [widgets()] });
    storage.release();
    await settle();
    expect([seen, storage.ranges]).toEqual([['kinds', 'put v1 a'], []]);
  });

  it('requests the storage version, or another one while that is not served', async () => {
    const [v1, v2] = [widgets(), widgets('v2')];
    change({ add: [v2] });
    await started();
    const kind = informer.findKind('example.com/v2', 'Widget')!;
    expect(kind.resource.version).toBe('v2');
    change({ add: [v1] });
    expect(kind.resource.version).toBe('v1');
    change({ remove: [v1] });
    await settle();
    expect(kind.resource.version).toBe('v2');
    expect(seen).toEqual(['kinds']);
  });

  it('reads the metadata only, of values in any layout', async () => {
    change({ add: [widgets()] });
    await started();
    // The other members are not JSON: they are skipped.
    await write('a', '{"apiVersion":"x","metadata":{"name":"a","uid":"1"},"spec":[}');
    await write('b', JSON.stringify(widgetOf('b'), undefined, 2));
    await write('c', '{"metadata":[}');
    await settle();
    expect(seen).toEqual(['put v1 a', 'put v1 b']);
    const kind = informer.findKind('example.com/v1', 'Widget')!;
    expect(await informer.read(kind, 'n', 'a')).toEqual({
      metadata: { name: 'a', uid: '1' },
      revision: revisions.get('a'),
    });
    expect(await informer.read(kind, 'n', 'absent')).toBeUndefined();
  });
});
