import { expect, it, vi } from 'vitest';
import { CacheRecord } from '../../src/cache/record.ts';
import { runNow } from '../../src/steps/run.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { resourcesOn } from '../support/resources-on.ts';

it('a definition is decoded once for all its readers, and none changes it', () => {
  const resource = resourcesOn(createMemoryStorage()).internal(
    'apiextensions.k8s.io',
    'customresourcedefinitions',
  );
  const { stored } = resource;
  const decode = vi.spyOn(stored.codec, 'decode');
  const shortNames = Array.from({ length: 20_000 }, (_, index) => `s${index}`);
  const value = stored.codec.encode({
    metadata: { name: 'things.a.test' },
    spec: { group: 'a.test', names: { plural: 'things', kind: 'Thing', shortNames }, versions: [] },
  } as never);
  const record = new CacheRecord(stored.key('', 'things.a.test'), 7, value, stored.reader);
  expect(resource.isLarge(record)).toBe(true);
  const first = structuredClone(
    resource.metadata(runNow(resource.prepare(record, { working: true, keep: true })!)),
  );
  resource.rowObject(record);
  resource.protobuf(record, 9);
  resource.json(record, 7);
  expect(resource.prepare(record, { working: true, keep: true })).toBeUndefined();
  expect(resource.metadata(record)).toEqual(first);
  expect(decode).not.toHaveBeenCalled();
});
