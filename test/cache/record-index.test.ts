import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CacheRecord } from '../../src/cache/record.ts';
import { RecordIndex } from '../../src/cache/record-index.ts';
import { plainReader } from './support.ts';

const record = (key: string, text: string) => new CacheRecord(key, 1, Buffer.from(text), plainReader);
/** The whole text; none if it is empty, and an error for `x`. */
const read = ({ value }: CacheRecord): string | undefined => {
  const text = value.toString();
  if (text === 'x') throw new Error('not readable');
  return text === '' ? undefined : text;
};

const change = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  text: fc.constantFrom('', '1', '2', 'x'),
});

it('finds what a scan finds, whatever changes while it is filled', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), fc.nat(6), (before, after, steps) => {
      const records = new Map<string, CacheRecord>();
      const index = new RecordIndex(read);
      const apply = ({ key, text }: { key: string; text: string }, follow: boolean) => {
        const previous = records.get(key);
        // The same text again removes the record.
        const current = previous?.value.toString() === text ? undefined : record(key, text);
        if (current === undefined) records.delete(key);
        else records.set(key, current);
        if (follow) index.apply({ previous, current });
      };
      for (const one of before) apply(one, false);
      const visited: CacheRecord[] = [];
      const filling = index.filling(
        (function* () {
          for (const each of records.values()) {
            visited.push(each);
            yield each;
            if (visited.length === steps) for (const one of after) apply(one, true);
          }
        })(),
      );
      while (filling.next().done !== true);
      if (visited.length < steps || steps === 0) for (const one of after) apply(one, true);
      const all = [...records.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
      const isReadable = all.every(({ value }) => value.toString() !== 'x');
      for (const value of ['1', '2', '3'])
        expect(index.find(value)).toEqual(
          isReadable ? all.filter((one) => one.value.toString() === value) : undefined,
        );
    }),
  );
});

it('says nothing before it is filled, nor of a value that many records have', () => {
  const index = new RecordIndex(read);
  expect(index.find('1')).toBeUndefined();
  const keys = Array.from({ length: 4097 }, (_, at) => `k${at}`);
  const filling = index.filling([...keys.map((key) => record(key, '1')), record('z', '2')]);
  filling.next();
  expect(index.find('1')).toBeUndefined();
  while (filling.next().done !== true);
  expect([index.find('1'), index.find('2')?.length]).toEqual([undefined, 1]);
});
