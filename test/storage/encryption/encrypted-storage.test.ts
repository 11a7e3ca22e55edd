import { describe, expect, test } from 'vitest';
import { EncryptedStorage, EncryptionRules } from '../../../src/storage/encryption/index.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import type { Storage, StoredEntry } from '../../../src/storage/storage.ts';
import { immediateStorageContract, storageContract } from '../contract.ts';
import { bytes, put, Recorder, text } from '../helpers.ts';

type Providers = Parameters<typeof EncryptionRules.create>[0][number]['providers'];

const key = (letter: string) => ({ name: `key-${letter}`, secret: Buffer.alloc(32, letter) });
const local = (type: 'aesgcm' | 'aescbc' | 'secretbox', letter: string) =>
  ({ type, keys: [key(letter)] }) as const;
const identity = { type: 'identity' } as const;

function configured(providers: Providers, asynchronous = false) {
  const rules = EncryptionRules.create([{ resources: ['*.*'], providers }], {
    keyService: () => {
      throw new Error('no key service');
    },
    record: () => undefined,
  });
  return { rules, asynchronous };
}

const encrypted = (inner: Storage, ...providers: Providers) =>
  new EncryptedStorage({ inner, encryption: configured(providers), typeOf: () => 'secrets' });

for (const type of ['aesgcm', 'aescbc', 'secretbox'] as const)
  immediateStorageContract(`memory storage encrypted by ${type}`, async (clock) => ({
    storage: encrypted(createMemoryStorage({ clock }), local(type, 'a')),
    dispose: async () => undefined,
  }));

/** Rules whose values are decrypted later, as those of a key service may. */
class SlowRules {
  readonly inner = configured([local('aesgcm', 'a')]).rules;
  transformerOf = (type: string) => {
    const transformer = this.inner.transformerOf(type)!;
    return {
      encrypt: (value: Uint8Array, full: string) => transformer.encrypt(value, full),
      decrypt: async (data: Uint8Array, full: string) => {
        await Promise.resolve();
        return transformer.decrypt(data, full);
      },
    };
  };
}

storageContract('memory storage, decrypted later', async (clock) => ({
  storage: new EncryptedStorage({
    inner: createMemoryStorage({ clock }),
    encryption: { rules: new SlowRules() as unknown as EncryptionRules, asynchronous: true },
    typeOf: () => 'secrets',
  }),
  dispose: async () => undefined,
}));

async function read(storage: Storage, name: string): Promise<StoredEntry> {
  const { entry } = await storage.get(name);
  return entry!;
}

describe('an encrypted store', () => {
  test('stores encrypted values with the prefix of provider and key', async () => {
    const inner = createMemoryStorage();
    const storage = encrypted(inner, local('aescbc', 'a'));
    await put(storage, '/a', 'value');
    expect(text((await read(inner, '/a')).value.subarray(0, 24))).toBe('k8s:enc:aescbc:v1:key-a:');
    expect(text((await read(storage, '/a')).value)).toBe('value');
  });

  test('leaves values of keys that are never encrypted as they are', async () => {
    const inner = createMemoryStorage();
    const storage = new EncryptedStorage({
      inner,
      encryption: configured([local('aesgcm', 'a')]),
      typeOf: () => undefined,
    });
    await put(storage, '/a', 'value');
    expect(text((await read(inner, '/a')).value)).toBe('value');
    expect(await storage.isStale('/a')).toBe(false);
  });

  test.each(['aesgcm', 'secretbox'] as const)(
    'marks a value that %s cannot decrypt in reads, lists and events',
    async (type) => {
      const inner = createMemoryStorage();
      await put(encrypted(inner, local(type, 'z')), '/a', 'value');
      const storage = encrypted(inner, local(type, 'a'), identity);
      const seen = new Recorder(storage, 1);
      await seen.until(({ events }) => events.length === 1);
      for (const entry of [
        await read(storage, '/a'),
        (await storage.range({ start: '/', end: '0' })).entries[0]!,
        seen.events[0]!,
      ])
        expect(entry.corruption).toMatchObject({
          name: 'UndecryptableObjectError',
          key: '/a',
          message: `no matching key was found for the provided ${type === 'aesgcm' ? 'AES' : 'Secretbox'} transformer`,
        });
      const lost = await storage.transact({ key: '/a', expected: 0, value: bytes('other') });
      expect(lost).toMatchObject({ succeeded: false, current: { corruption: { key: '/a' } } });
    },
  );

  test('does not decrypt a value that was moved to another key', async () => {
    const inner = createMemoryStorage();
    const storage = encrypted(inner, local('aesgcm', 'a'));
    await put(storage, '/a', 'value');
    await inner.createBatch([{ key: '/b', value: (await read(inner, '/a')).value }]);
    expect((await read(storage, '/b')).corruption?.message).toBe('cipher: message authentication failed');
  });

  test('without a matching provider names no key', async () => {
    const inner = createMemoryStorage();
    await put(encrypted(inner, local('aescbc', 'a')), '/a', 'value');
    expect((await read(encrypted(inner, local('aesgcm', 'a'), identity), '/a')).corruption?.message).toBe(
      'no matching prefix found',
    );
  });

  test('knows which values are to be written again', async () => {
    const storage = encrypted(createMemoryStorage(), local('aescbc', 'a'));
    await put(storage, '/a', 'value');
    expect(await storage.isStale('/a')).toBe(false);
    await storage.reload(configured([local('aescbc', 'a'), local('secretbox', 'b')]));
    expect(await storage.isStale('/a')).toBe(false);
    await storage.reload(configured([identity, local('aescbc', 'a')]));
    expect(await storage.isStale('/a')).toBe(true);
    await storage.reload(configured([{ type: 'aescbc', keys: [key('b'), key('a')] }]));
    expect(await storage.isStale('/a')).toBe(true);
    await storage.reload(configured([local('secretbox', 'b')]));
    expect(await storage.isStale('/a')).toBe(true);
  });

  test('ends the watches of a value that a new configuration decrypts, and no others', async () => {
    const inner = createMemoryStorage();
    await put(encrypted(inner, local('aescbc', 'a')), '/a/1', 'value');
    const storage = encrypted(inner, identity);
    const concerned = new Recorder(storage, 1, '/a/', '/a0');
    const other = new Recorder(storage, 1, '/b/', '/b0');
    await concerned.until(({ events }) => events.length === 1);
    await storage.reload(configured([local('secretbox', 'b')]));
    await put(storage, '/a/2', 'value');
    await concerned.until(({ events }) => events.length === 2);
    await storage.reload(configured([local('secretbox', 'b'), local('aescbc', 'a')]));
    await expect(concerned.ended).resolves.toMatchObject({ name: 'StorageUnavailableError' });
    await put(storage, '/b/1', 'value');
    await other.until(({ events }) => events.length === 1);
    expect(text(other.events[0]!.value)).toBe('value');
  });

  test('yields to the event loop while it decrypts a large range', async () => {
    const inner = createMemoryStorage();
    const storage = encrypted(inner, local('secretbox', 'a'));
    const value = new Uint8Array(20_000);
    await storage.createBatch(Array.from({ length: 2000 }, (_, index) => ({ key: `/a/${index}`, value })));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const { entries } = await storage.range({ start: '/', end: '0' });
    clearInterval(timer);
    expect(entries).toHaveLength(2000);
    expect(turns).toBeGreaterThan(2);
  });
});
