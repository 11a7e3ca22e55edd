import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HpackEncoder } from '../../../src/http2/hpack/encoder.ts';
import { newDecoder, TABLE_BYTES } from './support.ts';

const hex = (block: Buffer): string => block.toString('hex');

test('a repeated response is a few bytes', () => {
  const encoder = new HpackEncoder();
  const fields = ['content-type', 'application/json', 'cache-control', 'no-cache, private'];
  expect(encoder.encode(200, fields).length).toBeGreaterThan(20);
  expect(hex(encoder.encode(200, fields))).toBe('88bfbe');
});

test('a status outside the static table is indexed', () => {
  const encoder = new HpackEncoder();
  expect(hex(encoder.encode(201, []))).toBe('48821003');
  expect(hex(encoder.encode(201, []))).toBe('be');
});

test.each([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-remote-user',
  'x-remote-extra-scopes',
])('%s is never indexed', (name) => {
  const encoder = new HpackEncoder();
  for (const block of [encoder.encode(200, [name, 'secret']), encoder.encode(200, [name, 'secret'])]) {
    expect(block[1]! >> 4).toBe(1);
    expect(block.includes('secret')).toBe(true);
  }
});

test.each(['audit-id', 'date', 'content-length', 'etag', 'location'])('%s is not indexed', (name) => {
  const encoder = new HpackEncoder();
  expect(encoder.encode(200, [name, '1'])).toEqual(encoder.encode(200, [name, '1']));
  expect(encoder.encode(200, [name, '1'])[1]! >> 4).toBe(0);
});

test('very large fields are not indexed', () => {
  const encoder = new HpackEncoder();
  const fields = ['x-large', 'y'.repeat(2000)];
  expect(encoder.encode(200, fields)).toEqual(encoder.encode(200, fields));
});

test('leaves a gap before the block', () => {
  const block = new HpackEncoder().encode(404, [], 9);
  expect(block.length).toBe(10);
  expect(block[9]).toBe(0x8d);
});

describe('the table size of the peer', () => {
  const fields = ['content-type', 'application/json'];

  test('is not announced while it is the default or larger', () => {
    const encoder = new HpackEncoder();
    encoder.setMaximumTableSize(TABLE_BYTES);
    encoder.setMaximumTableSize(65_536);
    expect(encoder.encode(200, [])[0]).toBe(0x88);
  });

  test('is announced once after a change', () => {
    const encoder = new HpackEncoder();
    encoder.encode(200, fields);
    encoder.setMaximumTableSize(0);
    expect(hex(encoder.encode(200, []))).toBe('2088');
    expect(hex(encoder.encode(200, []))).toBe('88');
    // Nothing stays in a table without room.
    const decode = newDecoder();
    expect(decode(encoder.encode(200, fields)).slice(2)).toEqual(fields);
    expect(encoder.encode(200, fields).length).toBeGreaterThan(2);
  });

  test('is announced as the least and the last of several changes', () => {
    const encoder = new HpackEncoder();
    encoder.encode(200, fields);
    encoder.setMaximumTableSize(10);
    encoder.setMaximumTableSize(2000);
    encoder.setMaximumTableSize(1000);
    expect(hex(encoder.encode(200, []))).toBe(`2a${'3fc907'}88`);
    // A drop and a return to the old size evict too.
    encoder.setMaximumTableSize(0);
    encoder.setMaximumTableSize(1000);
    expect(hex(encoder.encode(200, []))).toBe('203fc90788');
  });
});

const byte = fc.nat({ max: 255 }).map((code) => String.fromCharCode(code));
const value = fc.oneof(fc.string({ unit: byte, maxLength: 60 }), fc.constantFrom('a', 'b', 'x'.repeat(1500)));
const name = fc.oneof(
  fc.constantFrom('content-type', 'date', 'set-cookie', 'cache-control', 'x-one', 'x-two', 'audit-id'),
  fc.stringMatching(/^[a-z-]{1,30}$/),
);
const response = fc.record({
  status: fc.integer({ min: 100, max: 599 }),
  fields: fc.array(fc.tuple(name, value), { maxLength: 12 }),
  sizes: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.nat({ max: 8192 }), { maxLength: 3 }) },
  ),
});

test('the decoder restores what the encoder wrote, whatever the table sizes', () => {
  fc.assert(
    fc.property(fc.array(response, { maxLength: 40 }), (responses) => {
      const encoder = new HpackEncoder();
      const decode = newDecoder();
      for (const { status, fields, sizes } of responses) {
        for (const size of sizes) encoder.setMaximumTableSize(size);
        expect(decode(encoder.encode(status, fields.flat()))).toEqual([
          ':status',
          String(status),
          ...fields.flat(),
        ]);
      }
    }),
    { numRuns: 300 },
  );
});
