import fc from 'fast-check';
import { CacheRecord } from '../../../src/cache/record.ts';
import { RecordIndex } from '../../../src/cache/record-index.ts';
import { plainReader } from '../../cache/support.ts';
import { paceCase } from './pace-case.ts';

const texts = fc.array(fc.constantFrom('', '1', '2'));

export const CACHE_CASES = [
  paceCase('cache/record-index.ts RecordIndex.filling', texts, function* (all) {
    const index = new RecordIndex(({ value }) => value.toString() || undefined);
    yield* index.filling(all.map((text, at) => new CacheRecord(`k${at}`, 1, Buffer.from(text), plainReader)));
    return ['1', '2'].map((text) => index.find(text)?.map(({ key }) => key));
  }),
];
