import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DecodeError } from '../../src/codec/decode-error.ts';
import { decodeEnvelope, encodeEnvelope, encodeObject } from '../../src/codec/envelope.ts';
import { parseJson } from '../../src/codec/json-parse.ts';
import { writeJson } from '../../src/codec/json-write.ts';
import { TooManyPartsError } from '../../src/codec/parts.ts';
import {
  decodeMessage,
  decodeMetadata,
  decodingMessage,
  encodeMessage,
  encodingMessage,
} from '../../src/codec/protobuf.ts';
import { spliceResourceVersion } from '../../src/codec/protobuf-splice.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { RawJson } from '../../src/model/object.ts';
import type { MessageType } from '../../src/schema/message.ts';
import { runNow } from '../../src/steps/run.ts';
import { stepSizes } from '../../src/steps/sizes.ts';
import { arbitraryMessage } from '../support/arbitrary-object.ts';
import { allMessageTypes, messageType } from '../support/types.ts';
import { wireFixtures } from '../support/wire-fixtures.ts';

const pod = messageType('core_v1.Pod');
const encodable = allMessageTypes().filter(
  ({ protobuf, form, group }) =>
    protobuf !== undefined &&
    form === 'object' &&
    group !== 'audit.k8s.io' &&
    protobuf !== 'k8s.io.apimachinery.pkg.runtime.Unknown',
);
const anyType = fc.constantFrom<MessageType>(...encodable);
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('recorded messages', () => {
  test.each(wireFixtures.map((fixture) => [fixture.name, fixture] as const))(
    '%s',
    (_, { type, apiVersion, kind, protobuf, json }) => {
      const { raw } = decodeEnvelope(protobuf);
      const value = decodeMessage(type, raw, { untrusted: true });
      expect(runNow(decodingMessage(type, raw, { untrusted: true }))).toEqual(value);
      expect(encodeObject(type, apiVersion, kind, value).equals(protobuf)).toBe(true);
      expect(encodeEnvelope(apiVersion, kind, encodeMessage(type, value)).equals(protobuf)).toBe(true);
      expect(writeJson(type, value, type.typeMeta ? { apiVersion, kind } : undefined)).toBe(json);
      const fromJson = fromPlain(type, parseJson(Buffer.from(json)).value).value;
      expect(encodeObject(type, apiVersion, kind, fromJson).equals(protobuf)).toBe(true);
      for (let length = 0; length < raw.length; length += 7) {
        try {
          decodeMessage(type, raw.subarray(0, length));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }
    },
  );
});

describe('properties', () => {
  test('encoding and decoding round-trips', () => {
    const typed = anyType.chain((type) => arbitraryMessage(type).map((value) => [type, value] as const));
    fc.assert(
      fc.property(typed, fc.boolean(), ([type, value], untrusted) => {
        const bytes = encodeMessage(type, value);
        expect(decodeMessage(type, bytes, { untrusted })).toEqual(value);
        expect(runNow(decodingMessage(type, bytes, { untrusted }))).toEqual(value);
        expect(encodeMessage(type, decodeMessage(type, bytes)).equals(bytes)).toBe(true);
        expect(runNow(encodingMessage(type, value)).equals(bytes)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('large messages are decoded in steps, beside others', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `k${index}`);
    const data = Object.fromEntries(names.map((name) => [name, 'v']));
    const fieldsV1 = new RawJson(`{${names.map((name) => `"f:${name}": {}`).join()}}`);
    const env = names.map((name) => ({ name }));
    const large: [MessageType, object][] = [
      [messageType('core_v1.ConfigMap'), { data }],
      [pod, { spec: { containers: [{ name: 'a', env }] } }],
      [pod, { metadata: { finalizers: names, managedFields: [{ fieldsV1 }] } }],
    ];
    for (const [type, value] of large) {
      const bytes = encodeMessage(type, value);
      const encoding = encodingMessage(type, value);
      let pauses = 0;
      let encoded = encoding.next();
      for (; encoded.done !== true; encoded = encoding.next()) {
        pauses += 1;
        encodeMessage(pod, { metadata: { name: 'other' } });
      }
      expect(encoded.value.equals(bytes)).toBe(true);
      expect(pauses).toBeGreaterThanOrEqual(type === pod && 'metadata' in value ? 2 : 4);
      const steps = decodingMessage(type, bytes, { untrusted: true, maximumParts: 100_000 });
      let yields = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) {
        yields += 1;
        decodeMessage(pod, hex('0a 00'));
      }
      expect(step.value).toEqual(decodeMessage(type, bytes, { untrusted: true }));
      expect(yields).toBeGreaterThanOrEqual(Math.floor((2 * names.length) / (2 * stepSizes.values)));
    }
    const bytes = encodeMessage(large[0]![0], large[0]![1]);
    const limited = decodingMessage(large[0]![0], bytes, { untrusted: true, maximumParts: 1000 });
    expect(() => runNow(limited)).toThrow(TooManyPartsError);
  });

  test('arbitrary and damaged bytes decode or fail with a DecodeError', () => {
    const survives = (type: MessageType, bytes: Uint8Array): void => {
      try {
        decodeMessage(type, bytes, { untrusted: true });
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
    };
    fc.assert(fc.property(anyType, fc.uint8Array({ maxLength: 200 }), survives), { numRuns: 500 });
    const fixture = fc.constantFrom(...wireFixtures);
    fc.assert(
      fc.property(fixture, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ type, protobuf }, at, byte) => {
        const damaged = Buffer.from(decodeEnvelope(protobuf).raw);
        if (damaged.length > 0) damaged[at % damaged.length] = byte;
        survives(type, damaged);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeEnvelope(Buffer.concat([Buffer.from('k8s\0', 'latin1'), bytes]));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
    );
  });

  test('splicing a version equals decoding, changing and encoding', () => {
    const objects = arbitraryMessage(messageType('core_v1.ConfigMap')).filter(
      (value) => 'metadata' in value,
    ) as fc.Arbitrary<{ metadata: object }>;
    fc.assert(
      fc.property(objects, fc.bigInt({ min: 1n, max: 2n ** 63n }), (value, revision) => {
        const type = messageType('core_v1.ConfigMap');
        const spliced = spliceResourceVersion(encodeMessage(type, value), String(revision));
        expect(
          spliced.equals(
            encodeMessage(type, {
              ...value,
              metadata: { ...value.metadata, resourceVersion: String(revision) },
            }),
          ),
        ).toBe(true);
        const { managedFields: _, ...metadata } = (
          decodeMessage(type, spliced) as { metadata: Record<string, unknown> }
        ).metadata;
        expect(decodeMetadata(messageType('meta_v1.ObjectMeta'), spliced)).toEqual(metadata);
      }),
    );
  });
});

describe('edges', () => {
  test('an empty pod has the fields that are always written', () => {
    expect(encodeMessage(pod, {}).toString('hex')).toBe(
      encodeMessage(pod, { metadata: {}, spec: { containers: [] }, status: {} }).toString('hex'),
    );
    expect(decodeMessage(pod, encodeMessage(pod, {}))).toEqual({});
  });

  test('encodes objects larger than the reused buffer', () => {
    const config = messageType('core_v1.ConfigMap');
    for (const size of [65_500, 65_536, 70_000, 5_000_000]) {
      const value = {
        data: { big: 'x'.repeat(size), wide: 'é'.repeat(size) },
        binaryData: { b: Buffer.alloc(size, 7).toString('base64') },
      };
      expect(decodeMessage(config, encodeMessage(config, value))).toEqual(value);
    }
    expect(encodeMessage(config, { data: { a: 'b' } }).length).toBeLessThan(100);
  });

  test('invalid UTF-8 and lone surrogates are replaced', () => {
    const status = messageType('meta_v1.Status');
    expect(decodeMessage(status, hex('1a03 61ff62'))).toEqual({ message: 'a\ufffdb' });
    expect(decodeMessage(status, encodeMessage(status, { message: '\ud800' }))).toEqual({
      message: '\ufffd',
    });
  });

  test('keys named like Object.prototype members are data', () => {
    const meta = messageType('meta_v1.ObjectMeta');
    const labels = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const { labels: decoded } = decodeMessage(meta, encodeMessage(meta, { labels })) as {
      labels: Record<string, string>;
    };
    expect(Object.entries(decoded)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
  });

  test('map keys are sorted by their bytes', () => {
    const meta = messageType('meta_v1.ObjectMeta');
    const labels = { 𐀀: '1', '\uffee': '2', a: '3', B: '4' };
    expect(
      Object.keys((decodeMessage(meta, encodeMessage(meta, { labels })) as { labels: object }).labels),
    ).toEqual(['B', 'a', '\uffee', '𐀀']);
  });

  test('integers beyond a double are bigint', () => {
    const lease = messageType('meta_v1.ObjectMeta');
    for (const generation of [2n ** 63n - 1n, -(2n ** 63n), 2 ** 53 - 1, -1, 2 ** 31, 2 ** 49, 2 ** 49 - 1]) {
      expect(decodeMessage(lease, encodeMessage(lease, { generation }))).toEqual({ generation });
    }
  });

  test('unknown fields and groups are skipped; known ones with a wrong wire type are refused', () => {
    const status = messageType('meta_v1.Status');
    expect(decodeMessage(status, hex('9a06 0161 a306 0801 a406 12026f6b'))).toEqual({ status: 'ok' });
    expect(() => decodeMessage(status, hex('1001'))).toThrow('wrong wireType = 0 for field status');
    expect(() => decodeMessage(status, hex('0000'))).toThrow('illegal tag 0');
    expect(() => decodeMessage(status, hex('a406'))).toThrow(DecodeError);
    expect(() => decodeMessage(status, hex('12ff'))).toThrow('unexpected EOF');
    expect(() => decodeMessage(status, hex('12ffffffff0f'))).toThrow('unexpected EOF');
  });

  test('packed numbers are decoded', () => {
    const options = messageType('core_v1.PodPortForwardOptions');
    expect(decodeMessage(options, hex('0a03 50bb03'))).toEqual({ ports: [80, 443] });
    expect(decodeMessage(options, hex('0850'))).toEqual({ ports: [80] });
  });

  test('nesting is bounded', () => {
    const schema = messageType('apiextensions_v1.JSONSchemaProps');
    const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) });
    expect(decodeMessage(schema, encodeMessage(schema, nested(99)))).toEqual(nested(99));
    expect(() => decodeMessage(schema, encodeMessage(schema, nested(100)))).toThrow('exceeded max depth');
  });

  test('canonicalizes quantities of clients, and validates and compacts their free-form JSON', () => {
    const requirements = messageType('core_v1.ResourceRequirements');
    const bytes = encodeMessage(requirements, { limits: { cpu: '1000m' } });
    expect(decodeMessage(requirements, bytes)).toEqual({ limits: { cpu: '1000m' } });
    expect(decodeMessage(requirements, bytes, { untrusted: true })).toEqual({ limits: { cpu: '1' } });
    expect(() =>
      decodeMessage(requirements, encodeMessage(requirements, { limits: { cpu: 'x' } }), { untrusted: true }),
    ).toThrow(DecodeError);
    const revision = messageType('apps_v1.ControllerRevision');
    expect(
      decodeMessage(revision, encodeMessage(revision, { data: new RawJson('{ "a": "x  y" }') }), {
        untrusted: true,
      }),
    ).toEqual({
      data: new RawJson('{"a":"x  y"}'),
    });
    expect(() =>
      decodeMessage(revision, encodeMessage(revision, { data: new RawJson('{') }), { untrusted: true }),
    ).toThrow(DecodeError);
  });

  test('a time beyond four-digit years is refused', () => {
    const lease = messageType('meta_v1.ObjectMeta');
    expect(() => decodeMessage(lease, hex('4207 08ffffffffff7f'))).toThrow('time out of range');
  });

  test('null and undefined members are absent', () => {
    expect(
      encodeMessage(pod, { metadata: { name: 'p', creationTimestamp: null, labels: undefined } }).equals(
        encodeMessage(pod, { metadata: { name: 'p' } }),
      ),
    ).toBe(true);
  });

  test('malformed envelopes are refused with the reason', () => {
    expect(() => decodeEnvelope(Buffer.from('{"kind":"Pod"}'))).toThrow('expected prefix [107 56 115 0]');
    expect(() => decodeEnvelope(hex('6b387300'))).toThrow('empty body');
    expect(() => decodeEnvelope(hex('6b3873000a0f0a02763112'))).toThrow('unexpected EOF');
    expect(() => spliceResourceVersion(hex('1203616263'), '1')).toThrow(DecodeError);
    expect(() => spliceResourceVersion(hex('0a05 0a09'), '1')).toThrow(DecodeError);
  });
});
