import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/codec/json-parse.ts';
import { writePlain, writePlainBeginning, writingPlain } from '../../src/codec/json-plain.ts';
import { escapeHtml, quoteJson } from '../../src/codec/json-string.ts';
import { writeJson, writeJsonWithOffset } from '../../src/codec/json-write.ts';
import { literalsOf } from '../../src/codec/number-literals.ts';
import { prettyJson, prettyParts } from '../../src/codec/pretty.ts';
import { rawFromPlain, writingRaw } from '../../src/codec/raw-text.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { RawJson } from '../../src/model/object.ts';
import { plainText } from '../../src/schema/structural/go-text.ts';
import { runNow } from '../../src/steps/run.ts';
import { setStepSizes, stepSizes } from '../../src/steps/sizes.ts';
import { messageType } from '../support/types.ts';
import { wireFixtures } from '../support/wire-fixtures.ts';

describe('writeJson', () => {
  it('writes the same fields of empty objects as kube-apiserver', () => {
    const pod = messageType('core_v1.Pod');
    expect(writeJson(pod, {})).toBe(
      '{"metadata":{"creationTimestamp":null},"spec":{"containers":null},"status":{}}',
    );
    expect(writeJson(pod, {}, { apiVersion: 'v1', kind: 'Pod' })).toBe(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"creationTimestamp":null},"spec":{"containers":null},"status":{}}',
    );
    expect(writeJson(messageType('rbac_v1.Role'), {})).toBe(
      '{"metadata":{"creationTimestamp":null},"rules":null}',
    );
  });

  it('omits zero values, sorts maps by bytes, escapes HTML, splices raw JSON', () => {
    const text = writeJson(messageType('core_v1.Pod'), {
      kind: 'Pod',
      metadata: {
        name: 'a',
        generation: 9007199254740993n,
        labels: { '\u{1f600}': '1', '\uffff': '2', b: '<&>', a: '\u2028"\\\n\u0007' },
        finalizers: [],
        annotations: {},
        managedFields: [{ fieldsV1: new RawJson('{"f:<":{}}') }],
      },
      spec: { hostNetwork: false, priority: 0, containers: [] },
    });
    expect(text).toBe(
      '{"metadata":{"name":"a","generation":9007199254740993,"creationTimestamp":null,"labels":{"a":"\\u2028\\"\\\\\\n\\u0007","b":"\\u003c\\u0026\\u003e","\uffff":"2","\u{1f600}":"1"},' +
        '"managedFields":[{"fieldsV1":{"f:\\u003c":{}}}]},"spec":{"containers":[],"priority":0},"status":{}}',
    );
  });

  it('writes kind and apiVersion of inner objects, but of the outer one only if given', () => {
    const text = writeJson(messageType('core_v1.PodList'), {
      kind: 'PodList',
      items: [{ kind: 'Pod', apiVersion: 'v1' }],
    });
    expect(text).toMatch(/^\{"metadata":\{\},"items":\[\{"kind":"Pod","apiVersion":"v1","metadata"/);
  });

  it('returns the byte offset for inserting a resourceVersion', () => {
    const type = messageType('core_v1.ConfigMap');
    for (const name of [undefined, 'a', 'ü😀']) {
      for (const typeMeta of [undefined, { apiVersion: 'v1', kind: 'ConfigMap' }]) {
        const value = {
          metadata: { name, uid: 'u', resourceVersion: '42', labels: { a: 'b' } },
          data: { k: 'v' },
        };
        const { text, resourceVersionOffset } = writeJsonWithOffset(type, value, typeMeta);
        const spliced = `${text.subarray(0, resourceVersionOffset)}"resourceVersion":"42",${text.subarray(resourceVersionOffset)}`;
        expect(spliced).toBe(writeJson(type, value, typeMeta));
      }
    }
    expect(writeJsonWithOffset(type, {}).text.toString()).toBe('{"metadata":{"creationTimestamp":null}}');
    expect(writeJsonWithOffset(messageType('meta_v1.Status'), {}).resourceVersionOffset).toBe(-1);
  });

  describe('the recorded objects with every field set', () => {
    const known = wireFixtures
      .filter(({ kind }) => kind !== '')
      .map((fixture) => ({ ...fixture, plain: parseJson(Buffer.from(fixture.json)).value }));

    it('include most recorded kinds', () => {
      expect(known.length).toBeGreaterThan(80);
    });

    it.each(known)('$name round-trips', ({ json, apiVersion, kind, plain, type }) => {
      const { value, unknown } = fromPlain(type, plain);
      expect(unknown).toEqual([]);
      expect(writeJson(type, value, { apiVersion, kind })).toBe(escapeHtml(JSON.stringify(JSON.parse(json))));
    });
  });
});

describe('writePlainBeginning', () => {
  it.each([[{ b: [1, { c: null }], a: '<', u: undefined }], [[]], [{}], ['x'], [new RawJson('{"a":1}')]])(
    'is the whole text of a short value: %j',
    (value) => expect(writePlainBeginning(value, 100)).toBe(writePlain(value)),
  );

  it('reads no more of a long or deep value than needed', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = { a: [deep] };
    expect(writePlainBeginning(deep, 20).slice(0, 20)).toBe('{"a":[{"a":[{"a":[{"');
    const list = Array(1000).fill(0);
    expect(writePlainBeginning(list, 10).slice(0, 10)).toBe('[0,0,0,0,0');
    expect(writePlainBeginning(list, 10).length).toBeLessThan(20);
    expect(plainText(deep, 20).slice(0, 20)).toBe('map[a:[map[a:[map[a:');
    expect(plainText({ b: [1, { c: null }], a: 'x' })).toBe('map[a:x b:[1 map[c:<nil>]]]');
  });
});

