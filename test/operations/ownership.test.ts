import { describe, expect, it } from 'vitest';
import { type ManagedFieldsEntry, RawJson } from '../../src/model/object.ts';
import { sameOwnership } from '../../src/operations/ownership.ts';

const entry = (manager: string, time: string, fields = '{"f:data":{}}'): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: new RawJson(fields),
});
const [early, late] = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:01Z'];

describe('sameOwnership', () => {
  it('accepts entries that only differ in time', () => {
    expect(sameOwnership([entry('a', late)], [entry('a', early)])).toBe(true);
  });

  it('rejects equal entries, another order, other managers and other fields', () => {
    const reordered = [entry('b', early), entry('a', late)];
    expect(sameOwnership(reordered, [entry('a', early), entry('b', early)])).toBe(false);
    expect(sameOwnership([entry('a', early)], [entry('a', early)])).toBe(false);
    expect(sameOwnership([entry('b', late)], [entry('a', early)])).toBe(false);
    expect(sameOwnership([entry('a', late, '{"f:spec":{}}')], [entry('a', early)])).toBe(false);
    expect(sameOwnership([entry('a', late)], [])).toBe(false);
    expect(sameOwnership(undefined, undefined)).toBe(false);
  });
});
