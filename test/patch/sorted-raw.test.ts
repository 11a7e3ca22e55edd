import { describe, expect, it } from 'vitest';
import { sortRawMembers } from '../../src/patch/index.ts';
import { messageType } from '../support/types.ts';

const type = messageType('apps_v1.ControllerRevision');
const revision = {
  metadata: { labels: { z: '1', a: '2' } },
  data: { spec: { b: 1, a: [{ d: 1, c: 2 }] }, kind: 'K' },
};

describe('free-form data traversed by a patch', () => {
  it('has its members sorted by name', () => {
    expect(JSON.stringify(sortRawMembers(type, revision, () => true))).toBe(
      '{"metadata":{"labels":{"z":"1","a":"2"}},"data":{"kind":"K","spec":{"a":[{"c":2,"d":1}],"b":1}}}',
    );
  });

  it('is sorted where the patch decoded it', () => {
    const { data } = revision;
    const decoded = new Set<object>([data, data.spec]);
    const result = sortRawMembers(type, revision, (container) => decoded.has(container));
    expect(JSON.stringify(result)).toBe(
      '{"metadata":{"labels":{"z":"1","a":"2"}},"data":{"kind":"K","spec":{"a":[{"d":1,"c":2}],"b":1}}}',
    );
    expect(JSON.stringify(sortRawMembers(type, revision, () => false))).toBe(JSON.stringify(revision));
  });

  it('may be nested to any depth', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 50_000; depth += 1) deep = { a: deep };
    expect(sortRawMembers(type, { data: deep }, () => true)).toEqual({ data: expect.anything() });
  });
});
