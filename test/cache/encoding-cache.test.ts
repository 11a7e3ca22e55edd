import { describe, expect, it, vi } from 'vitest';
import { concatRetained, EncodingCache, EncodingOwner } from '../../src/cache/encoding-cache.ts';
import { retainedBuffers } from '../support/retained.ts';

const form = (bytes: number) => vi.fn(() => ({ value: { bytes }, bytes }));

describe('encoding cache', () => {
  it('creates a form once per owner and name', () => {
    const memo = new EncodingCache(1 << 20);
    const [one, two] = [new EncodingOwner(), new EncodingOwner()];
    const make = form(10);
    const first = memo.get(one, 'json', make);
    expect(memo.get(one, 'json', make)).toBe(first);
    expect(make).toHaveBeenCalledTimes(1);
    memo.get(one, 'table', make);
    memo.get(two, 'json', make);
    expect(make).toHaveBeenCalledTimes(3);
  });

  it('makes a form that takes long once for all that ask for it meanwhile', async () => {
    const memo = new EncodingCache(1 << 20);
    const owner = new EncodingOwner();
    let finish!: () => void;
    const waiting = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const make = vi.fn(() => waiting.then(() => ({ value: { made: true }, bytes: 10 })));
    const asked = [1, 2, 3].map(() => memo.getLater(owner, 'gzip', make));
    finish();
    const [first, ...others] = await Promise.all(asked);
    expect([...others, await memo.getLater(owner, 'gzip', make)]).toEqual([first, first, first]);
    expect([make.mock.calls.length, memo.bytes]).toEqual([1, 160]);
  });

  it('has the next one make a form when the first one fails', async () => {
    const memo = new EncodingCache(1 << 20);
    const owner = new EncodingOwner();
    const failing = vi.fn(() => Promise.reject(new Error('disconnected')));
    const make = vi.fn(async () => ({ value: 'made', bytes: 10 }));
    const asked = [failing, make, make].map((how) => memo.getLater<string>(owner, 'gzip', how));
    expect(await Promise.allSettled(asked)).toMatchObject([
      { status: 'rejected' },
      { value: 'made' },
      { value: 'made' },
    ]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('evicts unused forms at its bound', () => {
    const memo = new EncodingCache(100_000);
    const often = new EncodingOwner();
    const make = form(5_000);
    memo.get(often, 'json', make);
    const owners = Array.from({ length: 200 }, () => new EncodingOwner());
    for (const owner of owners) {
      memo.get(owner, 'json', form(5_000));
      memo.get(often, 'json', make);
      expect(memo.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(make).toHaveBeenCalledTimes(1);
    expect(owners.filter(({ memoChain }) => memoChain?.first !== undefined).length).toBeLessThan(20);
    expect(owners.at(-1)!.memoChain?.first).toBeDefined();
  });

  it('evicts the forms of an owner one by one, in any order', () => {
    const memo = new EncodingCache(10_000);
    const owner = new EncodingOwner();
    const kept = () => {
      const names: string[] = [];
      for (let known = owner.memoChain?.first; known !== undefined; known = known.next)
        names.push(known.form);
      return names;
    };
    for (const name of 'abcdefgh') memo.get(owner, name, form(2_000));
    expect(kept()).toEqual(['h', 'g', 'f', 'e']);
    expect(memo.bytes).toBe(4 * 2_150);
  });

  it('does not keep the stored bytes of replaced records alive', async () => {
    class Record extends EncodingOwner {
      readonly value = new Uint8Array(1 << 20);
    }
    const memo = new EncodingCache(1 << 20);
    const before = await retainedBuffers();
    for (let round = 0; round < 64; round += 1) memo.get(new Record(), 'metadata', form(100));
    expect((await retainedBuffers()) - before).toBeLessThan(4 << 20);
    expect(memo.bytes).toBe(64 * 250);
  });

  it('does not cache forms that are too large or not worth it', () => {
    const memo = new EncodingCache(10_000);
    const owner = new EncodingOwner();
    memo.get(owner, 'large', form(2_501));
    memo.get(owner, 'once', form(1), false);
    expect([owner.memoChain, memo.bytes]).toEqual([undefined, 0]);
  });

  it('concatenates forms in buffers of their own', () => {
    const joined = concatRetained(Buffer.from('a'), new Uint8Array(0), Buffer.from('bc'));
    expect(joined.toString()).toBe('abc');
    expect(joined.buffer.byteLength).toBe(3);
  });
});
