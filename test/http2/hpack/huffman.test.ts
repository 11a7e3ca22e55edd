import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HpackError } from '../../../src/http2/hpack/errors.ts';
import { decodeHuffman } from '../../../src/http2/hpack/huffman-decoder.ts';
import { huffmanLength, writeHuffman } from '../../../src/http2/hpack/huffman-encoder.ts';

const decode = (hex: string): string => decodeHuffman(Buffer.from(hex, 'hex'), 0, hex.length / 2);

function encode(text: string): Buffer {
  const target = Buffer.alloc(huffmanLength(text));
  expect(writeHuffman(text, target, 0)).toBe(target.length);
  return target;
}

test.each([
  ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
  ['a8eb10649cbf', 'no-cache'],
  ['25a849e95ba97d7f', 'custom-key'],
  ['25a849e95bb8e8b4bf', 'custom-value'],
  ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ['9d29ad171863c78f0b97c8e9ae82ae43d3', 'https://www.example.com'],
])('the examples of RFC 7541: %s', (hex, text) => {
  expect(decode(hex)).toBe(text);
  expect(encode(text).toString('hex')).toBe(hex);
});

test.each(['ffffffff', '1fff', '18', '00', 'ff', '07ffffffff'])('refuses %s', (hex) => {
  expect(() => decode(hex)).toThrow(HpackError);
});

test('every byte between others survives', () => {
  for (let byte = 0; byte < 256; byte += 1)
    for (const before of ['', 'a', 'aa', '%', 'X'.repeat(5)]) {
      const text = `${before}${String.fromCharCode(byte)}a`;
      const coded = encode(text);
      expect(decodeHuffman(coded, 0, coded.length)).toBe(text);
    }
});

test('random strings survive, long ones too', () => {
  const byte = fc.nat({ max: 255 }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: byte, maxLength: 200 }), fc.nat({ max: 400 }), (text, times) => {
      const long = text.repeat(times);
      const coded = encode(long);
      expect(decodeHuffman(coded, 0, coded.length)).toBe(long);
    }),
    { numRuns: 200 },
  );
});
