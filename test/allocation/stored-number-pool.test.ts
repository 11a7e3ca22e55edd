import { describe, expect, it } from 'vitest';
import { PoolChangedError } from '../../src/allocation/number-pool.ts';
import { StoredNumberPool } from '../../src/allocation/stored-number-pool.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { OutcomeUnknownError, type Storage } from '../../src/storage/storage.ts';
import { LateStorage } from '../storage/late-storage.ts';

const KEY = '/registry/ranges/serviceips';

const poolOf = (storage: Storage, range = '10.0.0.0/24', size = 254) =>
  new StoredNumberPool({ storage, name: 'serviceips', range, size, band: 16, random: () => 0.5 });

async function initialized(storage: Storage, offsets: readonly number[] = []): Promise<StoredNumberPool> {
  const pool = poolOf(storage);
  await (await pool.startRepair()).finish(offsets);
  return pool;
}

const store = () => new LateStorage(createMemoryStorage());

describe('a stored pool', () => {
  it('stores the bytes that kube-apiserver stores for an empty range', async () => {
    const storage = store();
    await initialized(storage);
    // Recorded from kube-apiserver 1.32.13.
    const recorded =
      'azhzAAoVCgJ2MRIPUmFuZ2VBbGxvY2F0aW9uEiEKEAoAEgAaACIAKgAyADgAQgASCzEwLjAuMC4wLzI0GgAaACIA';
    expect(Buffer.from((await storage.get(KEY)).entry!.value).toString('base64')).toBe(recorded);
  });

  it('refuses to allocate before the first repair', async () => {
    await expect(poolOf(store()).reserve(1)).rejects.toThrow('serviceips cannot be allocated yet');
  });

  it('never gives an offset to two servers', async () => {
    const storage = store();
    const [one, other] = [await initialized(storage), poolOf(storage)];
    const offsets = await Promise.all(
      Array.from({ length: 254 }, (_, index) => (index % 2 === 0 ? one : other).allocateNext()),
    );
    expect(new Set(offsets).size).toBe(254);
    expect(await one.allocateNext()).toBeUndefined();
    expect(await other.allocateNext()).toBeUndefined();
    await other.release(7);
    expect(await one.allocateNext()).toBe(7);
  });

  it('fails if the outcome of its write is unknown, and reads the state before the next one', async () => {
    const storage = store();
    const pool = await initialized(storage);
    const transact = storage.transact.bind(storage);
    storage.transact = async (transaction) => {
      await transact(transaction);
      throw new OutcomeUnknownError('the answer was lost', true);
    };
    await expect(pool.reserve(3)).rejects.toMatchObject({ name: 'OutcomeUnknownError', timedOut: true });
    storage.transact = transact;
    expect(await pool.reserve(3)).toBe(false);
    expect(await pool.reserve(4)).toBe(true);
  });

  it('judges a refusal on the current state', async () => {
    const storage = store();
    const [one, other] = [await initialized(storage), poolOf(storage)];
    expect(await one.reserve(3)).toBe(true);
    expect(await other.reserve(3)).toBe(false);
    await one.release(3);
    expect(await other.reserve(3)).toBe(true);
    expect(await one.has(3)).toBe(true);
    expect(await one.reserve(254)).toBe(false);
  });

  it('writes changes that wait together at once', async () => {
    const storage = store();
    const pool = await initialized(storage);
    const before = (await storage.currentRevision()) as number;
    await Promise.all(Array.from({ length: 50 }, () => pool.allocateNext()));
    expect(((await storage.currentRevision()) as number) - before).toBeLessThanOrEqual(2);
  });

  it('reports a stored range that differs from its own', async () => {
    const storage = store();
    await initialized(storage);
    await expect(poolOf(storage, '10.1.0.0/24').allocateNext()).rejects.toThrow(
      'the stored range 10.0.0.0/24 of serviceips differs',
    );
  });
});

describe('a repair', () => {
  it('allocates offsets of holders and reports them', async () => {
    const storage = store();
    const pool = await initialized(storage, [1, 2]);
    const repair = await pool.startRepair();
    expect(await repair.finish([1, 2, 9])).toEqual({ added: [9], released: [] });
    expect(await pool.reserve(9)).toBe(false);
  });

  it('releases an offset without a holder after three repairs', async () => {
    const storage = store();
    const pool = await initialized(storage, [5]);
    for (let round = 0; round < 3; round += 1)
      expect(await (await pool.startRepair()).finish([])).toEqual({ added: [], released: [] });
    expect(await (await pool.startRepair()).finish([])).toEqual({ added: [], released: [5] });
    expect(await pool.reserve(5)).toBe(true);
  });

  it('fails when another server has allocated since it began', async () => {
    const storage = store();
    const [one, other] = [await initialized(storage), poolOf(storage)];
    const repair = await one.startRepair();
    await other.reserve(4);
    await expect(repair.finish([8])).rejects.toThrow(PoolChangedError);
  });

  it('replaces the range of another flag', async () => {
    const storage = store();
    await initialized(storage, [1]);
    const pool = poolOf(storage, '10.1.0.0/24');
    expect(await (await pool.startRepair()).finish([3])).toEqual({ added: [], released: [] });
    expect(await pool.reserve(1)).toBe(true);
    expect(await pool.reserve(3)).toBe(false);
  });
});