describe('escapeHtml', () => {
  it.each([10, 5000])('escapes markup and line separators: %d repetitions', (count) => {
    for (const text of ['<a>', '&', 'é<', '\u2028x', '€&\u2029', 'plain', '😀>'])
      expect(escapeHtml(text.repeat(count))).toBe(
        text
          .replace(
            /[<>&\u2028\u2029]/g,
            (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
          )
          .repeat(count),
      );
  });
});

describe('untyped JSON', () => {
  it('is sorted and escaped, with integers exact', () => {
    expect(
      writePlain({
        b: 1,
        a: [null, true, 1.5, -0, 1e21, 1e-7, 9223372036854775807n, 99999999999999999999n],
        '<': undefined,
        10: 1,
        9: new RawJson('{"b":1,"a":2}'),
      }),
    ).toBe(
      '{"10":1,"9":{"b":1,"a":2},"a":[null,true,1.5,-0,1e+21,1e-7,9223372036854775807,100000000000000000000],"b":1}',
    );
    expect(writePlain({})).toBe('{}');
  });

  it('writes strings that JSON.parse round-trips', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const quoted = quoteJson(text);
        expect(JSON.parse(quoted)).toBe(text);
        expect(quoted).not.toMatch(/[<>&\u2028\u2029\n]/);
      }),
    );
    expect(quoteJson('\ud800<\\ud800')).toBe('"\ufffd\\u003c\\\\ud800"');
  });

  it('survives a round trip through writePlain', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseJson(Buffer.from(writePlain(value))).value).toEqual(
          parseJson(Buffer.from(JSON.stringify(value))).value,
        );
      }),
    );
  });
});

describe('prettyJson', () => {
  it('indents like JSON.stringify for any input spacing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, spaces) => {
        expect(prettyJson(JSON.stringify(value, null, spaces))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps the literals of numbers and strings', () => {
    expect(prettyJson('{"a":1.0e2,"b":"\\u003c {,:"}')).toBe('{\n  "a": 1.0e2,\n  "b": "\\u003c {,:"\n}');
  });
});

describe('writing plain data in steps', () => {
  it('pauses after every few members', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`k${index}`, { a: [index] }]),
    );
    const restore = setStepSizes({ values: 100 });
    expect([...writingPlain(wide)]).toHaveLength(30);
    restore();
  });

  it('writes deep data', () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 20_000; depth += 1) deep = { a: deep };
    expect(writePlain(deep)).toHaveLength(20_000 * 6 + 2);
  });

  it('pauses while whole numbers with fractions are written', () => {
    const { value } = parseJson(Buffer.from(`[${Array(20_000).fill('1.0').join(',')}]`));
    const steps = [...writingPlain(value, literalsOf(value))];
    expect(steps.length).toBeGreaterThan(1);
  });
});

it('free-form data has the same text in steps', () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f:${index}"`, {}]));
  for (const value of [{ b: [1, -0, null, true, '\u2028<'], a: {}, ['__proto__']: [] }, [], 'x', wide])
    expect(runNow(writingRaw(value)).text).toBe(rawFromPlain(value).text);
  const long = { a: 2n ** 63n };
  expect(runNow(writingRaw(long)).text).toBe(rawFromPlain(long).text);
  const steps = writingRaw({ wide, other: wide });
  let yields = 0;
  while (steps.next().done !== true) yields += 1;
  expect(yields).toBe(Math.floor(40_000 / stepSizes.values));
});

it('indents in short steps, since its code is slow until it is compiled', () => {
  const document = Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `item ${index}`)));
  const parts = [...prettyParts([document])];
  expect(Math.max(...parts.map((part) => part?.length ?? 0))).toBeLessThanOrEqual(32 * 1024);
  expect(parts.filter((part) => part === undefined).length).toBeGreaterThan(10);
});
