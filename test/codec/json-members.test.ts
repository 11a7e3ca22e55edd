import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMember, visitMembers } from '../../src/codec/json-members.ts';

/** The members of a JSON object as the scan finds them; undefined if it refuses the bytes. */
function members(text: string): [string, unknown][] | undefined {
  const bytes = Buffer.from(text);
  const slice = (from: number, to: number): unknown => JSON.parse(bytes.toString('utf8', from, to));
  const found: [string, unknown][] = [];
  const complete = visitMembers(bytes, 0, ({ nameStart, nameEnd, valueStart, valueEnd }) => {
    found.push([slice(nameStart, nameEnd) as string, slice(valueStart, valueEnd)]);
    return true;
  });
  return complete ? found : undefined;
}

const NAMES = ['metadata', '__proto__', 'constructor', '"', '\\', '{', '},"a":', '\u2028', '😀'];
const object = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), fc.jsonValue()))
  .map((entries) => new Map(entries));
const textOf = (entries: Iterable<readonly [string, unknown]>) =>
  `{${[...entries].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;

describe('the scan of members', () => {
  it('finds the names and values that JSON.parse does', () => {
    fc.assert(
      fc.property(object, (entries) => {
        const text = textOf(entries);
        // A value may change when it is written, as -0 does.
        const expected = [...entries].map(([name, value]) => [name, JSON.parse(JSON.stringify(value))]);
        expect(members(text)).toEqual(expected);
        expect(Object.entries(JSON.parse(text)).length).toBe(entries.size);
      }),
    );
  });

  it('finds one member among others, at any offset', () => {
    fc.assert(
      fc.property(object, fc.jsonValue(), fc.nat(20), (entries, value, offset) => {
        const text = textOf([...[...entries].filter(([name]) => name !== 'metadata'), ['metadata', value]]);
        const bytes = Buffer.from(' '.repeat(offset) + text);
        const { valueStart, valueEnd } = findMember(bytes, offset, 'metadata')!;
        expect(bytes.toString('utf8', valueStart, valueEnd)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('refuses every prefix of an object, and never reads beyond it', () => {
    fc.assert(
      fc.property(object, (entries) => {
        const text = textOf(entries);
        const bytes = Buffer.from(text);
        for (let end = 0; end < bytes.length; end += 1)
          expect(
            visitMembers(bytes.subarray(0, end), 0, () => true),
            text,
          ).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses what is not compact or no object', () => {
    for (const text of ['', '[]', '1', '{', '{"a"}', '{"a":1', '{"a" :1}', '{ "a":1}', '{a:1}'])
      expect(
        visitMembers(Buffer.from(text), 0, () => undefined),
        text,
      ).toBe(false);
    expect(findMember(Buffer.from('{"a":1}'), 0, 'b')).toBeUndefined();
    // The first of several members with one name counts.
    const twice = Buffer.from('{"a":1,"a":2}');
    expect(
      twice.toString('utf8', findMember(twice, 0, 'a')!.valueStart, findMember(twice, 0, 'a')!.valueEnd),
    ).toBe('1');
  });

  it('takes linear time and no stack for deep values', () => {
    const deep = Buffer.from(`{"a":${'['.repeat(1e6)}${']'.repeat(1e6)},"b":1}`);
    expect(findMember(deep, 0, 'b')!.valueStart).toBe(deep.length - 2);
  });
});
