import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EncryptedStorage, EncryptionRules } from '../../../src/storage/encryption/index.ts';
import type { EtcdStorage } from '../../../src/storage/etcd/etcd-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { put } from '../helpers.ts';
import { EtcdProcesses, hasEtcd } from './etcd-process.ts';
import { FaultProxy } from './fault-proxy.ts';
import { openEtcd } from './open-etcd.ts';

const PREFIX = '/registry';
const OBJECT = '/configmaps/default/a';
const RANGE = '/ranges/serviceips';

describe.skipIf(!hasEtcd)('a store that is replaced by one of the same length', () => {
  let etcd: EtcdProcesses;
  let proxy: FaultProxy;
  let storage: EtcdStorage;
  let reported: string[];
  beforeEach(async () => {
    etcd = await EtcdProcesses.start();
    proxy = await FaultProxy.start(etcd.urls[0]!);
    storage = await openEtcd([proxy.url], { prefix: PREFIX });
    reported = [];
    storage.onReplaced(({ message }) => void reported.push(message));
  });
  afterEach(async () => {
    proxy.restore();
    await storage.close();
    await proxy.close();
    await etcd.stop();
  });

  /** What a store of another history has. Returns the last revision. */
  async function write(history: (store: EtcdStorage) => Promise<unknown>): Promise<number> {
    const [member] = etcd.members;
    proxy.cut();
    await member!.kill();
    rmSync(member!.dataDirectory, { recursive: true });
    member!.start();
    await member!.ready();
    const other = await openEtcd(etcd.urls, { prefix: PREFIX });
    await history(other);
    const revision = await other.currentRevision();
    await other.close();
    proxy.restore();
    return revision;
  }

  /** What is reported after the next reads. The known changes are read after the first answer on a connection. */
  async function afterReads(): Promise<string[]> {
    for (let reads = 0; reads < 20 && reported.length === 0; reads += 1) await storage.currentRevision();
    return reported;
  }

  const encrypted = (inner: Storage, letter: string) => {
    const keys = [{ name: 'key', secret: Buffer.alloc(32, letter) }];
    const rules = EncryptionRules.create([{ resources: ['*.*'], providers: [{ type: 'aesgcm', keys }] }], {
      keyService: () => expect.unreachable(),
      record: () => undefined,
    });
    return new EncryptedStorage({
      inner,
      encryption: { rules, asynchronous: false },
      typeOf: (key) => (key === RANGE ? undefined : 'configmaps'),
    });
  };
  const notFound = (revision: number) => [
    `the history of etcd does not contain what is known of revision ${revision}: it was restored from a backup`,
  ];

  test('is noticed by another uid, although its newest change is equal', async () => {
    await put(storage, OBJECT, 'uid: 1');
    const revision = await put(storage, RANGE, 'none');
    const length = await write(async (other) => {
      await put(other, OBJECT, 'uid: 2');
      await put(other, RANGE, 'none');
    });
    expect(length).toBe(revision);
    expect(await afterReads()).toEqual(notFound(revision));
  });

  test('is noticed by other keys of its encryption', async () => {
    await put(encrypted(storage, 'a'), OBJECT, 'uid: 1');
    const revision = await put(encrypted(storage, 'a'), RANGE, 'none');
    const length = await write(async (other) => {
      await put(encrypted(other, 'b'), OBJECT, 'uid: 1');
      await put(encrypted(other, 'b'), RANGE, 'none');
    });
    expect(length).toBe(revision);
    expect(await afterReads()).toEqual(notFound(revision));
  });

  test('is noticed by the uid of an older object, whose revision is compacted', async () => {
    await put(storage, OBJECT, 'uid: 1');
    const revision = await put(storage, RANGE, 'none');
    await write(async (other) => {
      await put(other, OBJECT, 'uid: 2');
      await other.compact(await put(other, RANGE, 'none'));
    });
    expect(await afterReads()).toEqual(notFound(revision));
  });

  test('is the same one with equal changes, also if others have changed a compacted one', async () => {
    const created = await put(storage, OBJECT, 'uid: 1');
    const revision = await put(storage, RANGE, 'none');
    await write(async (other) => {
      await put(other, OBJECT, 'uid: 1');
      await put(other, RANGE, 'none');
    });
    expect(await afterReads()).toEqual([]);
    const client = await openEtcd(etcd.urls, { prefix: PREFIX });
    await put(client, OBJECT, 'uid: 1, changed', created);
    await client.compact(await put(storage, RANGE, 'all', revision));
    await client.close();
    proxy.reset();
    expect(await afterReads()).toEqual([]);
  });

  test('is noticed by an object that was deleted', async () => {
    const created = await put(storage, OBJECT, 'uid: 1');
    const deletion = await storage.transact({ key: OBJECT, expected: created, value: undefined });
    const length = await write(async (other) => {
      await put(other, OBJECT, 'uid: 1');
      await put(other, RANGE, 'none');
    });
    expect(length).toBe(deletion.revision);
    expect(await afterReads()).toEqual(notFound(deletion.revision));
  });
});
