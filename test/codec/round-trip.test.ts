import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCbor, withBinaryBytes, writeCbor } from '../../src/codec/cbor.ts';
import { DecodeError } from '../../src/codec/decode-error.ts';
import { parseJson } from '../../src/codec/json-parse.ts';
import { writeJson } from '../../src/codec/json-write.ts';
import { decodeMessage, encodeMessage } from '../../src/codec/protobuf.ts';
import { fromPlain, toPlain } from '../../src/codec/typed.ts';
import { parseYaml, writeYaml } from '../../src/codec/yaml.ts';
import { messageType } from '../support/types.ts';
import { wireFixtures } from '../support/wire-fixtures.ts';

describe('objects with every field set', () => {
  const known = wireFixtures
    .filter(({ kind, type }) => kind !== '' && type.protobuf !== undefined)
    .map(({ name, type, json, apiVersion, kind }) => ({
      name,
      type,
      plain: parseJson(Buffer.from(json)).value,
      typeMeta: { apiVersion, kind },
    }));

  it.each(known)('$name is the same in every encoding', ({ plain, type, typeMeta }) => {
    const typed = fromPlain(type, plain).value;
    const json = writeJson(type, typed, typeMeta);
    const printed = toPlain(type, typed, typeMeta);
    const again = (value: unknown) => writeJson(type, fromPlain(type, value).value, typeMeta);
    expect(again(parseYaml(Buffer.from(writeYaml(printed))).value)).toBe(json);
    expect(again(parseCbor(writeCbor(withBinaryBytes(type, printed))).value)).toBe(json);
    expect(writeJson(type, decodeMessage(type, encodeMessage(type, typed)), typeMeta)).toBe(json);
  });
});

describe('arbitrary data instead of an object', () => {
  const types = [
    'core_v1.Pod',
    'core_v1.ConfigMap',
    'core_v1.Event',
    'apps_v1.Deployment',
    'apiextensions_v1.CustomResourceDefinition',
    'coordination_v1.Lease',
  ].map(messageType);
  const leaf = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(
      '1Gi',
      '2020-01-02T03:04:05Z',
      '2020-01-02T03:04:05.000001Z',
      'AA==',
      9007199254740993n,
      5,
      '',
      0,
      false,
    ),
  );

  /** Plain data with the member names of the type, and values that mostly have the right type. */
  const dataOf = (type: (typeof types)[number], depth: number): fc.Arbitrary<unknown> => {
    if (type.form !== 'object' || depth === 0) return leaf;
    const members = Object.fromEntries(
      [...type.byName.values()].slice(0, 12).map((field) => {
        const value = field.type.scalar === undefined ? dataOf(field.type.message, depth - 1) : leaf;
        const whole =
          field.shape === 'list'
            ? fc.array(value, { maxLength: 2 })
            : field.shape === 'map'
              ? fc.dictionary(fc.string(), value, { maxKeys: 2 })
              : value;
        return [
          field.name,
          fc.option(fc.oneof({ weight: 6, arbitrary: whole }, { weight: 1, arbitrary: leaf })),
        ] as const;
      }),
    );
    return fc.record(members, { requiredKeys: [] });
  };

  it.each(types)('$name: fails with a DecodeError or round-trips', (type) => {
    fc.assert(
      fc.property(dataOf(type, 3), (plain) => {
        let typed: object;
        try {
          typed = fromPlain(type, plain).value;
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
          return;
        }
        const json = writeJson(type, typed);
        expect(writeJson(type, fromPlain(type, parseJson(Buffer.from(json)).value).value)).toBe(json);
      }),
      { numRuns: 300 },
    );
  });
});
