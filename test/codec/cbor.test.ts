import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cborParts, parseCbor, withBinaryBytes, writeCbor } from '../../src/codec/cbor.ts';
import { DecodeError } from '../../src/codec/decode-error.ts';
import { parseJson } from '../../src/codec/json-parse.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { RawJson } from '../../src/model/object.ts';
import { setStepSizes } from '../../src/steps/sizes.ts';
import { messageType } from '../support/types.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const hex = (value: unknown) => Buffer.from(writeCbor(value)).toString('hex');

describe('parseCbor', () => {
  it.each([
    ['a1 686d65746164617461 a1 646e616d65 6163', { metadata: { name: 'c' } }],
    ['d9d9f7 a1 486d65746164617461 a1 446e616d65 4164', { metadata: { name: 'd' } }],
    ['bf 686d65746164617461 bf 646e616d65 7f 6165 ff ff ff', { metadata: { name: 'e' } }],
    ['9f 5f 4161 4162 ff 80 a0 ff', ['ab', [], {}]],
    ['a1 01 02', { 1: 2 }],
    ['d6 44 00010203', 'AAECAw=='],
    ['c1 1a 5e0d5da5', '2020-01-02T03:04:05Z'],
    ['84 f4 f5 f6 f7', [false, true, null, null]],
    ['83 f9 3e00 fa 3fc00000 fb 3ff8000000000000', [1.5, 1.5, 1.5]],
    ['82 1b 7fffffffffffffff 3b 7fffffffffffffff', [9223372036854775807n, -9223372036854775808n]],
  ])('reads %s', (text, value) => {
    expect(parseCbor(bytes(text))).toEqual({ value, duplicates: [] });
  });

  it.each([
    ['', 'EOF'],
    ['d9d9f7 a1 686d6574', 'unexpected EOF'],
    [Buffer.from('{"metadata":{"name":"k"}}').toString('hex'), 'unexpected EOF'],
    ['a1 686d65746164617461 a1 646e616d65 616c 00', 'cbor: 1 bytes of extraneous data starting at index 18'],
    ['a2 6161 01 6161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    ['62 c328', 'cbor: invalid UTF-8 string'],
    ['81'.repeat(100), 'cbor: exceeded max nested level 64'],
    [
      '1b ffffffffffffffff',
      'cbor: cannot unmarshal 18446744073709551615 into Go value of type int64 (overflows int64)',
    ],
    ['f9 7e00', 'cbor: floating-point NaN and infinities are not allowed'],
    ['a1 a0 01', 'cbor: invalid map key type'],
    ['9b ffffffffffffffff', 'unexpected EOF'],
    ['ff', 'cbor: unexpected "break" code'],
    ['1c', 'cbor: invalid additional information 28 for type 0'],
  ])('refuses %s', (text, message) => {
    expect(() => parseCbor(bytes(text))).toThrow(new DecodeError(message));
  });

  it('records whole floats, which are refused for integers', () => {
    const { value } = parseCbor(bytes('a1 686d65746164617461 a1 6a67656e65726174696f6e fb 3ff0000000000000'));
    expect(() => fromPlain(messageType('core_v1.ConfigMap'), value)).toThrow(
      'json: cannot unmarshal number 1.0 into Go struct field ObjectMeta.metadata.generation of type int64',
    );
  });

  it('throws only DecodeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (input) => {
        try {
          parseCbor(input);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

/** Integers beyond int64 are floats in CBOR. */
function withFloats(value: unknown): unknown {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : Number(value);
  if (value === null || typeof value !== 'object') return value;
  return Array.isArray(value)
    ? value.map(withFloats)
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withFloats(member)]));
}

describe('writeCbor', () => {
  it('writes the self-described tag, strings as byte strings and numbers in their shortest form', () => {
    expect(
      hex({
        a: 'ü',
        n: [0, 23, 24, 256, 65536, 2 ** 32, -1, -25, 1.5, 100000.5, 0.1],
        b: true,
        c: null,
        u: undefined,
      }),
    ).toBe(
      'd9d9f7a4416142c3bc416e8b001718181901001a000100001b000000010000000020381 8f93e00fa47c35040fb3fb999999999999a4162f54163f6'.replace(
        ' ',
        '',
      ),
    );
    expect(hex(new RawJson('{"x":9223372036854775807}'))).toBe('d9d9f7a141781b7fffffffffffffff');
  });

  it('keeps floats that JSON wrote with a fraction', () => {
    expect(hex(parseJson(Buffer.from('{"f":2.0,"e":1e3,"i":2}')).value)).toBe(
      'd9d9f7a34166f940004165f963d0416902',
    );
  });

  it('writes bytes of typed messages as bytes', () => {
    expect(
      hex(
        withBinaryBytes(messageType('core_v1.ConfigMap'), { binaryData: { b: 'AAEC' }, data: { t: 'AAEC' } }),
      ),
    ).toBe('d9d9f7a24a62696e61727944617461a14162d6430001024464617461a141744441414543');
    const list = withBinaryBytes(messageType('core_v1.SecretList'), { items: [{ data: { b: 'AAEC' } }] });
    expect(parseCbor(writeCbor(list)).value).toEqual({ items: [{ data: { b: 'AAEC' } }] });
  });

  it('pauses after every few members', () => {
    const wide = Array.from({ length: 1000 }, (_, index) => ({ a: index }));
    const restore = setStepSizes({ values: 100 });
    const parts = [...cborParts(wide)];
    restore();
    expect(parts.filter((part) => part === undefined)).toHaveLength(20);
    expect(Buffer.concat(parts.filter((part) => part !== undefined))).toEqual(writeCbor(wide));
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const json = parseJson(Buffer.from(JSON.stringify(value))).value;
        expect(parseCbor(writeCbor(json)).value).toEqual(withFloats(json));
      }),
      { examples: [[[2 ** 63]], [[-(2 ** 63)]], [[2 ** 64]]] },
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseCbor(writeCbor([value])).value).toEqual([
          Number.isSafeInteger(value) ? value + 0 : value,
        ]);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(BigInt(parseCbor(writeCbor(value)).value as bigint)).toBe(value);
      }),
    );
  });
});
