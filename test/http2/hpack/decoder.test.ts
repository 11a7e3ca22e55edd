import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HpackDecoder } from '../../../src/http2/hpack/decoder.ts';
import { HpackError } from '../../../src/http2/hpack/errors.ts';
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from './examples.ts';
import { integer, literal, newDecoder, TABLE_BYTES } from './support.ts';

const NO_LIMIT = 1 << 24;

test.each(REQUEST_EXAMPLES)('RFC 7541, %s', (_, examples) => {
  const decode = newDecoder();
  for (const { block, fields } of examples) expect(decode(block)).toEqual(fields);
});

test.each(RESPONSE_EXAMPLES)('RFC 7541, %s', (_, examples) => {
  const decode = newDecoder(256);
  for (const { block, fields } of examples) expect(decode(block)).toEqual(fields);
});

test('decodes a part of a buffer', () => {
  const bytes = Buffer.from('ffff8286ffff', 'hex');
  const { fields } = new HpackDecoder(TABLE_BYTES).decode(bytes, 2, 4, NO_LIMIT, NO_LIMIT);
  expect(fields).toEqual([':method', 'GET', ':scheme', 'http']);
});

test('decodes fields that must never be indexed without adding them to the table', () => {
  const decode = newDecoder();
  expect(decode('100870617373776f726406736563726574')).toEqual(['password', 'secret']);
  expect(() => decode('be')).toThrow(HpackError);
});

test('decodes credentials that are sent anew with each request', () => {
  const decode = newDecoder();
  const block = (value: string): Buffer =>
    Buffer.concat([Buffer.from('1f08', 'hex'), integer(value.length, 7), Buffer.from(value)]);
  const long = 'x'.repeat(5000);
  for (const value of ['Bearer one', 'Bearer one', 'Bearer one.two', 'Bearer', 'Bearer', long, long, ''])
    expect(decode(Buffer.concat([block(value), Buffer.of(0x82)]))).toEqual([
      'authorization',
      value,
      ':method',
      'GET',
    ]);
  expect(decode('1f0886a8eb10649cbf')).toEqual(['authorization', 'no-cache']);
  expect(decode('1f0886a8eb10649cbf')).toEqual(['authorization', 'no-cache']);
  decode(block('Bearer one'));
  expect(() => decode(block('Bearer one').subarray(0, -1))).toThrow(HpackError);
});

test.each([
  ['index 0', '80'],
  ['an index beyond the tables', 'be'],
  ['a literal name beyond the tables', '7f0000'],
  ['a truncated integer', 'ff'],
  ['an integer that continues for ever', `ff${'80'.repeat(200)}01`],
  ['an integer of 35 bits', 'ffffffffff7f'],
  ['a missing name', '40'],
  ['a missing value', '400161'],
  ['a name longer than the block', '400361'],
  ['a value longer than the block', '40016102ff'],
  ['a table size above the maximum', '3fe21f'],
  ['a table size update after a field', '8220'],
  ['a string that contains the end code', '400084fffffffc'],
  ['padding of eight bits', '4000821fff'],
  ['padding of zeros', '40008118'],
])('refuses %s', (_, block) => {
  expect(() => newDecoder()(block)).toThrow(HpackError);
});

describe('table size updates', () => {
  const entry = literal('a', 'b');

  test('may be several, up to the maximum', () => {
    const decode = newDecoder();
    decode(entry);
    expect(
      decode(Buffer.concat([integer(100, 5, 0x20), integer(TABLE_BYTES, 5, 0x20), Buffer.of(0xbe)])),
    ).toEqual(['a', 'b']);
  });

  test('evict entries', () => {
    const decode = newDecoder();
    decode(entry);
    decode('20');
    expect(() => decode('be')).toThrow(HpackError);
  });
});

test('evicts the oldest entries', () => {
  const decode = newDecoder(3 * 34);
  for (const value of '12345') decode(literal('a', value));
  expect(decode('bebfc0')).toEqual(['a', '5', 'a', '4', 'a', '3']);
  expect(() => decode('c1')).toThrow(HpackError);
});

test('an entry larger than the table empties it', () => {
  const decode = newDecoder(100);
  decode(literal('a', 'b'));
  expect(decode(literal('c', 'd'.repeat(90)))).toEqual(['c', 'd'.repeat(90)]);
  expect(() => decode('be')).toThrow(HpackError);
});

describe('limits', () => {
  const decoder = (): HpackDecoder => new HpackDecoder(TABLE_BYTES);
  const large = literal('large', 'x'.repeat(4000));

  test('references to a large entry cost no memory', () => {
    const block = Buffer.concat([large, Buffer.alloc(16_000, 0xbe)]);
    const { fields, overflowed } = decoder().decode(block, 0, block.length, 65_536, 1000);
    expect(overflowed).toBe(true);
    expect(fields).toHaveLength(2 * Math.floor(65_536 / (4000 + 5 + 32)));
  });

  test('indexed fields beyond the limit are checked', () => {
    const decode = (rest: string) => {
      const block = Buffer.concat([large, Buffer.alloc(300, 0xbe), Buffer.from(rest, 'hex')]);
      return decoder().decode(block, 0, block.length, 10_000, 1000).overflowed;
    };
    expect(['8286be82', '828240016101628282', '00016101628282'].map(decode)).toEqual([true, true, true]);
    for (const wrong of ['80', '82bf82', 'ff0082', 'ff'])
      expect(() => decode(wrong), wrong).toThrow(HpackError);
  });

  test('the number of fields is bounded', () => {
    const block = Buffer.alloc(1000, 0x82);
    const { fields, overflowed } = decoder().decode(block, 0, block.length, NO_LIMIT, 100);
    expect([fields.length, overflowed]).toEqual([200, true]);
    expect(decoder().decode(block, 0, 100, 100 * 42, 100).overflowed).toBe(false);
    expect(decoder().decode(block, 0, 100, 100 * 42 - 1, 100).overflowed).toBe(true);
  });

  test('the table stays in step beyond the limit', () => {
    const block = Buffer.concat([large, literal('x', 'y', 0), literal('later', 'kept')]);
    const own = decoder();
    expect(own.decode(block, 0, block.length, 100, 100)).toEqual({ fields: [], overflowed: true });
    expect(own.decode(Buffer.of(0xbe), 0, 1, 100, 100).fields).toEqual(['later', 'kept']);
  });

  test('bad indexes are refused beyond the limit', () => {
    const block = Buffer.concat([large, Buffer.from('0f7f0161', 'hex')]);
    expect(() => decoder().decode(block, 0, block.length, 100, 100)).toThrow(HpackError);
  });
});

test('random bytes decode or fail with HpackError, within the limits', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (blocks) => {
      const decoder = new HpackDecoder(TABLE_BYTES);
      try {
        for (const block of blocks) {
          const { fields } = decoder.decode(block, 0, block.length, 1000, 20);
          expect(fields.length).toBeLessThanOrEqual(40);
          expect(fields.join('').length + fields.length * 16).toBeLessThanOrEqual(1000);
        }
      } catch (error) {
        if (!(error instanceof HpackError)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});
