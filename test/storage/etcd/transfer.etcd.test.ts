import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHead } from '../../../src/storage/embedded/encoding.ts';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { embeddedSource, embeddedTarget } from '../../../src/storage/transfer/embedded-transfer.ts';
import { etcdSource, etcdTarget } from '../../../src/storage/transfer/etcd-transfer.ts';
import { transfer } from '../../../src/storage/transfer/transfer.ts';
import { changeRaw } from '../embedded/raw.ts';
import { put, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';
import { EtcdProcesses, hasEtcd } from './etcd-process.ts';
import { openCluster, uniquePrefix } from './open-etcd.ts';

describe.skipIf(!hasEtcd)('a transfer to etcd and back', () => {
  let etcd: EtcdProcesses;
  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
  });
  afterAll(() => etcd.stop());

  const connect = (prefix: string) => ({ cluster: openCluster(etcd.urls), prefix, now: Date.now });

  test('keeps values and expiries, raises the revision, and compacts the history', async () => {
    const [from, to] = [`${temporaryDirectory()}/from`, `${temporaryDirectory()}/to`];
    const prefix = uniquePrefix();
    const storage = await openEmbeddedStorage({ directory: from });
    for (let index = 0; index < 450; index += 1) await put(storage, `/registry/a/${index}`, `v${index}`);
    await put(storage, '/registry/events/one', 'event', 0, 1800);
    let revision = await put(storage, '/registry/counter', '0');
    for (let round = 0; round < 300; round += 1)
      revision = await put(storage, '/registry/counter', String(round), revision);
    await storage.close();

    const source = await embeddedSource(from);
    const target = await etcdTarget(connect(prefix));
    const there = await transfer(source, target, () => undefined);
    await target.close();
    await source.close();
    expect(there.keys).toBe(452);
    expect(there.revision).toBeGreaterThan(revision);
    await expect(etcdTarget(connect(prefix))).rejects.toThrow(`etcd has 452 keys under ${prefix}/`);

    const etcdStore = await etcdSource(connect(prefix));
    const embedded = await embeddedTarget(to);
    const back = await transfer(etcdStore, embedded, () => undefined);
    expect(back.keys).toBe(452);
    expect(back.revision).toBe(there.revision);
    await embedded.close();
    expect(await etcdStore.isUnchanged()).toBe(true);
    await etcdStore.close();
    const copy = await openEmbeddedStorage({ directory: to });
    expect(text((await copy.get('/registry/a/7')).entry!.value)).toBe('v7');
    expect(copy.revision).toBe(there.revision);
    expect(copy.compactedRevision).toBe(there.revision);
    await copy.close();
    await changeRaw(to, ({ live }) => {
      const seconds = (live.get('/registry/events/one', readHead)!.deadline - Date.now()) / 1000;
      expect(seconds).toBeGreaterThan(1790);
      expect(seconds).toBeLessThan(1802);
    });
  });
});
